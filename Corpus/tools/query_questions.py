"""Random rules that judge queries, and random queries for them to judge.

A condition is a tree `(text, parts)`: the text has a `{}` for each part. So it can be shrunk."""
import random

FIELDS = ["n", "n", "n", "s", "t", "o", "m.a", "m.b", "m", "`x.y`"]
DOCUMENTS = {
    "/t/a": {"n": 5, "s": "b", "t": [1, 2], "o": "u1", "m": {"a": 1}}, "/t/b": {"n": 2.5, "o": "u2"},
    "/t/c": {}, "/g/a": {"n": 1, "o": "u1"}, "/a/b/g/c": {"n": 2, "o": "u2"}, "/a/b/t/a": {"n": 3},
    "/p/good": {"x": 1, "n": 2, "o": "u1"}, "/p/bad": {"x": 2}, "/p/u1": {"role": "admin", "t": [1, "u1"]}}

USER = {"sub": "u1", "user_id": "u1", "email": "a@b.c", "iat": 1700000000, "exp": 4000000000}


def rest(x):
    if x is None: return {"nullValue": None}
    if isinstance(x, bool): return {"booleanValue": x}
    if isinstance(x, int): return {"integerValue": str(x)}
    if isinstance(x, float): return {"doubleValue": "NaN" if x != x else x}
    if isinstance(x, str): return {"stringValue": x}
    if isinstance(x, list): return {"arrayValue": {"values": [rest(i) for i in x]}}
    if len(x) == 1 and next(iter(x)).endswith("Value"): return x
    return {"mapValue": {"fields": {k: rest(v) for k, v in x.items()}}}


def reference(path):
    return {"referenceValue": f"projects/PROJECT/databases/(default)/documents/{path}"}


def render(tree):
    text, parts = tree
    for part in parts:
        text = text.replace("{}", "\x01", 1).replace("\x01", render(part), 1) if "{}" in text else text
    return text


# Texts and the values that they stand for in a query.
LITERALS = [("1", 1), ("2", 2), ("3", 3), ("0", 0), ("-1", -1), ("2.0", 2.0), ("1.5", 1.5), ("2.5", 2.5), ("'a'", "a"), ("'b'", "b"),
            ("'u1'", "u1"), ("'u2'", "u2"), ("''", ""), ("true", True), ("false", False), ("null", None), ("[1]", [1]),
            ("[1, 2]", [1, 2]), ("[]", []), ("(0.0 / 0.0)", float("nan")), ("b'x'", {"bytesValue": "eA=="}),
            ("timestamp.value(1000)", {"timestampValue": "1970-01-01T00:00:01Z"}), ("latlng.value(1, 2)", {"geoPointValue": {"latitude": 1, "longitude": 2}}),
            ("/databases/$(database)/documents/t/a", reference("t/a"))]


class Questions:
    def __init__(self, r):
        self.r = r

    # MARK: Conditions

    def pick(self, *choices):
        return self.r.choice(choices)

    def literal(self):
        return (self.r.choice(LITERALS[:12] if self.r.random() < 0.75 else LITERALS)[0], [])

    def field(self):
        f = self.r.choice(FIELDS)
        data = self.pick("resource.data") if self.r.random() < 0.95 else "resource['data']"
        if f == "`x.y`": return (data + "['x.y']", [])
        return (f"{data}.{f}", [])

    def value(self, depth):
        k = self.r.random()
        if k < 0.5: return self.field()
        if k < 0.8 or depth <= 0: return self.literal()
        return self.pick(
            lambda: ("request.auth.uid", []), lambda: ("resource.data.get('n', {})", [self.literal()]),
            lambda: ("resource.data.get(['m', 'a'], {})", [self.literal()]), lambda: ("({} + {})", [self.value(depth - 1), self.value(0)]),
            lambda: ("same({})", [self.value(depth - 1)]), lambda: ("({} ? {} : {})", [self.boolean(depth - 1), self.value(0), self.value(0)]),
            lambda: ("request.query." + self.pick("limit", "offset", "limit", "kind", "parent", "ancestor", "allDescendants"), []),
            lambda: ("request.query.orderBy." + self.pick("n", "s"), []), lambda: ("id", []), lambda: ("resource.__name__", []),
            lambda: ("resource.id", []), lambda: ("request.path", []), lambda: ("request.method", []),
            lambda: ("[{}, {}]", [self.value(0), self.value(0)]), lambda: ("resource.data.size()", []), lambda: ("{}.size()", [self.field()]),
            lambda: ("{}[0]", [self.field()]), lambda: ("resource.data.keys()", []), lambda: ("get({}).data.x", [self.place()]),
            lambda: ("get({}).data.{}", [self.place(), (self.pick("n", "o", "t", "role"), [])]), lambda: ("request.auth.token.email", []),
            lambda: ("resource.data", []), lambda: ("resource", []), lambda: ("request.query", []), lambda: ("parts", []),
            lambda: ("{'n': {}}".replace("{'n': {}}", "({'n': 1, 'k': {}})"), [self.value(0)]), lambda: ("string({})", [self.value(0)]))()

    def place(self):
        return self.pick(
            lambda: ("/databases/$(database)/documents/p/" + self.pick("good", "bad", "none", "u1"), []),
            lambda: ("/databases/$(database)/documents/p/$(request.auth.uid)", []),
            lambda: ("/databases/$(database)/documents/p/$({})", [self.value(0)]),
            lambda: ("/databases/$(database)/documents/t/$(id)", []), lambda: ("/databases/$(database)/documents/t/a", []))()

    def boolean(self, depth):
        k = self.r.random()
        if depth <= 0 or k < 0.42:
            op = self.pick("==", "==", "!=", "<", "<=", ">", ">=")
            return self.pick(
                lambda: (f"{{}} {op} {{}}", [self.field(), self.literal()]), lambda: (f"{{}} {op} {{}}", [self.field(), self.literal()]),
                lambda: (f"{{}} {op} {{}}", [self.literal(), self.field()]), lambda: (f"{{}} {op} {{}}", [self.value(depth), self.value(depth)]))()
        if k < 0.52: return ("({} && {})", [self.boolean(depth - 1), self.boolean(depth - 1)])
        if k < 0.62: return ("({} || {})", [self.boolean(depth - 1), self.boolean(depth - 1)])
        if k < 0.68: return ("!({})", [self.boolean(depth - 1)])
        return self.pick(
            lambda: ("({} in {})", [self.literal(), self.field()]), lambda: ("({} in {})", [self.field(), self.pick(
                lambda: ("[1, 2, 3]", []), lambda: ("[5]", []), lambda: ("['u1', 'u2']", []), lambda: ("['u1', 2].toSet()", []), lambda: ("[{}]", [self.value(0)]))()]),
            lambda: ("{}.hasAny([{}, {}])", [self.field(), self.literal(), self.literal()]), lambda: ("{}.has" + self.pick("All", "Only") + "([{}])", [self.field(), self.literal()]),
            lambda: ("({} is " + self.pick("int", "number", "string", "list", "constraint", "map", "null", "bool", "path", "float").replace("null", "timestamp") + ")", [self.field()]),
            lambda: ("resource.data.keys().has" + self.pick("Only", "All", "Any") + "(['n', '" + self.pick("s", "o", "t", "m") + "'])", []),
            lambda: ("('" + self.pick("n", "s", "secret", "m") + "' in resource.data)", []), lambda: ("('" + self.pick("a", "b") + "' in resource.data.m)", []),
            lambda: ("({} ? {} : {})", [self.boolean(depth - 1), self.boolean(depth - 1), self.boolean(depth - 1)]),
            lambda: ("exists({})", [self.place()]), lambda: ("(get({}).data.x == {})", [self.place(), self.literal()]),
            lambda: ("(request.query.limit <= " + self.pick("2", "5", "null") + ")", []), lambda: ("(request.query.limit != null)", []), lambda: ("(request.query.offset < 2)", []),
            lambda: ("(request.query.orderBy.n == '" + self.pick("ASC", "DESC") + "')", []), lambda: ("('n' in request.query.orderBy)", []),
            lambda: ("mine({})", [self.value(0)]), lambda: ("above({}, {})", [self.value(0), self.boolean(depth - 1)]), lambda: ("isOwner(resource.data)", []),
            lambda: ("resource.data.diff({'n': 1}).affectedKeys().hasOnly(['n'])", []), lambda: ("resource.data.diff({'n': 1}).addedKeys().size() == {}", [self.literal()]),
            lambda: ("(resource.data == {'n': {}})".replace("{'n': {}}", "{'n': 2}"), []), lambda: ("(resource == null)", []), lambda: ("(resource.data != null)", []),
            lambda: ("math.isNaN({})", [self.field()]), lambda: ("{}.matches('" + self.pick("b", "u.", ".*") + "')", [self.field()]),
            lambda: ("(id " + self.pick("==", "!=") + " '" + self.pick("a", "b") + "')", []), lambda: ("(id in ['a', 'b'])", []),
            lambda: ("(resource.__name__ " + self.pick("==", "!=", "in") + " " + self.pick("/databases/$(database)/documents/t/a", "[/databases/$(database)/documents/t/a]") + ")", []),
            lambda: ("(parts == /a/b)", []), lambda: ("(parts[0] == 'a')", []), lambda: ("{}", [self.field()]), lambda: ("(request.auth != null)", []),
            lambda: ("(request.auth.uid == {})", [self.field()]), lambda: ("(request.auth.uid in {})", [self.field()]), lambda: ("existsAfter({})", [self.place()]))()

    def simple(self, depth):
        """The shapes of Appendix A: nothing but comparisons of one field."""
        k = self.r.random()
        number = (self.pick("0", "1", "2", "3", "4", "0.5", "1.0", "2.0", "1.5", "'a'", "'b'", "null", "true"), [])
        f = ("resource.data.n", [])
        if depth > 0 and k < 0.3: return self.pick(("({} && {})", [self.simple(depth - 1), self.simple(depth - 1)]), ("({} || {})", [self.simple(depth - 1), self.simple(depth - 1)]), ("!({})", [self.simple(depth - 1)]))
        op = self.pick("==", "!=", "<", "<=", ">", ">=")
        if k < 0.75: return (f"{{}} {op} {{}}", [f, number])
        if k < 0.85: return (f"{{}} {op} {{}}", [number, f])
        return self.pick(("({} in [{}, {}])", [f, number, number]), ("({} in {})", [number, f]), ("{}.hasAny([{}])", [f, number]), ("({} is number)", [f]), ("{} == {}", [f, f]),
                         ("({} == 2 ? true : {} > 1)", [f, f]))

    def allow(self):
        condition = self.simple(2) if self.r.random() < 0.35 else self.boolean(self.r.choice([0, 1, 2, 3]))
        return {"methods": self.r.choice(["list", "list", "list", "read", "get", "write"] if self.r.random() < 0.3 else ["list"]), "condition": condition}

    def block(self, i):
        """A match block for the collection `c{i}`."""
        pattern = self.r.choice([f"/c{i}/{{id}}"] * 8 + [f"/{{parts=**}}/c{i}/{{id}}", f"/a/{{b}}/c{i}/{{id}}", f"/c{i}/{{parts=**}}", f"/c{i}/a", f"/c{i}/{{id}}/{{parts=**}}"])
        return {"pattern": pattern, "allows": [self.allow() for _ in range(self.r.choice([1, 1, 1, 1, 2, 3]))]}

    # MARK: Queries

    def operand(self):
        k = self.r.random()
        if k < 0.6: return self.pick(0, 1, 2, 3, 4, 2.0, 1.5, 2.5, 0.5)
        return rest(self.r.choice(LITERALS)[1])

    def filter(self, depth, state):
        k = self.r.random()
        if depth > 0 and k < 0.3:
            return {"compositeFilter": {"op": "AND", "filters": [self.filter(depth - 1, state) for _ in range(self.r.choice([1, 2, 2, 3]))]}}
        if depth > 0 and k < 0.4 and not state.get("not"):
            state["or"] = True
            return {"compositeFilter": {"op": "OR", "filters": [self.filter(depth - 1, state) for _ in range(self.r.choice([2, 2, 3]))]}}
        if k < 0.06 or self.r.random() < 0.05: return self.name(state)
        field = {"fieldPath": "n" if self.r.random() < 0.4 else self.r.choice(FIELDS)}
        if self.r.random() < 0.12:
            op = self.pick("IS_NULL", "IS_NAN", "IS_NOT_NULL", "IS_NOT_NAN")
            if "NOT" not in op or not state.setdefault("not", False) and not state.get("or"):
                state["not"] = state.get("not") or "NOT" in op
                return {"unaryFilter": {"field": field, "op": op}}
        op = self.r.choice(["EQUAL"] * 5 + ["LESS_THAN", "LESS_THAN_OR_EQUAL", "GREATER_THAN", "GREATER_THAN_OR_EQUAL"] * 2
                           + ["NOT_EQUAL", "NOT_IN", "IN", "IN", "ARRAY_CONTAINS", "ARRAY_CONTAINS_ANY"])
        if op in ("NOT_EQUAL", "NOT_IN") and (state.get("not") or state.get("or")): op = "EQUAL"
        if op in ("ARRAY_CONTAINS", "ARRAY_CONTAINS_ANY") and state.get("contains"): op = "EQUAL"
        if op in ("IN", "ARRAY_CONTAINS_ANY") and state.get("not"): op = "EQUAL"
        if op in ("NOT_EQUAL", "NOT_IN"): state["not"] = True
        if op in ("ARRAY_CONTAINS", "ARRAY_CONTAINS_ANY"): state["contains"] = True
        if op in ("IN", "ARRAY_CONTAINS_ANY"): state["or"] = True
        several = op in ("IN", "NOT_IN", "ARRAY_CONTAINS_ANY")
        value = rest([self.operand() for _ in range(self.r.choice([1, 2, 2, 3]))] if several else self.operand())
        return {"fieldFilter": {"field": field, "op": op, "value": value}}

    def name(self, state):
        here = state["here"]
        document = lambda: reference(here + self.pick("/a", "/b", "/zz"))
        op = self.pick("EQUAL", "EQUAL", "IN", "GREATER_THAN", "LESS_THAN_OR_EQUAL", "NOT_EQUAL")
        if op == "NOT_EQUAL" and (state.get("not") or state.get("or")): op = "EQUAL"
        if op == "NOT_EQUAL": state["not"] = True
        if op == "IN" and state.get("not"): op = "EQUAL"
        if op == "IN": state["or"] = True
        value = {"arrayValue": {"values": [document(), document()]}} if op == "IN" else document()
        return {"fieldFilter": {"field": {"fieldPath": "__name__"}, "op": op, "value": value}}

    def near(self):
        """Filters on the field that `simple` conditions are about."""
        n = {"fieldPath": "n"}
        one = lambda op, v: {"fieldFilter": {"field": n, "op": op, "value": rest(v)}}
        number = lambda: self.pick(0, 1, 2, 3, 4, 0.5, 1.0, 2.0, 1.5)
        return self.pick(
            lambda: one(self.pick("EQUAL", "LESS_THAN", "LESS_THAN_OR_EQUAL", "GREATER_THAN", "GREATER_THAN_OR_EQUAL", "NOT_EQUAL"), number()),
            lambda: one(self.pick("LESS_THAN", "GREATER_THAN", "EQUAL", "NOT_EQUAL"), self.pick("a", "b", True, None)),
            lambda: {"compositeFilter": {"op": "AND", "filters": [one(self.pick("GREATER_THAN", "GREATER_THAN_OR_EQUAL"), number()), one(self.pick("LESS_THAN", "LESS_THAN_OR_EQUAL", "NOT_EQUAL"), number())]}},
            lambda: {"compositeFilter": {"op": "AND", "filters": [one("EQUAL", number()), one(self.pick("GREATER_THAN", "LESS_THAN", "EQUAL", "NOT_EQUAL"), number())]}},
            lambda: one(self.pick("IN", "NOT_IN", "ARRAY_CONTAINS_ANY"), [number() for _ in range(self.pick(1, 2, 3))]), lambda: one("ARRAY_CONTAINS", number()),
            lambda: {"unaryFilter": {"field": n, "op": self.pick("IS_NULL", "IS_NAN", "IS_NOT_NULL", "IS_NOT_NAN")}},
            lambda: {"compositeFilter": {"op": "OR", "filters": [one("EQUAL", number()), one(self.pick("GREATER_THAN", "LESS_THAN", "EQUAL"), number())]}})()

    def comparisons(self, tree, into):
        """Filters that say what the comparisons of a condition say."""
        text, parts = tree
        op = text[3:-3] if text.startswith("{} ") and text.endswith(" {}") else None
        names = {"==": "EQUAL", "!=": "NOT_EQUAL", "<": "LESS_THAN", "<=": "LESS_THAN_OR_EQUAL", ">": "GREATER_THAN", ">=": "GREATER_THAN_OR_EQUAL"}
        field = lambda t: t[0][14:] if t[0].startswith("resource.data.") and not t[1] and "(" not in t[0] else None
        known = dict(LITERALS)
        if op in names and field(parts[0]) and (parts[1][0] in known or parts[1][0].lstrip("-").replace(".", "").isdigit()):
            value = known[parts[1][0]] if parts[1][0] in known else float(parts[1][0]) if "." in parts[1][0] else int(parts[1][0])
            into.append({"fieldFilter": {"field": {"fieldPath": field(parts[0])}, "op": names[op], "value": rest(value)}})
        elif text == "({} in {})" and field(parts[1]) and parts[0][0] in known:
            into.append({"fieldFilter": {"field": {"fieldPath": field(parts[1])}, "op": "ARRAY_CONTAINS", "value": rest(known[parts[0][0]])}})
        elif text == "{}" and field(parts[0]):
            into.append({"fieldFilter": {"field": {"fieldPath": field(parts[0])}, "op": "EQUAL", "value": rest(True)}})
        elif text.startswith("(request.auth.uid") and parts and field(parts[0]):
            into.append({"fieldFilter": {"field": {"fieldPath": field(parts[0])}, "op": "ARRAY_CONTAINS" if " in " in text else "EQUAL", "value": rest("u1")}})
        for part in parts: self.comparisons(part, into)

    def fitting(self, block):
        """The comparisons of a block's conditions as a filter, now and then with another value."""
        found = []
        for allow in block["allows"]: self.comparisons(allow["condition"], found)
        if not found: return None
        found = self.r.sample(found, min(len(found), self.r.choice([1, 2, 2, 3])))
        for filter in found:
            one = filter["fieldFilter"]
            k = self.r.random()
            if k < 0.1: one["value"] = rest(self.operand())
            elif k < 0.2: one["op"] = self.pick("EQUAL", "EQUAL", "GREATER_THAN", "LESS_THAN")
            elif k < 0.27 and one["op"] == "EQUAL": one["op"], one["value"] = "IN", rest([one["value"], self.operand()])
        if self.r.random() < 0.15: found.append(self.filter(0, {"here": "t", "not": True, "or": True, "contains": True}))
        if len(found) == 1: return found[0]
        return {"compositeFilter": {"op": "OR" if self.r.random() < 0.12 else "AND", "filters": found}}

    def query(self, i, block):
        collection, r = f"c{i}", self.r
        query = {"from": [{"collectionId": collection}]}
        question = {"parent": "", "query": query, "auth": USER}
        if r.random() < 0.05: question["auth"] = None
        kind = r.random()
        if kind > 0.9: question["parent"] = "/a/b"
        if kind > 0.95 or 0.86 < kind <= 0.9: query["from"][0]["allDescendants"] = True
        if r.random() < 0.85:
            state = {"here": (question["parent"] + "/" + collection)[1:]}
            where = self.fitting(block) if r.random() < 0.6 else None
            query["where"] = where or (self.near() if r.random() < 0.4 else self.filter(r.choice([0, 0, 1, 1, 2]), state))
        if r.random() < 0.2: query["limit"] = r.choice([1, 3, 10])
        if r.random() < 0.1: query["offset"] = r.choice([1, 5])
        if r.random() < 0.15:
            query["orderBy"] = [{"field": {"fieldPath": f}, "direction": self.pick("ASCENDING", "DESCENDING")} for f in r.sample(["n", "s", "m.a", "__name__"], r.choice([1, 1, 2]))]
        if r.random() < 0.05: query["select"] = {"fields": [{"fieldPath": f} for f in r.sample(["n", "s", "__name__"], 2)]}
        return question
