#!/usr/bin/env python3
"""Records what the emulator says to several writes made together: ../batch-messages.jsonl

  batch_messages.py [COUNT [SEED]] > ../batch-messages.jsonl

The message has the entries of the first pass of every write in order, up to one that is refused for good; if none is,
those of the second pass of the writes that it left open, in an order of the emulator's own and up to one that is refused.
"""
import json, random, sys
from emulator import call, Emulator

EMULATOR = Emulator("batch-messages")
DOC = "/databases/$(database)/documents"
RULES = f"""rules_version = '2';
service cloud.firestore {{
 match /databases/{{database}}/documents {{
match /all/{{id}} {{ allow write: if true; }}
match /none/{{id}} {{ allow write: if false; }}
match /one/{{id}} {{ allow write: if resource.data.n == 1; }}
match /two/{{id}} {{ allow write: if resource.data.n == 2; }}
match /new/{{id}} {{ allow create: if true;
 allow update: if false; }}
match /old/{{id}} {{ allow create: if false;
 allow update, delete: if true; }}
match /there/{{id}} {{ allow write: if exists({DOC}/all/x); }}
match /lost/{{id}} {{ allow write: if exists({DOC}/all/nowhere); }}
match /several/{{id}} {{ allow write: if resource.data.n == 5;
 allow update: if 1 / 0 == 1;
 allow write: if id == 'x'; }}
match /after/{{id}} {{ allow write: if getAfter({DOC}/all/x).data.n == 7; }}
match /plain/{{id}} {{ allow write; }}
 }}
}}
"""
COLLECTIONS = ["all", "none", "one", "two", "new", "old", "there", "lost", "several", "after", "plain", "nowhere"]
DOCUMENTS = {f"/{c}/x": {"n": {"integerValue": "1"}} for c in COLLECTIONS}


def name(path):
    return EMULATOR.documents[4:] + path


def seed():
    call("DELETE", f"/emulator/v1/projects/{EMULATOR.project}/databases/(default)/documents", auth="owner")
    writes = [{"update": {"name": name(p), "fields": f}} for p, f in DOCUMENTS.items()]
    assert call("POST", EMULATOR.documents + ":commit", {"writes": writes}, "owner")[0] == 200


def write(r):
    # A refusal in the first pass hides all that follows.
    collection = r.choice(COLLECTIONS[2:-1] if r.random() < 0.85 else COLLECTIONS)
    path = f"/{collection}/{r.choice('xxy')}"
    kind = r.choice(["set", "set", "update", "create", "delete"])
    if kind == "delete":
        return {"delete": name(path)}
    out = {"update": {"name": name(path), "fields": {"n": {"integerValue": str(r.choice([1, 2, 7]))}}}}
    if kind != "set":
        out["currentDocument"] = {"exists": kind == "update"}
    if kind == "update":
        out["updateMask"] = {"fieldPaths": ["n"]}
    return out


def main(count, seed_number):
    r = random.Random(seed_number)
    status, body = EMULATOR.put(RULES)
    assert status == 200, body
    print(json.dumps({"rules": RULES, "documents": DOCUMENTS}))
    seen = 0
    while seen < count:
        writes = [write(r) for _ in range(r.choice([2, 2, 3, 4]))]
        paths = [w.get("delete") or w["update"]["name"] for w in writes]
        if len(set(paths)) < len(paths):
            continue
        seed()
        status, body = call("POST", EMULATOR.documents + ":commit", {"writes": writes}, {})
        if status not in (200, 403):
            continue
        seen += 1
        print(json.dumps({"writes": writes, "message": None if status == 200 else body["error"]["message"]}))


main(int(sys.argv[1]) if len(sys.argv) > 1 else 400, int(sys.argv[2]) if len(sys.argv) > 2 else 1)
