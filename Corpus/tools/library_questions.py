#!/usr/bin/env python3
"""Put the questions of Corpus/library.jsonl to an official emulator and record its answers.

  FIRESTORE_EMULATOR_HOST=127.0.0.1:8086 library_questions.py > Corpus/library.jsonl

Every function and method of strings, bytes, numbers, timestamps, durations, points and hashes: with operands of
every type, with too few and too many arguments, with values at the edges, and with thousands of random ones (the
seed is fixed). One line a question:

  call      ["method", "lower"], ["function", "math.abs"], ["index"] or ["slice"]
  operands  in the encoding of the coverage report, receiver first; {"utf16": [...]} is a string with a lone surrogate
  expr      the same as an expression
  value     the answer, or
  error     the official words
"""
import json, os, random, struct, sys, unicodedata, urllib.error, urllib.request

HOST = os.environ.get("FIRESTORE_EMULATOR_HOST", "127.0.0.1:8080")
PROJECT = "library-questions"
random.seed(20260101)


# --- Speaking to the emulator

def request(method, path, body=None, auth="owner"):
    r = urllib.request.Request(f"http://{HOST}{path}", method=method,
                               data=None if body is None else json.dumps(body).encode())
    r.add_header("Content-Type", "application/json")
    if auth:
        r.add_header("Authorization", "Bearer " + auth)
    try:
        with urllib.request.urlopen(r, timeout=60) as f:
            return f.status, json.loads(f.read() or b"null")
    except urllib.error.HTTPError as e:
        return e.code, e.read().decode()


def answers(expressions):
    """One allow statement each; the list around it makes sure that none of them ends the request."""
    allows = "\n".join(f"allow get: if [\n{e}\n];" for e in expressions)
    source = ("rules_version = '2';\nservice cloud.firestore {\n match /databases/{database}/documents {\n"
              f"  match /t/{{id}} {{\n{allows}\n  }}\n }}\n}}\n")
    status, body = request("PUT", f"/emulator/v1/projects/{PROJECT}:securityRules",
                           {"rules": {"files": [{"name": "security.rules", "content": source}]}})
    if status == 200:
        status, _ = request("GET", f"/v1/projects/{PROJECT}/databases/(default)/documents/t/a", auth=None)
        report = (request("GET", f"/emulator/v1/projects/{PROJECT}:ruleCoverage")[1] or {}).get("report") or []
        if status != 500 and len(report) == len(expressions):
            return [answer(node) for node in report]
    elif len(expressions) == 1 and status != 500:
        sys.exit(f"does not compile: {expressions[0]}: {body}")
    if len(expressions) == 1:
        print(f"no opinion (crash): {expressions[0]}", file=sys.stderr)
        return [None]
    half = len(expressions) // 2
    return answers(expressions[:half]) + answers(expressions[half:])


def answer(node):
    value = node["values"][-1]["value"]
    if "listValue" in value:
        return {"value": value["listValue"]["values"][0]}
    return {"error": value["undefined"]["causeMessage"]}


# --- Operands: (text in the rules language, JSON)

def string(s):
    """From a Python string, whose lone surrogates are the language's."""
    units = struct.unpack(f"<{len(s.encode('utf-16-le', 'surrogatepass')) // 2}H", s.encode("utf-16-le", "surrogatepass"))
    text = "".join(chr(u) if 0x20 <= u < 0x7F and u not in (0x27, 0x5C) else f"\\u{u:04x}" for u in units)
    try:
        s.encode("utf-16-le")
        return f"'{text}'", {"stringValue": s.encode("utf-16-le").decode("utf-16-le")}
    except UnicodeEncodeError:
        return f"'{text}'", {"utf16": list(units)}


def integer(i): return str(i), {"intValue": str(i)}


def double(d):
    if d != d: return "float('NaN')", {"floatValue": "NaN"}
    if d in (float("inf"), float("-inf")):
        name = "Infinity" if d > 0 else "-Infinity"
        return f"float('{name}')", {"floatValue": name}
    return f"float('{d.hex()}')", {"floatValue": d}


def data(b):
    import base64
    return "b'" + "".join(f"\\x{c:02x}" for c in b) + "'", {"bytesValue": base64.b64encode(b).decode()}


def instant(millis, nanos=0):
    """Milliseconds since 1970, plus nanoseconds below a million."""
    seconds, rest = divmod(millis, 1000)
    days, second = divmod(seconds, 86400)
    z = days + 719468
    era, doe = divmod(z, 146097)
    yoe = (doe - doe // 1460 + doe // 36524 - doe // 146096) // 365
    doy = doe - (365 * yoe + yoe // 4 - yoe // 100)
    mp = (5 * doy + 2) // 153
    d, m = doy - (153 * mp + 2) // 5 + 1, mp + 3 if mp < 10 else mp - 9
    y = yoe + era * 400 + (m <= 2)
    text = (f"{y:04}-{m:02}-{d:02}T{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}"
            f".{rest * 1000000 + nanos:09}Z")
    return f"timestamp.value('{text}')", {"timestampValue": text}


def span(seconds, nanos=0):
    sign = "-" if seconds < 0 or nanos < 0 else ""
    return (f"duration.time(0, 0, {seconds}, {nanos})",
            {"durationValue": f"{sign}{abs(seconds)}.{abs(nanos):09}s"})


def point(a, b): return f"latlng.value({double(a)[0]}, {double(b)[0]})", {"latlngValue": {"latitude": a, "longitude": b}}


NULL = ("null", {"nullValue": None})
EVERY_TYPE = [
    NULL, ("true", {"boolValue": True}), integer(3), ("2.5", {"floatValue": 2.5}), string("ab"), data(b"ab"),
    instant(1577836800123), span(90, 5), point(1.5, 2.5),
    ("(/a/b)", {"pathValue": {"segments": [{"simple": "a"}, {"simple": "b"}]}}),
    ("[1]", {"listValue": {"values": [{"intValue": "1"}]}}),
    ("[1].toSet()", {"setValue": {"values": [{"intValue": "1"}]}}),
    ("{'a': 1}", {"mapValue": {"fields": {"a": {"intValue": "1"}}}}),
    ("{'a': 1}.diff({})", {"mapDiffValue": {"keyStatuses": {"a": "ADDED"}}}),
]

questions = []
seen = set()


def ask(expr, call, *operands):
    if expr not in seen:
        seen.add(expr)
        questions.append({"call": call, "operands": [o[1] for o in operands], "expr": expr})


def method(name, receiver, *arguments):
    ask(f"({receiver[0]}).{name}({', '.join(a[0] for a in arguments)})", ["method", name], receiver, *arguments)


def function(name, *arguments):
    ask(f"{name}({', '.join(a[0] for a in arguments)})", ["function", name], *arguments)


def index(receiver, i): ask(f"({receiver[0]})[{i[0]}]", ["index"], receiver, i)


def cut(receiver, i, j): ask(f"({receiver[0]})[{i[0]}:{j[0]}]", ["slice"], receiver, i, j)


def dynamic(s):
    """A string that the compiler does not check as a pattern."""
    text, value = string(s)
    return f"({text} + '')", value


# --- Every name with every type and every number of arguments

METHODS = {
    "size": 0, "lower": 0, "upper": 0, "trim": 0, "matches": 1, "replace": 2, "split": 1, "toUtf8": 0,
    "toBase64": 0, "toHexString": 0, "seconds": 0, "nanos": 0, "year": 0, "month": 0, "day": 0, "hours": 0,
    "minutes": 0, "date": 0, "time": 0, "dayOfWeek": 0, "dayOfYear": 0, "toMillis": 0, "latitude": 0,
    "longitude": 0, "distance": 1,
}
FUNCTIONS = {
    "int": [3], "float": [3], "string": [3], "math.abs": [3], "math.ceil": [3], "math.floor": [3], "math.round": [3],
    "math.sqrt": [3], "math.isNaN": [3], "math.pow": [2, 3], "duration.value": [2, "s"],
    "duration.time": [1, 2, 3, 4], "duration.abs": [None], "timestamp.value": [3], "timestamp.date": [2020, 2, 3],
    "latlng.value": [1, 2], "hashing.crc32": ["a"], "hashing.crc32c": ["a"], "hashing.md5": ["a"],
    "hashing.sha256": ["a"], "debug": [1],
}


def operand(x): return span(1) if x is None else integer(x) if isinstance(x, int) else string(x)


def matrix():
    for name, count in METHODS.items():
        for receiver in EVERY_TYPE:
            # On lists, sets, maps and diffs these names are judged elsewhere.
            if name == "size" and receiver[1].keys() & {"listValue", "setValue", "mapValue"}: continue
            if name == "distance" and "latlngValue" in receiver[1]:
                for argument in EVERY_TYPE: method(name, receiver, argument)
            for n in range(count + 2):
                method(name, receiver, *([string("b")] * n))
        if "stringValue" in EVERY_TYPE[4][1] and name in ("matches", "replace", "split"):
            for argument in EVERY_TYPE:
                method(name, string("ab"), *([argument] * count))
                if count == 2:
                    method(name, string("ab"), string("a"), argument)
                    method(name, string("ab"), argument, string("a"))
    for name, plain in FUNCTIONS.items():
        good = [operand(x) for x in plain]
        for n in range(len(good) + 2):
            function(name, *(good + good)[:n])
        for i in range(len(good)):
            for argument in EVERY_TYPE:
                function(name, *good[:i], argument, *good[i + 1:])
    for argument in EVERY_TYPE:
        index(string("ab"), argument)
        index(data(b"ab"), argument)
        for other in EVERY_TYPE:
            cut(string("abcd"), argument, other)


# --- Numbers

def some_doubles(count):
    out = []
    def bits(b): out.append(struct.unpack("<d", struct.pack("<Q", b & 0x7FFFFFFFFFFFFFFF))[0])
    while len(out) < count:
        bits(random.getrandbits(64))
        bits(random.getrandbits(random.randint(1, 52)))
        out.append(random.randint(1, 10 ** random.randint(1, 17)) / 10 ** random.randint(0, 20))
        out.append(2.0 ** random.randint(-1074, 1023))
        out.append(2.0 ** random.randint(50, 80) * random.randint(1, 99999))
        out.append(float(f"{random.randint(1, 999)}e{random.randint(-320, 305)}"))
        out.append(random.uniform(0.0005, 0.02))
        out.append(-random.uniform(1e6, 2e8))
    return [d for d in out if abs(d) != float("inf") and d == d]


def numbers():
    edge = [0.0, -0.0, 1.0, -1.5, 0.1, 0.001, 0.0009999, 9999999.0, 1e7, 12345678.9, 1e22, 1e23, 2e-3, 8.41e21, 5e-324,
            2.2250738585072014e-308, 1.7976931348623157e308, float("nan"), float("inf"), float("-inf"),
            9007199254740993.0, 2.0 ** 63, -2.0 ** 63, 2.0 ** 62, 0.49999999999999994, 0.5, -0.5, 2.5, -2.5, 1e300]
    for d in edge + some_doubles(1400):
        function("string", double(d))
    for d in edge + some_doubles(60):
        for name in ("int", "float", "math.abs", "math.ceil", "math.floor", "math.round", "math.sqrt", "math.isNaN"):
            function(name, double(d))
    whole = [0, 1, -1, 7, 2 ** 31, 2 ** 53 + 1, 2 ** 63 - 1, -2 ** 63, 2 ** 62 + 1, 10 ** 18 + 1]
    for i in whole:
        for name in FUNCTIONS:
            if len(FUNCTIONS[name]) == 1 and name != "duration.abs": function(name, integer(i))
    for base in edge[:18] + [2.0, 3.0, 10.0, -8.0]:
        for exponent in (0.0, 1.0, 2.0, 0.5, -1.0, 1 / 3, 3.0, -0.0, float("nan"), float("inf"), float("-inf"), 1e9):
            function("math.pow", double(base), double(exponent))
    for _ in range(400):
        function("math.pow", double(random.uniform(0, 50)), double(random.uniform(-20, 20)))


def number_texts():
    for s in ["", " ", "abc", "+", "-", "+5", "-5", "--5", "007", "-0", "1 ", " 1", "1.0", "1e3", "0x10", "1_0", "1,0",
              "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809",
              "99999999999999999999", "0" * 50 + "7", "\ud83d", "1\ud83d", "\ufeff1", "\u00b2", "\u2460", "\u0967\u0968",
              "-\uff11\uff12", "\U0001d7d9", "1\u0663", "a'b\"c\n", "\u0000", "\u00bd"]:
        function("int", string(s))
        function("float", string(s))
    for c in range(0x80, 0x10000):
        if unicodedata.category(chr(c)) == "Nd" and c % 5 == 3: function("int", string(chr(c)))
    for s in ["NaN", "+NaN", "-NaN", "nan", "NaNf", "Infinity", "-Infinity", "+Infinity", "infinity", "inf", "Infinityd",
              ".", "1.", ".5", "-.5", "+3.25", "1..2", "1.5f", "1.5F", "2d", "2D", "2l", "1e", "1e+", "1e5", "1E-5", "1e+5f",
              "\t7\n", "\u00a07", "\u0001 7 \u001f", "1e400", "-1e400", "1e-400", "1e99999999999999999999",
              "0e99999999999999999999", "1e-99999999999999999999", "0x1p3", "0X1P3", "0x1.8p1", "0x1.p1", "0x.8p1",
              "0x.p1", "0xp1", "0x1", "0x1p", "0x1pf", "0x1p1f", "-0x1p-1", "0x1.fffffffffffff8p1023",
              "0x1.fffffffffffff7p1023", "0x1p-1074", "0x1p-1075", "0x1.00000000000001p-1075", "0x0p0",
              "0x1p99999999999999999999", "0x0p99999999999999999999", "0x1p-99999999999999999999",
              "0x123456789abcdef0123456789.abcdefp-10", "0x0.0000000000000000000000001p50",
              "0x1.00000000000008p0", "0x1.00000000000018p0", "0x1.000000000000080001p0", "0x.8", "0x1.8.8p1",
              "9007199254740993", "9007199254740992.99999999999999999999999", "9007199254740993.00000000000000000000001",
              "2.2250738585072011e-308", "2.2250738585072012e-308", "4.9e-324", "2.4703282292062327e-324",
              "2.4703282292062328e-324", "1.7976931348623158e308", "1.7976931348623159e308",
              "0." + "0" * 400 + "1e400", "1" + "0" * 400 + "e-400", "1" * 900, "." + "9" * 900,
              "8." + "5" * 1200 + "e-3", "0.5" + "0" * 900 + "1", "1 2", "1f2", "1ff", "1e5.5", "e5", "+.e1", "0x", "0", "00",
              "-0", "0.0f", "1__2", "1\u0660", "1e\u0661"]:
        function("float", string(s))
    for _ in range(350):
        digits = "".join(random.choice("0123456789") for _ in range(random.randint(1, 30)))
        at = random.randint(0, len(digits))
        function("float", string(random.choice(["", "-"]) + digits[:at] + "." + digits[at:] +
                                 random.choice(["", f"e{random.randint(-340, 310)}"])))
    for d in some_doubles(80):
        # Half way between two doubles, and just beside.
        n = struct.unpack("<d", struct.pack("<Q", struct.unpack("<Q", struct.pack("<d", abs(d)))[0] + 1))[0]
        if n != n or n == float("inf"): continue
        from fractions import Fraction
        middle = (Fraction(abs(d)) + Fraction(n)) / 2
        scale = 0
        while middle.denominator != 1 and scale < 800:
            middle *= 10
            scale += 1
        if middle.denominator == 1:
            function("float", string(f"{middle.numerator}e-{scale}"))
            function("float", string(f"{middle.numerator}1e-{scale + 1}"))


# --- Strings and bytes

TEXTS = ["", "a", "abc", "ABC", "Straße", "ÀÉİıſK", "a😀b", "😀", "  a b  ", "\t\na\u0001\u0000", "\u00a0x\u3000", "\ufeffx ",
         "\ud83d", "a\ud83db", "\ude00\ud83d", "é\u0301", "日本語", "'quoted' \\ \"", "line\nbreak\r\n", "z\u0000", "\U0010ffff"]


def strings():
    for s in TEXTS:
        for name in ("size", "lower", "upper", "trim", "toUtf8"): method(name, string(s))
        function("string", string(s))
        function("debug", string(s))
        for name in ("crc32", "crc32c", "md5", "sha256"): function("hashing." + name, string(s))
        size = len(s.encode("utf-16-le", "surrogatepass")) // 2
        for i in range(-1, size + 2): index(string(s), integer(i))
        bounds = [NULL] + [integer(i) for i in range(-1, min(size, 5) + 2)]
        for i in bounds:
            for j in bounds: cut(string(s), i, j)
    for i in (2 ** 31 - 1, 2 ** 31, 2 ** 32, 2 ** 32 + 1, 2 ** 32 + 2, -2 ** 31, -2 ** 31 - 1, -2 ** 31 + 1, 2 ** 63 - 1,
              -2 ** 63):
        index(string("abc"), integer(i))
        cut(string("abc"), integer(i), integer(2))
        cut(string("abc"), integer(1), integer(i))
        cut(string("abc"), integer(i), integer(i))
        cut(string("abc"), NULL, integer(i))
    for n in list(range(0, 20)) + [55, 56, 63, 64, 65, 119, 120, 128]:
        b = bytes(random.getrandbits(8) for _ in range(n))
        for name in ("size", "toBase64", "toHexString"): method(name, data(b))
        for name in ("crc32", "crc32c", "md5", "sha256"): function("hashing." + name, data(b))


def patterns():
    texts = ["", "a", "abc", "aaa", "a,b,,c,", ",,", "foo@bar.com", "a😀b", "😀", "AbC", "a\nb", "x1y22z333", "\ud83d", "a\ud83db", "ß", "K"]
    sources = ["", "a", "b*", "a*?", ".", ".*", "[a-c]+", ",", "(,)", "\\d+", "(\\w)(\\w)", "(?P<n>b)", "(?i)abc", "(?s).*",
               "(?m)^", "a|abc", "[", "(", "a{2}", "\ud83d", "x?", "$", "^", "\\b", "[^a]", "(a)|(b)"]
    replacements = ["", "-", "$0", "$1", "[$2]", "$10", "$", "$x$", "\\", "\\$1", "\\\\0", "${n}", "$0$0", "a$"]
    for s in texts:
        for p in sources:
            method("matches", string(s), dynamic(p))
            method("split", string(s), dynamic(p))
        for p in random.sample(sources, 9):
            for r in random.sample(replacements, 5):
                method("replace", string(s), dynamic(p), string(r))


# --- Time and place

EARLIEST, LATEST = -62135596800000, 253402300799999


def instants():
    moments = [(0, 0), (-1, 0), (-1, 999999), (EARLIEST, 0), (EARLIEST, 1), (LATEST, 999999), (951782400000, 0),
               (951868799999, 0), (-11644473600000, 0), (-12219292800000, 5), (4107542399000, 0), (68169600000, 0)]
    moments += [(random.randint(EARLIEST, LATEST), random.randint(0, 999999)) for _ in range(60)]
    moments += [(random.randint(0, 2 * 10 ** 12), random.choice([0, 0, 500000])) for _ in range(20)]
    names = ["year", "month", "day", "hours", "minutes", "seconds", "nanos", "dayOfWeek", "dayOfYear", "toMillis",
             "date", "time"]
    for moment in moments:
        for name in names: method(name, instant(*moment))
        function("debug", instant(*moment))
    for _ in range(150): function("timestamp.value", integer(random.randint(EARLIEST, LATEST)))
    for i in (EARLIEST, EARLIEST - 1, LATEST, LATEST + 1, 2 ** 63 - 1, -2 ** 63, 0, -1, 999, 1000):
        function("timestamp.value", integer(i))
    for y in (0, 1, 4, 100, 400, 1582, 1900, 2000, 2019, 2020, 9999, 10000, -1, 2 ** 32 + 2020, 2 ** 63 - 1, -2 ** 63):
        for m, d in ((1, 1), (2, 28), (2, 29), (2, 30), (4, 31), (12, 31), (0, 1), (13, 1), (1, 0), (1, 32), (-1, -1),
                     (2 ** 32 + 1, 1), (1, 2 ** 32 + 1), (2 ** 63 - 1, 2 ** 63 - 1), (-2 ** 63, -2 ** 63)):
            function("timestamp.date", integer(y), integer(m), integer(d))
    for _ in range(120):
        function("timestamp.date", integer(random.randint(1, 9999)), integer(random.randint(1, 12)),
                 integer(random.randint(1, 31)))


def instant_texts():
    base = "2020-01-01T00:00:00Z"
    texts = """2020-01-01T00:00:00abcZ|2020-01-01T00:00:00 Z|2020-01-01T 1: 2: 3Z|2020-01-01T\t1:02:03Z|2020- 01-01T00:00:00Z
2020 -01-01T00:00:00Z|2020--1-01T00:00:00Z|2020-01--1T00:00:00Z|2020-01-01T-1:00:00Z|2020-01-01T00:-1:00Z
2020-01-01T00:00:-1Z|-2020-01-01T00:00:00Z|2E3-01-01T00:00:00Z|2020-1E1-01T00:00:00Z|2020-1E0-01T00:00:00Z
15E-1-01-01T00:00:00Z|2020-15E-1-01T00:00:00Z|2020-123E-400-01T00:00:00Z|2020-01-01T00:00:1E400Z|2020-01-01T00:00:-1E400Z
20.20-01-01T00:00:00Z|2020-01-01T00:00:00.1xZ|2020-01-01T00:00:00.1234567891xZ|2020-01-01T00:00:00.-1Z
2020-01-01T00:00:00+-1:30|2020-01-01T00:00:00++1:30|2020-01-01T00:00:00+1:-30|2020-01-01T00:00:00+1:|2020-01-01T00:00:00+:30
2020-01-01T00:00:00-1:30|2020-01-01T00:00:00+1:30Z|2020-01-01T00:00:00Z+1:30|2020-01-01T00:00:00+10000000:30
2020-01-01T00:00:00+9999999999999999:30|2020-01-01T00:00:00+307445734561825860:0|2020-01-01T00:00:00-307445734561825861:-7
0001-01-01T00:00:00Z|0000-12-31T23:59:59Z|0000-12-31T23:59:59-01:00|9999-12-31T23:59:59Z|9999-12-31T23:59:60Z
9999-12-31T23:59:59.999999999Z|10000-01-01T00:00:00+01:00|2020-99999999999-01T00:00:00Z|2020-2147483647-01T00:00:00Z
2020-2147483648-01T00:00:00Z|2020-01-99999999999T00:00:00Z|99999999999-01-01T00:00:00Z|2020-01-01T99999999999:00:00Z
2020-01-01T00:00:99999999999Z|2020-01-01T00:00:2147483647Z|2020-01-01T00:00:2147483648Z|2020-01-01T2147483647:00:00Z
2020-01-01T00:00:99999999999999999999Z|2020-01-01T00:00:-99999999999999999999Z|2020-01-01T00:00:9223372036854775807Z
2020-01-01T00:00:9223372036854775808Z|2020-01-01T00:00:-9223372036854775808Z|2020-01-01T00:00:1844674407370955161E1Z
2020-01-2147483647T00:00:00Z|4294969316-01-01T00:00:00Z|+2020-01-01T00:00:00Z|2020-+1-01T00:00:00Z|2020-01-01T00:00:00
2020-01-01T00:00Z|2020-01-01Z|T2020-01-01T00:00:00Z|xT2020-01-01T00:00:00Z| \t2020-01-01T00:00:00Z|2020-01-01T00:00:00Z 
2020-01-01TZ00:00:00|2020-01-01T00:00:00.5+01:00|2020-01-01T00:00:00.5.5Z|2020-01-01T00:00:00.5 Z|2020-01-01T0-1:00:00Z
2020-01-01T00:00:00+1.5:30|1,000-01-01T00:00:00Z|1969-12-31T23:59:59.5Z|1582-10-10T00:00:00Z|1500-02-29T00:00:00Z
0004-02-29T00:00:00Z|0001-01-01T00:00:00+00:01|NaN-01-01T00:00:00Z|2020-NaN-01T00:00:00Z|2020-01-01T00:00:NaNZ
2020-01-01T00:00:-NaNZ|2020-01-01T00:00:1E1Z|2020-01-01T00:00:1E-1Z|2020-01-01T00:00:1EZ|2020-01-01T00:00:1E+1Z
2020-01-01T00:00:1e1Z|2020-01-01T00:00:E1Z|2020-01-00T00:00:00Z|2020-00-00T00:00:00Z|2020-01-01T00:00:00.999999999999Z
2020-01-01T00:00:00,5Z|1-1-1T0:0:0Z|00002020-01-01T00:00:00Z|2020-01-01T00:00:00Zabc|2020-01-01T00:00:000Z
2020-01-01T00:00:000000000000000000001Z|99999999999999999999-01-01T00:00:00Z|18446744073709553636-01-01T00:00:00Z
2020-01-01T00:00:00.9Z|0001-01-01T00:00:00.9+00:00|-0001-01-01T00:00:00Z|2020-01-01T00:00:00+00:00:00
2020-01-01T00:00:00+0x1:00|2020-01-01T00:00:00--1:00|2020-01-01T00:00:00+9223372036854775807:0|0-13-01T00:00:00Z
2020-01-01T00:00:00+9223372036854775808:0|2020-01-01T00:00:00.Z|2020-01-01t00:00:00Z|2020-01-01T00:00:00z|
2020-01-01T00:00:00-0800|2020-01-01 00:00:00Z|2019-02-29T00:00:00Z|2020-13-01T00:00:00Z|2020-01-01T25:61:61Z
2016-12-31T23:59:60Z|20-01-01T00:00:00Z|2020-01-01T00:00:00+99:99|2020-01-01T00:00:00Z.5|T|Z|TZ|T+|T-""".replace("\n", "|").split("|")
    texts += ["2020-\u221e-01T00:00:00Z", "2020-01-01T00:00:\u221eZ", "2020-01-01T00:00:-\u221eZ", "2020-\ufffd-01T00:00:00Z",
              "\u0662\u0660\u0662\u0660-01-01T00:00:00Z", "2020-01-01T00:00:00+\u0661:30", "2020-01-01T00:00:00.\u0661Z",
              "2020-01-01T00:00:1E\u0662Z", "\ud83d", "2020-01-01T00:00:00\ud83dZ"]
    for s in texts: function("timestamp.value", string(s))
    for _ in range(250):
        # One or two characters of a good text changed, added or taken away.
        s = random.choice([base, "1999-12-31T23:59:59.123456789+05:30", "0987-06-05T04:03:02.1-00:15", "2024-02-29T12:34:56.789Z"])
        for _ in range(random.randint(0, 2)):
            i = random.randint(0, len(s))
            c = random.choice("0123456789-:.TZ+ Ez")
            s = random.choice([s[:i] + c + s[i:], s[:i] + s[i + 1:], s[:i] + c + s[i + 1:]])
        function("timestamp.value", string(s))
    for _ in range(120):
        function("timestamp.value", string(
            f"{random.randint(1, 9999):04}-{random.randint(1, 12):02}-{random.randint(1, 31):02}T{random.randint(0, 23):02}:"
            f"{random.randint(0, 59):02}:{random.randint(0, 59):02}" +
            random.choice(["", "." + str(random.getrandbits(random.randint(1, 40)))]) +
            random.choice(["Z", f"+{random.randint(0, 14):02}:{random.randint(0, 59):02}",
                           f"-{random.randint(0, 12):02}:{random.randint(0, 59):02}"])))


def spans():
    most = 315576000000
    edge = [0, 1, -1, 59, 2 ** 63 - 1, -2 ** 63, most, most + 1, -most, -most - 1, 9223372036854, 9223372036855,
            -9223372036854, -9223372036855, 5259600000, 5259600001, 87660000, 87660001, 3652500, 3652501, 521785, 521786,
            -521785, -521786, 30500568904944, 153722867280912931]
    for n in edge:
        for unit in ("w", "d", "h", "m", "s", "ms", "ns"): function("duration.value", integer(n), string(unit))
    for unit in ("", "W", "S", "us", "s ", " s", "min", "[", "mss", "n", "\ud83d", "ms\u0000"):
        function("duration.value", integer(1), string(unit))
    parts = [0, 1, -1, 59, -60, 3600, most, most + 1, -most, -most - 1, 999999999, 10 ** 9, -10 ** 9, 1000000001,
             87660000, 87660001, 5259600000, 5259600001, 2562047788015215, 2562047788015216, 307445734561825861,
             2 ** 63 - 1, -2 ** 63]
    for _ in range(400):
        chosen = [random.choice(parts) if random.random() < 0.5 else random.randint(-5000, 5000) for _ in range(4)]
        function("duration.time", *[integer(p) for p in chosen])
    for i in range(4):
        for p in parts: function("duration.time", *[integer(p if i == j else 0) for j in range(4)])
    values = [(0, 0), (1, 0), (-1, 0), (0, 5), (0, -5), (-1, -500000000), (most, 0), (-most, 0), (1, 999999999)]
    values += [(random.randint(0, most - 1), random.randint(0, 999999999)) for _ in range(20)]
    values += [(-a, -b) for a, b in values[-20:]]
    for v in values:
        for name in ("seconds", "nanos"): method(name, span(*v))
        function("duration.abs", span(*v))
        function("debug", span(*v))


def points():
    for a, b in ((0, 0), (90, 180), (-90, -180), (90.00000000000001, 0), (-91, 0), (0, 181), (0, -180.00000000000003),
                 (-0.0, 0.0), (float("nan"), 0), (0, float("nan")), (float("inf"), 0), (1e300, -1e-300)):
        function("latlng.value", double(float(a)), double(float(b)))
    for i in (90, 91, -90, -91, 2 ** 63 - 1, -2 ** 63): function("latlng.value", integer(i), integer(0))
    def somewhere(): return random.uniform(-90, 90), random.uniform(-180, 180)
    pairs = [((0.0, 0.0), (0.0, 180.0)), ((90.0, 0.0), (-90.0, 0.0)), ((1.5, 2.5), (1.5, 2.5)), ((0.0, 0.0), (0.0, 1.0)),
             ((0.0, 180.0), (0.0, -180.0)), ((90.0, 0.0), (90.0, 77.0)), ((0.0, 0.0), (0.0, 1e-300)), ((1.0, 2.0), (-1.0, -178.0))]
    pairs += [(somewhere(), somewhere()) for _ in range(300)]
    for _ in range(100):
        a = somewhere()
        pairs.append((a, (max(-90, min(90, a[0] + random.uniform(-0.01, 0.01))), max(-180, min(180, a[1] + random.uniform(-0.01, 0.01))))))
    for a, b in pairs: method("distance", point(*a), point(*b))
    for a, b in pairs[:30]:
        for name in ("latitude", "longitude"): method(name, point(*a))


def sums():
    """In which order the parts of a duration are added up."""
    most = 315576000000
    for parts in ((3739, -827, most, -2 ** 63), (-60, 531, -most, 2562047788015216), (-3225, -1, most, most),
                  (87660000, -1, -most, -most), (87660000, 60, -3600, 0), (-1, 0, most, 10 ** 9), (-1, 1, most, 1),
                  (1, -60, most, -1), (0, 5259600000, 0, 1), (0, 5259600000, 0, 10 ** 9), (0, -5259600000, 1, 10 ** 9)):
        function("duration.time", *[integer(p) for p in parts])


def main():
    for group in (matrix, numbers, number_texts, strings, patterns, instants, instant_texts, spans, points, sums): group()
    for start in range(0, len(questions), 40):
        batch = questions[start:start + 40]
        for question, reply in zip(batch, answers([q["expr"] for q in batch])):
            if reply is not None: print(json.dumps({**question, **reply}))


if __name__ == "__main__":
    main()
