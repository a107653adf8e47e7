"""Records what the official emulator makes of operators, collection methods and paths: operators.jsonl.

  python3 operators.py > ../operators.jsonl

A line: `expr` (the text that was asked), `do` (binary, unary, index, slice, member, is, method, map, path, parse),
`name` (operator, method, type or property), `operands` in the coverage report's encoding, and `value` or `message`.
Maps are written with sorted keys, so that an order of insertion does not show.
"""
import itertools, json, sys
from emulator import Emulator, call

V = {}


def value(text, encoded):
    V[text] = encoded
    return text


def number(x): return {"intValue": str(x)}
def real(x): return {"floatValue": x}
def string(s): return {"stringValue": s}


def series(kind, items): return {kind: {"values": [V[i] for i in items]} if items else {}}


def lst(*items): return value(f"[{', '.join(items)}]", series("listValue", items))


def st(*items):
    """A set; the items must be distinct."""
    return value(f"[{', '.join(items)}].toSet()", series("setValue", items))


def mp(**fields):
    inner = ", ".join(f"'{k}': {v}" for k, v in sorted(fields.items()))
    return value("{" + inner + "}",
                 {"mapValue": {"fields": {k: V[v] for k, v in sorted(fields.items())}} if fields else {}})


NULL = value("null", {"nullValue": None})
TRUE = value("true", {"boolValue": True})
FALSE = value("false", {"boolValue": False})
INTS = [value(f"({i})" if i < 0 else str(i), number(i))
        for i in (0, 1, 2, 3, 5, -1, -2, 9223372036854775807, -9223372036854775808, 9007199254740993, 9007199254740992)]
ZERO, ONE, TWO, THREE, FIVE, MINUS, MINUS2, MAX, MIN, BIG, BIG2 = INTS
NAN = value("(0.0 / 0.0)", real("NaN"))
INF = value("(1.0 / 0.0)", real("Infinity"))
NINF = value("(-1.0 / 0.0)", real("-Infinity"))
FLOATS = [value(f"({x!r})" if repr(x).startswith("-") else repr(x), real(x))
          for x in (0.0, -0.0, 1.0, 1.5, 2.5, -2.5, 9007199254740992.0)]
F0, FN0, F1, F15, F25, FN25, FBIG = FLOATS
F63 = value("9223372036854775808.0", real(9223372036854775808.0))
A, B, EMPTY, EMOJI, HIGH = (value(f"'{s}'", string(s)) for s in ("a", "b", "", "a\U0001F600b", "\uffff"))
ABC = value("'abc'", string("abc"))
DASH = value("'-'", string("-"))
BYTES = value("b'a'", {"bytesValue": "YQ=="})
BYTES2 = value("b'\\xff'", {"bytesValue": "/w=="})
T1 = value("timestamp.value(1500)", {"timestampValue": "1970-01-01T00:00:01.500Z"})
T0 = value("timestamp.value(-1)", {"timestampValue": "1969-12-31T23:59:59.999Z"})
TMAX = value("timestamp.date(9999, 12, 31)", {"timestampValue": "9999-12-31T00:00:00Z"})
TMIN = value("timestamp.date(1, 1, 1)", {"timestampValue": "0001-01-01T00:00:00Z"})
D1 = value("duration.value(1500, 'ms')", {"durationValue": "1.500s"})
DN = value("duration.value(-2700, 'ms')", {"durationValue": "-2.700s"})
DNS = value("duration.value(1, 'ns')", {"durationValue": "0.000000001s"})
DMAX = value("duration.value(315576000000, 's')", {"durationValue": "315576000000s"})
DAY = value("duration.value(1, 'd')", {"durationValue": "86400s"})
LL = value("latlng.value(1, 2)", {"latlngValue": {"latitude": 1.0, "longitude": 2.0}})
LL0 = value("latlng.value(0, 0)", {"latlngValue": {}})
LLN = value("latlng.value(-0.0, 0)", {"latlngValue": {"latitude": -0.0}})


def seg(*items): return {"pathValue": {"segments": list(items)} if items else {}}
def simple(s): return {"simple": s}
def cap(name, bound=None): return {"capture": {"variableName": name, **({"boundValue": bound} if bound else {})}}


def glob(name, bound=None):
    return {"globCapture": {"variableName": name, **({"boundValue": bound["pathValue"]} if bound else {})}}


P = value("(/a/b)", seg(simple("a"), simple("b")))
PX = value("(/a/{x})", seg(simple("a"), cap("x")))
PY = value("(/a/{y})", seg(simple("a"), cap("y")))
PXC = value("(/a/{x}/c)", seg(simple("a"), cap("x"), simple("c")))
PXY = value("(/a/{x}/{y})", seg(simple("a"), cap("x"), cap("y")))
PG = value("(/a/{x=**})", seg(simple("a"), glob("x")))
PGC = value("(/a/{x=**}/c)", seg(simple("a"), glob("x"), simple("c")))
PB = value("(/a/{x}).bind({'x': 'b'})", seg(simple("a"), cap("x", "b")))
PBY = value("(/a/{y}).bind({'y': 'b'})", seg(simple("a"), cap("y", "b")))
PGB = value("(/a/{x=**}).bind({'x': /b/c})", seg(simple("a"), glob("x", seg(simple("b"), simple("c")))))
PGN = value("(/a/{x=**}).bind({'x': (/b/{q}).bind({'q': 'c'})})",
            seg(simple("a"), glob("x", seg(simple("b"), cap("q", "c")))))
PABC = value("(/a/b/c)", seg(simple("a"), simple("b"), simple("c")))
P1 = value("(/a/{x}/{y}).bind({'x': 'b'})", seg(simple("a"), cap("x", "b")))
PATHS = [P, PX, PY, PXC, PXY, PG, PGC, PB, PBY, PGB, PGN, PABC]
L0, L1, LF, L12, L21, L123, LA = lst(), lst(ONE), lst(F1), lst(ONE, TWO), lst(TWO, ONE), lst(ONE, TWO, THREE), lst(A)
S0, S1, SF, S12, S21 = st(), st(ONE), st(F1), st(ONE, TWO), st(TWO, ONE)
M0, M1, MF, MAB, MX = mp(), mp(a=ONE), mp(a=F1), mp(a=ONE, b=TWO), mp(x=A)
LN, L00, LN0 = lst(NAN), lst(F0), lst(FN0)
MN = mp(a=NAN)
NEST, NESTF, MAPL, MAPLF = lst(L1), lst(LF), mp(a=L1), mp(a=LF)
MM, MMF, LM, LMF = mp(a=M1), mp(a=MF), lst(M1), lst(MF)


def diff(text, **statuses):
    return value(text, {"mapDiffValue": {"keyStatuses": statuses} if statuses else {}})


DF = diff("{'a': 1}.diff({})", a="ADDED")
DF2 = diff("{'a': 2}.diff({})", a="ADDED")
DFC = diff("{'a': 1, 'b': 2, 'c': 3}.diff({'a': 1, 'b': 3, 'd': 4})", a="UNCHANGED", b="CHANGED", d="REMOVED", c="ADDED")
DFR = diff("{}.diff({'a': 1})", a="REMOVED")
DF0 = diff("{}.diff({})")
SD, LD = st(DF), lst(DF)
KINDS = [NULL, TRUE, ONE, F25, A, BYTES, T1, D1, LL, P, L1, S1, M1, DF]

questions, seen = [], set()


def ask(expr, do, name, *operands):
    if expr not in seen:
        seen.add(expr)
        questions.append({"expr": expr, "do": do, "name": name, "operands": [V[o] for o in operands]})


def binary(a, op, b): ask(f"{a} {op} {b}", "binary", op, a, b)
def method(r, name, *args): ask(f"{f'({r})' if r.isdigit() else r}.{name}({', '.join(args)})", "method", name, r, *args)
def index(r, i): ask(f"{r}[{i}]", "index", "[]", r, i)


def slice_(r, i, j):
    ask(f"{r}[{i}:{j}]", "slice", "[:]", r, i or NULL, j or NULL)


# Every operator upon every pair of types.
for op in ["+", "-", "*", "/", "%", "==", "!=", "<", "<=", ">", ">=", "in"]:
    for a, b in itertools.product(KINDS, KINDS):
        binary(a, op, b)
for a in KINDS:
    ask(f"-{a}" if not a.startswith("-") else f"-({a})", "unary", "-", a)
    ask(f"!{a}", "unary", "!", a)
    for t in "bool bytes constraint duration float int latlng list vector set number map string timestamp path map_diff".split():
        ask(f"{a} is {t}", "is", t, a)
    for name in ["a", "x"]:
        ask(f"({a}).{name}", "member", name, a)
    for i in KINDS:
        index(a, i)
    for i, j in itertools.product(["", NULL, ZERO, ONE, A, TRUE], ["", ONE, TWO, F1, M1]):
        slice_(a, i, j)

# Numbers, times and strings at their edges.
EDGES = [ZERO, ONE, MINUS, MAX, MIN, BIG, F0, FN0, F15, FN25, NAN, INF, NINF, FBIG, F63]
for op in ["+", "-", "*", "/", "%", "==", "<", "<=", ">", ">="]:
    for a, b in itertools.product(EDGES, EDGES):
        binary(a, op, b)
for a in EDGES:
    ask(f"-({a})", "unary", "-", a)
TIMES = [T0, T1, TMAX, TMIN, D1, DN, DNS, DMAX, DAY]
for op in ["+", "-", "<", "==", ">="]:
    for a, b in itertools.product(TIMES, TIMES):
        binary(a, op, b)
for a in TIMES:
    ask(f"-{a}", "unary", "-", a)
for op in ["+", "<", "<=", "==", ">"]:
    for a, b in itertools.product([A, B, EMPTY, EMOJI, HIGH, ABC], [A, B, EMPTY, EMOJI, HIGH, ABC]):
        binary(a, op, b)
    for a, b in itertools.product([BYTES, BYTES2], [BYTES, BYTES2]):
        binary(a, op, b)

# What is the same as what, and where.
SAME = [(ONE, ONE), (ONE, TWO), (ONE, F1), (NAN, NAN), (F0, FN0), (ZERO, FN0), (MAX, F63), (MIN, F63), (INF, INF), (MAX, INF),
        (BIG, FBIG), (BIG2, FBIG), (BIG, BIG2), (L1, LF), (LN, LN), (L00, LN0), (M1, MF), (M1, M1), (MN, MN), (S12, S21),
        (S1, SF), (S1, L1), (NULL, NULL), (NULL, FALSE), (LL0, LLN), (LL, LL), (BYTES, BYTES), (T1, T1), (D1, D1), (D1, DN),
        (NEST, NESTF), (MAPL, MAPLF), (MM, MMF), (LM, LMF), (A, A), (A, B), (EMPTY, EMPTY), (L0, L0), (M0, M0), (S0, S0),
        (L12, L21), (DF, DF), (DF, DF2), (DF, DFR), (DF0, DF0), (DF, M1), (SD, SD), (LD, LD), (MAB, MAB), (MAB, M1)]
SAME += [(a, b) for a, b in itertools.product(PATHS, PATHS)]
for a, b in SAME:
    la, lb = lst(a), lst(b)
    binary(a, "==", b)
    binary(a, "!=", b)
    binary(la, "==", lb)
    binary(lst(la), "==", lst(lb))
    binary(mp(k=a), "==", mp(k=b))
    binary(a, "in", lb)
    for name in ["hasAll", "hasAny", "hasOnly", "removeAll"]:
        method(la, name, lb)
    if a in (PX, PY) and b not in (PX, PY, PB):
        continue
    sa, sb = st(a), st(b)
    binary(a, "in", sb)
    binary(sa, "==", sb)
    binary(lst(sa), "==", lst(sb))
    method(lst(a, b), "toSet")
    method(mp(k=a), "diff", mp(k=b))
    method(mp(j=mp(k=a)), "diff", mp(j=mp(k=b)))
    for name in ["hasAll", "hasAny", "hasOnly"]:
        method(sa, name, lb)
        method(sa, name, sb)
    for name in ["union", "intersection", "difference"]:
        method(sa, name, sb)

# Collection methods: each upon every type, with every type, with each number of arguments.
OWNERS = {"size": (L1, S1, M1), "join": (LA,), "concat": (L1,), "hasAll": (L1, S1), "hasAny": (L1, S1), "hasOnly": (L1, S1),
          "removeAll": (L1,), "toSet": (L1,), "difference": (S1,), "intersection": (S1,), "union": (S1,), "keys": (M1,),
          "values": (M1,), "get": (M1,), "diff": (M1,), "addedKeys": (DF,), "removedKeys": (DF,), "changedKeys": (DF,),
          "affectedKeys": (DF,), "unchangedKeys": (DF,), "bind": (P,)}
for name, owners in OWNERS.items():
    for r in KINDS:
        method(r, name)
        method(r, name, NULL)
    for r in owners:
        for a in KINDS:
            method(r, name, a)
            method(r, name, a, ONE)
        method(r, name, A, B, ONE)
        method(r, name, A, B, ONE, NULL)
        method(r, name, A, B, ONE, NULL, TWO)
for r, name in itertools.product([NULL, L1, DF], ["nothing", "lower"]):
    method(r, name)
MORE = [S0, S1, SF, S12, S21, st(THREE, ONE, TWO)]
for a, b in itertools.product(MORE, MORE):
    for name in ["union", "intersection", "difference", "hasAll", "hasAny", "hasOnly"]:
        method(a, name, b)
LISTS = [L0, L1, LF, L12, lst(ONE, ONE), lst(ONE, F1, NULL), lst(THREE, ONE, TWO, ONE)]
for a, b in itertools.product(LISTS, LISTS):
    for name in ["hasAll", "hasAny", "hasOnly", "concat", "removeAll"]:
        method(a, name, b)
LONG = [value(str(i), number(i)) for i in range(7, 47)]
L40, L40R = lst(*LONG), lst(*reversed(LONG))
for name in ["hasAll", "hasAny", "hasOnly", "removeAll"]:
    method(L40, name, L40R)
    method(L40, name, L12)
    method(lst(*LONG[:30]), name, L40)
method(lst(*LONG, *LONG, F1), "toSet")
method(st(*LONG), "union", S12)
method(st(*LONG), "intersection", st(*LONG[10:15], ONE))
method(st(*LONG), "difference", st(*LONG[1:]))
for a in LISTS + [lst(A, B), lst(A, ONE, F15, NULL, TRUE, P), lst(A, L1), lst(BYTES), lst(T1), lst(DF), lst(PX, PGB)]:
    method(a, "join", DASH)
    method(a, "join", EMPTY)
    method(a, "toSet")
DEEP = mp(a=mp(b=ONE, n=NULL), n=NULL, p=P)
for way in ["a", "b", "n", "p"]:
    method(DEEP, "get", value(f"'{way}'", string(way)), TWO)
    ask(f"{DEEP}.{way}", "member", way, DEEP)
    index(DEEP, value(f"'{way}'", string(way)))
    binary(f"'{way}'", "in", DEEP)
for way in [(A,), (A, B), (A, A), ("'n'", B), ("'p'", A), (B, ONE), (ONE, A), (A, "'n'"), (A, "'n'", A), (A, NULL), ()]:
    method(DEEP, "get", lst(*way), TWO)
MAPS = [M0, M1, MF, MAB, DEEP, mp(a=TWO, c=ONE), mp(b=L1, c=NULL)]
for a, b in itertools.product(MAPS, MAPS):
    method(a, "diff", b)
    binary(a, "==", b)
for d in [DF, DFC, DFR, DF0]:
    for name in ["addedKeys", "removedKeys", "changedKeys", "affectedKeys", "unchangedKeys"]:
        method(d, name)
for a in MAPS:
    method(a, "keys")
    method(a, "values")
    method(a, "size")

# Index and slice at their edges.
BOUNDS = ["", NULL, ZERO, ONE, TWO, THREE, FIVE, MINUS, MAX, MIN]
for r in [ABC, EMPTY, EMOJI, L0, L123, PABC, P]:
    for i, j in itertools.product(BOUNDS, BOUNDS):
        slice_(r, i, j)
    for i in BOUNDS[1:]:
        index(r, i)
for r in PATHS:
    for i in [ZERO, ONE, TWO, THREE, MINUS, A, "'x'", TRUE]:
        V.setdefault("'x'", string("x"))
        index(r, i)
    for name in ["x", "y", "q"]:
        ask(f"{r}.{name}", "member", name, r)
    for i, j in [("", ""), (ZERO, ""), ("", ONE), (ZERO, TWO), (ONE, TWO), (ONE, THREE), (ZERO, THREE), (ONE, ONE), (TRUE, ONE)]:
        slice_(r, i, j)
VALUES = [mp(), mp(x=A), mp(x=ONE), mp(x=NULL), mp(x=EMPTY), mp(x=L1), mp(x=P), mp(x=PX), mp(x=PGB), mp(y=F15), mp(x=A, y=B),
          mp(x=A, y=L1), mp(x=EMPTY, y=L1), mp(q=A), mp(x=A, z=B), mp(alpha=A, user=B, w=ONE, zebra=TRUE), mp(x=T1)]
for r, m in itertools.product(PATHS, VALUES):
    method(r, "bind", m)

# Literals.
for a in KINDS + PATHS + [EMPTY, F1, NAN, MAX, EMOJI]:
    ask(f"/z/$({a})", "path", "", value("'z'", string("z")), a)
    ask(f"/$({a})/$({PX})", "path", "", a, PX)
for k in KINDS:
    ask(f"{{{k}: 1}}", "map", "", k, ONE)
    ask(f"{{'b': 2, {k}: 1, 'a': {k}}}", "map", "", B, TWO, k, ONE, A, k)

# path(string). `+` is a blank, as in a URL.
for t in """ |a|/|a/|a//b|//a|/a/b|/a/{x}|/a/{x=**}|/a/{x=*}|/a/{x=**}/b|/a/{}|/a/{x|/a/x}|/a/{x}/{x}|/a%20b|/a%2|/a%zz|/a%2Fb
/{a=**}/{b=**}|/$(x)|/a b|/a/{x}b|/a/b{x}|/a/{1}|/a/{x y}|/a/{x=b}|/a/*|/a/**|/(default)|/a/%C3%A9|/a/%FF|/a/+b|/a/{x-y}
/a/{x1$_}|/a/{ x}|/a/{x=***}|/a/{=**}|/a/{x=}|/a/{x==**}|/a/{{x}}|/a/{x}}|/a/{x%20}|/a/}|/a/{|/a/{x/b}|/%2|/%|/a%2/b|/%+1
/%-1|/%-g|/%2g|/%g2|/%/a|/%2%41|/%41%2|/%41%zz|/%ED%A0%80x|/%E2%82x|/%F0%9F%98|/%C3x%A9|/%00|/ | /a|/a?b#c|/%\u0663\u0663
/a/{x}/b//{x}|/a/{x}/{x}//|/a/{y}/{x}/{x}/{1}|/a/%zz//|/%zz/{x|/ a |/ a /b|/a/{x =**}|/a/{x=** }|/a/{x= **}|/a/ {x}|/a/{x} 
/%20|/+|/\u00a0|/\u2003a|/a/{x =*}|/\u00e9/\U0001F600|/%uff41|/%F4%90%80%80|/%EF%BC%A1|/+a+|/a%2bb|/%-0|/{_}|/{$}""".replace("\n", "|").split("|"):
    ask(f"path('{t}')", "parse", "", value(f"'{t}'", string(t)))
ask("path('')", "parse", "", EMPTY)

emulator = Emulator("operators-corpus")


def get(i, question):
    return call("GET", f"{emulator.documents}/c{i}/a", auth={"email": "a@b.c"})


lost = 0
for question, answer in zip(questions, emulator.ask(questions, "get", get)):
    if "value" in answer or "message" in answer:
        print(json.dumps({**question, **answer}, ensure_ascii=True))
    else:
        lost += 1
        print(question["expr"], answer, file=sys.stderr)
print(f"{len(questions) - lost} questions recorded, {lost} without an answer", file=sys.stderr)
