"""Random questions: a rules file, the documents that are there, and requests."""
import re

from parity_corners import IDIOM_FUNCTIONS
from parity_expressions import Expressions
from parity_limits import HEAD, TAIL, near_limits, relaid

DB = "/databases/$(database)/documents"
IDS = ["x", "y", "a", "id", "ab", "1"]
VECTOR = {"mapValue": {"fields": {"__type__": {"stringValue": "__vector__"},
          "value": {"arrayValue": {"values": [{"doubleValue": 1.0}, {"doubleValue": 2.5}]}}}}}
CLAIMS = {"sub": "u1", "user_id": "u1", "iat": 1700000000, "exp": 4000000000, "email": "a@b.c", "i": 3, "s": "ab", "f": 2.5, "t": True,
          "l": [1, "a"], "m": {"k": 1}, "n": None}


def value(x):
    if x is None: return {"nullValue": None}
    if isinstance(x, bool): return {"booleanValue": x}
    if isinstance(x, int): return {"integerValue": str(x)}
    if isinstance(x, float): return {"doubleValue": x}
    if isinstance(x, str): return {"stringValue": x}
    if isinstance(x, list): return {"arrayValue": {"values": [value(i) for i in x]}}
    if len(x) == 1 and next(iter(x)).endswith("Value"): return x
    return {"mapValue": {"fields": {k: value(v) for k, v in x.items()}}}


def document(r):
    """Fields of every kind, some of them missing."""
    every = {"i": r.choice([0, 1, 3, -5, 2**53 + 1]), "i2": r.choice([1, 2]), "s": r.choice(["", "ab", "hello", "é", "\U0001F600"]), "u": r.choice(["u1", "a", "id"]),
             "t": r.choice([True, False]), "f": r.choice([5.0, 0.5, 0.0, 1e20, 3.0]), "nan": {"doubleValue": "NaN"}, "z": {"doubleValue": "-Infinity"},
             "n": None, "l": r.choice([[1, 2], ["b", "a"], [], [1, 1.0, None]]), "e": [], "m": r.choice([{"k": 1}, {"a": 1, "k": {"x": 2}}, {}]),
             "n2": {"a": {"c": [1]}, "b": 1}, "ts": {"timestampValue": "2020-01-02T03:04:05.678901Z"}, "b": {"bytesValue": "AAEC/w=="},
             "g": {"geoPointValue": {"latitude": 1.5, "longitude": -2.0}}, "v": VECTOR,
             "r": {"referenceValue": "projects/PROJECT/databases/(default)/documents/w/a"}, "a": r.choice([1, "x", None, {"b": 2}])}
    # Sorted, since stored maps keep the client's order officially and the order of their keys here.
    return {k: value(every[k]) for k in sorted(every) if r.random() < 0.9}


def small(r):
    """A document of few fields."""
    every = {"i": r.choice([3, 4]), "s": r.choice(["ab", "cd"]), "t": r.choice([True, False])}
    return {k: value(every[k]) for k in every if r.random() < 0.85}


def hash_order(names):
    """In the order of a Java hash set, which `request.writeFields` officially has."""
    def bucket(name):
        h = 0
        for c in name:
            h = (31 * h + ord(c)) & 0xFFFFFFFF
        return (h ^ h >> 16) & 15
    return sorted(names, key=bucket)


def request(r, path, exists, data=None):
    """One request for one document, which exists or not."""
    out = {"path": path, "method": r.choices(["get", "patch", "delete"], [5, 3, 1])[0]}
    if r.random() < 0.85:
        out["auth"] = CLAIMS
    if out["method"] == "patch":
        out["data"] = data if data is not None else document(r)
        if r.random() < 0.3:
            out["mask"] = hash_order(r.sample(["i", "s", "t", "l", "m", "zz", "n"], r.randint(1, 3)))
        if r.random() < 0.3:
            out["exists"] = exists
        field = r.choice(["i", "i2", "zz"])
        touched = out.get("mask", []) + [field]
        if r.random() < 0.15 and field not in out.get("mask", []) and hash_order(touched) == touched:
            out["increments"] = {field: r.choice([1, -3, 1000])}
    return out


def lookup_documents(r):
    return {f"/w/{k}": document(r) for k in "abcd"}


D_FUNCTION = f"  function d() {{ return get({DB}/w/a).data; }}\n"


class Questions:
    def __init__(self, random):
        self.r = random

    def question(self, rules, documents, requests, kind):
        return {"kind": kind, "rules": rules, "documents": documents, "requests": requests}

    # ---- expressions, many to a ruleset

    def expressions(self, loaded=True, blocks=12, statements=4, kind=None, make=None, rounds=None):
        """`rounds`: how many documents of each block are asked for, one after the other."""
        r = self.r
        rounds = rounds or (5 if loaded else 1)
        documents = lookup_documents(r) if loaded else {}
        rules, requests = HEAD, []
        functions = self.functions(loaded) if loaded or r.random() < 0.7 else ("", {})
        rules += functions[0]
        for i in range(blocks):
            for number in range(rounds):
                path = f"/c{i}/{IDS[number]}"
                exists = loaded and r.random() < 0.6
                if exists:
                    documents[path] = document(r)
                ask = request(r, path, exists) if loaded else {"path": path, "method": "get", "auth": CLAIMS}
                requests.append({**ask, "round": number})
            rules += f"match /c{i}/{{id}} {{\n"
            for _ in range(statements):
                scope = ("id", "database") if r.random() < 0.95 else ("id", "database", "nowhere", "math")
                maker = Expressions(r, scope, functions[1], loaded)
                text = make() if make else maker.make(r.choice("bbbbv"), r.choice([2, 3, 3, 4, 4, 5, 6]))
                rules += f"allow {self.methods()}: if\n{text}\n;\n"
            rules += "}\n"
        requests.sort(key=lambda q: q["round"])
        return self.question(rules + TAIL, documents, requests, kind or ("expressions with data" if loaded else "expressions"))

    def sweep(self):
        """Every operator, method and function upon operands of every type, right and wrong."""
        loaded = self.r.random() < 0.4
        maker = Expressions(self.r, ("id", "database"), {}, loaded, ill=0.02)
        return self.expressions(loaded, blocks=12, statements=8, kind="sweep", make=maker.plainly, rounds=2 if loaded else 1)

    def corners(self):
        maker = Expressions(self.r, ("id", "database"), {}, True, ill=0.02)
        return self.expressions(True, blocks=12, statements=8, kind="corners", make=maker.corner, rounds=2)

    def idioms(self):
        """Conditions as rules have them, each decided on several documents."""
        maker = Expressions(self.r, ("id", "database"), {}, True, ill=0)
        question = self.expressions(True, blocks=15, statements=1, kind="idioms", make=maker.idiom, rounds=6)
        start = question["rules"].index("match /c0/")
        return {**question, "rules": HEAD + IDIOM_FUNCTIONS + question["rules"][start:]}

    def methods(self):
        r = self.r
        return r.choices(["read, write", "get, update, create, delete", "read, create, update, delete", "get", "write", "read, update", "Read, WRITE"],
                         [6, 4, 2, 1, 1, 1, 1])[0]

    def functions(self, loaded, names=("f", "g", "h"), scope=("database",)):
        """A few functions that may call those before them: text and name -> number of parameters."""
        r = self.r
        known, text = {}, ""
        if loaded:
            text, known = D_FUNCTION, {"d": 0}
        for name in names:
            if r.random() < 0.2:
                continue
            text += self.function(name, scope, known, loaded)
        return text, known

    def function(self, name, scope, known, loaded):
        r = self.r
        parameters = r.sample(["a", "b", "x", "id", "request", "resource", "get", "path"], r.choices([0, 1, 2, 3], [2, 4, 3, 1])[0])
        visible = list(scope) + parameters
        text = f"  function {name}({', '.join(parameters)}) {{\n"
        for i in range(r.choice([0, 0, 1, 1, 2, 3])):
            variable = r.choice(["y", "z", "u", "id", "database", "debug"]) + ("" if r.random() < 0.7 else str(i))
            if variable in parameters or f"let {variable} " in text:
                continue
            text += f"    let {variable} = {Expressions(r, visible, known, loaded).make('v', r.choice([0, 1, 2]))};\n"
            visible.append(variable)
        text += f"    return {Expressions(r, visible, known, loaded).make(r.choice('bvb'), r.choice([1, 2, 3]))};\n  }}\n"
        known[name] = len(parameters)
        return text

    # ---- match blocks, scopes, globs

    def structure(self):
        r = self.r
        version = r.choice(["2", "2", "2", "1"])
        top, known = self.functions(False, ("t1", "f"), ()) if r.random() < 0.5 else ("", {})
        rules = f"rules_version = '{version}';\n{top}service cloud.firestore {{\n"
        if r.random() < 0.5:
            name = r.choice(["s1", "f", "g"])
            known = dict(known)
            rules += self.function(name, (), {k: v for k, v in known.items() if k != name}, True)
            known[name] = rules.count(",", rules.rindex(f"function {name}("), rules.index(")", rules.rindex(f"function {name}("))) + (
                0 if f"function {name}()" in rules[rules.rindex(f"function {name}("):] else 1)
        base = r.choice(["/databases/{database}/documents"] * 6 + ["/databases/{db}/documents", "/{rest=**}", "/databases/(default)/documents"])
        scope = ["database"] if "database" in base else []
        rules += f" match {base} {{\n" + self.body(scope, known, 1, "=**" in base, version) + " }\n"
        if r.random() < 0.1:
            rules += " match /{all=**} { allow get: if false; }\n"
        rules += "}\n"
        if r.random() < 0.25:
            rules = relaid(r, rules)
        documents = lookup_documents(r)
        requests = []
        for _ in range(10):
            path = "".join(f"/{r.choice('abc')}/{r.choice(['x', 'y', 'a%20b', 'z', '%C3%A9'])}" for _ in range(r.choice([1, 1, 2, 2, 3])))
            if path in [q["path"] for q in requests]:
                continue
            exists = r.random() < 0.5
            if exists:
                documents[path] = document(r)
            requests.append(request(r, path, exists))
        return self.question(rules, documents, requests, "structure")

    def body(self, scope, known, depth, glob, version):
        r = self.r
        text, known = "", dict(known)
        declared = set()
        functions = []
        for name in r.sample(["f", "g", "h", "k", "exists", "int"], r.choice([0, 0, 1, 2])):
            inner = {k: v for k, v in known.items() if k != name}
            functions.append(self.function(name, scope, inner, True))
            count = re.search(r"\((.*?)\)", functions[-1])[1]
            known[name] = 0 if not count else count.count(",") + 1
            declared.add(name)
        if r.random() < 0.5:
            text += "".join(functions)
            functions = []
        for _ in range(r.choice([0, 1, 1, 2, 3])):
            condition = Expressions(r, scope, known, True).make("b", r.choice([0, 1, 2, 3]))
            text += f"  allow {self.methods()}" + (f": if {condition};\n" if r.random() < 0.93 else ";\n")
        for _ in range(r.choice([1, 2, 3]) if depth <= 2 else r.choice([0, 0, 1]) if depth < 9 else 0):
            names, pattern, has_glob = [], "", glob
            for k in range(r.choice([1, 2, 2, 2, 2, 3])):
                x = r.random()
                if x < 0.4:
                    pattern += "/" + r.choice(["a", "b", "c", "x", "a%20b", "y", "*"])
                elif x < 0.9 or has_glob and r.random() < 0.97:
                    name = r.choice(["id", "p", "q", "request", "r2", "database"])
                    if name in names and r.random() < 0.95:
                        name += "2"
                    names.append(name)
                    pattern += "/{" + name + r.choice(["", "", "", "=*"]) + "}"
                else:
                    name = r.choice(["d0", "rest", "id3"])
                    names.append(name)
                    pattern += "/{" + name + "=**}"
                    has_glob = True
                    if version == "1":
                        break
            # What is inside a match whose glob is not its last segment the emulator matches from the wrong segment on.
            inside = self.body(scope + names, known, depth + 1 if "=**}/" not in pattern else 9, has_glob, version)
            text += f"  match {pattern} {{\n" + inside + "  }\n"
        text += "".join(functions)
        return text or "  allow get: if true;\n"

    # ---- limits

    def lookups(self):
        """Calls of get and its like near the limit of ten, absorbed or not."""
        r = self.r
        documents = {f"/w/{k}": document(r) for k in "abcdefg"}
        rules, requests = HEAD + D_FUNCTION, []
        for i in range(8):
            terms = []
            for _ in range(r.randint(8, 14)):
                where = f"{DB}/w/{r.choice('abcdefghijklmnopq')}"
                function = r.choice(["exists"] * 5 + ["get", "getAfter", "existsAfter"])
                call = f"{function}({where})"
                if function.startswith("get"):
                    call += r.choice([".data.i == 3", ".data.t", ".id == 'a'", " != null", ".data.i > -9"])
                elif r.random() < 0.5:
                    call = f"({call} || true)"
                terms.append(r.choice(["", "", "", "!"]) + f"({call})")
            text = terms[0]
            for term in terms[1:]:
                text += r.choice([" && ", " || ", " && "]) + term
            if r.random() < 0.3:
                # In a literal the emulator loads nothing after a lookup that failed, so only what is there is asked for.
                # Of a literal only the last part may depend on documents, or the emulator loses its place.
                terms = [re.sub(r"/w/[h-q]", "/w/a", re.sub(r"\.data\.(t|i > -9)", ".id == 'b'", t)) for t in terms]
                text = f"[{', '.join(terms)}].size() == {len(terms)}"
            rules += f"match /c{i}/{{id}} {{\n"
            cut = r.random()
            rules += f"allow {self.methods()}: if\n{text}\n;\n"
            if cut < 0.4:
                rules += f"allow read, write: if exists({DB}/w/{r.choice('abz')}) && d().i == {r.choice([3, 4])};\n"
            rules += "}\n"
            exists = r.random() < 0.5
            if exists:
                documents[f"/c{i}/x"] = document(r)
            requests.append(request(r, f"/c{i}/x", exists))
        return self.question(rules + TAIL, documents, requests, "lookups")

    def commits(self):
        """Writes of several documents at once, judged with what the others leave behind."""
        r = self.r
        rules, requests, documents = HEAD + "match /w/{any} { allow write: if true; }\n", [], {}
        for i in range(8):
            ids = [f"{i}{k}" for k in "abcd"]
            others = []
            for one in ids:
                if r.random() < 0.6:
                    documents[f"/w/{one}"] = small(r)
                if r.random() < 0.6:
                    others.append({"path": f"/w/{one}"} | ({"data": small(r)} if r.random() < 0.65 else {}))
            terms = []
            for _ in range(r.randint(1, 5)):
                where = f"{DB}/w/{r.choice(ids)}" if r.random() < 0.85 else r.choice([f"{DB}/c{i}/$(id)", f"{DB}/w/none"])
                function = r.choice(["exists", "get", "getAfter", "getAfter", "existsAfter", "existsAfter"])
                call = f"{function}({where})" + (r.choice([".data.i == 3", ".data.t", ".data.keys().size() > 2", " == null", " != null", ".data.s == 'ab'"]) if "get" in function else "")
                terms.append(r.choice(["", "", "!"]) + f"({call})" + r.choice(["", "", " == true"]))
            text = terms[0]
            for term in terms[1:]:
                text += r.choice([" && ", " || "]) + term
            rules += f"match /c{i}/{{id}} {{\nallow write: if\n{text}\n;\n}}\n"
            exists = r.random() < 0.5
            if exists:
                documents[f"/c{i}/x"] = small(r)
            ask = request(r, f"/c{i}/x", exists, small(r))
            while ask["method"] == "get":
                ask = request(r, f"/c{i}/x", exists, small(r))
            if ask["method"] == "patch" and "exists" in ask and r.random() < 0.5:
                del ask["exists"]
            requests.append({**ask, "others": others} if others else ask)
        return self.question(rules + TAIL, documents, requests, "commits")

    def budget(self, pad):
        """Conditions that cost about a thousand nodes. `pad(question)` says what they cost unpadded."""
        r = self.r
        ladder = "  function e() { return true; }\n"
        bodies = ["{0} && {0} && {0}", "{0} || {0}", "[{0}, {0}, {0}].size() == 3", "({0} ? {0} : {0}) == {0}", "({0} == {0}) && {0}", "!{0} || {0}", "{0} is bool && {0}"]
        calls = ["e()"]
        for i in range(r.randint(3, 6)):
            body = r.choice(bodies).format(calls[-1])
            let = f"let v = {r.choice(calls)}; " if r.random() < 0.4 else ""
            ladder += f"  function e{i}() {{ {let}return {body}{' && v' if let and r.random() < 0.7 else ''}; }}\n"
            calls.append(f"e{i}()")
        rules, requests, documents = HEAD + ladder + "PADS", [], lookup_documents(r)
        for i in range(4):
            chosen = [r.choice(calls) for _ in range(r.choice([1, 2, 3]))]
            data = r.random() < 0.4
            if data:
                chosen.insert(r.randrange(len(chosen) + 1), r.choice(["resource.data.t", f"exists({DB}/w/a)", "resource.data.i == 3", f"get({DB}/w/b).data.i != 77"]))
            text = r.choice([" && ", " || "]).join(chosen)
            rules += f"match /c{i}/{{id}} {{\nallow read, write: if p{i}() && (\n{text});\n"
            if r.random() < 0.5:
                rules += f"allow read, write: if {r.choice(['true', 'false', 'e()', '1 == 1 || ' + r.choice(calls), calls[-1]])};\n"
            rules += "}\n"
            if r.random() < 0.6:
                documents[f"/c{i}/x"] = document(r)
            requests.append(request(r, f"/c{i}/x", f"/c{i}/x" in documents))

        def padded(sizes):
            pads = ""
            for i, n in enumerate(sizes):
                rows = ["[" + ", ".join(["1"] * 20) + "]"] * (n // 21) + ["1"] * (n % 21)
                pads += f"  function p{i}() {{ return [{', '.join(rows)}] != null; }}\n"
            return self.question(rules.replace("PADS", pads) + TAIL, documents, requests, "budget")

        costs = pad(padded([0] * 4))
        return padded([max(0, min(1400, 1000 - c + r.choice([-3, -2, -1, 0, 0, 1, 1, 2, 3, 20]))) for c in costs])

    # ---- patterns

    def patterns(self, invalid=False):
        r = self.r
        atoms = ["a", "b", "c", ".", "\\\\d", "\\\\w", "\\\\s", "\\\\D", "[ab]", "[^a]", "[a-c]", "(a)", "(ab|c)", "(?:b)", "(?P<n>b)", "\\\\b", "^", "$", "\\\\A", "\\\\z",
                 "\\\\pL", "\\\\p{Lu}", "[[:digit:]]", "é", "\U0001F600", "\\\\.", "-", ",", "\\\\x{e9}", "\\\\n", "(?i)", "(?s)", "(?m)", "(?U)", "(?i:aB)", "()", "|", "[\\\\d-]", "\\\\B",
                 "\\\\Q.+\\\\E", "[\\\\w.]", "[^[:alpha:]]", "\\\\PN", "]", "}", "{"]
        bad = ["(", ")", "[", "\\\\1", "(?=a)", "a{3,2}", "[z-a]", "{1001}", "*", "+", "?", "(?P<n>", "(?<n>a)", "\\\\p{Foo}", "\\\\", "(?x)", "[[:x:]]", "{,1}", "{1001}", "\\\\Z", "\\\\e", "(?P=n)", "++"]

        def pattern():
            text = ""
            for _ in range(r.randint(0, 6)):
                text += r.choice(atoms) if r.random() > (0.15 if invalid else 0) else r.choice(bad)
                if r.random() < 0.35:
                    text += r.choice(["*", "+", "?", "*?", "+?", "??", "{2}", "{0,2}", "{1,}", "{2}?"])
            return text

        def string():
            return "".join(r.choice(["a", "b", "c", "A", "B", "1", " ", "-", ",", ".", "é", "\U0001F600", "\\n", "n", "\\ud83d", "\u212a", "k"]) for _ in range(r.randint(0, 7)))

        def one():
            p, s = pattern(), string()
            literal = f"'{p}'" if not invalid or r.random() < 0.2 else f"('{p}' + '')"
            return r.choice([f"'{s}'.matches({literal})", f"'{s}'.matches({literal})", f"'{s}'.split({literal}) == id",
                             f"'{s}'.replace({literal}, '{r.choice(['-', '', '<$0>', 'x', chr(92) * 4 + '$', '$x'])}') == id"])

        return self.expressions(False, blocks=10, statements=6, kind="patterns", make=one)

    def limits(self):
        r = self.r
        rules, path = near_limits(r)
        if r.random() < 0.1:
            rules = relaid(r, rules)
        documents = {path: document(r)} if r.random() < 0.5 and path.count("/") % 2 == 0 else {}
        ask = [request(r, path, path in documents)] if path.count("/") % 2 == 0 else []
        return self.question(rules, documents, ask, "limits")

    # ---- texts that may not compile

    def broken(self):
        r = self.r
        base = r.choices([self.structure, lambda: self.expressions(True, blocks=1, statements=1), self.limits], [5, 3, 2])[0]()["rules"]
        if len(base) > 2500 and r.random() < 0.8:
            return self.broken()
        tokens = re.findall(r"\s+|[A-Za-z_$][\w$]*|'(?:\\.|[^'\\\n])*'|\"(?:\\.|[^\"\\\n])*\"|\d+|.", base)
        junk = ["{", "}", "(", ")", "[", "]", ";", ":", ",", ".", "/", "=", "==", "!", "-", "--", "++", "&&", "||", "?", "if", "allow", "match", "function", "return", "let", "in", "is",
                "null", "true", "'", "\"", "'x'", "b'x'", "1", "0", "1.5", "01", "$", "#", "é", "\\", "@", "&", "|", "*", "**", "%", "//", "/*", "*/", "read", "service", "rules_version",
                "import", "{x}", "/a", "\n", " ", "\t", "\r", "\u00a0", "'\\q'", "99999999999999999999", "<", ">=", "id", "math", "f("]
        for _ in range(r.choice([1, 1, 1, 2, 3])):
            i = r.randrange(len(tokens))
            x = r.random()
            if x < 0.35: del tokens[i]
            elif x < 0.65: tokens.insert(i, r.choice(junk))
            elif x < 0.85: tokens[i] = r.choice(junk)
            elif x < 0.92: tokens[i:i] = [tokens[r.randrange(len(tokens))]]
            else:
                j = r.randrange(len(tokens))
                tokens[i], tokens[j] = tokens[j], tokens[i]
            if not tokens:
                break
        return self.question("".join(tokens), {}, [], "broken texts")
