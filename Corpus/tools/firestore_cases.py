#!/usr/bin/env python3
"""Puts sequences of requests that were thought up, not drawn, to the official emulator's REST interface, and writes them
with its answers, one JSON line each, in the form of Corpus/firestore.jsonl.

  firestore_cases.py FILE

Where a random sequence showed a difference, what lay behind it is asked here in all its forms. FIRESTORE_EMULATOR_HOST
names an emulator that runs already.
"""
import itertools, json, sys

from firestore_parity import A, D, Emulator, I, M, NULL, S, fill, normal

PROJECT = "demo-cases"
NAME = f"projects/{PROJECT}/databases/(default)/documents/"
USER = {"sub": "u1", "user_id": "u1"}
OPEN = "allow read, write;"


def rules(allows):
    return "rules_version = '2';\nservice cloud.firestore {\nmatch /databases/{database}/documents {\nmatch /q/{id} {\n" + allows + "\n}\n}\n}\n"


def commit(*writes, auth=USER): return ["commit", "", {"writes": list(writes)}, auth]
def write(path, fields, mask=None, transforms=None, **precondition):
    write = {"update": {"name": NAME + path, "fields": fields}}
    if mask is not None: write["updateMask"] = {"fieldPaths": mask}
    if transforms: write["updateTransforms"] = transforms
    return {**write, **requiring(precondition)}
def delete(path, **precondition): return {"delete": NAME + path, **requiring(precondition)}
def requiring(precondition): return {"currentDocument": precondition} if precondition else {}
def get(path): return ["get", path, {}, "owner"]


def query(where=None, orders=(), parent="", auth="owner", source=None, **more):
    body = {"from": [source or {"collectionId": "q"}], **more}
    if where: body["where"] = where
    if orders: body["orderBy"] = [order(o) for o in orders]
    return ["runQuery", parent, {"structuredQuery": body}, auth]
def aggregate(fields, *more, auth="owner", **options):
    body = query(*more, **options)[2]["structuredQuery"]
    sums = [{"alias": f"s{i}", "sum": {"field": {"fieldPath": f}}} for i, f in enumerate(fields)]
    return ["runAggregationQuery", options.get("parent", ""), {"structuredAggregationQuery": {"structuredQuery": body, "aggregations": sums + [{"alias": "c", "count": {}}]}}, auth]
def order(text): return {"field": {"fieldPath": text.lstrip("-")}, "direction": "DESCENDING" if text[0] == "-" else "ASCENDING"}
def compare(field, op, value): return {"fieldFilter": {"field": {"fieldPath": field}, "op": op, "value": value}}
def unary(field, op): return {"unaryFilter": {"field": {"fieldPath": field}, "op": op}}
def both(*filters): return {"compositeFilter": {"op": "AND", "filters": list(filters)}}
def either(*filters): return {"compositeFilter": {"op": "OR", "filters": list(filters)}}


def several_writes():
    """Two writes of one document: what they are judged as, what becomes of its times."""
    forms = {"set": lambda p: write("q/a", {"x": I(2)}, **p), "merge": lambda p: write("q/a", {"x": I(2)}, ["x"], **p), "delete": lambda p: delete("q/a", **p)}
    conditions = [{}, {"exists": True}, {"exists": False}, {"updateTime": "@T1"}]
    for allows in ("allow create;", "allow update;", "allow delete;", "allow write: if resource == null;"):
        for exists, same in ((False, False), (True, False), (True, True)):
            if (exists, same) != (True, False) and allows not in ("allow create;", "allow update;"): continue
            for first, second in itertools.product(("set", "delete"), forms):
                steps = []
                for p, q in itertools.product(conditions, conditions):
                    # A precondition names the time of the document's last write, if there is one.
                    steps += [commit(delete("q/a"), auth="owner")]
                    if exists: steps += [commit(write("q/a", {"x": I(2 if same else 1)}), auth="owner")]
                    label = f"@T{len(steps) - 1}"
                    at = lambda c: {"updateTime": label} if "updateTime" in c else c
                    steps += [commit(forms[first](at(p)), forms[second](at(q)))]
                    if allows == "allow update;" and exists: steps += [get("q/a")]
                yield allows, steps


def write_fields():
    """What request.writeFields and request.transforms hold after several writes of one document."""
    now = lambda f: [{"fieldPath": f, "setToServerValue": "REQUEST_TIME"}]
    forms = {"S": write("q/a", {"x": I(1), "y": I(1)}), "M": write("q/a", {"x": I(2)}, ["x"]), "T": write("q/a", {"x": I(3)}, None, now("z")),
             "N": write("q/a", {"y": I(4)}, ["y"], now("w")), "D": delete("q/a")}
    sets = ["null"] + ["[" + ", ".join(f"'{f}'" for f in some) + "]" for n in (1, 2, 3, 4) for some in itertools.combinations("wxyz", n)]
    for name in ("writeFields", "transforms"):
        for value in sets:
            test = f"request.{name} == null" if value == "null" else f"request.{name}.toSet() == {value}.toSet()"
            steps = [commit(write("q/a", {"k": I(1)}), auth="owner")]
            for n in (2, 3):
                for some in itertools.product("SMTND", repeat=n):
                    if n == 3 and value not in ("null", "['z']", "['w', 'z']", "['w', 'y', 'z']"): continue
                    if n == 3 and some[0] not in "TN": continue
                    steps.append(commit(*[forms[f] for f in some]))
            yield f"allow write: if {test};", steps


def orders():
    """Two directions at once; what is summed orders the results."""
    names = ["a", "b", "c", "d"]
    values = [I(1), S("x"), M(k=I(1)), I(1)]
    steps = [commit(*[write(f"q/{n}", {"x": v, "y": I(i % 2), "m": M(k=I(9 - i))}) for i, (n, v) in enumerate(zip(names, values))], write("q/e", {"y": I(7)}))]
    for some in (["x", "-__name__"], ["-x", "__name__"], ["y", "-x"], ["-y", "x", "-__name__"], ["m.k", "-__name__"]):
        for limit in (None, 1, 3):
            steps.append(query(orders=some, **({"limit": limit} if limit else {})))
            steps.append(query(orders=some, startAt={"values": [I(1)], "before": False}, **({"limit": limit} if limit else {})))
    for fields in (["y"], ["x", "y"], ["y", "x"], ["m.k"], ["m.k", "y"], ["x", "m.k"]):
        for limit in (1, 2):
            for some in ([], ["-y"], ["x"], ["-m.k"]): steps.append(aggregate(fields, None, some, limit=limit))
            steps.append(aggregate(fields, compare("y", "GREATER_THAN", I(-1)), limit=limit))
            steps.append(aggregate(fields, compare("y", "EQUAL", I(1)), limit=limit))
            steps.append(aggregate(fields, source={"collectionId": "q", "allDescendants": True}, limit=limit))
            steps.append(aggregate(fields, source={"allDescendants": True}, limit=limit))
    for parent in ("", "q/a"):
        for source in ({"allDescendants": True}, {"collectionId": "q", "allDescendants": True}): steps.append(aggregate(["y"], source=source, parent=parent))
    yield OPEN, steps


def laws():
    """Which laws of queries come before the rules, and which behind; sizes of what is compared."""
    reference = {"referenceValue": NAME + "q/a"}
    down = compare("__name__", "LESS_THAN_OR_EQUAL", reference)
    named = compare("__name__", "EQUAL", reference)
    for allows in (OPEN, "allow read: if false;"):
        steps = []
        asked = [(None, ["x", "x"]), (None, ["x", "__name__", "y"]), (compare("x", "GREATER_THAN", I(1)), ["__name__"]), (None, ["-__name__"]),
                 (both(named, compare("x", "GREATER_THAN", I(1))), []), (both(named, compare("x", "EQUAL", I(1))), []),
                 (compare("x", "NOT_IN", A(NULL)), ["y", "__name__"]), (compare("x", "NOT_IN", A(NULL, I(1))), ["y", "__name__"]),
                 (compare("x", "NOT_EQUAL", NULL), ["y", "__name__"]), (compare("x", "GREATER_THAN", D("NaN")), ["y", "__name__"]),
                 (both(compare("x", "ARRAY_CONTAINS", I(1)), compare("y", "ARRAY_CONTAINS", I(1))), []), (compare("x", "IN", A()), [])]
        for where, some in asked:
            steps += [query(where, some, auth=USER), aggregate([], where, some, auth=USER), aggregate(["y"], where, some, auth=USER)]
            steps.append(query(where, some, parent="q/a", source={"collectionId": "q", "allDescendants": True}, auth=USER))
        for where in (down, both(down, compare("m", "GREATER_THAN", I(1))), both(down, compare("m", "EQUAL", I(1))), either(down, unary("m", "IS_NOT_NAN"))):
            steps += [aggregate(["m"], where, auth=USER), aggregate(["m", "y"], where, auth=USER)]
        yield allows, steps
    steps = []
    sizes = [(S, "x", 1499), (lambda s: A(S(s)), "x", 1499), (lambda s: M(k=S(s)), "x", 1497), (lambda s: M(a=M(k=S(s))), "x", 1495), (S, "é", 749),
             (lambda s: {"referenceValue": NAME + "q/" + s}, "x", 1481)]
    for make, text, limit in sizes:
        for n in (limit, limit + 1): steps.append(query(compare("x", "EQUAL", make(text * n))))
    yield OPEN, steps


def transactions():
    """What a transaction sees of commits that came after it began."""
    read = lambda n, paths: ["batchGet", "", {"documents": [NAME + p for p in paths], "transaction": f"#X{n}"}, "owner"]
    for kind in ("readOnly", "readWrite"):
        steps = [commit(write("q/a", {"x": I(1)}), write("q/b", {"x": I(1)}), auth="owner"), ["beginTransaction", "", {"options": {kind: {}}}, "owner"]]
        steps += [commit(write("q/a", {"x": I(2)}), auth="owner"), read(1, ["q/a"]), commit(write("q/b", {"x": I(2)}), auth="owner"), read(1, ["q/b", "q/a"])]
        found = query(compare("x", "EQUAL", I(2)))
        found[2]["transaction"] = "#X1"
        steps += [found, ["commit", "", {"writes": [], "transaction": "#X1"}, "owner"]]
        yield OPEN, steps


def main():
    emulator = Emulator(PROJECT)
    with open(sys.argv[1], "w") as file:
        for cases in (several_writes, write_fields, orders, laws, transactions):
            count = 0
            for allows, steps in cases():
                emulator.open(rules(allows))
                tokens, log = {}, []
                for number, (method, parent, body, auth) in enumerate(steps):
                    emulator.single = len(body.get("writes", body.get("documents", [0]))) == 1
                    raw = emulator.ask(method, parent, fill(emulator, body, tokens), auth)
                    if method == "beginTransaction": tokens[f"#X{number}"] = raw[1]["transaction"]
                    answer = normal(emulator, number, raw, method, body)
                    log.append({"method": method, "parent": parent, "body": body, "auth": auth, "answer": answer})
                    count += 1
                file.write(json.dumps({"project": PROJECT, "rules": rules(allows), "steps": log}, ensure_ascii=False) + "\n")
            print(f"{cases.__name__}: {count} requests")


if __name__ == "__main__":
    sys.exit(main())
