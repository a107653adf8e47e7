#!/usr/bin/env python3
"""Records the official emulator's answer to a question for each statement of the language reference.

  record_statements.py PATH/TO/oracle.py > ../statements.jsonl

A question is named after the statement it settles: `13.5` is row 5 of section 13, `5.7` a statement of section 5.7,
`F.29` number 29 of appendix F. The expected verdict (A allow, D deny) is written here from the reference; a
question whose recorded verdict differs is reported on stderr and makes the exit code 1.
"""
import importlib.util, json, re, sys

spec = importlib.util.spec_from_file_location("oracle", sys.argv[1])
oracle = importlib.util.module_from_spec(spec)
spec.loader.exec_module(oracle)
PROJECT = "statements"
DOCS = oracle.documents(PROJECT)
wrong = []
count = {}

DB = "/databases/$(database)/documents"
VECTOR = {"mapValue": {"fields": {"__type__": {"stringValue": "__vector__"},
          "value": {"arrayValue": {"values": [{"doubleValue": 1.0}, {"doubleValue": 2.5}]}}}}}
W = {"/w/a": {"i": 3, "s": "hello", "t": True, "f": 5.0, "n": None, "l": [1, 2], "m": {"k": 1},
     "ts": {"timestampValue": "2020-01-02T03:04:05.678901Z"}, "b": {"bytesValue": "AAEC/w=="},
     "g": {"geoPointValue": {"latitude": 1.5, "longitude": -2.0}}, "v": VECTOR,
     "r": {"referenceValue": f"projects/{PROJECT}/databases/(default)/documents/w/a"}}}


def put(path, data):
    status, body = oracle.call("PATCH", DOCS + path, {"fields": oracle.fields(data)}, "owner")
    assert status == 200, body


def ask(ident, rules, method, path, expected, documents=None, data=None, mask=None, exists=None, claims=..., note=None,
        version="2", transforms=None):
    """Puts one request to the emulator and prints question and answer."""
    documents = W if documents is None else documents
    source = rules if "service" in rules else (
        f"rules_version = '{version}';\nservice cloud.firestore {{\n match /databases/{{database}}/documents {{\n"
        f"{rules}\n }}\n}}\n")
    status, body = oracle.put_rules(source, PROJECT)
    record = {"id": ident, "rules": source}
    if status != 200:
        record.update(verdict="COMPILE", message=body["error"]["message"])
    else:
        oracle.call("DELETE", f"/emulator/v1/projects/{PROJECT}/databases/(default)/documents", auth="owner")
        for where, what in documents.items():
            put(where, what)
        claims = {"email": "a@b.c"} if claims is ... else claims
        query = []
        if mask is not None:
            query += ["updateMask.fieldPaths=" + f for f in mask]
        if exists is not None:
            query.append("currentDocument.exists=" + str(exists).lower())
        url = DOCS + path + ("?" + "&".join(query) if query else "")
        if method == "get":
            status, body = oracle.call("GET", url, auth=claims)
        elif method == "delete":
            status, body = oracle.call("DELETE", url, auth=claims)
        elif transforms is None:
            status, body = oracle.call("PATCH", url, {"fields": oracle.fields(data)}, claims)
        else:
            write = {"update": {"name": f"projects/{PROJECT}/databases/(default)/documents{path}",
                                "fields": oracle.fields(data)}, "updateTransforms": transforms}
            if mask is not None:
                write["updateMask"] = {"fieldPaths": mask}
            status, body = oracle.call("POST", DOCS + ":commit", {"writes": [write]}, claims)
        record.update(documents={k: oracle.fields(v) for k, v in documents.items()}, method=method, path=path,
                      auth=None if claims is None else {"sub": "u1", "user_id": "u1", "iat": 1700000000,
                                                        "exp": 4000000000, **claims})
        if data is not None:
            record["data"] = oracle.fields(data)
        if mask is not None:
            record["mask"] = mask
        if exists is not None:
            record["exists"] = exists
        if transforms is not None:
            record["transforms"] = transforms
        if status == 500:
            record["verdict"] = "CRASH"
        elif status == 403:
            record.update(verdict="DENY", message=body["error"]["message"].strip())
        elif status in (200, 404):
            record["verdict"] = "ALLOW"
        else:
            record.update(verdict="ALLOW", status=status)
    if expected and record["verdict"][0] != expected:
        wrong.append(f"{ident}: expected {expected}, recorded {record['verdict']} {record.get('message')}: {rules}")
    if expected == "A" and record["verdict"] == "CRASH":
        wrong.append(f"{ident}: crash")
    record["n"] = count[ident] = count.get(ident, 0) + 1
    print(json.dumps(record, ensure_ascii=False))


def e(ident, expression, expected, **more):
    """An expression as the condition of a get of /t/a, which does not exist."""
    expression = expression.replace("DB/", DB + "/").replace("d()", f"get({DB}/w/a).data")
    ask(ident, f"  match /t/{{id}} {{ allow get: if {expression}; }}", "get", "/t/a", expected, **more)


def g(ident, body, path, expected, **more):
    ask(ident, body.replace("DB/", DB + "/"), "get", path, expected, **more)


# ---- 4. Path matching
ANY = {"/t/a": {"x": 1}}
g("4.1", "match /t/{id} { allow get; }", "/t/a", "A")
ask("4.1", "rules_version = '2';\nservice cloud.firestore { match /{d=**} { allow get; } }", "get", "/t/a", "A")
ask("4.1", "rules_version = '2';\nservice cloud.firestore { match /t/{id} { allow get; } }", "get", "/t/a", "D")
g("4.2", "match /t/{id} { match /s/{x} { allow get; } }", "/t/a/s/b", "A")
g("4.2", "match /t/{id} { allow get; match /s/{x} { allow get: if false; } }", "/t/a/s/b", "D")
g("4.2", "match /t/{id} { allow get; }", "/t/a/s/b", "D")
g("4.2", "match /t/{id=**} { allow get; }", "/t/a/s/b", "A")
g("4.3", "match /t/{id} { allow get: if false; } match /{d=**} { allow get: if true; }", "/t/a", "A")
g("4.3", "match /{d=**} { allow get: if true; } match /t/{id} { allow get: if false; }", "/t/a", "A")
g("4.3", "match /t/{id} { allow get: if 1 / 0 == 1; } match /{d=**} { allow get; }", "/t/a", "A")
g("4.3", "match /t/{id} { allow get: if false;\n allow get: if 1 == 1; }", "/t/a", "A")
g("4.3", "match /t/{id} { match /{r=**} { allow get: if false; }\n allow get: if 1==3;\n}\n match /t/a { allow get: if 2==3; }", "/t/a", "D")
g("4.4", "match /u/{id} { allow get; }", "/t/a", "D")
g("4.4", "match /t/{id} { allow write; }", "/t/a", "D")
g("4.5", "match /t/{id} { allow get: if id is string && id == 'a b'; }", "/t/a%20b", "A")
g("4.5", "match /t/{d=**} { allow get: if d is path && d[0] == 'a' && string(d) == '/a/b/c'; }", "/t/a/b/c", "A")
g("4.5", "match /t/{d=**} { allow get: if d.size() == 3; }", "/t/a/b/c", "D")
g("4.5", "match /t/{x}/{d=**} { allow get: if string(d) == ''; }", "/t/a", None)
g("4.5", "match /t/{x}/{d=**} { allow get: if d is path; }", "/t/a", "A")
g("4.5", "match /{d=**}/b/{x} { allow get: if d == /t/a && x == 'c'; }", "/t/a/b/c", "A")
g("4.5", "match /{d=**} { match /b/{x} { allow get: if d == /t/a; } }", "/t/a/b/c", "A")
g("4.6", "match /t/{id}/s/{id} { allow get; }", "/t/a/s/b", "C")
g("4.6", "match /t/{id} { match /s/{id} { allow get: if id == 'b'; } }", "/t/a/s/b", "A")
g("4.6", "match /t/{request} { allow get: if request == 'a'; }", "/t/a", "A")
g("4.6", "match /t/{resource} { allow get: if resource == 'a'; }", "/t/a", "A")
g("4.7", "function f() { return id == 'a'; } match /t/{id} { allow get: if f(); }", "/t/a", "D")
g("4.7", "match /t/{id} { function f() { return id == 'a'; } allow get: if f(); }", "/t/a", "A")
g("4.7", "function f() { return g(); } function g() { return false; } match /t/{id} { function g() { return true; } allow get: if f(); }", "/t/a", "D")
g("4.7", "function f() { return g(); } function g() { return false; } match /t/{id} { function g() { return true; } allow get: if g(); }", "/t/a", "A")
g("4.7", "function f() { let x = 1; return g(); } function g() { return x == 1; } match /t/{id} { allow get: if f(); }", "/t/a", "D")
g("4.7", "function exists(a, b) { return a == b; } match /t/{id} { allow get: if exists(1, 1); }", "/t/a", "A")
g("4.7", "function int(a) { return 'mine'; } match /t/{id} { allow get: if int(1) == 'mine'; }", "/t/a", "A")
ask("4.7", f"rules_version = '2';\nfunction f() {{ return exists(/databases/(default)/documents/w/a); }}\nservice cloud.firestore {{ match /databases/{{database}}/documents {{ match /t/{{id}} {{ allow get: if f(); }} }} }}", "get", "/t/a", "A")
for v, path, want in (("1", "/t", None), ("1", "/t/a", "A"), ("2", "/t/a", "A")):
    if path != "/t":
        g("4.8", "match /t/{d=**} { allow get; }", path, want, version=v)
g("4.8", "match /t/a/{d=**} { allow get; }", "/t/a", "D", version="1")
g("4.8", "match /t/a/{d=**} { allow get; }", "/t/a", "A", version="2")
g("4.8", "match /{d=**}/x { allow get; }", "/t/a", "C", version="1")
g("4.8", "match /{a=**}/{b=**} { allow get; }", "/t/a", "C", version="2")

# ---- 5. Types, operators, methods
e("5.1", "1 is int && 1.0 is float && 1 is number && 1.0 is number && 'a' is string && null == null", "A")
e("5.1", "true is boolean", "C")
e("5.1", "null is int || null is string || null is map", "D")
e("5.1", "d().f is float && !(d().f is int)", "A")
e("5.1", "[1].toSet() is set", "D")
e("5.1", "[1].toSet() is list", "D")
e("5.1", "d().v is vector && !(d().v is map) && !(d().v is list)", "A")
e("5.1", "request is map && request.auth is map", "A")
e("5.1", "{}.diff({}) is map_diff && d().r is path && d().ts is timestamp && d().b is bytes && d().g is latlng", "A")
e("5.1", "(1 / 0) is int || false", "D")
e("5.2", "1 == 1.0 && 9007199254740993 == 9007199254740992.0 && 0.0 == -0.0", "A")
e("5.2", "float('NaN') != float('NaN') && !(float('NaN') == float('NaN'))", "A")
e("5.2", "1 == 'a' || null == 1 || [1] == [1.0] || {'a': 1} == {'a': 1.0} || 1.0 in [1]", "D")
e("5.2", "[1].hasAll([1.0]) || [1].removeAll([1.0]).size() == 0", "D")
e("5.2", "[1].toSet() == [1.0].toSet() && 1.0 in [1].toSet() && [1, 1.0].toSet().size() == 1", "A")
e("5.2", "{'a': 1}.diff({'a': 1.0}).changedKeys().size() == 0", "A")
e("5.2", "[1, 2] == [2, 1]", "D")
e("5.2", "[1, 2].toSet() == [2, 1].toSet() && {'a': 1, 'b': 2} == {'b': 2, 'a': 1}", "A")
e("5.2", "[1].toSet() == [1]", "D")
e("5.2", "/a/b == path('/a/b') && /a/b != '/a/b'", "A")
e("5.2", "{'a': 1}.diff({}) == {'a': 1}.diff({})", "D")
e("5.3", "'a' < 'b' && 'a' < 'aa' && '\\ud83d\\ude00' < '\\uffff' && b'a' < b'b' && 1 < 1.5", "A")
e("5.3", "duration.value(1, 's') < duration.value(2, 's') && timestamp.value(1) < timestamp.value(2)", "A")
for pair in ("true < false", "null < 1", "[1] < [2]", "{} < {}", "/a < /b", "'a' < 1", "[1].toSet() < [2].toSet()"):
    e("5.3", pair, "D")
e("5.3", "float('NaN') < 1 || float('NaN') >= 1", "D")
e("5.4", "1 + 2 == 3 && 1 + 1.5 == 2.5 && 'a' + 'b' == 'ab' && 7 / 2 == 3 && -7 / 2 == -3 && -7 % 3 == -1", "A")
e("5.4", "timestamp.value(0) + duration.value(1, 's') == timestamp.value(1000) && timestamp.value(1000) - timestamp.value(0) == duration.value(1, 's')", "A")
for bad in ("[1] + [2] == [1, 2]", "'a' + 1 == 'a1'", "{} + {} == {}", "1 / 0 == 1", "1 % 0 == 1", "-'a' == 'a'",
            "9223372036854775807 + 1 > 0", "-9223372036854775808 - 1 < 0", "9223372036854775807 * 2 > 0",
            "-(-9223372036854775808) > 0", "[1].toSet() - [1].toSet() == [].toSet()"):
    e("5.4", bad, "D")
e("5.4", "1 / 0.0 == float('Infinity') && math.isNaN(1.0 % 0.0) && 5.5 % 2 == 1.5", "A")
e("5.4", "-9223372036854775808 / -1 == -9223372036854775808 && math.abs(-9223372036854775808) == -9223372036854775808", "A")
e("5.6", "1 in [1] && 'a' in {'a': 1} && !('b' in {'a': 1})", "A")
for bad in ("1 in {'a': 1}", "1 in null", "'a' in 'abc'", "1 in 1", "'a' in /a/b", "1 in b'a'"):
    e("5.6", bad, "D")
e("5.7", "'\\ud83d\\ude00'.size() == 2 && 'abc'[1] == 'b' && 'abc'[0:2] == 'ab' && 'abc'[1:1] == ''", "A")
for bad in ("'abc'[3] == ''", "'abc'[0:0] == ''", "'abc'[3:] == ''", "'abc'[2:1] == ''", "'abc'[-1] == 'c'",
            "'abc'['a'] == 'a'", "'abc'['a':1] == 'a'", "'abc'[0:99] == 'abc'", "'a'.size == 1"):
    e("5.7", bad, "D")
e("5.7", "'abc'[:] == 'abc' && ''[:] == '' && [][:] == [] && 'abc'[null:2] == 'ab'", "A")
e("5.7", "'\\u00c9a'.lower() == '\\u00c9a' && '\\u00dfa'.upper() == '\\u00dfA'", "A")
e("5.7", "' \\t\\n a \\u0001'.trim() == 'a' && '\\u00a0a'.trim() == '\\u00a0a'", "A")
for bad in ("'abc'.contains('b')", "'abc'.startsWith('a')", "'abc'.length() == 3"):
    e("5.7", bad, "D")
e("5.8", "b'\\xff\\xfe'.toBase64() == '__4=' && b'\\xff'.toHexString() == 'FF' && b'ab'.size() == 2", "A")
for bad in ("b'ab'[0] == b'a'", "b'ab'[0:1] == b'a'", "b'a' + b'b' == b'ab'"):
    e("5.8", bad, "D")
e("5.9", "[1, 2][0] == 1 && [1, 2, 3][1:3] == [2, 3] && [1].concat([2]) == [1, 2] && [1, 2].hasAll([1]) && [1].hasAny([1, 2])", "A")
e("5.9", "[1, 1].hasOnly([1]) && [].hasOnly([1]) && [1].hasAll([]) && ![1].hasAny([]) && [1, 2, 1].removeAll([1]) == [2]", "A")
e("5.9", "['a', 1, 1.5, null, true].join('-') == 'a-1-1.5-null-true'", "A")
for bad in ("[1].hasAll([1].toSet())", "[[1]].join('') == ''", "[1][1] == 1", "[1].hasAny(1)", "[1].difference([1]) == []"):
    e("5.9", bad, "D")
e("5.10", "[1, 2].toSet().hasAll([1]) && [1, 2].toSet().difference([1].toSet()) == [2].toSet() && [1].toSet().union([2].toSet()).size() == 2", "A")
for bad in ("[1].toSet().difference([1]) == [].toSet()", "[1].toSet()[0] == 1", "[1].toSet().toSet().size() == 1", "[1].toSet().concat([1]) == 1"):
    e("5.10", bad, "D")
e("5.11", "{'a': 1}.a == 1 && {'a': 1}['a'] == 1 && {'b': 1, 'a': 2}.keys() == ['a', 'b'] && {'b': 1, 'a': 2}.values() == [1, 2]", "A")
e("5.11", "{'a': 1}.get('a', 2) == 1 && {'a': 1}.get('b', 2) == 2 && {'a': {'b': 1}}.get(['a', 'b'], 2) == 1 && {'a': 1}.get(['a', 'b'], 2) == 2 && {'a': null}.get('a', 1) == null && {'a': 1}.get([], 2) == {'a': 1}", "A")
e("5.11", "{'a': 1, 'a': 2}.a == 2 && {'size': 1}.size == 1 && {'size': 1}.size() == 1", "A")
for bad in ("{'a': 1}.b == 1", "{'a': 1}[1] == 1", "{1: 2}.size() == 1", "{'a': 1}.get('a') == 1", "{'a': 1}.hasAll(['a'])", "{'a': 1}.has('a')"):
    e("5.11", bad, "D")
e("5.12", "{'a': 1, 'b': 2, 'c': {'x': 1}}.diff({'b': 3, 'c': {'x': 2}, 'd': 4}).affectedKeys() == ['a', 'b', 'c', 'd'].toSet()", "A")
e("5.12", "{'a': 1}.diff({'b': 1}).addedKeys() == ['a'].toSet() && {'a': 1}.diff({'b': 1}).removedKeys() == ['b'].toSet() && {'a': 1}.diff({'a': 1}).unchangedKeys() == ['a'].toSet()", "A")
e("5.12", "{'a': 1}.diff(null).addedKeys().size() == 1", "D")
e("5.13", "/a/$('b')/$(1)/$(1.5)/$(true)/$(null) == path('/a/b/1/1.5/true/null') && /a/$(/b/c) == /a/b/c", "A")
for bad in ("/a/$([1]) == /a", "/a/$('b/c') == /a/b/c", "path('') == /a", "path('/a/b/') == /a/b", "path(/a) == /a", "/a + /b == /a/b", "/a < /b", "'a' in /a/b", "(/a/b).size() == 2", "(/a/{x}).bind({'y': 'b'}) == /a/b"):
    e("5.13", bad, "D")
e("5.13", "path('a/b') == /a/b && (/a/b)[0] == 'a' && (/a/b/c)[1:3] == /b/c && (/a/{x}).bind({'x': 'b'}) == /a/b && (/a/{x=**}).bind({'x': /b/c}) == /a/b/c && (/a/{x}).bind({'x': 'b'}).x == 'b'", "A")
e("5.14", "int(1.9) == 1 && int(float('NaN')) == 0 && int(1.0 / 0) == 9223372036854775807 && int('-5') == -5 && float('1e3') == 1000.0 && float(' 1 ') == 1.0", "A")
for bad in ("int(' 1') == 1", "int('1.0') == 1", "int(true) == 1", "string([]) == ''", "bool('true')", "math.isInfinite(1.0)", "debug() == 1", "math.max(1, 2) == 2"):
    e("5.14", bad, "D")
e("5.14", "string(2.0) == '2.0' && string(10000000.0) == '1.0E7' && string(0.0001) == '1.0E-4' && string(null) == 'null' && string(/a/b) == '/a/b'", "A")
e("5.14", "math.ceil(5) is float && math.round(1.2) is int && math.round(-1.5) == -1 && math.round(2.5) == 3 && math.abs(-5) is int && math.sqrt(4) == 2.0 && math.pow(2, 3) == 8.0", "A")
e("5.15", "timestamp.date(2020, 2, 29).year() == 2020 && timestamp.date(2020, 2, 29).dayOfWeek() == 6 && timestamp.date(2020, 2, 29).dayOfYear() == 60", "A")
for bad in ("timestamp.date(0, 1, 1).year() == 0", "timestamp.date(2019, 2, 29).day() == 29", "timestamp.value('nope').year() == 1", "duration.value(1, 'us').seconds() == 0", "duration.value(1, 's') * 2 == 1", "latlng.value(91, 0).latitude() == 91"):
    e("5.15", bad, "D")
e("5.15", "duration.value(1, 'w') == duration.value(7, 'd') && duration.time(1, 2, 3, 4).seconds() == 3723 && duration.abs(duration.value(-1, 's')) == duration.value(1, 's')", "A")
e("5.15", "latlng.value(0, 0).distance(latlng.value(0, 1)) > 111195.0 && latlng.value(0, 0).distance(latlng.value(0, 1)) < 111195.1", "A")
e("5.15", "hashing.crc32('abc').toHexString() == 'C2412435' && hashing.md5('abc').toHexString() == '900150983CD24FB0D6963F7D28E17F72' && hashing.sha256('abc').size() == 32", "A")
for bad in ("null.x == 1", "null['x'] == 1", "null.f() == 1", "1 in null", "(1).x == 1", "foo == 1", "foo() == 1", "{}.get('a') == 1"):
    e("5.16", bad, "D")

# ---- 6. Errors
for text, want in (("true || 1 / 0 == 1", "A"), ("false && 1 / 0 == 1", "D"), ("1 / 0 == 1 || true", "A"),
                   ("1 / 0 == 1 || false", "D"), ("false || 1 / 0 == 1", "D"), ("!(1 / 0 == 1 && false)", "A"),
                   ("1 / 0 == 1 && true", "D"), ("true && 1 / 0 == 1", "D"), ("1 / 0 == 1 || foo == 1", "D"),
                   ("foo == 1 && 1 / 0 == 1", "D"), ("1 || true", "A"), ("!(1 && false)", "A"), ("true && 1", "D"),
                   ("!1", "D"), ("!(1 / 0 == 1)", "D"), ("1 / 0 == 1 ? true : true", "D"), ("1 ? true : true", "D"),
                   ("true ? true : 1 / 0 == 1", "A"), ("1", "D"), ("'a'", "D"), ("[1 / 0] == [1] || true", "A"),
                   ("{'a': 1 / 0}.size() == 1", "D"), ("(1 / 0) in [1]", "D"), ("[1 / 0].size() == 1", "D")):
    e("6", text, want)
g("6.args", "function f(a) { return true; } match /t/{id} { allow get: if f(1 / 0); }", "/t/a", "A")
g("6.args", "function f(a) { return true || a == 1; } match /t/{id} { allow get: if f(1 / 0); }", "/t/a", "A")
g("6.args", "function f(a) { return a == 1; } match /t/{id} { allow get: if f(1 / 0) || true; }", "/t/a", "A")
g("6.args", "function f(a) { return a == 1; } match /t/{id} { allow get: if f(1 / 0); }", "/t/a", "D")
g("6.let", "function f() { let x = 1 / 0; return x == 1 || true; } match /t/{id} { allow get: if f(); }", "/t/a", "A")
g("6.let", "function f() { let x = 1 / 0; return true; } match /t/{id} { allow get: if f(); }", "/t/a", "A")
g("6.missing", "match /t/{id} { allow get: if resource.data.nope != 1; }", "/t/a", "D", documents=ANY)
g("6.missing", "match /t/{id} { allow get: if !(resource.data.nope == 1); }", "/t/a", "D", documents=ANY)
g("6.missing", "match /t/{id} { allow get: if !('nope' in resource.data) && resource.data.get('nope', 5) == 5; }", "/t/a", "A", documents=ANY)
BIG = "[" + ", ".join(["1"] * 1100) + "].size() == 1100"
g("6.budget", f"match /t/{{id}} {{ allow get: if {BIG} || true; }}", "/t/a", "D")
g("6.budget", f"match /t/{{id}} {{ allow get: if {BIG};\n allow get: if true; }}", "/t/a", "D")
g("6.budget", f"match /t/{{id}} {{ allow get: if true;\n allow get: if {BIG}; }}", "/t/a", "A")
g("6.budget", f"match /t/{{id}} {{ allow get: if resource.data.x == 2 || {BIG}; }}", "/t/a", "D", documents=ANY)
g("6.budget", f"match /t/{{id}} {{ allow get: if 1 / 0 == 1;\n allow get: if {BIG}; }}", "/t/a", "D")
g("6.budget", f"match /t/{{id}} {{ allow get: if (resource.data.x == 1 ? {BIG} : false);\n allow get: if true; }}", "/t/a", None, documents=ANY)
g("6.passes", "match /t/{id} { allow get: if resource.data.x == 5; }", "/t/a", "D", documents=ANY)
g("6.passes", "match /t/{id} { allow get: if 1 / 0 == 1;\n allow get: if false; }", "/t/a", "D", documents=ANY)
g("6.passes", "match /t/{id} { allow get: if false; }", "/t/a", "D", documents=ANY)

# ---- 7.1 request and resource
T = "match /t/{id} { allow read, write: if %s; }"
STORED = {"/t/a": {"x": 1, "s": "a"}}
def every(ident, condition, get, missing, create, update, delete, gone):
    body = T % condition.replace("DB/", DB + "/")
    ask(ident, body, "get", "/t/a", get, STORED)
    ask(ident, body, "get", "/t/zz", missing, STORED)
    ask(ident, body, "patch", "/t/n", create, STORED, data={"x": 2})
    ask(ident, body, "patch", "/t/n", create, STORED, data={"x": 2}, exists=False)
    ask(ident, body, "patch", "/t/a", update, STORED, data={"x": 2})
    ask(ident, body, "patch", "/t/a", update, STORED, data={"x": 2}, exists=True)
    ask(ident, body, "delete", "/t/a", delete, STORED)
    ask(ident, body, "delete", "/t/zz", gone, STORED)
every("7.1.method", "request.method == 'get'", "A", "A", "D", "D", "D", "D")
every("7.1.method", "request.method == 'create'", "D", "D", "A", "D", "D", "D")
every("7.1.method", "request.method == 'update'", "D", "D", "D", "A", "D", "D")
every("7.1.method", "request.method == 'delete'", "D", "D", "D", "D", "A", "A")
every("7.1.path", "request.path == DB/t/$(id)", "A", "A", "A", "A", "A", "A")
every("7.1.time", "request.time is timestamp && request.time.nanos() % 1000000 == 0", "A", "A", "A", "A", "A", "A")
every("7.1.auth", "request.auth.uid == 'u1' && request.auth.token.email == 'a@b.c' && request.auth.token.iat is int", "A", "A", "A", "A", "A", "A")
every("7.1.request.resource", "request.resource.data.x == 2", "D", "D", "A", "A", "D", "D")
every("7.1.request.resource", "request.resource == null", "D", "D", "D", "D", "A", "A")
every("7.1.request.resource", "request.resource.keys() == ['__name__', 'data', 'id'] && request.resource.id == id && request.resource.__name__ == request.path", "D", "D", "A", "A", "D", "D")
every("7.1.query", "request.query.limit == null || true", "A", "A", "A", "A", "A", "A")
every("7.1.query", "request.query == null", "D", "D", "D", "D", "D", "D")
every("7.1.resource", "resource == null", "D", "A", "A", "D", "D", "A")
every("7.1.resource", "resource.data.x == 1 && resource.id == id && resource.__name__ == request.path && resource.keys().size() == 3", "A", "D", "D", "A", "A", "D")
every("7.1.keys", "request.keys() == ['auth', 'fields', 'headers', 'inTransaction', 'method', 'path', 'time'] && request.inTransaction == false && request.fields == null && request.headers == {}", "A", "A", "D", "D", "D", "D")
every("7.1.keys", "request.keys().removeAll(['autoId']) == ['auth', 'headers', 'inTransaction', 'method', 'path', 'readFields', 'resource', 'time', 'transforms', 'writeFields'] && request.inTransaction && request.transforms == null && request.writeFields == null", "D", "D", "A", "A", "A", "A")
ask("7.1.merge", T % "request.resource.data == {'x': 2, 's': 'a'} && request.writeFields == ['x']", "patch", "/t/a", "A", STORED, data={"x": 2}, mask=["x"])
ask("7.1.merge", T % "request.resource.data == {'x': 2, 's': 'b'}", "patch", "/t/a", "D", STORED, data={"x": 2}, mask=["x"])
ask("7.1.merge", T % "request.resource.data == {'x': 2}", "patch", "/t/n", "A", STORED, data={"x": 2}, mask=["x"])
ask("7.1.merge", T % "!('s' in request.resource.data)", "patch", "/t/a", "A", STORED, data={"x": 2}, mask=["s"])
ask("7.1.transform", T % "request.resource.data.q == request.time && request.resource.data.x == 4 && request.transforms == ['q', 'x']", "patch", "/t/a", "A", STORED, data={}, mask=[], transforms=[{"fieldPath": "q", "setToServerValue": "REQUEST_TIME"}, {"fieldPath": "x", "increment": {"integerValue": "3"}}])
ask("7.1.transform", T % "request.resource.data.l == [1, 2]", "patch", "/t/a", "A", {"/t/a": {"l": [1]}}, data={}, mask=[], transforms=[{"fieldPath": "l", "appendMissingElements": {"values": [{"integerValue": "1"}, {"integerValue": "2"}]}}])
ask("7.1.transform", T % "request.resource.data.l == [2]", "patch", "/t/a", "A", {"/t/a": {"l": [1, 2, 1]}}, data={}, mask=[], transforms=[{"fieldPath": "l", "removeAllFromArray": {"values": [{"integerValue": "1"}]}}])
ask("7.1.signedout", T % "request.auth == null", "get", "/t/a", "A", STORED, claims=None)
ask("7.1.signedout", T % "request.auth.uid == 'u1'", "get", "/t/a", "D", STORED, claims=None)
ask("7.1.signedout", T % "request.auth != null && request.auth.uid == 'u1'", "get", "/t/a", "D", STORED, claims=None)
ask("7.1.claims", T % "request.auth.token.admin == true", "get", "/t/a", "D", STORED)
ask("7.1.claims", T % "request.auth.token.admin != true", "get", "/t/a", "D", STORED)
ask("7.1.claims", T % "request.auth.token.admin == true", "get", "/t/a", "A", STORED, claims={"admin": True})
ask("7.1.claims", T % "request.auth.token.n is int && request.auth.token.f is float", "get", "/t/a", "A", STORED, claims={"n": 1, "f": 1.5})
ask("7.1.createorupdate", "match /t/{id} { allow create; allow update: if false; }", "patch", "/t/n", "A", STORED, data={"x": 2})
ask("7.1.createorupdate", "match /t/{id} { allow create; allow update: if false; }", "patch", "/t/a", "D", STORED, data={"x": 2})
ask("7.1.createorupdate", "match /t/{id} { allow create: if false; allow update; }", "patch", "/t/n", "D", STORED, data={"x": 2})
ask("7.1.createorupdate", "match /t/{id} { allow create; allow create: if false; allow update: if resource.data.x == 9; }", "patch", "/t/a", "D", STORED, data={"x": 2})
for field, test in (("i", "is int"), ("f", "is float"), ("s", "is string"), ("t", "is bool"), ("n", "== null"), ("l", "is list"), ("m", "is map"), ("ts", "is timestamp"), ("b", "is bytes"), ("g", "is latlng"), ("v", "is vector"), ("r", "is path")):
    e("7.1.encodings", f"d().{field} {test}", "A")
e("7.1.encodings", "get(d().r).data.i == 3 && d().r == DB/w/a", "A")

# ---- 8. get, exists, getAfter, existsAfter
for bad in ("exists('a')", "exists(null)", "exists()", "exists(DB/w/a, 1)", "exists(/a/b)", "exists(/databases/foo/documents/w/a)", "exists(DB/w)", "exists(DB/w/$(''))", "exists(DB/w/{x})", "get(DB/w/zz).data.x == 1", "get(DB/w/zz) == null", "getAfter(DB/w/zz) == null", "exists(DB/w/zz)", "existsAfter(DB/w/zz)", "exists(DB/w/$('x/y'))"):
    e("8.1", bad, "D")
e("8.1", "exists(DB/w/a) && existsAfter(DB/w/a) && get(DB/w/a).data.i == 3 && getAfter(DB/w/a).data.i == 3", "A")
e("8.1", "get(DB/w/a).keys() == ['__name__', 'data', 'id'] && get(DB/w/a).id == 'a' && get(DB/w/a).__name__ == DB/w/a", "A")
e("8.1", "exists((/databases/(default)/documents/w/{x}).bind({'x': 'a'})) && exists(path('databases/(default)/documents/w/a'))", "A")
e("8.1", "firestore.exists(DB/w/a)", "D")
e("8.2", "get(DB/t/a) == null && !exists(DB/t/a) && getAfter(DB/t/a) == null", "A")
every("8.2", "getAfter(request.path).data.x == 2", "D", "D", "A", "A", "D", "D")
every("8.2", "getAfter(request.path) == null", "D", "A", "D", "D", "A", "A")
every("8.2", "existsAfter(request.path)", "A", "D", "A", "A", "D", "D")
every("8.2", "exists(request.path)", "A", "D", "D", "A", "A", "D")
every("8.2", "get(request.path).data.x == 1", "A", "D", "D", "A", "A", "D")
def lookups(n, function="exists", collection="k", sign="!"):
    return " && ".join(f"{sign}{function}(DB/{collection}/d{i})" for i in range(n))
e("8.3", lookups(10), "A")
e("8.3", lookups(11), "D")
e("8.3", lookups(11) + " || true", "A")
e("8.3", lookups(10) + " && " + lookups(10), "A")
e("8.3", lookups(10) + " && !exists(DB/t/a)", "A")
e("8.3", lookups(10) + " && " + lookups(10, "existsAfter"), "A")
e("8.3", lookups(10) + " && " + lookups(11, "existsAfter"), "D")
e("8.3", lookups(9) + " && exists(DB/w/a) && get(DB/w/a).data.i == 3", "D")
e("8.3", lookups(8) + " && exists(DB/w/a) && get(DB/w/a).data.i == 3", "A")
e("8.3", lookups(6) + " && exists(DB/k/d0)", "D")
g("8.3", "match /t/{id} { allow get: if " + lookups(6) + " && false;\n allow get: if " + lookups(6, collection="j") + "; }", "/t/a", "D")
ask("8.3", (T % lookups(10)).replace("DB/", DB + "/"), "patch", "/t/n", "A", data={"x": 1})
ask("8.3", (T % lookups(11)).replace("DB/", DB + "/"), "patch", "/t/n", "D", data={"x": 1})

# ---- 9. Limits
def list_of(n): return "[" + ", ".join(["1"] * n) + "].size() == %d" % n
e("9.budget", list_of(996), "A")
e("9.budget", list_of(997), "D")
def budget(ident, expression, cost, prelude=""):
    """`expression` is false; together with `||` and a list it fits exactly, and not with one more."""
    for n, want in ((1000 - cost - 2 - 4, "A"), (1000 - cost - 2 - 4 + 1, "D")):
        g(ident, f"{prelude} match /t/{{id}} {{ allow get: if ({expression}) || {list_of(n)}; }}", "/t/a", want)
budget("9.cost", "false", 1)
budget("9.cost", "1 == 2", 3)
budget("9.cost", "'a' is int", 3)
budget("9.cost", "!true", 2)
budget("9.cost", "request.auth.uid == 'x'", 5)
budget("9.cost", "[1][0] == 2", 6)
budget("9.cost", "'abc'[0:1] == 'b'", 6)
budget("9.cost", "'abc'[:] == 'b'", 6)
budget("9.cost", "{'a': 1} == {}", 5)
budget("9.cost", "/a/$('b')/c == /a", 7)
budget("9.cost", "'a'.lower() == 'b'", 4)
budget("9.cost", "'a'.matches('b' + 'c')", 5)
budget("9.cost", "math.abs(1) == 2", 4)
budget("9.cost", "false && (1 == 1)", 2)
budget("9.cost", "true && (1 == 2)", 6)
budget("9.cost", "true ? 1 == 2 : false", 6)
budget("9.cost", "(1 / 0).foo(1 + 1, 2 + 2) == 1", 12)
budget("9.cost", "exists(DB/w/zz)", 7)
budget("9.cost", "f()", 2, "function f() { return false; }")
budget("9.cost", "f(1 + 1)", 7, "function f(a) { return a == 3; }")
budget("9.cost", "f()", 8, "function f() { let x = 1 + 1; return x == 3; }")
g("9.shared", f"match /t/{{id}} {{ allow get: if !({list_of(600)});\n allow get: if {list_of(500)}; }}", "/t/a", "D")
g("9.shared", f"match /t/{{id}} {{ allow get: if !({list_of(600)});\n allow get: if {list_of(300)}; }}", "/t/a", "A")
def chain(n): return " ".join(f"function f{i}() {{ return {'true' if i == n - 1 else f'f{i + 1}()'}; }}" for i in range(n))
g("9.depth", chain(21) + " match /t/{id} { allow get: if f0(); }", "/t/a", "A")
g("9.depth", chain(22) + " match /t/{id} { allow get: if f0(); }", "/t/a", "C")
g("9.arguments", "function f(a, b, c, d, e, g, h) { return a + b + c + d + e + g + h == 7; } match /t/{id} { allow get: if f(1, 1, 1, 1, 1, 1, 1); }", "/t/a", "A")
g("9.arguments", "function f(a, b, c, d, e, g, h, i) { return true; } match /t/{id} { allow get: if f(1, 1, 1, 1, 1, 1, 1, 1); }", "/t/a", "C")
def lets(n): return "function f() { " + " ".join(f"let x{i} = {i};" for i in range(n)) + " return " + " + ".join(f"x{i}" for i in range(n)) + " > 0; } match /t/{id} { allow get: if f(); }"
g("9.lets", lets(11), "/t/a", "A")
g("9.lets", lets(12), "/t/a", "C")
def nested(n): return "match /c0/{v0} { " * 0 + "".join(f"match /c{i}/{{v{i}}} {{ " for i in range(n)) + "allow get;" + " }" * n
g("9.matches", nested(10), "".join(f"/c{i}/d" for i in range(10)), "A")
g("9.matches", nested(11), "/t/a", "C")
def segments(n): return "match " + "".join(f"/c{i}" for i in range(n)) + " { allow get; }"
g("9.path", segments(96), "/" + "/".join(f"c{i}" for i in range(96)), "A")
g("9.path", segments(99), "/t/a", "C")
g("9.captures", "match " + "".join(f"/{{v{i}}}" for i in range(19)) + " { allow get; }", "/t/a", "D")
g("9.captures", "match " + "".join(f"/{{v{i}}}" for i in range(20)) + " { allow get; }", "/t/a", "C")
g("9.recursion", "function f() { return f(); } match /t/{id} { allow get: if f(); }", "/t/a", "C")
g("9.recursion", "function f() { return h(); } function h() { return f(); } match /t/{id} { allow get: if f(); }", "/t/a", "C")
e("9.nesting", " && ".join(["true"] * 99), "A")
e("9.nesting", " && ".join(["true"] * 100), "C")

# ---- 13. Disputed or surprising behaviours
X1 = "function f(x) { return %s; } match /t/{id} { allow get: if f(1); }"
e("13.1", "1/0 == 1 || true", "C")
e("13.2", "5/ 2 == 2", "A")
e("13.3", "1 / 0 == 1 || true", "A")
e("13.4", "1 / 0 == 1 || false", "D")
e("13.5", "1 || true", "A")
e("13.5", "true && 1", "D")
g("13.6", X1 % "x in [1] == true", "/t/a", "D")
e("13.7", "1.0 in [1]", "D")
e("13.7", "1.0 in [1].toSet()", "A")
e("13.8", "[1] == [1.0]", "D")
e("13.8", "1 == 1.0", "A")
e("13.9", "{'a': 1}.diff({'a': 1.0}).affectedKeys().size() == 0", "A")
e("13.10", "[1].toSet() is set", "D")
e("13.11", "[1] + [2] == [1, 2]", "D")
e("13.12", "[1, 2].hasAll([1].toSet())", "D")
e("13.12", "[1, 2].toSet().hasAll([1])", "A")
e("13.13", "['a', 'b'].difference(['a']) == ['b']", "D")
DX = {"/t/a": {"x": 1}}
g("13.14", "match /t/{id} { allow get: if resource.data.keys().hasAll(['x']); }", "/t/a", "A", documents=DX)
g("13.14", "match /t/{id} { allow get: if resource.data.hasAll(['x']); }", "/t/a", "D", documents=DX)
e("13.15", "math.isInfinite(1.0)", "D")
e("13.15", "bool('true')", "D")
e("13.16", "math.ceil(5) is int", "D")
e("13.16", "math.round(1.2) is int", "A")
e("13.17", "math.round(-1.5) == -1", "A")
e("13.18", "'\\u00c9'.lower() == '\\u00e9'", "D")
e("13.19", "'\U0001F600'.size() == 1", "D")
e("13.20", "'abc'[0:0] == ''", "D")
e("13.20", "'abc'[1:1] == ''", "A")
e("13.21", "'abc'[0:99] == 'abc'", "D")
e("13.22", "'abc'[-1] == 'c'", "D")
e("13.23", "'a,b,'.split(',').size() == 2", "A")
e("13.24", "string(10000000.0) == '1.0E7'", "A")
e("13.25", "int(1.0 / 0.0) == 9223372036854775807", "A")
e("13.26", "9223372036854775807 + 1 > 0 || true", "A")
e("13.27", "hashing.md5('abc').toHexString() == '900150983CD24FB0D6963F7D28E17F72'", "A")
e("13.28", "hashing.crc32('abc').toHexString() == 'C2412435'", "A")
e("13.29", "get(DB/t/missing) == null", "D")
ask("13.30", T % f"getAfter({DB}/t/a) == null", "delete", "/t/a", "A", STORED)
e("13.31", "resource == null", "A")
every("13.32", "request.resource == null", "D", "D", "D", "D", "A", "A")
g("13.42", "match /t/{d=**} { allow get; }", "/t/a", "A", version="1")
g("13.42", "match /t/a/{d=**} { allow get; }", "/t/a", "D", version="1")
g("13.42", "match /t/a/{d=**} { allow get; }", "/t/a", "A")
g("13.43", "match /t/* { allow get; }", "/t/a", "D")
g("13.43", "match /t/* { allow get; }", "/t/*", "A")
g("13.44", "match /t/{id}/s/{id} { allow get; }", "/t/a/s/b", "C")
g("13.44", "match /t/{id} { match /s/{id} { allow get: if id == 'b'; } }", "/t/a/s/b", "A")
g("13.45", "function f() { let x = 1 / 0; return true; } match /t/{id} { allow get: if f(); }", "/t/a", "A")
g("13.46", "function f(a) { return true; } match /t/{id} { allow get: if f(1 / 0); }", "/t/a", "A")
g("13.47", lets(11), "/t/a", "A")
g("13.47", lets(12), "/t/a", "C")
g("13.48", f"match /t/{{id}} {{ allow get: if {list_of(1200)};\n allow get: if true; }}", "/t/a", "D")
e("13.49", "debug(true)", "A")
e("13.50", "timestamp.value('2020-01-01T00:00:00Z') == timestamp.date(2020, 1, 1)", "A")
e("13.51", "timestamp.date(2017, 04, 01) == request.time", "C")
e("13.52", "{'b': 1, 'a': 2}.values() == [2, 1]", "D")  # the reference says sorted by key; in fact as written
e("13.52", "{'b': 1, 'a': 2}.values() == [1, 2]", "A")
e("13.53", "'abc'.matches('[' + '')", "D")
e("13.53", "'abc'.matches('[')", "C")
e("13.54", "b'ab'[0] == b'a'", "D")
e("13.55", "request.auth.token.admin == true", "D")
e("13.55", "request.auth.token.admin != true", "D")
g("13.59", "match /t/{id} { allow Read, GET: if true; }", "/t/a", "A")
e("13.60", "'a' < 'B'", "D")
e("13.61", "9007199254740993 == 9007199254740992.0", "A")
g("13.62", "match /a%20b/{id} { allow get; }", "/a%20b/c", "A")
e("13.63", lookups(10) + " && exists(DB/w/a)", "D")
e("13.63", lookups(9) + " && !exists(DB/k/d9) && get(DB/k/d0).data.x == 1", "D")

# ---- Appendix F
for text in ("true ? [d().i, 1].size() == 2 : false", "true ? [resource, 1].size() == 2 : false", "true ? [1, d().i, 2].size() == 3 : false", "true ? /a/$(d().s)/$(d().s) == /a/hello/hello : false", "true ? [1, d().i].size() == 2 : false", "true ? {'a': d().i, 'b': d().s}.size() == 2 : false", "[true ? 1 : 2, d().i].size() == 2", "d().t ? [d().i, 1].size() == 2 : false"):
    e("F.1", text, None)
for text in ("'abc'.replace('b', '$1') == 'x'", "'abc'.replace('(b)', '$2') == 'x'", "'abc'.replace('(b)', '${1}') == 'x'", "'abc'.replace('(?P<g>b)', '[${h}]') == 'x'"):
    e("F.2", text, None)
e("F.2", "'abc'.replace('(b)', '$10') == 'ab0c'", "A")
g("F.6", "match /t/{id} { allow get: if /a/*/b == /a/x; }\n match /u/{id} { allow get: if /c/*/d == 1; }", "/t/a", "C")
g("F.6", "match /t/{id} { allow get: if /a/*/b == /a/x; }\n match /u/{id} { allow get: if true; } /* c */ ; }", "/t/a", None)
g("F.7", "function d() { return request.auth.uid; } match /t/{id} { allow get; }", "/t/a", "A")
for text in ("4 /\t2 == 2", "4 / /* c */ 2 == 2", "4 /\n2 == 2"):
    e("F.8", text, "A")
e("F.9", "'a'.matches('(?#c)a')", "C")
e("F.9", "/a/{x}/{x} == /a", "C")
e("F.10", "int('\\u0663') == 3 && int('\\uff11\\uff12') == 12 && int('007') == 7 && int('+5') == 5 && int('-0') == 0", "A")
e("F.10", "float('\\u0663') == 3.0", "D")
e("F.11", "float('1e400') == 1.0 / 0 && float('1e-400') == 0.0 && float('0x1p3') == 8.0 && float('1.5f') == 1.5 && float('2d') == 2.0 && float('\\t7\\n') == 7.0 && float('1.') == 1.0 && float('-.5') == -0.5 && float('+3.25') == 3.25", "A")
for bad in ("nan", "inf", ".", "1e", "0x10", "1L", "1,5", ""):
    e("F.11", f"float('{bad}') == 1.0 || true == false", "D")
for text, same in (("2019-02-29T00:00:00Z", "2019-03-01T00:00:00Z"), ("2020-13-01T00:00:00Z", "2021-01-01T00:00:00Z"), ("2020-00-00T00:00:00Z", "2019-11-30T00:00:00Z"), ("2020-01-01T24:00:00Z", "2020-01-02T00:00:00Z"), ("2020-01-01T25:61:61Z", "2020-01-02T02:02:01Z"), ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00Z")):
    e("F.12", f"timestamp.value('{text}') == timestamp.value('{same}')", "A")
for text in (" 2020-01-01T00:00:00Z", "2020-1-1T00:00:00Z", "20-01-01T00:00:00Z", "2020-01-01T00:00:00.Z", "2020-01-01T00:00:00.1234567891Z", "2020-01-01T00:00:00+5:30", "2020-01-01T00:00:00+99:99"):
    e("F.13", f"timestamp.value('{text}') is timestamp", "A")
for text in ("2020-01-01", "2020-01-01T00:00:00", "2020-01-01t00:00:00Z", "2020-01-01T00:00:00z", "2020-01-01 00:00:00Z", "2020-01-01T00:00:00-0800", "2020-01-01T00:00Z", "2020-01-01T00:00:00Zx", "0000-01-01T00:00:00Z", "10000-01-01T00:00:00Z", "-1-01-01T00:00:00Z", ""):
    e("F.14", f"timestamp.value('{text}') is timestamp", "D")
e("F.15", "timestamp.value(-1).seconds() == 59 && timestamp.value(-1).nanos() == 999000000 && timestamp.value(-1).toMillis() == -1 && timestamp.date(1582, 10, 10).dayOfWeek() == 7", "A")
e("F.16", "duration.value(9223372036854775807, 'ns').seconds() == 9223372036 && duration.time(0, 0, 0, 1000000001).nanos() == 1 && duration.value(-1500, 'ms').seconds() == -1 && duration.value(-1500, 'ms').nanos() == -500000000", "A")
for bad in ("duration.value(9223372036854775807, 'w').seconds() == 1", "duration.time(9223372036854775807, 0, 0, 0).seconds() == 1", "duration.value(1, 'S').seconds() == 1", "duration.value(1, '').seconds() == 1", "duration.value(1, 's ').seconds() == 1"):
    e("F.16", bad, "D")
for bad in ("latlng.value(0, 180) == latlng.value(0, -180)", "latlng.value(90, 0) == latlng.value(90, 10)", "latlng.value(0, 0) == latlng.value(-0.0, 0.0)", "latlng.value(float('NaN'), 0) == latlng.value(0, 0)"):
    e("F.17", bad, "D")
e("F.19", "math.pow(0, 0) == 1.0 && math.isNaN(math.pow(-8, 1.0 / 3)) && math.round(-0.5) == 0 && math.round(float('NaN')) == 0 && math.round(0.49999999999999994) == 0 && -9223372036854775808 % -1 == 0 && 5.0 / 0 == float('Infinity')", "A")
NAN = "float('NaN')"
for bad in (f"[{NAN}] == [{NAN}]", f"{{'a': {NAN}}} == {{'a': {NAN}}}", f"{NAN} in [{NAN}]"):
    e("F.20", bad, "D")
e("F.20", f"{NAN} in [{NAN}].toSet()", "A")  # the reference says false; the emulator answers true
e("7.1.autoid", "request.autoId == false", "D")
ask("7.1.autoid", T % "request.autoId == false", "patch", "/t/n", "A", STORED, data={"x": 2}, exists=False)
ask("7.1.autoid", T % "request.autoId == false", "patch", "/t/n", "D", STORED, data={"x": 2})
e("F.20", f"[{NAN}, {NAN}].toSet().size() == 1 && {{'a': {NAN}}}.diff({{'a': {NAN}}}).changedKeys().size() == 0", "A")
e("F.21", "[0.0] == [-0.0]", "D")
e("F.21", "[0.0].toSet() == [-0.0].toSet() && [0.0, -0.0].toSet().size() == 1 && {'a': 0.0}.diff({'a': -0.0}).changedKeys().size() == 0", "A")
e("F.22", "[[1], [1.0]].toSet().size() == 1 && {'a': [1]}.diff({'a': [1.0]}).changedKeys().size() == 0 && ![[1]].hasAll([[1.0]])", "A")
e("F.24", "'\\ud83d'.size() == 1 && '\\ud83d' != '?' && '\\ud83d' != '\\ud83e' && '\\ud83d'.matches('.') && !'\\ud83d'.matches('\\\\?') && '\\ud83d'.toUtf8() == b'?' && hashing.md5('\\ud83d') == hashing.md5('?')", "A")
e("F.24", "'a\U0001F600b'[1] + 'a\U0001F600b'[2] == '\U0001F600'", "A")
e("F.25", "'\U0001F600'.replace('', '-') == '-\\ud83d-\\ude00-' && 'a\U0001F600b'.split('') == ['', 'a', '\\ud83d', '\\ude00', 'b']", "A")
e("F.26", "'aaa'.replace('a*?', 'X') == 'XaXaXaX' && 'abc'.split('b*') == ['', 'a', '', 'c'] && 'K'.matches('(?i)\\u212a') && !'\\u00df'.matches('(?i)SS') && !'\\u0085'.matches('\\\\s') && 'a'.matches('[[:word:]]')", "A")
for bad in ("(/a/{x}).bind({'x': ''}) == /a", "(/a/{x}).bind({'x': 'b'}).bind({'x': 'c'}) == /a/c", "(/a/{x=**}).bind({'x': 'b'}) == /a/b", "(/a/{x}).bind({'x': []}) == /a"):
    e("F.27", bad, "D")
e("F.27", "(/a/{x}).bind({'x': null}) == /a/null && (/a/{x}).bind({'x': 1.0}) == /a/$(1.0)", "A")
e("F.28", "(/a/{x=**}).bind({'x': /p/q}) == /a/p/q && (/a/{x=**}).bind({'x': /p/q})[1] == 'p' && (/a/{x=**}).bind({'x': /p/q})[0:2] == /a/p", "A")
e("F.28", "(/a/{x}).bind({'x': 'v/w'}) == /a/v/w", "D")
for bad in ("(/a/{x}/c)[0] == 'a'", "(/a/{x}/c)[0:1] == /a", "/a/{x}/c == /a/{y}/c"):
    e("F.29", bad, "D")
e("F.29", "string(/a/{x}/c) == '/a//c' && string(/a/{x=**}) == '/a/'", "A")
e("F.30", "(/a/$(/b/{x})/d).bind({'x': 'q'}) == /a/b/q/d && path('/a%20b/c')[0] == 'a b' && path('/\\u00e9/x')[0] == '\\u00e9'", "A")
for bad in ("path('/a/{x') == /a", "path('/') == /a", "(/a/b)[-1] == 'b'"):
    e("F.30", bad, "D")
for bad in ("d().v.size() == 2", "d().v[0] == 1.0", "d().v.value == 1"):
    e("F.31", bad, "D")
for bad in ("{'a': 1}.get([1], 9) == 9", "{'a': 1}.get('a', 1 / 0) == 1"):
    e("F.32", bad, "D")
e("F.33", "['a', 1, 1.0, null, true, /a/b].join('-') == 'a-1-1.0-null-true-/a/b'", "A")
for bad in ("[b'a'].join('-') == 'a'", "[[1]].join('-') == '1'"):
    e("F.33", bad, "D")

for line in wrong:
    print(line, file=sys.stderr)
sys.exit(1 if wrong else 0)
