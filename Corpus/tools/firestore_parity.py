#!/usr/bin/env python3
"""Puts random sequences of writes, batches, transactions and queries to the official emulator's REST interface and to
our store, and shows where the answers differ: status, message, results in their order, documents afterwards.

  firestore_parity.py [--seeds "1 2 3"] [--count N] [--program PATH] [--record FILE] [--stop N] [--sqlite PATH]

Of each seed, N operations (default 2000). Times are compared by the commit they belong to. `--record` appends every
sequence with the official answers, one JSON line each, as Corpus/firestore.jsonl keeps them. FIRESTORE_EMULATOR_HOST
names an emulator that runs already. Exit code 1 when anything differed.
"""
import argparse, base64, datetime, http.client, json, os, random, re, subprocess, sys, urllib.parse

from parity_sides import jar, start

TODAY = re.compile(r"^20[2-9]\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$")
PATTERN = re.compile(r"\((\d{16}|0)\)")


class Emulator:
    def __init__(self, project):
        self.project = project
        self.connection = http.client.HTTPConnection(os.environ.get("FIRESTORE_EMULATOR_HOST", "127.0.0.1:8086"), timeout=60)
        self.times = {}

    def open(self, rules):
        self.times = {}
        status, answer = self.call("DELETE", f"/emulator/v1/projects/{self.project}/databases/(default)/documents", None, "owner")
        assert status == 200, answer
        self.rules(rules)

    def rules(self, rules):
        body = {"rules": {"files": [{"name": "security.rules", "content": rules}]}}
        status, answer = self.call("PUT", f"/emulator/v1/projects/{self.project}:securityRules", body, "owner")
        assert status == 200, answer

    def call(self, verb, path, body, auth):
        headers = {"Content-Type": "application/json"}
        if auth == "owner":
            headers["Authorization"] = "Bearer owner"
        elif auth is not None:
            part = lambda d: base64.urlsafe_b64encode(json.dumps(d).encode()).decode().rstrip("=")
            headers["Authorization"] = "Bearer " + part({"alg": "none", "type": "JWT"}) + "." + part(auth) + "."
        self.connection.request(verb, path, None if body is None else json.dumps(body), headers)
        response = self.connection.getresponse()
        text = response.read().decode()
        try:
            return response.status, json.loads(text) if text.strip() else {}
        except ValueError:
            return response.status, text

    def ask(self, method, parent, body, auth):
        path = f"/v1/projects/{self.project}/databases/(default)/documents" + ("/" + urllib.parse.quote(parent) if parent else "")
        if method == "get":
            return self.call("GET", path, None, auth)
        return self.call("POST", path + ":" + method, body, auth)


class Ours:
    def __init__(self, project, program, sqlite=None):
        self.project, self.sqlite = project, sqlite
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.times = {}

    def line(self, question):
        self.process.stdin.write(json.dumps(question) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def open(self, rules):
        self.times = {}
        question = {"open": self.project, "rules": rules}
        if self.sqlite:
            for suffix in ("", "-wal", "-shm"):
                if os.path.exists(self.sqlite + suffix):
                    os.remove(self.sqlite + suffix)
            question["sqlite"] = self.sqlite
        answer = self.line(question)
        assert answer == {}, answer

    def rules(self, rules):
        answer = self.line({"rules": rules})
        assert answer == {}, answer

    def ask(self, method, parent, body, auth):
        answer = self.line({"method": method, "parent": parent, "body": body, "auth": auth})
        if "failed" in answer:
            return 599, answer
        return answer["status"], answer["body"]


# What must be the same.

def normal(side, number, answer, method, question):
    """An answer with times by their commits, and without what is no matter."""
    status, body = answer
    if status == 200 and method == "commit":
        # A document that is verified to be missing has no time.
        for write, result in zip(question["writes"], body.get("writeResults", [])):
            if "verify" in write:
                result.pop("updateTime", None)
    if isinstance(body, dict) and "commitTime" in body:
        side.times.setdefault(body["commitTime"], f"T{number}")
    if status == 500:
        return [500, None]
    return [status, walk(side, body)]


def walk(side, x, key=None):
    if isinstance(x, list):
        return [walk(side, y) for y in x]
    if isinstance(x, dict):
        out = {}
        for k, v in x.items():
            if k in ("readTime", "done", "transaction", "details", "skippedResults"):
                continue
            if k == "geoPointValue":
                v = {"latitude": v.get("latitude", 0) or 0, "longitude": v.get("longitude", 0) or 0}
                out[k] = v
                continue
            if k == "doubleValue" and not isinstance(v, str):
                out[k] = repr(float(v))
                continue
            if k == "message" and isinstance(v, str):
                out[k] = message(side, v)
                continue
            out[k] = walk(side, v, k)
        return out
    if isinstance(x, str) and TODAY.match(x):
        if x in side.times:
            return side.times[x]
        return "NOW" if x[:10] >= NOW else x
    return x


NOW = (datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(days=1)).strftime("%Y-%m-%d")


def message(side, text):
    # Of several documents the emulator judges side by side: only what it says first is the same each time.
    text = PATTERN.sub(lambda m: "(TIME)", text)
    text = re.sub(r"(exact|max)BaseVersion=\d+", r"\1BaseVersion=TIME", text)
    if " for '" in text or text == "No matching allow statements":
        return text.split(" for '")[0] if side.single else "denied"
    return text


# Questions.

I = lambda n: {"integerValue": str(n)}
D = lambda n: {"doubleValue": n}
S = lambda s: {"stringValue": s}
A = lambda *items: {"arrayValue": {"values": list(items)} if items else {}}
M = lambda **fields: {"mapValue": {"fields": fields} if fields else {}}
NULL = {"nullValue": None}


class Questions:
    IDS = ["a", "b", "c", "d", "e", "é", "__id7__", "__id10__", "aa", "Z", "a b"]
    FIELDS = ["x", "y", "z", "m.k", "m.l", "`a.b`", "m"]
    COLLECTIONS = ["q", "r", "q/a/q", "q/b/s", "s/a/q", "q/a/q/b/q"]

    def __init__(self, r, project):
        self.r, self.project = r, project
        self.base = f"projects/{project}/databases/(default)/documents"
        self.lists = {}

    def path(self):
        return self.r.choice(self.COLLECTIONS[:1] * 6 + self.COLLECTIONS) + "/" + self.r.choice(self.IDS)

    def name(self, path=None):
        return self.base + "/" + (path or self.path())

    def scalar(self):
        r = self.r
        k = r.randrange(20)
        if k < 7: return I(r.choice([0, 1, 2, 3, -1, 5, 10]))
        if k < 10: return D(r.choice([0.0, -0.0, 1.0, 2.0, 1.5, -1.5, "NaN", "Infinity", "-Infinity", 9007199254740992.0, 9.223372036854775807e18, 5e-324]))
        if k < 11: return I(r.choice([2 ** 63 - 1, -2 ** 63, 2 ** 53, 2 ** 53 + 1]))
        if k < 14: return S(r.choice(["", "a", "b", "aa", "é", "e\u0301", "😀", "\uffff", "\u0000", "a\u0000b", "x" * 1600, "x" * 1600 + "y", "x" * 1499][:r.choice([9, 9, 9, 13])]))
        if k == 14: return NULL
        if k == 15: return {"booleanValue": r.random() < .5}
        if k == 16: return {"timestampValue": r.choice(["2020-01-01T00:00:00Z", "2020-01-01T00:00:00.000001Z", "1969-12-31T23:59:59.999999Z", "0001-01-01T00:00:00Z", "2020-01-01T00:00:00.123456789Z"])}
        if k == 17: return {"bytesValue": r.choice(["", "AA==", "AAA=", "/w==", "AQID"])}
        if k == 18: return {"referenceValue": self.name()}
        return {"geoPointValue": {"latitude": r.choice([0, 1, -1, 90]), "longitude": r.choice([0, 2, -180])}}

    def value(self, depth=0):
        r = self.r
        k = r.randrange(12)
        if k < 9 or depth > 2: return self.scalar()
        if k == 9: return A(*[self.element(depth) for _ in range(r.randrange(4))])
        if k == 10: return M(**{n: self.value(depth + 1) for n in r.sample(["k", "l", "n"], r.randrange(3))})
        return M(__type__=S("__vector__"), value=A(*[D(float(r.randrange(3))) for _ in range(r.randrange(1, 4))]))

    def element(self, depth):
        value = self.value(depth + 1)
        while "arrayValue" in value or "__type__" in value.get("mapValue", {}).get("fields", {}):
            value = self.value(depth + 1)
        return value

    def fields(self):
        return {n: self.value() for n in self.r.sample(["x", "y", "z", "m", "a.b"], self.r.choice([0, 1, 2, 2, 3, 3, 4]))}

    def mask(self):
        r = self.r
        return r.sample(self.FIELDS, r.choice([0, 1, 1, 2])) + (["n o"] if r.random() < .01 else [])

    def precondition(self, known):
        r = self.r
        k = r.randrange(10)
        if k < 7: return {}
        if k == 7: return {"currentDocument": {"exists": r.random() < .6}}
        if k == 8 and known: return {"currentDocument": {"updateTime": "@" + r.choice(known)}}
        return {"currentDocument": {"exists": True}}

    def transform(self):
        r = self.r
        path = r.choice(self.FIELDS)
        number = lambda: r.choice([I(1), I(-3), D(1.5), D("NaN"), I(2 ** 63 - 1), D(-0.0), I(0), D(2.0 ** 63)])
        items = lambda: {"values": [self.element(2) for _ in range(r.randrange(3))]}
        if r.random() < .03: return {"fieldPath": path, "increment": S("no")}
        return {"fieldPath": path, **r.choice([
            lambda: {"increment": number()}, lambda: {"maximum": number()}, lambda: {"minimum": number()},
            lambda: {"appendMissingElements": items()}, lambda: {"removeAllFromArray": items()},
            lambda: {"setToServerValue": "REQUEST_TIME"}])()}

    def write(self, known, path=None):
        r = self.r
        name = self.name(path)
        k = r.randrange(20)
        if k < 8: write = {"update": {"name": name, "fields": self.fields()}}
        elif k < 12: write = {"update": {"name": name, "fields": self.fields()}, "updateMask": {"fieldPaths": self.mask()}}
        elif k < 14: write = {"update": {"name": name, "fields": self.fields()}, "updateTransforms": [self.transform() for _ in range(r.randrange(1, 3))]}
        elif k < 15: write = {"update": {"name": name, "fields": self.fields()}, "updateMask": {"fieldPaths": self.mask()}, "updateTransforms": [self.transform()]}
        elif k < 17: write = {"transform": {"document": name, "fieldTransforms": [self.transform() for _ in range(r.randrange(1, 3))]}}
        elif k < 19: write = {"delete": name}
        elif r.random() < .3: return {"verify": name, "currentDocument": {"exists": r.random() < .7}}
        else: write = self.mistake(name)
        return {**write, **self.precondition(known)}

    def mistake(self, name):
        return self.r.choice([
            {"update": {"name": name, "fields": {"__x__": I(1)}}}, {"update": {"name": name, "fields": {"": I(1)}}},
            {"update": {"name": name + "/c", "fields": {}}}, {"delete": name + "/"}, {"delete": self.base},
            {"update": {"name": name, "fields": {"x": A(A(I(1)))}}}, {"update": {"name": name, "fields": {"m": M(__k__=I(1))}}},
            {"update": {"name": name, "fields": {}}, "updateMask": {"fieldPaths": ["a..b"]}}, {"update": {"name": self.base + "/q/__x__"}},
            {"update": {"name": name, "fields": {"x": {"geoPointValue": {"latitude": 91}}}}}, {},
            {"transform": {"document": name, "fieldTransforms": []}}, {"update": {"name": name, "fields": {"x": {}}}}])

    def commit(self, known):
        r = self.r
        count = r.choice([1] * 8 + [2, 2, 3, 5])
        paths = [self.path() for _ in range(count)]
        if count > 1 and r.random() < .3: paths[1] = paths[0]
        return {"writes": [self.write(known, p) for p in paths]}

    # Queries

    def field(self):
        return {"fieldPath": self.r.choice(self.FIELDS[:2] * 3 + self.FIELDS)}

    def filter(self, depth=0):
        r = self.r
        k = r.randrange(20)
        if depth < 2 and k < 3: return {"compositeFilter": {"op": "AND", "filters": [self.filter(depth + 1) for _ in range(r.randrange(1, 4))]}}
        if depth < 2 and k < 5: return {"compositeFilter": {"op": "OR", "filters": [self.filter(depth + 1) for _ in range(r.randrange(1, 4))]}}
        if k < 6: return {"unaryFilter": {"field": self.field(), "op": r.choice(["IS_NULL", "IS_NOT_NULL", "IS_NAN", "IS_NOT_NAN"])}}
        if k < 7:
            op = r.choice(["EQUAL", "IN", "GREATER_THAN", "LESS_THAN_OR_EQUAL", "NOT_EQUAL", "NOT_IN", "LESS_THAN"])
            names = [{"referenceValue": self.name(r.choice(self.COLLECTIONS[:2]) + "/" + r.choice(self.IDS))} for _ in range(3)]
            return {"fieldFilter": {"field": {"fieldPath": "__name__"}, "op": op, "value": A(*names) if "IN" in op.split("_") else names[0]}}
        op = r.choice(["LESS_THAN", "LESS_THAN_OR_EQUAL", "GREATER_THAN", "GREATER_THAN_OR_EQUAL"] * 2 + ["EQUAL"] * 5 + ["NOT_EQUAL", "ARRAY_CONTAINS", "ARRAY_CONTAINS", "IN", "IN", "NOT_IN", "ARRAY_CONTAINS_ANY"])
        value = self.value(1)
        if op in ("IN", "NOT_IN", "ARRAY_CONTAINS_ANY"):
            value = A(*[self.element(1) for _ in range(r.choice([0, 1, 2, 2, 3, 3, 4]) if r.random() < .3 else r.randrange(1, 4))])
        return {"fieldFilter": {"field": self.field(), "op": op, "value": value}}

    def query(self):
        r = self.r
        collection = r.choice(["q"] * 8 + ["r", "s", "nobody"])
        query = {"from": [{"collectionId": collection}]}
        k = r.random()
        if k < .2: query["from"][0]["allDescendants"] = True
        elif k < .23: query["from"] = [{"allDescendants": True}]
        elif k < .25: query["from"] = []
        if r.random() < .7: query["where"] = self.filter()
        orders = []
        if r.random() < .4:
            for _ in range(r.choice([1, 1, 1, 2, 2, 3])):
                orders.append({"field": self.field(), "direction": r.choice(["ASCENDING", "DESCENDING"])})
            if r.random() < .3: orders.append({"field": {"fieldPath": "__name__"}, "direction": r.choice(["ASCENDING", "DESCENDING"])})
            query["orderBy"] = orders
        elif r.random() < .1:
            orders = [{"field": {"fieldPath": "__name__"}, "direction": r.choice(["ASCENDING", "ASCENDING", "DESCENDING"])}]
            query["orderBy"] = orders
        for key in ("startAt", "endAt"):
            if orders and r.random() < .35:
                values = [{"referenceValue": self.name("q/" + r.choice(self.IDS))} if o["field"]["fieldPath"] == "__name__" else self.value(1) for o in orders]
                query[key] = {"values": values[:r.randrange(len(values)) + 1], "before": r.random() < .5}
        if r.random() < .25: query["limit"] = r.choice([1, 2, 3, 5, 0])
        if r.random() < .1: query["offset"] = r.choice([1, 2, 100])
        if r.random() < .15: query["select"] = {"fields": [{"fieldPath": f} for f in r.sample(self.FIELDS + ["__name__"], r.randrange(3))]}
        return query, r.choice([""] * 8 + ["q/a", "q/b", "nobody/here"])

    def aggregation(self):
        query, parent = self.query()
        query.pop("select", None)
        kinds = [{"count": {}}, {"count": {"upTo": "2"}}, {"sum": {"field": self.field()}}, {"avg": {"field": self.field()}}]
        chosen = [{"alias": f"f{i}", **self.r.choice(kinds)} for i in range(self.r.randrange(1, 4))]
        return {"structuredAggregationQuery": {"structuredQuery": query, "aggregations": chosen}}, parent

    def rules(self):
        r = self.r
        atoms = [
            "true", "false", "request.auth != null", "request.auth.uid == 'u1'", "resource == null", "resource.data.x == 1",
            "request.resource.data.x == 1", "request.resource.data.keys().hasOnly(['x', 'y', 'm', 'z'])", "request.resource.data.x is number",
            "resource.data.y == request.resource.data.y", "request.resource.data.diff(resource.data).affectedKeys().hasOnly(['x', 'm'])",
            "exists(/databases/$(database)/documents/q/a)", "existsAfter(/databases/$(database)/documents/q/b)", "getAfter(/databases/$(database)/documents/q/a).data.x == 1",
            "get(/databases/$(database)/documents/q/a).data.x == request.resource.data.x", "getAfter(request.path).data == request.resource.data",
            "request.resource.data.m.k > 1", "request.method == 'create'", "request.writeFields == null", "id == 'a'", "request.resource.data.z == request.time",
            "getAfter(/databases/$(database)/documents/q/b) != null", "request.resource.id == id", "resource.data.size() > 1"]
        def condition(depth=0):
            k = r.random()
            if depth < 2 and k < .25: return f"({condition(depth + 1)} && {condition(depth + 1)})"
            if depth < 2 and k < .45: return f"({condition(depth + 1)} || {condition(depth + 1)})"
            if k < .5: return f"!({condition(depth + 1)})"
            return r.choice(atoms)
        methods = ["create", "update", "delete", "write", "get", "read", "list", "create, update"]
        allows = "\n".join(f"allow {r.choice(methods)}: if {condition()};" for _ in range(r.randrange(2, 6)))
        return "rules_version = '2';\nservice cloud.firestore {\nmatch /databases/{database}/documents {\nmatch /{path=**}/q/{id} {\n" + allows + "\n}\nmatch /r/{id} { allow read, write; }\n}\n}\n"

    def operation(self, known, transactions):
        r = self.r
        k = r.randrange(100)
        auth = "owner" if r.random() < .6 else r.choice([None, {"sub": "u1", "user_id": "u1", "email": "a@b.c"}])
        if k < 45: return "commit", "", self.commit(known), auth
        if k < 80:
            query, parent = self.query()
            return "runQuery", parent, {"structuredQuery": query}, auth if r.random() < .3 else "owner"
        if k < 86:
            body, parent = self.aggregation()
            return "runAggregationQuery", parent, body, auth if r.random() < .3 else "owner"
        if k < 89: return "batchGet", "", {"documents": [self.name() for _ in range(r.randrange(1, 4))]}, auth
        if k < 91: return "get", self.path(), {}, auth
        if k < 93: return "listCollectionIds", r.choice(["", "q/a", "q/a/q/b", "s/a", "nobody/x"]), {}, "owner"
        if k < 95: return "beginTransaction", "", {"options": r.choice([{"readWrite": {}}, {"readOnly": {}}])}, "owner"
        if not transactions: return "commit", "", self.commit(known), auth
        token = r.choice(transactions)
        k = r.randrange(5)
        if k == 0: return "batchGet", "", {"documents": [self.name()], "transaction": "#" + token}, "owner"
        if k == 4:
            query, parent = self.query()
            return "runQuery", parent, {"structuredQuery": query, "transaction": "#" + token}, "owner"
        if k == 1: return "rollback", "", {"transaction": "#" + token}, "owner"
        return "commit", "", {**self.commit(known), "transaction": "#" + token}, "owner"


def fill(side, body, tokens):
    """Puts this side's own times and transactions where a question names them."""
    if isinstance(body, dict):
        return {k: fill(side, v, tokens) for k, v in body.items()}
    if isinstance(body, list):
        return [fill(side, v, tokens) for v in body]
    if isinstance(body, str) and body[:1] == "@":
        return next((t for t, label in side.times.items() if label == body[1:]), "2020-01-01T00:00:00Z")
    if isinstance(body, str) and body[:1] == "#":
        return tokens.get(body, body)
    return body


def error(answer):
    body = answer[1][0] if isinstance(answer[1], list) and answer[1] else answer[1]
    return body.get("error", {}) if isinstance(body, dict) else {}


def is_other_word(official, ours):
    """Both refuse a question that is wrong in itself. Of several mistakes another may be named."""
    return official != ours and error(official).get("status") == error(ours).get("status") == "INVALID_ARGUMENT"


def deletes_at_deletion(body, log):
    """Whether every write that demands a time of update deletes a document, and the time is that of an earlier deletion of it."""
    demanding = [w for w in body.get("writes", []) if "updateTime" in w.get("currentDocument", {})]
    def is_deletion(write):
        number = int(write["currentDocument"]["updateTime"][2:])
        return "delete" in write and any(w.get("delete") == write["delete"] for w in log[number]["body"].get("writes", []))
    return bool(demanding) and all(is_deletion(w) for w in demanding)


def is_explained(official, ours, body, rules, log):
    """What docs/parity.md has on databases and queries. In none of these do we allow more than the emulator."""
    text = error(ours).get("message", "")
    # Filters on a field and on something within it; a query of no collection.
    if text.endswith("be judged."): return True
    # The emulator remembers when a document was deleted.
    if text.startswith("the stored version") and error(official).get("status") == "NOT_FOUND": return True
    if text.startswith("the stored version") and official[0] == 200 and deletes_at_deletion(body, log): return True
    # Of a document that a commit only verifies, request.resource and request.writeFields are as in a read for us: absent.
    if error(ours).get("code") == 403 and ("writeFields" in rules or "request.resource" in rules):
        if any("verify" in w for w in body.get("writes", [])): return True
    # A write that breaks a law of names, and of which a later one of the same commit leaves nothing.
    writes = body.get("writes", [])
    names = [w.get("delete") or w.get("update", {}).get("name") for w in writes]
    return text == "The property.name is the empty string." and any(
        "" in w.get("update", {}).get("fields", {}) and any(n == names[i] and "updateMask" not in v for n, v in zip(names[i + 1:], writes[i + 1:]))
        for i, w in enumerate(writes))


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--seeds", default="1")
    options.add_argument("--count", type=int, default=2000)
    options.add_argument("--program", default=".build/release/rules-answer")
    options.add_argument("--record")
    options.add_argument("--stop", type=int, default=20, help="differences that are shown")
    options.add_argument("--sqlite")
    options.add_argument("--words", action="store_true", help="show where another mistake is named")
    options = options.parse_args()
    if jar() is None and "FIRESTORE_EMULATOR_HOST" not in os.environ:
        print("skipped: emulator not installed")
        return 0
    os.environ["FIRESTORE_EMULATOR_HOST"], process = start()
    try:
        return run(options)
    finally:
        if process: process.terminate()


def run(options):
    project = f"parity-state{os.getpid()}"
    emulator, ours = Emulator(project), Ours(project, options.program, options.sqlite)
    shown, counts, total = 0, {}, 0
    everything = {"structuredQuery": {"from": [{"allDescendants": True}]}}
    for seed in options.seeds.split():
        r = random.Random(f"state {seed}")
        done = 0
        while done < options.count:
            questions = Questions(r, project)
            rules = questions.rules()
            emulator.open(rules)
            ours.open(rules)
            known, transactions, log = [], [], []
            tokens = {id(emulator): {}, id(ours): {}}
            for number in range(min(60, options.count - done)):
                method, parent, body, auth = questions.operation(known, transactions)
                if number % 10 == 9: method, parent, body, auth = "runQuery", "", everything, "owner"
                answers = []
                for side in (emulator, ours):
                    side.single = len(body.get("writes", body.get("documents", [0]))) == 1
                    raw = side.ask(method, parent, fill(side, body, tokens[id(side)]), auth)
                    if method == "beginTransaction" and raw[0] == 200:
                        tokens[id(side)][f"#X{number}"] = raw[1].get("transaction", "")
                    answers.append(normal(side, number, raw, method, body))
                if method == "beginTransaction": transactions.append(f"X{number}")
                if method in ("commit", "rollback") and "transaction" in body: transactions.remove(body["transaction"][1:])
                if f"T{number}" in emulator.times.values(): known.append(f"T{number}")
                counts[method, answers[0][0]] = counts.get((method, answers[0][0]), 0) + 1
                done += 1
                total += 1
                if answers[0][0] == 409 and "lock timeout" in str(answers[0][1]):
                    # The emulator locks what an open transaction has read; we look whether it is still so at its end.
                    break
                log.append({"method": method, "parent": parent, "body": body, "auth": auth, "answer": answers[0]})
                if is_other_word(*answers):
                    counts["words", 400] = counts.get(("words", 400), 0) + 1
                    if options.words: print("  " + answers[0][1]["error"]["message"][:150] + "  |  " + answers[1][1]["error"]["message"][:150])
                elif answers[0] != answers[1] and is_explained(*answers, body, rules, log):
                    counts["explained", answers[0][0]] = counts.get(("explained", answers[0][0]), 0) + 1
                    break
                elif answers[0] != answers[1] and answers[0][0] != 500:
                    shown += 1
                    print(f"--- seed {seed} operation {done} {method} {parent} {json.dumps(auth)}")
                    print("  " + json.dumps(body, ensure_ascii=False)[:1500])
                    print("  official: " + json.dumps(answers[0], ensure_ascii=False)[:1500])
                    print("  ours:     " + json.dumps(answers[1], ensure_ascii=False)[:1500])
                    if answers[0][0] in (403,) or answers[1][0] in (403,): print(rules)
                    for found in emulator.ask("runQuery", "", everything, "owner")[1] if "Query" in method else []:
                        if "document" in found: print("    " + json.dumps(normal(emulator, 0, [200, found["document"]], "", {})[1], ensure_ascii=False))
                    if shown >= options.stop:
                        print(f"{total} operations, stopped")
                        return 1
                    break
            for side in (emulator, ours):
                # An open transaction of the emulator keeps documents from being cleared; a commit that fails leaves it open.
                for token in tokens[id(side)].values(): side.ask("rollback", "", {"transaction": token}, "owner")
            if options.record:
                with open(options.record, "a") as f:
                    f.write(json.dumps({"project": project, "rules": rules, "steps": log}, ensure_ascii=False) + "\n")
    print(f"seeds {options.seeds}: {total} operations, {shown} differences")
    print("  " + ", ".join(f"{m} {s}: {n}" for (m, s), n in sorted(counts.items())))
    return 1 if shown else 0


if __name__ == "__main__":
    sys.exit(main())
