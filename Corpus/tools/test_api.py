#!/usr/bin/env python3
"""Writes Corpus/test-api.jsonl: questions to the production Rules Test API whose verdicts were published.

The verdicts are those that github.com/davideast/pyric recorded from `projects.test` in July 2026, by the titles of its
cases; those marked "fireside" are github.com/sanjevirau/fireside's (September 2026). The rules and requests are written
anew, so that each asks what its title says.

    python3 Corpus/tools/test_api.py > Corpus/test-api.jsonl
"""
import json

DOCUMENTS = "/databases/(default)/documents/"
ALICE = {"uid": "alice", "token": {}}


def case(title, verdict, method, path, auth=ALICE, data=None, resource=None, mocks=(), time=None, message=None, query=None):
    request = {"method": method, "path": DOCUMENTS + path}
    if auth is not None:
        request["auth"] = auth
    if time:
        request["time"] = time
    if data is not None:
        request["resource"] = {"data": data}
    if query:
        request["query"] = query
    test = {"expectation": verdict, "request": request}
    if resource is not None:
        test["resource"] = {"data": resource}
    if mocks:
        test["functionMocks"] = [
            {"function": f, "args": [{"exactValue": DOCUMENTS + p}], "result": r} for f, p, r in mocks]
    return {"title": title, "case": test, "verdict": verdict, "message": message}


def ruleset(body, head="rules_version = '2';\n"):
    return head + "service cloud.firestore {\n  match /databases/{database}/documents {\n" + body + "  }\n}\n"


def show(scenario, source, cases, recorder="pyric"):
    for c in cases:
        assert c["verdict"] in ("ALLOW", "DENY"), c
    answers = [{k: c[k] for k in ("title", "verdict", "message") if c[k] is not None} for c in cases]
    print(json.dumps({
        "scenario": scenario, "recorder": recorder,
        "source": {"files": [{"name": "firestore.rules", "content": source}]},
        "testSuite": {"testCases": [c["case"] for c in cases]}, "production": answers}, ensure_ascii=False))


def conditions(scenario, rows, signed_in=True, recorder="pyric"):
    """Rows of title, verdict, condition and what differs from a create with empty data by alice."""
    body, cases = "", []
    for i, (title, verdict, condition, *more) in enumerate(rows):
        more = more[0] if more else {}
        method = more.pop("method", "create")
        if method in ("create", "update") and "data" not in more:
            more["data"] = {}
        guard = "request.auth.uid == 'alice' && " if signed_in else ""
        body += f"    match /c{i}/{{id}} {{ allow {method}: if {guard}({condition}); }}\n"
        cases.append(case(title, verdict, method, f"c{i}/d{i}", **more))
    show(scenario, ruleset(body), cases, recorder)


A, D = "ALLOW", "DENY"
R = "request.resource.data"

show("ast-strictness-and-unsupported-casts", ruleset("""\
    match /casts/{id} { allow get: if bool('true'); }
    match /infinite/{id} { allow create: if math.isInfinite(2.5); }
    match /members/{id} {
      allow delete: if request.resource.data.hasAll(['k']);
      allow create: if request.resource.data.keys().hasAll(['k']);
    }
"""), [
    case("bool() casting attempt DENIED due to function not found", D, "get", "casts/a"),
    case("math.isInfinite() invocation DENIED due to method not found", D, "create", "infinite/a", data={"n": 1}),
    case("bare map.hasAll() assertion DENIED without calling keys() first", D, "delete", "members/a", data={"k": 1}),
    case("map.keys().hasAll() ALLOWED as standard CEL map membership syntax", A, "create", "members/a", data={"k": 1}),
])
show("atomic-batch-sibling-merge", ruleset("""\
    match /log/{id} {
      allow create: if getAfter(/databases/$(database)/documents/settings/now).data.by == 'admin'
        && getAfter(/databases/$(database)/documents/settings/now).data.changed;
    }
"""), [
    case("getAfter reflects merged pre-existing fields alongside batch updates ALLOW", A, "create", "log/a", data={"n": 1},
         mocks=[("get", "settings/now", {"value": {"data": {"by": "admin", "changed": True}}})]),
])
conditions("builtins-time-and-math", [
    ("math.abs(-75) <= 100 → ALLOW", A, f"math.abs({R}.n) <= 100", {"data": {"n": -75}}),
    ("math.abs(200) <= 100 → DENY", D, f"math.abs({R}.n) <= 100", {"data": {"n": 200}}),
    ("math.ceil(99.3) = 100 <= 100 → ALLOW", A, f"math.ceil({R}.n) <= 100", {"data": {"n": 99.3}}),
    ("math.ceil(100.1) = 101 <= 100 → DENY", D, f"math.ceil({R}.n) <= 100", {"data": {"n": 100.1}}),
    ("timestamp.date(2099,1,1) > timestamp.date(2025,1,1) → ALLOW", A, "timestamp.date(2099, 1, 1) > timestamp.date(2025, 1, 1)"),
    ("timestamp.date(2025,1,1) > timestamp.date(2099,1,1) → DENY", D, "timestamp.date(2025, 1, 1) > timestamp.date(2099, 1, 1)"),
    ("duration.value(2,'h') > duration.value(1,'h') → ALLOW", A, "duration.value(2, 'h') > duration.value(1, 'h')"),
    ("duration.value(1,'h') > duration.value(2,'h') → DENY", D, "duration.value(1, 'h') > duration.value(2, 'h')"),
])
NUMBER = "'123456789'"
conditions("bytes-toutf8-and-hashing", [
    ("toUtf8().size() == 5 ALLOW", A, "'hello'.toUtf8().size() == 5"),
    ("multi-byte UTF-8 size ALLOW", A, "'é'.toUtf8().size() == 2"),
    ("toBase64 round-trip DENY", D, "'hi'.toUtf8().toBase64() == 'aGk'"),
    ("toHexString round-trip ALLOW", A, "'hi'.toUtf8().toHexString() == '6869'"),
    ("is bytes ALLOW", A, "'x'.toUtf8() is bytes"),
    ("md5 empty string DENY", D, "hashing.md5('').toHexString() == 'd41d8cd98f00b204e9800998ecf8427e'"),
    ("sha256 abc DENY", D, "hashing.sha256('abc').toHexString() == 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'"),
    ("crc32 IEEE 802.3 ref DENY", D, f"hashing.crc32({NUMBER}).toHexString() == 'cbf43926'"),
    ("crc32c Castagnoli ref DENY", D, f"hashing.crc32c({NUMBER}).toHexString() == 'e3069283'"),
    ("hashing accepts Bytes input ALLOW", A, "hashing.md5('hello'.toUtf8()) == hashing.md5('hello')"),
    ("toBase64 padded production representation ALLOW", A, "'hi'.toUtf8().toBase64() == 'aGk='"),
    ("toBase64 URL-safe alphabet production representation ALLOW", A, "'~~~'.toUtf8().toBase64() == 'fn5-'"),
    ("toBase64 standard alphabet representation DENY", D, "'~~~'.toUtf8().toBase64() == 'fn5+'"),
    ("md5 uppercase production representation ALLOW", A, "hashing.md5('').toHexString() == 'D41D8CD98F00B204E9800998ECF8427E'"),
    ("sha256 uppercase production representation ALLOW", A, "hashing.sha256('abc').toHexString() == 'BA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD'"),
    ("crc32 uppercase production representation DENY", D, f"hashing.crc32({NUMBER}).toHexString() == 'CBF43926'"),
    ("crc32c uppercase production representation DENY", D, f"hashing.crc32c({NUMBER}).toHexString() == 'E3069283'"),
    ("crc32 little-endian production representation ALLOW", A, f"hashing.crc32({NUMBER}).toHexString() == '2639F4CB'"),
    ("crc32c little-endian production representation ALLOW", A, f"hashing.crc32c({NUMBER}).toHexString() == '839206E3'"),
    ("wrong md5 digest DENY", D, "hashing.md5('hello').toHexString() == '00'"),
])
show("common-auth-membership-firestore", ruleset("""\
    function signedIn() { return request.auth != null; }
    function owns(owner) { return signedIn() && request.auth.uid == owner; }
    function claim(name) { return signedIn() && request.auth.token[name] != null; }
    match /any/{id} { allow create: if signedIn(); }
    match /own/{owner} { allow create: if owns(owner); }
    match /claims/{id} { allow create: if claim('role'); }
    match /editors/{id} { allow create: if claim('role') && request.auth.token.role == 'editor'; }
    match /members/{id} { allow create: if request.auth.uid in request.auth.token.members; }
    match /roles/{id} { allow create: if request.auth.token.members[request.auth.uid] == 'owner'; }
"""), [
    case("isAuthenticated: signed-in caller allowed", A, "create", "any/a", data={}),
    case("isAuthenticated: anonymous caller denied", D, "create", "any/a", auth=None, data={}),
    case("isOwner: uid matches path owner", A, "create", "own/alice", data={}),
    case("isOwner: uid differs from path owner", D, "create", "own/bob", data={}),
    case("hasClaim: non-null custom claim allowed", A, "create", "claims/a", auth={"uid": "alice", "token": {"role": "x"}}, data={}),
    case("hasClaim: missing custom claim denied", D, "create", "claims/a", data={}),
    case("hasClaimRole: exact role allowed", A, "create", "editors/a", auth={"uid": "alice", "token": {"role": "editor"}}, data={}),
    case("hasClaimRole: different role denied", D, "create", "editors/a", auth={"uid": "alice", "token": {"role": "viewer"}}, data={}),
    case("isMemberOf: uid key present in explicit map", A, "create", "members/a", auth={"uid": "alice", "token": {"members": {"alice": "x"}}}, data={}),
    case("isMemberOf: uid key absent from explicit map", D, "create", "members/a", auth={"uid": "alice", "token": {"members": {"bob": "x"}}}, data={}),
    case("hasRole: uid has exact map role", A, "create", "roles/a", auth={"uid": "alice", "token": {"members": {"alice": "owner"}}}, data={}),
    case("hasRole: uid has different map role", D, "create", "roles/a", auth={"uid": "alice", "token": {"members": {"alice": "guest"}}}, data={}),
])
conditions("cross-type-operator-overloads", [
    ("Timestamp + Duration → Timestamp ALLOW", A, "timestamp.value(0) + duration.value(1, 'm') == timestamp.value(60000)"),
    ("Timestamp - Duration → Timestamp ALLOW", A, "timestamp.value(60000) - duration.value(1, 'm') == timestamp.value(0)"),
    ("Timestamp - Timestamp → Duration ALLOW", A, "timestamp.value(60000) - timestamp.value(0) == duration.value(1, 'm')"),
    ("Duration + Duration → Duration ALLOW", A, "duration.value(30, 's') + duration.value(30, 's') == duration.value(1, 'm')"),
    ("Duration - Duration → Duration ALLOW", A, "duration.value(1, 'm') - duration.value(30, 's') == duration.value(30, 's')"),
    ("Timestamp < Timestamp via field compare ALLOW", A, "timestamp.date(2025, 1, 1) < timestamp.date(2099, 1, 1)"),
    ("wrong arithmetic — Timestamp + Duration ≠ original Timestamp DENY", D, "timestamp.value(0) + duration.value(1, 'm') == timestamp.value(0)"),
])
conditions("duration-and-latlng", [
    ("valid coordinate and durations ALLOW", A, f"latlng.value({R}.lat, 20.5) is latlng && duration.value(5, 'm') is duration", {"data": {"lat": 10.5}}),
    ("latitude below -90 DENY (LatLng.latitude bound)", D, f"latlng.value({R}.lat, 20.5) is latlng", {"data": {"lat": -90.5}}),
    ("duration seconds and nanos components ALLOW", A, "duration.time(0, 0, 3, 4).seconds() == 3 && duration.time(0, 0, 3, 4).nanos() == 4"),
])
ERROR = "resource.data.none == 1"
conditions("error-absorption-and-or", [
    ("error || true → ALLOW (commutative absorption)", A, f"{ERROR} || true"),
    ("true || error → ALLOW (short-circuit control)", A, f"true || {ERROR}"),
    ("error || false → DENY (error propagates)", D, f"{ERROR} || false"),
    ("error && false → DENY (absorbed to false)", D, f"{ERROR} && false"),
    ("false && error → DENY (short-circuit control)", D, f"false && {ERROR}"),
    ("error && true → DENY (error propagates)", D, f"{ERROR} && true"),
    ("(error && false) || true → ALLOW (nested absorption)", A, f"({ERROR} && false) || true"),
], signed_in=False)
show("functions-verbs-and-recursive", ruleset("""\
    function signedIn() { return request.auth != null; }
    function strong(level) { let doubled = level * 2; return doubled >= 4 ? true : false; }
    match /notes/{id} {
      allow get: if signedIn();
      allow list: if signedIn() && strong(resource.data.level);
      allow write: if signedIn() && strong(request.resource.data.level);
    }
    match /trees/{tree}/{rest=**} { allow read: if signedIn(); }
"""), [
    case("signed-in get ALLOW", A, "get", "notes/a", resource={"level": 1}),
    case("anonymous get DENY", D, "get", "notes/a", auth=None, resource={"level": 1}),
    case("signed-in list with roleLevel 2 ALLOW (let + ternary + mul)", A, "list", "notes/a", resource={"level": 2}),
    case("signed-in update with roleLevel 2 ALLOW", A, "update", "notes/a", data={"level": 2}, resource={"level": 2}),
    case("signed-in create covered by write grant ALLOW", A, "create", "notes/b", data={"level": 2}),
    case("recursive subtree read when signed-in ALLOW", A, "get", "trees/t/a/b/c", resource={"n": 1}),
    case("recursive subtree read denied when anonymous DENY", D, "get", "trees/t/a/b/c", auth=None, resource={"n": 1}),
])
conditions("get-after-and-exists-after", [
    ("getAfter target == request.resource.data ALLOW", A, f"getAfter(request.path).data.n == {R}.n", {"data": {"n": "v"}}),
    ("existsAfter create true ALLOW", A, "existsAfter(request.path) == true"),
    ("existsAfter delete false ALLOW", A, "existsAfter(request.path) == false", {"method": "delete", "resource": {"n": 1}}),
    ("existsAfter unrelated mocked path ALLOW", A, "existsAfter(/databases/$(database)/documents/other/x)", {"mocks": [("exists", "other/x", {"value": True})]}),
    ("wrong existsAfter on create DENY", D, "existsAfter(request.path) == false"),
])
SITE = "/databases/$(database)/documents/settings/site"
FLAG = [("get", "settings/site", {"value": {"data": {"flag": True}}})]
conditions("get-missing-doc", [
    ("get(missing).data.flag == true → DENY (error, not null)", D, f"get({SITE}).data.flag == true"),
    ("get(missing) == null → DENY (pre-fix footgun allowed)", D, f"get({SITE}) == null"),
    ("get(missing) error || true → ALLOW (absorption)", A, f"get({SITE}).data.flag == true || true"),
    ("exists(missing) && get(missing)... → DENY (guard pattern)", D, f"exists({SITE}) && get({SITE}).data.flag == true"),
    ("get(mocked).data.flag == true → ALLOW", A, f"get({SITE}).data.flag == true", {"mocks": FLAG}),
    ("get(mocked).id == 'site' → DENY (mocked get() has no resource identity in production)", D, f"get({SITE}).id == 'site'", {"mocks": FLAG}),
    ("get(mocked).__name__ == path literal → DENY (mocked get() has no resource identity in production)", D, f"get({SITE}).__name__ == {SITE}", {"mocks": FLAG}),
    ("exists(mocked true) → ALLOW (control)", A, f"exists({SITE})", {"mocks": [("exists", "settings/site", {"value": True})]}),
])
show("global-and-service-scope-functions", """rules_version = '2';
function isAlice(uid) { return uid == 'alice'; }
function origin() { return 'file'; }
service cloud.firestore {
  function signedIn() { return request.auth.uid is string; }
  match /databases/{database}/documents {
    match /inner/{id} {
      function origin() { return 'match'; }
      allow get: if signedIn() && origin() == 'match';
      allow create: if signedIn() && isAlice(request.auth.uid);
    }
    match /outer/{id} { allow get: if signedIn() && origin() == 'file'; }
  }
}
""", [
    case("service-scope fn + match shadow of global → ALLOW", A, "get", "inner/a", resource={"n": 1}),
    case("global fn gates create (alice) → ALLOW", A, "create", "inner/b", data={}),
    case("global fn gates create (bob) → DENY", D, "create", "inner/b", auth={"uid": "bob", "token": {}}, data={}),
    case("unshadowed call resolves the global fn → ALLOW", A, "get", "outer/a", resource={"n": 1}),
    case("anonymous fails service-scope isSignedIn() → DENY", D, "get", "outer/a", auth=None, resource={"n": 1}),
])
conditions("globals-request-path-and-resource-id", [
    ("request.path is path ALLOW", A, "request.path is path"),
    ("request.path equals literal ALLOW", A, "request.path == /databases/$(database)/documents/c1/$(id)"),
    ("request.query empty map DENY", D, "request.query is map && request.query.size() == 0"),
    ("resource.id on create → DENY (resource is null pre-write)", D, "resource.id == id"),
    ("resource.__name__ on create → DENY (resource is null pre-write)", D, "resource.__name__ == request.path"),
    ("wrong resource.id DENY", D, "resource.id == 'another'"),
])
show("hierarchical-match-cascade", ruleset("""\
    match /rooms/{room} {
      match /notes/{note} { allow get: if request.auth.uid == 'alice'; }
    }
"""), [
    case("exact nested child path ALLOW", A, "get", "rooms/r/notes/n", resource={"n": 1}),
    case("parent path without child DENY", D, "get", "rooms/r", resource={"n": 1}),
    case("sibling path outside nested match DENY", D, "get", "rooms/r/others/n", resource={"n": 1}),
    case("descendant beyond exact nested match DENY", D, "get", "rooms/r/notes/n/more/m", resource={"n": 1}),
])
conditions("int-float-and-division", [
    ("10 / 4 == 2 (integer truncation) ALLOW", A, "10 / 4 == 2"),
    ("10 / 4 == 2.5 (float result from int operands) DENY", D, "10 / 4 == 2.5"),
    ("-7 / 2 == -3 (truncation toward zero) ALLOW", A, "-7 / 2 == -3"),
    ("10.0 / 4.0 == 2.5 (float division) ALLOW", A, "10.0 / 4.0 == 2.5"),
    ("10 / 4.0 == 2.5 (mixed promotes to float) ALLOW", A, "10 / 4.0 == 2.5"),
    ("10 % 3 == 1 ALLOW", A, "10 % 3 == 1"),
    ("10 / 0 errors → DENY (not Infinity)", D, "10 / 0 > 1"),
    ("10 / 0 error || true → ALLOW (absorption)", A, "10 / 0 > 1 || true"),
    ("integer payload is int / not float ALLOW", A, f"{R}.n is int && !({R}.n is float)", {"data": {"n": 7}}),
    ("float payload is float / not int ALLOW", A, f"{R}.n is float && !({R}.n is int)", {"data": {"n": 7.5}}),
])
POST = f"{R}.kinds.hasOnly(['a', 'b']) && {R}.slug == {R}.slug.lower() && {R}.code.upper().size() == 4"
conditions("list-and-string-methods", [
    ("well-formed post ALLOW", A, POST, {"data": {"kinds": ["a"], "slug": "one", "code": "abcd"}}),
    ("category outside allowed set DENY (split hasOnly)", D, POST, {"data": {"kinds": ["a", "z"], "slug": "one", "code": "abcd"}}),
    ("slug not lowercase DENY (String.lower)", D, POST, {"data": {"kinds": ["a"], "slug": "One", "code": "abcd"}}),
    ("code wrong length after upper DENY (String.upper/size)", D, POST, {"data": {"kinds": ["a"], "slug": "one", "code": "abc"}}),
])
AB = {"data": {"a": ["a", "b", "c"]}}
conditions("list-methods-concat-removeall-toset", [
    ("list concat → size 4 ALLOW", A, f"{R}.a.concat({R}.b).size() == 4", {"data": {"a": ["x", "y"], "b": ["p", "q"]}}),
    ("list concat preserves order ALLOW", A, f"{R}.a.concat(['z'])[2] == 'z'", {"data": {"a": ["x", "y"]}}),
    ("list concat does NOT dedupe ALLOW", A, f"{R}.a.concat({R}.a).size() == 4", {"data": {"a": ["x", "y"]}}),
    ("list removeAll basic ALLOW", A, f"{R}.a.removeAll(['b']) == ['a', 'c']", dict(AB)),
    ("list removeAll removes all occurrences ALLOW", A, f"{R}.a.removeAll(['b']) == ['a', 'c']", {"data": {"a": ["b", "a", "b", "c"]}}),
    ("list removeAll empty arg → identity ALLOW", A, f"{R}.a.removeAll([]) == {R}.a", dict(AB)),
    ("list toSet dedupes ALLOW", A, f"{R}.a.toSet().size() == 2", {"data": {"a": ["a", "b", "a"]}}),
    ("list toSet().difference chain (5.1 wiring) DENY", D, f"{R}.a.toSet().difference(['a']).hasOnly(['b', 'c'])", dict(AB)),
    ("list concat with wrong expected size DENY", D, f"{R}.a.concat(['z']).size() == 9", dict(AB)),
])
DEEP = {"data": {"m": {"a": {"b": {"c": "X"}}}}}
conditions("map-get-string-and-list-form", [
    ("single-key present → returns value ALLOW", A, f"{R}.m.get('a', 'none') == 'X'", {"data": {"m": {"a": "X"}}}),
    ("single-key absent → returns default ALLOW", A, f"{R}.m.get('z', 'none') == 'none'", {"data": {"m": {"a": "X"}}}),
    ("list-form leaf present → returns leaf ALLOW", A, f"{R}.m.get(['a', 'b', 'c'], 'none') == 'X'", dict(DEEP)),
    ("list-form leaf absent → returns default ALLOW", A, f"{R}.m.get(['a', 'b', 'z'], 'none') == 'none'", dict(DEEP)),
    ("list-form intermediate absent → returns default ALLOW", A, f"{R}.m.get(['a', 'z', 'c'], 'none') == 'none'", dict(DEEP)),
    ("list-form top-level absent → returns default ALLOW", A, f"{R}.m.get(['z', 'b', 'c'], 'none') == 'none'", dict(DEEP)),
    ("list-form intermediate is string → returns default ALLOW", A, f"{R}.m.get(['a', 'b'], 'none') == 'none'", {"data": {"m": {"a": "leaf"}}}),
    ("list-form intermediate is int → returns default ALLOW", A, f"{R}.m.get(['a', 'b'], 'none') == 'none'", {"data": {"m": {"a": 7}}}),
    ("present-key compare against wrong value DENY", D, f"{R}.m.get('a', 'none') == 'Y'", {"data": {"m": {"a": "X"}}}),
])
MAIL = f"{R}.m.matches('[a-z]+@acme[.]com')"
conditions("matches-full-string-regex", [
    ("'hello world'.matches('world') → DENY (no partial match)", D, "'hello world'.matches('world')"),
    ("'hello'.matches('hello') → ALLOW", A, "'hello'.matches('hello')"),
    ("'hello world'.matches('.*world') → ALLOW", A, "'hello world'.matches('.*world')"),
    ("'abc123'.matches('[a-z]+[0-9]+') → ALLOW (full consume)", A, "'abc123'.matches('[a-z]+[0-9]+')"),
    ("'abc123!'.matches('[a-z]+[0-9]+') → DENY (trailing char)", D, "'abc123!'.matches('[a-z]+[0-9]+')"),
    ("alice@acme.com vs full-string email pattern → ALLOW", A, MAIL, {"data": {"m": "alice@acme.com"}}),
    ("1alice@acme.com vs same pattern → DENY (substring would partial-match)", D, MAIL, {"data": {"m": "1alice@acme.com"}}),
])
show("optional-rules-version", ruleset("""\
    match /own/{owner} {
      allow read: if request.auth.uid != null;
      allow write: if request.auth.uid == owner;
    }
""", head=""), [
    case("version-less ruleset: authed read → ALLOW", A, "get", "own/alice", resource={"n": 1}),
    case("version-less ruleset: anonymous read → DENY", D, "get", "own/alice", auth=None, resource={"n": 1}),
    case("version-less ruleset: wrong uid write → DENY", D, "create", "own/bob", data={"n": 1}),
])
conditions("path-constructor-and-bind", [
    ("literal /foo/$(db)/... is path ALLOW", A, "/foo/$(database)/bar is path"),
    ("path('users/alice') is path ALLOW", A, "path('users/alice') is path"),
    ("path equality ALLOW", A, "path('users/alice') == path('users/alice')"),
    ("path inequality ALLOW", A, "path('users/alice') != path('users/bob')"),
    ("path is not string / not map ALLOW", A, "!(path('a/b') is string) && !(path('a/b') is map)"),
    ("Path.bind substitutes placeholder ALLOW", A, "path('users/{uid}').bind({'uid': 'alice'}) == path('users/alice')"),
    ("Path[1] returns segment ALLOW", A, "path('users/alice')[1] == 'alice'"),
    ("path() idempotent on Path arg DENY", D, "path(path('users/alice')) == path('users/alice')"),
    ("wrong path equality DENY", D, "path('users/alice') == path('users/bob')"),
])
conditions("prototype-chain-keys", [
    ("'toString' in data (no such field) → DENY", D, f"'toString' in {R}", {"data": {"n": 1}}),
    ("no proto names leak into `in` → ALLOW", A, f"!('constructor' in {R}) && !('__proto__' in {R})", {"data": {"n": 1}}),
    ("literal field named 'toString' IS a key → ALLOW", A, f"'toString' in {R}", {"data": {"toString": 1}}),
    (".constructor access (no such field) → DENY (error)", D, f"{R}.constructor != 1", {"data": {"n": 1}}),
    ("keys() lists own keys only → ALLOW", A, f"{R}.keys().hasOnly(['n'])", {"data": {"n": 1}}),
])
ABCD, HELLO = {"data": {"a": ["a", "b", "c", "d"]}}, {"data": {"s": "hello world"}}
conditions("range-slice-list-and-string", [
    ("list mid-slice → sub-list of size 2 ALLOW", A, f"{R}.a[1:3].size() == 2", dict(ABCD)),
    ("list slice indexing → element at slice[0] ALLOW", A, f"{R}.a[1:3][0] == 'b'", dict(ABCD)),
    ("list full-length slice → size 4 ALLOW", A, f"{R}.a[0:4].size() == 4", dict(ABCD)),
    ("list slice [i:i] → empty ALLOW", A, f"{R}.a[2:2].size() == 0", dict(ABCD)),
    ("list slice end OOB clamps to length DENY", D, f"{R}.a[1:99].size() == 3", dict(ABCD)),
    ("string mid-substring ALLOW", A, f"{R}.s[6:11] == 'world'", dict(HELLO)),
    ("string prefix substring ALLOW", A, f"{R}.s[0:5] == 'hello'", dict(HELLO)),
    ("string slice [i:i] → empty string ALLOW", A, f"{R}.s[3:3] == ''", dict(HELLO)),
    ("string slice end OOB clamps to length DENY", D, f"{R}.s[6:99] == 'world'", dict(HELLO)),
    ("list slice with wrong expected size DENY", D, f"{R}.a[0:2].size() == 5", dict(ABCD)),
])
show("required-fields-and-mapdiff", ruleset("""\
    match /posts/{id} {
      allow create: if request.resource.data.keys().hasAll(['title', 'ownerId'])
        && request.resource.data.keys().hasOnly(['title', 'ownerId'])
        && request.resource.data.ownerId == request.auth.uid;
      allow update: if request.resource.data.diff(resource.data).affectedKeys().hasOnly(['title'])
        && request.resource.data.diff(resource.data).addedKeys().size() == 0;
    }
"""), [
    case("create with exact required fields, self-owned ALLOW", A, "create", "posts/a", data={"title": "T", "ownerId": "alice"}),
    case("create missing a required field DENY", D, "create", "posts/a", data={"ownerId": "alice"}),
    case("create with an extra field DENY (hasOnly)", D, "create", "posts/a", data={"title": "T", "ownerId": "alice", "x": 1}),
    case("create where ownerId != caller DENY", D, "create", "posts/a", data={"title": "T", "ownerId": "bob"}),
    case("update changing only title ALLOW", A, "update", "posts/a", data={"title": "U", "ownerId": "alice"}, resource={"title": "T", "ownerId": "alice"}),
    case("update touching ownerId DENY (affectedKeys hasOnly)", D, "update", "posts/a", data={"title": "T", "ownerId": "bob"}, resource={"title": "T", "ownerId": "alice"}),
    case("update adding a new field DENY (addedKeys size 0)", D, "update", "posts/a", data={"title": "T", "ownerId": "alice", "x": 1}, resource={"title": "T", "ownerId": "alice"}),
])
OWNED = {"owner": "alice"}


def stored(method="get"):
    return {"method": method, "resource": dict(OWNED), **({"data": dict(OWNED)} if method == "update" else {})}


conditions("resource-document-identity", [
    ("resource.id == id on existing doc (get) → DENY (identity absent in prod)", D, "resource.id == id", stored()),
    ("resource.id == id on existing doc (update) → DENY (identity absent in prod)", D, "resource.id == id", stored("update")),
    ("resource.id == id on existing doc (delete) → DENY (identity absent in prod)", D, "resource.id == id", stored("delete")),
    ("resource.id is string on existing doc → DENY (read errors before the type test)", D, "resource.id is string", stored()),
    ("resource.__name__ == request.path on existing doc → DENY (identity absent in prod)", D, "resource.__name__ == request.path", stored()),
    ("resource.id != 'zzz' on existing doc → DENY (error survives negation)", D, "resource.id != 'zzz'", stored()),
    ("!(resource.id == 'zzz') on existing doc → DENY (error survives negation)", D, "!(resource.id == 'zzz')", stored()),
    ("resource.id == 'zzz' || true → ALLOW (determining || operand absorbs the error)", A, "resource.id == 'zzz' || true", stored()),
    ("resource.id == 'zzz' && true → DENY (no false operand to absorb the error)", D, "resource.id == 'zzz' && true", stored()),
    ("resource.data.owner == 'alice' on existing doc → ALLOW (control: data is unaffected)", A, "resource.data.owner == 'alice'", stored()),
    ("request.resource.id == id on update → DENY (identity absent in prod)", D, "request.resource.id == id", stored("update")),
    ("request.resource.id != 'zzz' on update → DENY (error survives negation)", D, "request.resource.id != 'zzz'", stored("update")),
    ("request.resource.data.owner == 'alice' on update → ALLOW (control: incoming data is unaffected)", A, "request.resource.data.owner == 'alice'", stored("update")),
])
conditions("resource-missing-document", [
    ("missing document get with resource != null → DENY", D, "resource != null", {"method": "get"}),
    ("missing document update with resource != null → DENY", D, "resource != null", {"method": "update"}),
    ("missing document delete with resource != null → DENY", D, "resource != null", {"method": "delete"}),
    ("existing document get with resource != null → ALLOW", A, "resource != null", stored()),
    ("existing document update with resource != null → ALLOW", A, "resource != null", stored("update")),
    ("existing document delete with resource != null → ALLOW", A, "resource != null", stored("delete")),
    ("missing document resource == null → DENY (comparison errors)", D, "resource == null", {"method": "get"}),
    ("missing document resource.data.value touch → DENY", D, "resource.data.value == 1", {"method": "get"}),
    ("existing document resource.data.value touch → ALLOW", A, "resource.data.owner == 'alice'", stored()),
])
M = {"data": {"m": {"a": 1, "b": 2, "c": 3}}}
SETS = "['a', 'b'].toSet()"
conditions("set-algebra-difference-union-intersection", [
    ("set difference (list arg) → hasOnly([c]) DENY", D, f"{R}.m.keys().difference(['a', 'b']).hasOnly(['c'])", dict(M)),
    ("set difference (set arg) → hasOnly([x]) DENY", D, f"{R}.a.keys().difference({R}.b.keys()).hasOnly(['x'])", {"data": {"a": {"x": 1, "y": 1}, "b": {"y": 1}}}),
    ("set union → size 4 DENY", D, f"{R}.m.keys().union(['d']).size() == 4", dict(M)),
    ("set union dedupes overlap → size 3 DENY", D, f"{R}.m.keys().union(['c']).size() == 3", dict(M)),
    ("set intersection → hasOnly([b,c]) DENY", D, f"{R}.m.keys().intersection(['b', 'c', 'd']).hasOnly(['b', 'c'])", dict(M)),
    ("set intersection no overlap → empty DENY", D, f"{R}.m.keys().intersection(['x']).size() == 0", dict(M)),
    ("chained union+difference → hasOnly([b,c]) DENY", D, f"{R}.m.keys().union(['c']).difference(['a']).hasOnly(['b', 'c'])", dict(M)),
    ("difference with wrong expected size DENY", D, f"{R}.m.keys().difference(['a']).size() == 9", dict(M)),
    ("explicit toSet difference ALLOW", A, f"{SETS}.difference(['b'].toSet()).hasOnly(['a'])"),
    ("explicit toSet union ALLOW", A, f"{SETS}.union(['b', 'c'].toSet()).size() == 3"),
    ("explicit toSet intersection ALLOW", A, f"{SETS}.intersection(['b', 'c'].toSet()).hasOnly(['b'])"),
    ("explicit toSet difference wrong size DENY", D, f"{SETS}.difference(['b'].toSet()).size() == 9"),
])
conditions("strict-boolean-control-flow", [
    ("non-boolean && operand errors → DENY", D, f"{R}.s && true", {"data": {"s": "yes"}}),
    ("non-boolean || operand errors → DENY", D, f"{R}.s || false", {"data": {"s": "yes"}}),
    ("non-boolean ternary condition errors → DENY", D, f"{R}.s ? true : true", {"data": {"s": "yes"}}),
    ("boolean control-flow operands evaluate normally → ALLOW", A, f"({R}.s || false) && ({R}.s ? true : false)", {"data": {"s": True}}),
    ("non-boolean && error discriminator → DENY", D, f"!({R}.s && true)", {"data": {"s": "yes"}}),
    ("non-boolean || error discriminator → DENY", D, f"!({R}.s || false)", {"data": {"s": ""}}),
    ("non-boolean ternary error discriminator → DENY", D, f"!({R}.s ? false : false)", {"data": {"s": ""}}),
    ("resource == null on create → DENY", D, "resource == null"),
    ("request.resource has incoming data on create → ALLOW", A, f"{R}.s == 'yes'", {"data": {"s": "yes"}}),
], signed_in=False)


def token(**claims):
    return {"method": "get", "auth": {"uid": "alice", "token": claims}, "resource": {"n": 1}}


EMAIL = "request.auth.token.email"
conditions("string-literals-and-regex", [
    ("matches('.*@acme\\\\.com') vs alice@acme.com → ALLOW", A, f"{EMAIL}.matches('.*@acme\\\\.com')", token(email="alice@acme.com")),
    ("matches('.*@acme\\\\.com') vs bob@other.com → DENY", D, f"{EMAIL}.matches('.*@acme\\\\.com')", token(email="bob@other.com")),
    ("matches('.*@acme.com') vs alice@acme.com → ALLOW (no-escape control)", A, f"{EMAIL}.matches('.*@acme.com')", token(email="alice@acme.com")),
    ("!matches('.*\\t.*') vs name without tab → ALLOW (tab escape literal)", A, "!request.auth.token.name.matches('.*\\t.*')", token(name="Alice A")),
])
EVENT = f"{R}.start + duration.value({R}.hours, 'h') > {R}.start && {R}.qty * 2 >= 2 && math.sqrt({R}.area) >= 1.0".replace(
    f"{R}.start", "timestamp.date(2026, 1, 1)")
conditions("time-math-and-casts", [
    ("valid event within all bounds ALLOW", A, EVENT, {"data": {"hours": 2, "qty": 1, "area": 4}}),
    ("qty too small so qty*2 < 2 DENY (mul + gte)", D, EVENT, {"data": {"hours": 2, "qty": 0, "area": 4}}),
    ("negative area so sqrt precondition fails DENY (math.sqrt)", D, EVENT, {"data": {"hours": 2, "qty": 1, "area": -4}}),
])
conditions("undefined-field-access", [
    ("missing field == null → DENY (error, not null)", D, f"{R}.typo == null", {"data": {"n": 1}}),
    ("present field == value → ALLOW (control)", A, f"{R}.n == 1", {"data": {"n": 1}}),
    ("!('typo' in data) → ALLOW (correct absence check)", A, f"!('typo' in {R})", {"data": {"n": 1}}),
    ("nested missing field under existing map → DENY", D, f"{R}.m.typo == null", {"data": {"m": {"n": 1}}}),
    ("!(missing == value) → DENY (error propagates through !)", D, f"!({R}.typo == 1)", {"data": {"n": 1}}),
    ("missing-field error || true → ALLOW (absorption)", A, f"{R}.typo == 1 || true", {"data": {"n": 1}}),
])
conditions("unsupported-feature-witness", [
    ("hashing.crc32(...) — sim should ABSTAIN, prod should ALLOW", A, f"hashing.crc32({EMAIL}).toBase64() != ''", token(email="alice@acme.com")),
])

# What the specification of the Test API adds, with messages. (6 spaces, so that conditions begin at column 21 or 22.)
show("what is not given", ruleset("""\
    match /auth/{id} {
      allow read: if request.auth != null;
    }
    match /id/{id} {
      allow read: if resource.id == id;
    }
    match /null/{id} {
      allow read: if resource == null;
    }
    match /get/{id} {
      allow read: if get(/databases/$(database)/documents/a/b).data.n == 1;
    }
    match /debug/{id} {
      allow get: if debug(request.auth.uid) == 'alice';
    }
"""), [
    case("no auth", D, "get", "auth/a", auth=None, message="Error: firestore.rules line [5], column [22]. Property auth is undefined on object."),
    case("data only", D, "get", "id/a", resource={"n": 1}, message="Error: firestore.rules line [8], column [22]. Property id is undefined on object."),
    case("no resource", D, "get", "null/a", message="Error: firestore.rules line [11], column [22]. Null value error."),
    case("no resource, list", D, "list", "null/a", message="Error: firestore.rules line [11], column [22]. Null value error."),
    case("no mock", D, "get", "get/a", message="Error: firestore.rules line [14], column [22]. Function not found error: Name: [get]."),
    case("debug", D, "get", "debug/a", message="Error: firestore.rules line [17], column [21]. Function not found error: Name: [debug]."),
], recorder="specification")

TOKEN = {"uid": "alice", "token": {"role": "editor", "score": 7}}
TIME = "2026-01-15T12:34:56.123456789Z"


def contract(title, verdict, condition, **more):
    return (title, verdict, condition, {"method": "get", "auth": TOKEN, "time": TIME, **more})


DIFF = "{'a': 1, 'b': 2}.diff({'a': 1, 'b': 3, 'c': 4})"
conditions("language contract", [
    contract("string-trim", A, "'  x  '.trim() == 'x'"),
    contract("string-case", A, "'FiRe'.lower() == 'fire' && 'FiRe'.upper() == 'FIRE'"),
    contract("string-replace", A, "'abcabc'.replace('a', 'x') == 'xbcxbc'"),
    contract("string-split", A, "'a,b,c'.split(',') == ['a', 'b', 'c']"),
    contract("string-match", A, "'phase3'.matches('^phase[0-9]$')"),
    contract("string-coercion", A, "string(123) == '123' && string(true) == 'true'"),
    contract("list-concat", A, "[1, 2].concat([3]) == [1, 2, 3]"),
    contract("list-membership", A, "[1, 2, 3].hasAll([1, 3]) && [1, 2, 3].hasAny([9, 2])"),
    contract("list-has-only", A, "[1, 2, 2].hasOnly([2, 1])"),
    contract("list-join", A, "['a', 'b', 'c'].join('-') == 'a-b-c'"),
    contract("list-remove-all", A, "[1, 2, 3, 2].removeAll([2]) == [1, 3]"),
    contract("list-index-range", A, "[10, 20, 30][1] == 20 && [10, 20, 30][0:2] == [10, 20]"),
    contract("map-get", A, "{'a': 1}.get('none', 7) == 7 && {'a': 1}.get('a', 7) == 1"),
    contract("map-keys-values", A, "{'a': 1, 'b': 2}.keys().hasOnly(['a', 'b']) && {'a': 1, 'b': 2}.values().hasAll([1, 2])"),
    contract("map-size-membership", A, "{'a': 1, 'b': 2}.size() == 2 && 'a' in {'a': 1}"),
    contract("map-diff", A, f"{DIFF}.affectedKeys().hasOnly(['b', 'c'])"),
    contract("map-diff-sets", A, f"{DIFF}.changedKeys().hasOnly(['b']) && {DIFF}.addedKeys().hasOnly(['c'])"),
    contract("set-union", A, "['a', 'b'].toSet().union(['b', 'c'].toSet()).hasOnly(['a', 'b', 'c'])"),
    contract("set-intersection", A, "['a', 'b'].toSet().intersection(['b', 'c'].toSet()).hasOnly(['b'])"),
    contract("set-difference", A, "['a', 'b'].toSet().difference(['b'].toSet()).hasOnly(['a'])"),
    contract("bytes-size-hex", A, "'abc'.toUtf8().size() == 3 && 'abc'.toUtf8().toHexString() == '616263'"),
    contract("bytes-base64-unicode", A, "'é'.toUtf8().size() == 2 && 'abc'.toUtf8().toBase64() == 'YWJj'"),
    contract("duration-seconds", A, "duration.value(90, 's').seconds() == 90"),
    contract("duration-nanos", A, "duration.value(123, 'ns').nanos() == 123"),
    contract("timestamp-date", A, "timestamp.date(2024, 2, 29).year() == 2024 && timestamp.date(2024, 2, 29).month() == 2"),
    contract("timestamp-components", A, "timestamp.date(2024, 2, 29).day() == 29 && timestamp.date(2024, 2, 29).dayOfWeek() == 4"),
    contract("timestamp-arithmetic", A, "timestamp.date(2024, 2, 29) + duration.value(1, 'd') == timestamp.date(2024, 3, 1)"),
    contract("latlng-components", A, "latlng.value(1.25, 2.5).latitude() == 1.25 && latlng.value(1.25, 2.5).longitude() == 2.5"),
    contract("latlng-distance", A, "latlng.value(1, 2).distance(latlng.value(1, 2)) == 0.0"),
    contract("math-basic", A, "math.abs(-2) == 2 && math.ceil(1.2) == 2 && math.floor(1.8) == 1"),
    contract("math-round-sqrt", A, "math.round(1.6) == 2 && math.sqrt(81) == 9"),
    contract("math-pow", A, "math.pow(2, 3) == 8"),
    contract("hashing-md5", A, "hashing.md5('abc'.toUtf8()).toHexString() == '900150983CD24FB0D6963F7D28E17F72'"),
    contract("debug-return", D, "debug(request.auth.uid) == 'alice'"),
    contract("request-auth", A, "request.auth.uid == 'alice' && request.auth.token.role == 'editor'"),
    contract("request-method-time", A, "request.method == 'get' && request.time.year() == 2026"),
    contract("query-limit", A, "request.query.limit == 10", method="list", query={"limit": 10}),
    contract("resource-update-diff", A, f"resource.data.name == 'before' && {R}.name == 'after' && {R}.diff(resource.data).affectedKeys().hasOnly(['name'])",
             method="update", resource={"name": "before", "n": 1}, data={"name": "after", "n": 1}),
    contract("overlapping-or", A, "false || true"),
], recorder="fireside")
