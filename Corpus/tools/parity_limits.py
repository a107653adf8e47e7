"""Random rules files near the limits of the language, and other ways of writing the same text."""
import re

HEAD = "rules_version = '2';\nservice cloud.firestore {\n match /databases/{database}/documents {\n"
TAIL = " }\n}\n"


def near_limits(r):
    """(rules, path of a document that they are about)"""
    return r.choice(MAKERS)(r)


def condition(text, functions=""):
    return HEAD + functions + f"match /c0/{{id}} {{\nallow read, write: if\n{text}\n;\n}}\n" + TAIL, "/c0/x"


def nested(r):
    """Matches within matches: 10 below the first are too many."""
    depth = r.randint(8, 12)
    odd = r.random() < 0.5
    text = "".join(f"match /{'a' if i % 2 == 0 else '{p%d}' % i} {{ " for i in range(depth))
    return HEAD + text + "allow get: if true;" + " }" * depth + "\n" + TAIL, "/a/x" * (depth // 2) if not odd else "/a/x"


def segments(r):
    count = r.randint(94, 100)
    parts = [f"/s{i}" for i in range(count)]
    cut = r.randint(1, count)
    if r.random() < 0.5:
        return HEAD + f"match {''.join(parts)} {{ allow get; }}\n" + TAIL, "/c0/x"
    return HEAD + f"match {''.join(parts[:cut])} {{ allow get; match {''.join(parts[cut:]) or '/z'} {{ allow get; }} }}\n" + TAIL, "/c0/x"


def captures(r):
    count = r.randint(17, 22)
    text = "".join(f"/{{v{i}}}" for i in range(count))
    asked = f"v{r.randrange(count)}"
    return HEAD + f"match {text} {{ allow get: if {asked} == 'x' || v0 == {asked}; }}\n" + TAIL, "/a/x" * (count // 2)


def calls(r):
    """A chain of functions, the last of which may be recursive."""
    depth = r.randint(17, 24)
    last = r.choice(["true", "true", "id == 'x'", "f0()", f"f{depth - 1}()", "resource == null"])
    order = [f"function f{i}() {{ return {f'f{i + 1}()' if i + 1 < depth else last}; }}\n" for i in range(depth)]
    if r.random() < 0.3:
        r.shuffle(order)
    return condition("f0()" if r.random() < 0.9 else "true", "".join(order))


def circle(r):
    names = ["f", "g", "h", "k"][:r.randint(1, 4)]
    text = ""
    for i, name in enumerate(names):
        other = names[(i + 1) % len(names)] if r.random() < 0.8 else r.choice(names)
        text += f"function {name}(a) {{ {r.choice(['', 'let b = a; '])}return {r.choice(['', 'a || ', '!'])}{other}({r.choice(['a', 'true', ''])}); }}\n"
    return condition("f(true)" if r.random() < 0.8 else "true", text)


def parameters(r):
    count = r.randint(5, 9)
    names = [f"a{i}" for i in range(count)]
    if r.random() < 0.15:
        names[-1] = "a0"
    given = ", ".join(str(i) for i in range(count + r.choice([-1, 0, 0, 0, 1])))
    return condition(f"f({given}) == {r.randrange(count)}", f"function f({', '.join(names)}) {{ return {r.choice(names)}; }}\n")


def lets(r):
    count = r.randint(8, 13)
    text = "".join(f"let v{i} = {f'v{i - 1} + 1' if i else '1'}; " for i in range(count))
    if r.random() < 0.15:
        text += "let v1 = 3; "
    return condition(f"f() == {count}", f"function f() {{ {text}return v{count - 1}; }}\n")


def deep(r):
    """Nesting is bounded at about a hundred."""
    n = r.choice([r.randint(94, 101), r.randint(94, 101), r.randint(20, 110)])
    text = r.choice([
        lambda: "(" * n + "true" + ")" * n,
        lambda: "!" * n + "true",
        lambda: "[" * n + "1" + "]" * n + " != 1",
        lambda: "{'a': " * n + "1" + "}" * n + ".size() == 1",
        lambda: " && ".join(["true"] * n),
        lambda: " || ".join(["false"] * n) + " || true",
        lambda: " + ".join(["1"] * n) + f" == {n}",
        lambda: " - ".join(["1"] * n) + f" == {2 - n}",
        lambda: " == ".join(["true"] * n),
        lambda: "true ? " * n + "true" + " : false" * n,
        lambda: "false ? true : " * n + "true",
        lambda: "request.auth.token" + ".m" * n + " == null",
        lambda: "[1" + "".join(f", {i}" for i in range(n)) + "]" + "[0:1]" * (n % 90) + ".size() == 1",
        lambda: "debug(" * n + "true" + ")" * n,
        lambda: "'a'" + ".lower()" * n + " == 'a'",
        lambda: "request" + ".auth" * n + " == null",
        lambda: "/a/$(" * n + "'x'" + ")" * n + " != null",
        lambda: "e(" * n + "true" + ")" * n,
        lambda: "1 in [" * n + "1" + "]" * n,
        lambda: "!(" * n + "true" + ")" * n,
        lambda: "-(" * (n // 3) + "1" + ")" * (n // 3) + " == 1",
    ])()
    if r.random() < 0.1:
        text = text[:r.randrange(len(text))] + r.choice(["", ")", "]", " =", "1"])
    return condition(text, "function e(x) { return x; }\n")


def twice(r):
    """What may stand once only."""
    return r.choice([
        lambda: condition("f()", "function f() { return true; }\nfunction f(a) { return a; }\n"),
        lambda: condition("f(1, 2)", "function f(a, a) { return a == 2; }\n"),
        lambda: condition("f(1)", "function f(a) { let a = 2; return a == 2; }\n"),
        lambda: condition("f(1)", "function f(a) { let b = 2; let b = 3; return a == b; }\n"),
        lambda: (HEAD + "match /a/{x}/b/{x} { allow get: if x == 'x'; }\n" + TAIL, "/a/x/b/x"),
        lambda: (HEAD + "match /a/{x} { match /b/{x} { allow get: if x == 'x'; } }\n" + TAIL, "/a/y/b/x"),
        lambda: (HEAD + "match /a/{x=**} { match /b/{y=**} { allow get; } }\n" + TAIL, "/a/y/b/x"),
        lambda: (HEAD + "match /{x=**}/b/{y=**} { allow get; }\n" + TAIL, "/a/y/b/x"),
        lambda: (HEAD.replace("'2'", "'1'") + "match /{x=**}/b/{y} { allow get; }\n" + TAIL, "/a/y/b/x"),
        lambda: (HEAD + TAIL.rstrip("}\n") + "}\n", "/a/x"),
        lambda: (HEAD + "match /a/{x} { allow get; }\n" + TAIL + r.choice(["service cloud.firestore", "service firebase.storage", "service foo"]) +
                 " { match /a/{x} { allow read: if x == 'x'; } }\n", "/a/x"),
        lambda: ("rules_version = '2'\n" * 2 + HEAD[HEAD.index("service"):] + "match /a/{x} { allow get; }\n" + TAIL, "/a/x"),
        lambda: condition("(/a/{x}/{x}).bind({'x': 'y'}) == /a/y/y"),
        lambda: condition("1 is " + r.choice(["int", "integer", "null", "boolean", "Int", "number", "list", "set", "vector", "constraint"])),
        lambda: condition(r.choice(["math", "math.abs", "duration.value", "math == 1", "hashing.md5", "latlng.value(1)", "math.abs(1, 2) == 1", "timestamp"])),
    ])()


def numbers(r):
    n = r.choice(["9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "(-9223372036854775808)", "-(9223372036854775808)",
                  "0", "-0", "00", "1.", ".5", "1.5.5", "1.0e5", "0x10", "99999999999999999999.5", "0." + "0" * 30 + "1", "1" * 40 + ".0", "-.5", "5..5"])
    return condition(r.choice([f"{n} == 1", f"{n} != null", f"[{n}].size() == 1", f"debug({n}) > 0", f"2 - {n} < 0", f"{n} + 1 > 0"]))


def strings(r):
    parts = ["a", "\\n", "\\t", "\\\\", "\\'", '\\"', "\\u0041", "\\ud83d\\ude00", "\\x41", "\\101", "\\377", "é", "\U0001F600", " ", "/", "$", "{", "//", "/*", "*/",
             "\\0", "\\400", "\\x4", "\\u004", "\\q", "\\u{41}", "\\N", "\t", "\\b\\f\\r", "\\v", "\\`", "\\?"]
    text = "".join(r.choice(parts[:19] if r.random() < 0.8 else parts) for _ in range(r.randint(0, 5)))
    quote = r.choice("''\"")
    prefix = r.choice(["", "", "", "b", "B", "r"])
    return condition(f"{prefix}{quote}{text}{quote}" + r.choice([".size() == 3", " == 'a'", " != null", ".matches('a.*')", ".toUtf8().size() > 2"]))


def versions(r):
    version = r.choice(["rules_version = '2';", "rules_version='1';", "rules_version = \"2\"", "rules_version = '2'\n", "", "rules_version = '3';", "rules_version = 2;",
                        "/* c */ rules_version = '2';", "import 'a'; rules_version = '2';", "rules_version = '2'; import 'foo';", "rules_version = '2+modules';"])
    body = HEAD[HEAD.index("service"):]
    pattern = r.choice(["/a/{x}", "/a/{x=**}", "/{p=**}", "/{p=**}/a/{x}", "/a/{x=*}", "/a", "/a/x", "/a/{x}/{y}", "/a/*"])
    method = r.choice(["read", "write", "get", "list", "create", "update", "delete", "get, list", "GET", "reed", "read, read", "read,", "", "allow"])
    rest = r.choice([": if true;", ";", "", ": if true", ":;", ": true;", " if true;", ": if ;", ": if resource == null;", ": if false; allow get: if true;"])
    return f"{version}\n{body}match {pattern} {{ allow {method}{rest} }}\n{TAIL}", "/a/x"


def functions(r):
    """Where functions stand, and how they are written."""
    f = r.choice(["function f() { return true; }", "function f() { return true }", "function f(){return id == 'x';}", "function f(a) { return a; }", "function f() { let a = 1; return a == 1; }",
                  "function f() { return resource == null; }", "function f() { return exists(/databases/(default)/documents/c0/x); }", "function f() { let a = 1 return a == 1; }",
                  "function f() { }", "function f { return true; }", "function () { return true; }", "function f(a,) { return true; }", "function f() { return true; return false; }",
                  "function f() { return g(); }", "function f() { return true; let a = 1; }", "function f() { if (true) { return true; } }", "function f() { return database == '(default)'; }"]) + "\n"
    use = r.choice(["f()", "f()", "f(true)", "f() == f()", "true"])
    places = [f if i == r.randrange(5) else "" for i in range(5)]
    if r.random() < 0.7:
        places = [""] * 5
        places[r.randrange(5)] = f
    g = "function g() { return " + r.choice(["true", "request.auth == null", "h()", "f"]) + "; }\n" if r.random() < 0.4 else ""
    return (f"rules_version = '2';\n{places[0]}service cloud.firestore {{\n{places[1]} match /databases/{{database}}/documents {{\n{places[2]}{g}match /c0/{{id}} {{\n"
            f"{places[3]}allow read, write: if {use};\n}}\n }}\n}}\n{places[4]}"), "/c0/x"


MAKERS = [nested, segments, captures, calls, circle, parameters, lets, deep, deep, deep, twice, numbers, strings, versions, functions]


def relaid(r, rules):
    """The same text with other white space and comments between its tokens."""
    tokens = re.findall(r"\s+|[A-Za-z_$][\w$]*|[bB]?'(?:\\.|[^'\\\n])*'|[bB]?\"(?:\\.|[^\"\\\n])*\"|\d[\d.]*|/(?![*/])[^\s;{}()]*|.", rules, re.S)
    spaces = [" ", "\n", "\t", "\r\n", "  ", "\f", "\r", " /* c */ ", " // c\n", "/**/", " /* 'é\U0001F600\n */ ", "\n\n"]
    weights = [6, 4, 2, 2, 2, 1, 1, 2, 2, 1, 1, 1]
    often = r.choice([0.1, 0.5, 1])
    out = ""
    for token in tokens:
        if token.isspace() and r.random() < often:
            token = r.choices(spaces, weights)[0]
        out += token
    return out
