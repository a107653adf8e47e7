"""Records what the official emulator makes of fields that a query constrains: constraints.jsonl.

  python3 constraints.py > ../constraints.jsonl

The first line is the list of operands. Each other line is one constraint and one operation: `constraint` in the
coverage report's encoding, `do` (an operator, `in` or `hasAny`), `side` (where the field stands) and `answers`, a
letter for each operand: A true, F false, U unknown, T a type error.
"""
import json, sys
from emulator import Emulator, call

OPERATORS = {"<": "LESS_THAN", "<=": "LESS_THAN_OR_EQUAL", ">": "GREATER_THAN", ">=": "GREATER_THAN_OR_EQUAL",
             "==": "EQUAL", "!=": "NOT_EQUAL", "ac": "ARRAY_CONTAINS"}
emulator = Emulator("constraints-corpus")
PLACE = f"projects/{emulator.project}/databases/(default)/documents/a/b"

# What the query compares with: REST encoding.
KNOWN = {
    "2": {"integerValue": "2"}, "2.0": {"doubleValue": 2.0}, "b": {"stringValue": "b"}, "true": {"booleanValue": True},
    "time": {"timestampValue": "1970-01-01T00:00:01Z"}, "bytes": {"bytesValue": "eA=="},
    "list": {"arrayValue": {"values": [{"integerValue": "1"}]}},
    "map": {"mapValue": {"fields": {"a": {"integerValue": "1"}}}},
    "latlng": {"geoPointValue": {"latitude": 1, "longitude": 2}}, "path": {"referenceValue": PLACE},
    "null": {"nullValue": None}, "NaN": {"doubleValue": "NaN"}}


def n(i): return {"intValue": str(i)}
def ll(items): return {"listValue": {"values": items}}


SEGMENTS = [{"simple": s} for s in ["databases", "(default)", "documents", "a", "b"]]
# What the rule compares with: text and the coverage report's encoding.
OPERANDS = [
    ("1", n(1)), ("2", n(2)), ("3", n(3)), ("1.5", {"floatValue": 1.5}), ("2.0", {"floatValue": 2.0}),
    ("2.5", {"floatValue": 2.5}), ("(0.0 / 0.0)", {"floatValue": "NaN"}), ("'a'", {"stringValue": "a"}),
    ("'b'", {"stringValue": "b"}), ("'c'", {"stringValue": "c"}), ("true", {"boolValue": True}),
    ("false", {"boolValue": False}), ("null", {"nullValue": None}),
    ("timestamp.value(500)", {"timestampValue": "1970-01-01T00:00:00.500Z"}),
    ("timestamp.value(1000)", {"timestampValue": "1970-01-01T00:00:01Z"}),
    ("timestamp.value(2000)", {"timestampValue": "1970-01-01T00:00:02Z"}),
    ("duration.value(1, 's')", {"durationValue": "1s"}), ("b'w'", {"bytesValue": "dw=="}),
    ("b'x'", {"bytesValue": "eA=="}), ("b'y'", {"bytesValue": "eQ=="}), ("[1]", ll([n(1)])),
    ("[1.0]", ll([{"floatValue": 1.0}])), ("{'a': 1}", {"mapValue": {"fields": {"a": n(1)}}}),
    ("{'a': 1.0}", {"mapValue": {"fields": {"a": {"floatValue": 1.0}}}}),
    ("latlng.value(1, 2)", {"latlngValue": {"latitude": 1.0, "longitude": 2.0}}),
    ("latlng.value(1, 3)", {"latlngValue": {"latitude": 1.0, "longitude": 3.0}}),
    ("/databases/(default)/documents/a/b", {"pathValue": {"segments": SEGMENTS}}),
    ("/databases/(default)/documents/a/{x}", {"pathValue": {"segments": SEGMENTS[:4] + [{"capture": {"variableName": "x"}}]}}),
    ("[1].toSet()", {"setValue": {"values": [n(1)]}}), ("{}.diff({})", {"mapDiffValue": {}})]


def field(op, known):
    path = {"fieldPath": "n"}
    if op.startswith("IS_"):
        return {"unaryFilter": {"op": op, "field": path}}
    return {"fieldFilter": {"field": path, "op": OPERATORS[op], "value": KNOWN[known]}}


FILTERS = [[(op, known)] for op in OPERATORS if op != "==" for known in KNOWN]
FILTERS += [[("==", known), ("ac", "bytes")] for known in KNOWN]
FILTERS += [[("IS_NOT_NULL", "")], [("IS_NOT_NAN", "")], [("IS_NAN", ""), (">", "2")], [("IS_NAN", ""), ("ac", "b")],
            [("==", "2"), (">", "2.0")], [(">", "2"), ("<", "2.0")], [("!=", "2"), ("!=", "b")], [("==", "list"), ("ac", "2")],
            [(">=", "2"), ("<=", "2")], [("==", "null"), (">", "2")]]


def query(i, question):
    filters = [field(*f) for f in question["filters"]]
    where = filters[0] if len(filters) == 1 else {"compositeFilter": {"op": "AND", "filters": filters}}
    body = {"structuredQuery": {"from": [{"collectionId": f"c{i}"}], "where": where}}
    return call("POST", f"{emulator.documents}:runQuery", body, auth={"email": "a@b.c"})


def letter(answer):
    if answer.get("value") == {"boolValue": True}: return "A"
    if answer.get("value") == {"boolValue": False}: return "F"
    if answer.get("unknown"): return "U"
    if answer.get("message", "").startswith("Type error."): return "T"
    return "?"


shown = emulator.ask([{"expr": "resource.data.n", "filters": f} for f in FILTERS], "list", query)
print(json.dumps({"operands": [o[1] for o in OPERANDS]}))
seen = set()
for filters, constraint in zip(FILTERS, shown):
    constraint = constraint.get("value", {})
    key = json.dumps(constraint)
    if "constraintValue" not in constraint or key in seen:
        continue
    seen.add(key)
    rows = [(op, "left") for op in ["<", "<=", ">", ">=", "==", "!=", "hasAny"]] + [("in", "right")]
    if len(filters) > 1 or filters[0][1] in ("2", "2.0", "b"):
        rows += [(op, "right") for op in ["<", "<=", ">", ">=", "==", "!="]]
    asked = []
    for op, side in rows:
        for text, _ in OPERANDS:
            e = (f"resource.data.n.hasAny([{text}])" if op == "hasAny" else
                 f"resource.data.n {op} {text}" if side == "left" else f"{text} {op} resource.data.n")
            asked.append({"expr": e, "filters": filters})
    answers = [letter(a) for a in emulator.ask(asked, "list", query, chunk=250)]
    for i, (op, side) in enumerate(rows):
        row = "".join(answers[i * len(OPERANDS):(i + 1) * len(OPERANDS)])
        print(json.dumps({"constraint": constraint, "do": op, "side": side, "answers": row}))
    sys.stdout.flush()
