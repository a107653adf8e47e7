#!/usr/bin/env python3
"""Measures what requests take of the official limits, by adding to their rules until the emulator refuses.

  budgets.py > ../budgets.jsonl

`PAD` in the rules is `true` in what is recorded. With a list that grows until the emulator refuses it tells the
expressions that are left of 1,000, with further calls of exists() the lookups that are left, and functions around
`root` tell how deep it calls.
"""
import json, sys
from emulator import call, Emulator

EMULATOR = Emulator("budgets")
DB = "/databases/$(database)/documents"
AUTH = {"user_id": "u1", "email": "a@b.c", "admin": True}
TEXT, TRUE = {"stringValue": "u1"}, {"booleanValue": True}
DOCUMENTS = {"/t/a": {"owner": TEXT, "n": {"integerValue": "3"}}, "/users/u1": {"role": {"stringValue": "owner"}},
             "/teams/x": {"open": TRUE}, "/teams/y": {"open": TRUE},
             **{f"/probe/p{i}": {} for i in range(22)}}
CHAIN = "function root() { return f1(); }\n" + "".join(
    f"function f{i}() {{ return f{i + 1}(); }}\n" for i in range(1, 17)) + "function f17() { return true; }\n"

GET = {"method": "get", "path": "/t/a"}
UPDATE = {"method": "update", "path": "/t/a", "data": {"owner": TEXT, "n": {"integerValue": "4"}}}
MERGE = {"method": "update", "path": "/t/a", "data": {"n": {"integerValue": "4"}}, "mask": ["n"], "exists": True}
CREATE = {"method": "create", "path": "/t/b", "data": {"owner": TEXT}}
DELETE = {"method": "delete", "path": "/t/a"}


def where(*filters, op="AND"):
    query = {"from": [{"collectionId": "t"}]}
    if filters:
        fs = [{"fieldFilter": {"field": {"fieldPath": f}, "op": o, "value": v}} for f, o, v in filters]
        query["where"] = fs[0] if len(fs) == 1 else {"compositeFilter": {"op": op, "filters": fs}}
    return {"method": "list", "query": query}


MINE = ("owner", "EQUAL", TEXT)
OPEN = ("open", "EQUAL", TRUE)
ALLOW = "match /t/{id} { allow read, write: if %s; }"

QUESTIONS = [
    (ALLOW % "PAD", GET),
    (ALLOW % "request.auth != null && request.auth.uid == resource.data.owner && PAD", GET),
    (ALLOW % "(request.auth == null || request.auth.uid == 'u1') && PAD", GET),
    (ALLOW % "(request.auth.token.admin || resource.data.n > 1) && PAD", GET),
    (ALLOW % "(resource.data.n > 1 ? resource.data.owner is string : false) && PAD", GET),
    (ALLOW % "resource.data.keys().hasOnly(['owner', 'n', 'x']) && resource.data.get('n', 0) in [1, 2, 3] && PAD", GET),
    ("function mine(data, uid) { let who = data.owner; let me = uid; return who == me; }\n"
     + ALLOW % "mine(resource.data, request.auth.uid) && PAD", GET),
    ("match /t/{id} { allow get: if id == 'b'; allow get: if request.auth.uid == 'u2'; allow get: if PAD; }", GET),
    ("match /{c}/{id} { allow get: if c == 'u'; }\n"
     "match /t/{id} { allow get: if 1 / 0 == 1; allow get: if PAD; }", GET),
    (ALLOW % f"exists({DB}/users/$(request.auth.uid)) && PAD", GET),
    (ALLOW % f"get({DB}/users/u1).data.role == 'owner' && get({DB}/users/u1).data.role != 'x' && PAD", GET),
    (ALLOW % f"exists({DB}/teams/x) && get({DB}/teams/x).data.open && exists({DB}/teams/y) && PAD", GET),
    (ALLOW % f"get({DB}/teams/x).data.open && exists({DB}/teams/x) && !exists({DB}/teams/z) && PAD", GET),
    (ALLOW % f"get({DB}/t/a).data.n == 3 && exists({DB}/t/a) && PAD", GET),
    (ALLOW % f"(get({DB}/teams/x).data.shut || get({DB}/teams/y).data.open) && PAD", GET),
    (ALLOW % "request.resource.data.n == resource.data.n + 1 && PAD", UPDATE),
    (ALLOW % "request.resource.data.diff(resource.data).affectedKeys().hasOnly(['n']) && PAD", MERGE),
    (ALLOW % f"existsAfter({DB}/t/b) && getAfter({DB}/teams/x).data.open && get({DB}/teams/x).data.open && PAD",
     CREATE),
    (ALLOW % f"exists({DB}/users/u1) && existsAfter({DB}/users/u1) && PAD", CREATE),
    (ALLOW % "resource.data.owner == request.auth.uid && PAD", DELETE),
    (CHAIN + ALLOW % "root() && PAD", GET),
    ("function a(x) { return x; }\nfunction b(x) { return a(x) || a(!x); }\nfunction root() { return b(a(true)); }\n"
     + ALLOW % "root() && PAD", GET),
    ("function root() { return true; }\n" + ALLOW % "root() && PAD", GET),
    (ALLOW % "resource.data.owner == request.auth.uid && PAD", where(MINE)),
    (ALLOW % "(resource.data.owner == 'x' || resource.data.open) && PAD", where(MINE, OPEN)),
    (ALLOW % "(resource.data.owner == request.auth.uid || resource.data.open) && PAD", where(MINE, OPEN, op="OR")),
    (ALLOW % f"resource.data.owner == 'u1' && exists({DB}/users/u1) && get({DB}/users/u1).data.role == 'owner' && PAD",
     where(MINE)),
    (ALLOW % f"get({DB}/teams/$(resource.data.team)).data.open && PAD",
     where(("team", "EQUAL", {"stringValue": "x"}), ("team", "EQUAL", {"stringValue": "y"}), op="OR")),
    (ALLOW % f"(get({DB}/teams/x).data.open || resource.data.open) && PAD", where(MINE, OPEN, op="OR")),
    ("function root() { return mine(); }\nfunction mine() { return resource.data.owner == request.auth.uid; }\n"
     + ALLOW % "root() && PAD", where(MINE)),
]


def source(rules):
    return ("rules_version = '2';\nservice cloud.firestore {\n match /databases/{database}/documents {\n"
            + rules + "\n }\n}\n")


def is_allowed(rules, question):
    """None when the rules do not compile."""
    status, body = EMULATOR.put(source(rules))
    if status != 200:
        return None
    docs, claims = EMULATOR.documents, AUTH
    if question["method"] == "list":
        status, _ = call("POST", docs + ":runQuery", {"structuredQuery": question["query"]}, claims)
        return status == 200
    if question["method"] == "get":
        return call("GET", docs + question["path"], auth=claims)[0] in (200, 404)
    name = docs[4:] + question["path"]
    if question["method"] == "delete":
        write = {"delete": name}
    else:
        write = {"update": {"name": name, "fields": question["data"]}}
        if "mask" in question:
            write["updateMask"] = {"fieldPaths": question["mask"]}
        if "exists" in question:
            write["currentDocument"] = {"exists": question["exists"]}
    status, _ = call("POST", docs + ":commit", {"writes": [write]}, claims)
    seed()
    return status == 200


def seed():
    call("DELETE", f"/emulator/v1/projects/{EMULATOR.project}/databases/(default)/documents", auth="owner")
    writes = [{"update": {"name": EMULATOR.documents[4:] + path, "fields": fields}}
              for path, fields in DOCUMENTS.items()]
    status, body = call("POST", EMULATOR.documents + ":commit", {"writes": writes}, "owner")
    assert status == 200, body


def most(limit, allowed):
    """The greatest number that is allowed, with 0 allowed."""
    low, high = 0, limit + 1
    while high - low > 1:
        middle = (low + high) // 2
        if allowed(middle): low = middle
        else: high = middle
    return low


def main():
    seed()
    for rules, question in QUESTIONS:
        plain = rules.replace("PAD", "true")
        assert is_allowed(plain, question), plain
        record = {"rules": source(plain), "documents": DOCUMENTS, "auth": AUTH, **question}
        # `[…].size() > 0` costs 4 and one for each element, `true` costs 1.
        left = most(1000, lambda n: is_allowed(rules.replace("PAD", f"[{', '.join(['1'] * n)}].size() >= 0"),
                                               question))
        record["expressions"] = 1000 - left - 4 + 1
        probes = [f"exists({DB}/probe/p{i})" for i in range(21)]
        left = most(20, lambda n: is_allowed(rules.replace("PAD", f"({' && '.join(probes[:n] or ['true'])})"),
                                             question))
        record["lookups"] = (20 if question["method"] == "list" else 10) - left
        if "root" in rules:
            def wrapped(n):
                around = "".join(f"function w{i}() {{ return {'root' if i == 1 else f'w{i - 1}'}(); }}\n"
                                 for i in range(1, n + 1))
                return around + (plain.replace("if root()", f"if w{n}()") if n else plain)
            record["callDepth"] = 20 - most(25, lambda n: is_allowed(wrapped(n), question) is not None)
        else:
            record["callDepth"] = 0
        print(json.dumps(record), flush=True)
        print(record["expressions"], record["lookups"], record["callDepth"], plain.split("allow")[-1], file=sys.stderr)


main()
