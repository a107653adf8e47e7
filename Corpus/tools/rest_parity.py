#!/usr/bin/env python3
"""Puts the same random HTTP traffic to the official Firestore emulator and to `rules-test serve`, bad requests included,
and shows where status, body or the documents afterwards differ.

  rest_parity.py [--seeds "1 2 3"] [--count N] [--program PATH] [--record FILE] [--stop N]

Of each seed, N requests (default 2000) in sequences of 100, each with rules of its own. Times and tokens of pages
are compared by their kind. Every third sequence makes ten documents whose ids the
server chooses, which rules do not see (--hidden: no others). `--record` appends each sequence with the official answers, as Corpus/rest.jsonl keeps them.
FIRESTORE_EMULATOR_HOST names an emulator that runs already. Exit code 1 when anything differed.
"""
import argparse, http.client, itertools, json, os, random, re, subprocess, sys, urllib.parse

from firestore_parity import Questions, is_explained, is_other_word
from parity_sides import jar, start, token

PROJECT = "rest"
BASE = f"/v1/projects/{PROJECT}/databases/(default)/documents"
STEPS = 100


class Side:
    def __init__(self, host):
        self.host = host
        self.connection = None

    def call(self, step):
        """Status and text of an answer."""
        headers = {}
        if step.get("type"):
            headers["Content-Type"] = step["type"]
        if step["auth"] is not None:
            headers["Authorization"] = "Bearer " + (step["auth"] if isinstance(step["auth"], str) else token(step["auth"]))
        body = step.get("body")
        for attempt in (1, 2):
            if self.connection is None:
                self.connection = http.client.HTTPConnection(self.host, timeout=30)
            try:
                self.connection.request(step["verb"], step["path"], None if body is None else body.encode(), headers)
                response = self.connection.getresponse()
                return response.status, response.read().decode()
            except (http.client.HTTPException, OSError) as e:
                self.connection = None
                if attempt == 2:
                    return 599, repr(e)

    def open(self, rules):
        for step in opening(rules):
            status, text = self.call(step)
            assert status == 200, text


def opening(rules):
    put = json.dumps({"rules": {"files": [{"name": "security.rules", "content": rules}]}})
    return [{"verb": "DELETE", "path": f"/emulator{BASE}", "auth": "owner"},
            {"verb": "PUT", "path": f"/emulator/v1/projects/{PROJECT}:securityRules", "body": put, "auth": "owner"}]


TIME = re.compile(r"^20[2-9]\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$")
# A name with an id that the server chose: no id of the traffic is so long.
CHOSEN = re.compile(r"^(projects/.*/)[A-Za-z0-9]{20}$")
OLD = re.compile(r"^2020-01-01T")


def normal(answer, step):
    status, text = answer
    try:
        body = json.loads(text)
    except ValueError:
        body = text.strip()
    if status == 500:
        return [500, None]
    if isinstance(body, dict) and ":commit" in step["path"] and status == 200:
        # A document that is verified to be missing has no time for us; the emulator gives that of its deletion.
        for write, result in zip(json.loads(step["body"] or "{}").get("writes", []), body.get("writeResults", [])):
            if "verify" in write: result.pop("updateTime", None)
    if isinstance(body, dict) and "showMissing" in step["path"]:
        for document in body.get("documents", []):
            if "createTime" not in document: document.pop("updateTime", None)
    return [status, walk(body, several(step))]


def several(step):
    """Whether a request is about several documents, which the emulator judges side by side."""
    try:
        body = json.loads(step.get("body") or "{}")
    except ValueError:
        return False
    return isinstance(body, dict) and any(isinstance(body.get(k), list) and len(body[k]) > 1 for k in ("writes", "documents"))


def walk(x, several):
    if isinstance(x, list):
        return [walk(y, several) for y in x]
    if isinstance(x, dict):
        out = {}
        for k, v in x.items():
            if k in ("details", "skippedResults"):
                continue
            if k == "geoPointValue":
                v = {"latitude": v.get("latitude", 0) or 0, "longitude": v.get("longitude", 0) or 0}
            if k == "doubleValue" and not isinstance(v, str):
                v = repr(float(v))
            if k in ("nextPageToken", "transaction") and isinstance(v, str):
                v = "TOKEN"
            if k == "message" and isinstance(v, str):
                v = message(v, several)
            out[k] = walk(v, several)
        return out
    if isinstance(x, str) and CHOSEN.match(x):
        return CHOSEN.match(x).group(1) + "ID"
    if isinstance(x, str) and TIME.match(x) and not OLD.match(x):
        return "NOW"
    return x


def message(text, several):
    text = re.sub(r"\(\d{16}\)", "(TIME)", text)
    text = re.sub(r"(exact|max)BaseVersion=\d+", r"\1BaseVersion=TIME", text)
    # The emulator may repeat what it says; of several documents also the order is another each time.
    if " for '" in text or several and "No matching allow statements" in text:
        text = "denied" if several else text.split(" for '")[0]
    return text


class Traffic(Questions):
    def __init__(self, r):
        super().__init__(r, PROJECT)

    def auth(self):
        return self.r.choice(["owner", "owner", None, {"sub": "u1", "user_id": "u1", "email": "a@b.c"}])

    def place(self, path):
        return BASE + "/" + urllib.parse.quote(path)

    def parameters(self, pairs):
        return "?" + "&".join(f"{k}={urllib.parse.quote(v, safe='')}" for k, v in pairs) if pairs else ""

    def masks(self, name):
        return [(name + ".fieldPaths", f) for f in self.mask()] if self.r.random() < .3 else []

    def conditions(self):
        k = self.r.random()
        return [("currentDocument.exists", self.r.choice(["true", "false"]))] if k < .25 else []

    def document(self):
        return json.dumps(self.r.choice([{"fields": self.fields()}] * 9 + [{}, {"fields": {"x": {}}}, {"foo": 1}, []]))

    def step(self):
        r = self.r
        k = r.randrange(100)
        json_type = "application/json"
        if k < 45:
            method, parent, body, auth = self.operation([], [])
            while method in ("beginTransaction", "rollback", "get"):
                method, parent, body, auth = self.operation([], [])
            return {"verb": "POST", "path": (self.place(parent) if parent else BASE) + ":" + method,
                    "body": json.dumps(body), "auth": auth, "type": r.choice([json_type] * 4 + ["text/plain"])}
        auth = self.auth()
        if k < 57:
            return {"verb": "GET", "path": self.place(self.path()) + self.parameters(self.masks("mask")), "auth": auth}
        if k < 67:
            pairs = self.masks("mask")
            if r.random() < .5: pairs.append(("pageSize", r.choice(["1", "2", "3", "10", "0", "-1"])))
            if r.random() < .3: pairs.append(("orderBy", r.choice(["x", "x desc", "y, x desc", "m.k", "__name__", "__name__ desc", "x foo", ","])))
            # The emulator has no mask where missing documents are shown; production has.
            if not any(k == "mask.fieldPaths" for k, v in pairs) and r.random() < .1: pairs.append(("showMissing", r.choice(["true", "false"])))
            return {"verb": "GET", "path": self.place(r.choice(self.COLLECTIONS)) + self.parameters(pairs), "auth": auth}
        if k < 75:
            # Always with an id: one that the server chooses is another on each side.
            pairs = [("documentId", r.choice(self.IDS + ["__x__", "..", "a/b"]))] + self.masks("mask")
            return {"verb": "POST", "path": self.place(r.choice(self.COLLECTIONS)) + self.parameters(pairs), "body": self.document(),
                    "auth": auth, "type": json_type}
        if k < 86:
            pairs = self.masks("updateMask") + self.conditions()
            return {"verb": "PATCH", "path": self.place(self.path()) + self.parameters(pairs), "body": self.document(), "auth": auth, "type": json_type}
        if k < 91:
            return {"verb": "DELETE", "path": self.place(self.path()) + self.parameters(self.conditions()), "auth": auth}
        return self.bad(auth)

    def bad(self, auth):
        r = self.r
        post = lambda path, body: {"verb": "POST", "path": BASE + path, "body": body, "auth": auth, "type": "application/json"}
        get = lambda path: {"verb": "GET", "path": path, "auth": auth}
        return r.choice([
            lambda: post(":commit", r.choice(["{bad", "[]", "1", "\"x\"", "{\"writes\": 1}", "{\"writes\": [1]}", "{\"foo\": 1}"])),
            lambda: post(":runQuery", r.choice(["{", "[]", "{\"structuredQuery\": []}", "{\"structuredQuery\": {\"limit\": -1}}", "{\"bar\": {}}"])),
            lambda: post(":batchGet", r.choice(["{\"documents\": [1]}", "{\"documents\": [\"x\"]}", "{\"documents\": {}}", "{}"])),
            lambda: post(r.choice([":nope", ":", ":Commit"]), "{}"),
            lambda: post("", "{}"),
            lambda: get(BASE + r.choice(["", "/q/a/", "//a", "/q//a", "/q/..", "/__q__/a", "/q/__id__", "/q%2Fa", "/q/a%2Fb/c"])),
            lambda: get(r.choice(["/nope", "/v1", "/v1/projects", f"/v1/projects/{PROJECT}/databases", "/v2/x", "/v1/projects//databases/x/documents/q/a"])),
            lambda: {"verb": r.choice(["PUT", "HEAD", "PATCH", "DELETE"]), "path": r.choice([BASE, BASE + "/q", BASE + ":commit"]), "auth": auth},
            lambda: {**get(BASE + "/q/a"), "auth": r.choice(["x", "a.b.c", "..", "e30.e30"])},
            lambda: {**post(":commit", "{}"), "type": "application/x-www-form-urlencoded"},
            lambda: {"verb": "PUT", "path": f"/emulator/v1/projects/{PROJECT}:securityRules", "body": r.choice(["{", "service cloud.firestore {}", json.dumps({"rules": {"files": [{"name": "a.rules", "content": "service cloud.firestore { match /a/{b} { allow read: if ; } }"}]}})]),
                     "auth": "owner", "type": "application/json"},
        ])()


class HiddenIDs(Traffic):
    """Documents under ids that the server chooses, which rules do not see."""
    D = "/databases/$(database)/documents"
    ATOMS = [
        "true", "false", "id == 'x'", "id != 'x'", "id is string", "id == null", "request.auth.uid == id", "id in ['a']", "id.size() == 20",
        "request.path == D/q", "string(request.path).size() == 32", "request.path[3] == 'q'", "request.path[4] is string", "request.path is path",
        "request.autoId", "request.autoId == false", "'autoId' in request", "request.resource.id is string", "request.resource.id.size() == 20",
        "'id' in request.resource", "request.resource.size() == 1", "request.resource.keys().hasOnly(['data'])",
        "request.resource.keys().size() == 3", "request.resource.__name__ == request.path", "request.resource.__name__[3] == 'q'",
        "request.resource.data.x == 1", "request.resource.data.keys().hasOnly(['x', 'y'])", "resource == null", "resource.data.x == 1",
        "getAfter(request.path) != null", "exists(request.path)", "getAfter(D/q/$(id)).data.x == 1", "existsAfter(D/q/$(request.resource.id))",
        "getAfter(D/q/$(request.resource.id)).data.x == 1", "get(D/q/$(request.resource.id)) == null", "exists(D/r/$(id))", "exists(D/r/a)",
        "request.method == 'create'", "f(id)", "g() == 'x'", "let_(id)", "/a/$(id) == /a/b", "/a/$(id) != /a/b", "request.writeFields == null"]
    GLOBS = [
        "rest == /q/a", "rest != /q/a", "rest == rest", "rest is path", "string(rest) == '/q/'", "rest[0] == 'q'", "rest[1] == 'x'", "[rest] == [rest]",
        "rest in [rest]", "exists(D/$(rest))", "rest.bind({}) == /q", "rest.bind({'': 'x'})[1] == 'x'", "rest[0:1] == /q", "string(rest) == '/'"]

    def rules(self):
        r = self.r
        def condition(atoms, depth=0):
            k = r.random()
            if depth < 2 and k < .2: return f"({condition(atoms, depth + 1)} && {condition(atoms, depth + 1)})"
            if depth < 2 and k < .4: return f"({condition(atoms, depth + 1)} || {condition(atoms, depth + 1)})"
            if k < .5: return f"!({condition(atoms, depth + 1)})"
            if k < .53: return f"({condition(atoms, depth + 1)} ? {condition(atoms, 2)} : {condition(atoms, 2)})" if depth < 2 else "true"
            return r.choice(atoms).replace("D/", self.D + "/") + " "
        version = r.choice("122")
        plain = ["/q/{id}", "/{c}/{id}", "/q/{x}/{c}/{id}", "/q/x"]
        globs = ["/{rest=**}", "/q/{rest=**}", "/{c}/{rest=**}", "/q/{id}/{rest=**}"]
        if version == "2": plain += ["/{path=**}/q/{id}", "/{path=**}/{c}/{id}"]
        blocks = []
        for _ in range(r.randrange(1, 4)):
            pattern = r.choice(plain + globs)
            atoms = [a for a in self.ATOMS if "{id}" in pattern or not any(w in a for w in ("(id)", "id ==", "id !=", "id is", "id in", "id.", "== id", "g()")) or "request.resource.id" in a and "== id" not in a]
            if "{rest" in pattern: atoms = atoms + self.GLOBS * 2
            allows = "".join(f"allow {r.choice(['create', 'write', 'create, update', 'read'])}: if {condition(atoms)};\n" for _ in range(r.randrange(1, 3)))
            unused = "let b = a; " if version == "2" else ""
            functions = f"function f(a) {{ return true; }}\nfunction g() {{ return id; }}\nfunction let_(a) {{ {unused}return true; }}\n" if "{id}" in pattern else ""
            blocks.append(f"match {pattern} {{\n{functions}{allows}}}\n")
        return f"rules_version = '{version}';\nservice cloud.firestore {{\nmatch /databases/{{database}}/documents {{\n{''.join(blocks)}}}\n}}\n"

    def step(self):
        fields = self.r.choice([{"x": {"integerValue": "1"}}, {"x": {"integerValue": "2"}, "y": {"nullValue": None}}, {"z": {"stringValue": "a"}}, {}])
        return {"verb": "POST", "path": self.place(self.r.choice(["q", "q", "q", "r", "q/x/q", "q/x/s"])), "body": json.dumps({"fields": fields}),
                "auth": self.r.choice([None, {"sub": "u1", "user_id": "u1"}, {"sub": "u1", "user_id": "u1"}]), "type": "application/json"}


def expected_difference(step, official, ours, rules, log):
    """What docs/parity.md has on the protocol, in a word; None for anything else."""
    if official == ours:
        return None
    if official[0] == 500 or official[0] == 599:
        return "the emulator fails" if ours[0] in (200, 400, 401, 403, 404) else None
    if ours[0] == 400 and "pageSize=-1" in step["path"] and "showMissing=true" in step["path"]:
        return "a page of negative size, of which missing documents are a part"
    if official[0] == ours[0] and is_other_word(official, ours):
        return "of several mistakes another is named"
    try:
        body = json.loads(step.get("body") or "{}")
    except ValueError:
        body = {}
    if isinstance(body, dict) and is_explained(official, ours, body, rules, log):
        return "known of databases and queries"
    return None


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--seeds", default="1")
    options.add_argument("--count", type=int, default=2000)
    options.add_argument("--program", default=".build/release/rules-test")
    options.add_argument("--record")
    options.add_argument("--hidden", action="store_true", help="only documents whose ids the server chooses")
    options.add_argument("--stop", type=int, default=20)
    options.add_argument("--found", action="store_true", help="only say whether there is an emulator")
    options = options.parse_args()
    if options.found:
        return 0 if jar() is not None or "FIRESTORE_EMULATOR_HOST" in os.environ else 1
    if jar() is None and "FIRESTORE_EMULATOR_HOST" not in os.environ:
        print("skipped: emulator not installed")
        return 0
    host, process = start()
    server = subprocess.Popen([os.path.abspath(options.program), "serve", "--open", "--firestore-port", "0", "--auth-port", "0", "--format", "json",
                               "--dialect", "emulator-1.19"], stdout=subprocess.PIPE, text=True, cwd="/")
    try:
        ready = json.loads(server.stdout.readline())
        ours_host = f"127.0.0.1:{ready['firestore']['port']}"
        return compare(options, host, ours_host)
    finally:
        server.terminate()
        if process: process.terminate()


def compare(options, host, ours_host):
    compared, differences, explained = 0, 0, {}
    for seed in options.seeds.split():
        r = random.Random(int(seed))
        usual, hidden = Traffic(r), HiddenIDs(r)
        official, ours = Side(host), Side(ours_host)
        end = compared + options.count
        for turn in itertools.count():
            if compared >= end: break
            traffic, size = (hidden, 10) if turn % 3 == 2 or options.hidden else (usual, STEPS)
            rules = traffic.rules()
            official.open(rules)
            ours.open(rules)
            recorded = []
            log = []
            for _ in range(min(size, end - compared)):
                step = traffic.step()
                a, b = normal(official.call(step), step), normal(ours.call(step), step)
                compared += 1
                log.append({"body": {}})
                if a == b:
                    recorded.append({**step, "answer": a})
                    continue
                reason = expected_difference(step, a, b, rules, log)
                if reason:
                    explained[reason] = explained.get(reason, 0) + 1
                    if a[0] < 300 or b[0] < 300:
                        # The documents may differ from here on.
                        if step["verb"] != "GET" and ":runQuery" not in step["path"]: break
                    continue
                differences += 1
                print(f"--- seed {seed}\n{json.dumps(step)[:600]}\n  official {json.dumps(a)[:500]}\n  ours     {json.dumps(b)[:500]}")
                if 403 in (a[0], b[0]): print(rules)
                if differences >= options.stop:
                    print(f"stopped after {compared} requests")
                    return 1
                break
            if options.record:
                with open(options.record, "a") as f:
                    f.write(json.dumps({"rules": rules, "steps": recorded}, ensure_ascii=True) + "\n")
    print(f"{compared} requests, {differences} differences; explained: {explained or 'none'}")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
