#!/usr/bin/env python3
"""Random rulesets, and what the official compiler says to them: the source of Corpus/semantics.jsonl.

  semantics.py show SEED                print the ruleset of a seed
  semantics.py record FIRST COUNT       ask the official emulator about the rulesets of COUNT seeds; JSON lines

Rulesets that do not parse are left out: syntax errors have recordings of their own. (The lines of the corpus without
a seed were written by hand, and recorded in the same way.)

A line has `seed`, `src`, and the findings: `errors` if the ruleset is refused (warnings are among them), else
`warnings`; each finding is `L<line>:<column> text`, `L0:0` for one without a place. The emulator is found as
described in the folder that holds `oracle.py`, whose path the variable ORACLE gives.
"""
import json, os, random, sys

TYPES = ["bool", "bytes", "constraint", "duration", "float", "int", "latlng", "list", "vector", "set", "number",
         "map", "string", "timestamp", "path", "map_diff"]
METHODS = {"size": 0, "lower": 0, "upper": 0, "trim": 0, "matches": 1, "replace": 2, "split": 1, "toUtf8": 0,
           "toBase64": 0, "toHexString": 0, "join": 1, "concat": 1, "hasAll": 1, "hasAny": 1, "hasOnly": 1,
           "removeAll": 1, "toSet": 0, "difference": 1, "intersection": 1, "union": 1, "keys": 0, "values": 0,
           "get": 2, "diff": 1, "addedKeys": 0, "removedKeys": 0, "changedKeys": 0, "affectedKeys": 0,
           "unchangedKeys": 0, "bind": 1, "seconds": 0, "nanos": 0, "year": 0, "month": 0, "day": 0, "hours": 0,
           "minutes": 0, "date": 0, "time": 0, "dayOfWeek": 0, "dayOfYear": 0, "toMillis": 0, "latitude": 0,
           "longitude": 0, "distance": 1, "has": 1, "exists": 1, "abs": 0, "value": 1}
PACKAGES = {"math.abs": 1, "math.ceil": 1, "math.floor": 1, "math.round": 1, "math.sqrt": 1, "math.pow": 2,
            "math.isNaN": 1, "math.isInfinite": 1, "math.max": 2, "duration.value": 2, "duration.time": 4,
            "duration.abs": 1, "timestamp.date": 3, "timestamp.value": 1, "timestamp.time": 0, "latlng.value": 2,
            "hashing.crc32": 1, "hashing.crc32c": 1, "hashing.md5": 1, "hashing.sha256": 1, "hashing.sha1": 1}
FUNCTIONS = {"int": 1, "float": 1, "string": 1, "path": 1, "debug": 1, "get": 1, "exists": 1, "getAfter": 1,
             "existsAfter": 1, "bool": 1, "size": 1}
BINARY = ["+", "-", "*", "/ ", "%", "<", "<=", ">", ">=", "==", "!=", "==", "!=", "in", "&&", "||", "&&", "||"]
SYNTAX = ["Unexpected", "mismatched input", "missing ", "Missing", "too complex"]
PRECEDENCE = {"||": 1, "&&": 2, "in": 3, "is": 4, "==": 5, "!=": 5, "<": 6, "<=": 6, ">": 6, ">=": 6, "+": 7,
              "-": 7, "*": 8, "/ ": 8, "%": 8}


class Maker:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.names = []      # variables in scope
        self.callable = []   # (name, number of parameters) of functions that may be called

    def chance(self, p):
        return self.random.random() < p

    def pick(self, items):
        return self.random.choice(items)

    def literal(self):
        return self.pick(["1", "0", "2.5", "'a'", "\"b\"", "true", "false", "null", "b'x'", "[]", "{}", "[1, 'a']",
                          "{'k': 1}", "/a/b", "/a/{p}", "-1", "5.", "duration.value(1, 's')", "timestamp.value(0)",
                          "latlng.value(0, 1)", "[1].toSet()", "{}.diff({})"])

    def variable(self):
        r = self.random.random()
        if self.names and r < 0.6: return self.pick(self.names)
        if r < 0.75: return "request"
        if r < 0.85: return "resource"
        if r < 0.97: return self.pick(["id", "database", "x", "y", "nope", "firestore", "get", "read"])
        if r < 0.98: return self.pick(["math", "duration"])
        return "request.auth.uid"

    def atom(self):
        r = self.random.random()
        if r < 0.45: return self.literal()
        if r < 0.85: return self.variable()
        return self.pick(["request.auth", "resource.data", "request.auth.token.admin", "resource.data.n",
                          "request.resource.data"])

    def arguments(self, count, depth):
        if self.chance(0.06): count = max(0, count + self.pick([-1, 1]))
        return "(" + ", ".join(self.ternary(depth) for _ in range(count)) + ("," if count and self.chance(0.03) else "") + ")"

    def primary(self, depth):
        r = self.random.random()
        if depth <= 0 or r < 0.3: return self.atom()
        d = depth - 1
        if r < 0.42: return "(" + self.ternary(d) + ")"
        if r < 0.5: return "[" + ", ".join(self.ternary(d) for _ in range(self.random.randint(0, 3))) + "]"
        if r < 0.56:
            pairs = [(self.pick(["'k'", "'l'", self.ternary(0)]), self.ternary(d)) for _ in range(self.random.randint(0, 2))]
            return "{" + ", ".join(f"{k}: {v}" for k, v in pairs) + "}"
        if r < 0.62: return "/a/$(" + self.ternary(d) + ")" + self.pick(["", "/b", "/{c}", "/{c=**}", "/{c}/{c}"])
        if r < 0.75 and self.callable:
            name, count = self.pick(self.callable)
            return name + self.arguments(count, d)
        if r < 0.88:
            name = self.pick(list(FUNCTIONS))
            return name + self.arguments(FUNCTIONS[name], d)
        name = self.pick(list(PACKAGES))
        return name + self.arguments(PACKAGES[name], d)

    def postfix(self, depth):
        text = self.primary(depth)
        while depth > 0 and self.chance(0.4):
            if text.startswith("/") or text[0].isdigit() or text == "-1": text = f"({text})"
            r = self.random.random()
            if r < 0.25: text += "." + self.pick(["a", "data", "size", "keys", "x"])
            elif r < 0.35: text += "[" + self.ternary(depth - 1) + "]"
            elif r < 0.42: text += "[" + self.pick(["", self.ternary(0)]) + ":" + self.pick(["", self.ternary(0)]) + "]"
            elif r < 0.46: text += "." + self.pick(["matches", "split"]) + "(" + self.pick(["'a+'", "'['", "('(')", "'x|y'"]) + ")"
            else:
                name = self.pick(list(METHODS))
                text += "." + name + self.arguments(METHODS[name], depth - 1)
            depth -= 1
        return text

    def unary(self, depth):
        if self.chance(0.12): return "!" + self.unary(depth - 1)
        if self.chance(0.06):
            text = self.postfix(depth - 1)
            return "-" + (f"({text})" if text[0] in "-!" else text)
        return self.postfix(depth)

    def operand(self, depth, level):
        return self.binary(depth, level) if self.chance(0.5) else self.unary(depth)

    def binary(self, depth, level=0):
        if depth <= 0: return self.unary(depth)
        if self.chance(0.1):
            if level > PRECEDENCE["is"]: return self.unary(depth)
            kind = "strin" if self.chance(0.01) else self.pick(TYPES)
            return self.operand(depth - 1, PRECEDENCE["is"] + 1) + " is " + kind
        op = self.pick(BINARY)
        p = PRECEDENCE[op]
        if p < level: return self.unary(depth)
        space = "" if op in "<>+-*%" and self.chance(0.1) else " "
        left, right = self.operand(depth - 1, p), self.operand(depth - 1, p + 1)
        if op == "/ " and "/" in left: left = f"({left})"  # A path would go on after a slash.
        if op == "/ " and "/" in right: right = f"({right})"
        return left + space + op + space + right

    def ternary(self, depth):
        if depth > 0 and self.chance(0.08):
            return f"{self.binary(depth - 1)} ? {self.ternary(depth - 1)} : {self.ternary(depth - 1)}"
        return self.binary(depth) if self.chance(0.8) else self.unary(depth)

    # Declarations

    def function(self, names, functions, indent):
        name = self.pick(["f", "g", "h", "k", "isA", "get" if self.chance(0.1) else "m", "debug" if self.chance(0.1) else "n",
                          self.pick(["abs", "size", "value", "exists", "keys", "a"]) if self.chance(0.3) else "q"])
        parameters = [self.pick(["x", "y", "z", "id", "request", "math" if self.chance(0.1) else "w"])
                      for _ in range(self.pick([0, 0, 1, 1, 1, 2, 2, 3]))]
        if not self.chance(0.05): parameters = list(dict.fromkeys(parameters))
        functions.append((name, len(parameters)))
        self.names, before = names + parameters, self.names
        self.callable = [f for f in functions if f[0] != name] if self.chance(0.97) else functions
        lets = ""
        for _ in range(self.pick([0, 0, 0, 1, 1, 2, 3])):
            let = self.pick(["u", "v", "w", "x"] if self.chance(0.1) else ["u", "v", "w"])
            if let in self.names and self.chance(0.9): continue
            lets += f"let {let} = {self.ternary(2)}; "
            self.names = self.names + [let]
        text = f"{indent}function {name}({', '.join(parameters)}) {{ {lets}return {self.ternary(3)}; }}\n"
        self.names = before
        return text

    def match(self, names, functions, indent, depth, glob):
        segments, own = [], []
        for _ in range(self.random.randint(1, 3)):
            r = self.random.random()
            if r < 0.45: segments.append("/" + self.pick(["a", "b", "c", "%20x", "*"]))
            elif r < 0.9 or (glob and self.chance(0.9)):
                own.append(self.pick(["id", "x", "y", "p", "request" if self.chance(0.2) else "q"]))
                if own.count(own[-1]) > 1 and self.chance(0.9): own[-1] += str(len(own))
                segments.append("/{" + own[-1] + "}")
            else:
                own.append(self.pick(["rest", "id"]))
                if own.count(own[-1]) > 1: own[-1] += str(len(own))
                segments.append("/{" + own[-1] + "=**}")
                glob = True
        names = names + own
        mine = list(functions)
        body = ""
        for _ in range(self.random.randint(1, 3)):
            r = self.random.random()
            if r < 0.25 and len(mine) < 7: body += self.function(names, mine, indent + " ")
            elif r < 0.45 and depth > 0: body += self.match(names, mine, indent + " ", depth - 1, glob)
            else:
                self.names, self.callable = names, mine
                methods = ", ".join(self.pick(["get", "read", "write", "list", "create", "update", "delete",
                                               "Read" if self.chance(0.1) else "read", "foo" if self.chance(0.15) else "get"])
                                    for _ in range(self.pick([1, 1, 1, 2])))
                body += f"{indent} allow {methods}" + (f": if {self.ternary(3)}" if self.chance(0.95) else "") + ";\n"
        return f"{indent}match {''.join(segments)} {{\n{body}{indent}}}\n"

    def ruleset(self):
        r = self.random.random()
        if r < 0.5:  # one condition
            self.names = ["id", "database"]
            return ("rules_version = '2';\nservice cloud.firestore {\n match /databases/{database}/documents {\n"
                    f"  match /t/{{id}} {{ allow get: if {self.ternary(4)}; }}\n }}\n}}\n")
        if r < 0.7:  # one function
            functions = []
            self.names = []
            text = self.function(["id"], functions, "  ")
            self.names, self.callable = ["id"], functions
            call = functions[0][0] + self.arguments(functions[0][1], 1)
            return ("rules_version = '2';\nservice cloud.firestore {\n match /t/{id} {\n"
                    f"{text}  allow get: if {self.pick(['', '!', '1 == '])}{call};\n  allow list: if {self.ternary(2)};\n }}\n}}\n")
        version = "" if self.chance(0.1) else f"rules_version = '{self.pick(['2'] * 15 + ['1'] * 3 + ['3'])}';\n"
        top, text = [], ""
        for _ in range(self.pick([0, 0, 1, 2])): text += self.function([], top, "")
        for _ in range(self.pick([1, 1, 1, 1, 2])):
            service = self.pick(["cloud.firestore"] * 8 + ["firebase.storage", "foo.bar"])
            functions = list(top)
            body = ""
            for _ in range(self.random.randint(0, 2)): body += self.function([], functions, " ")
            for _ in range(self.random.randint(1, 2)): body += self.match([], functions, " ", 2, False)
            text += f"service {service} {{\n{body}}}\n"
        return version + text


def official(src, oracle, project):
    status, body = oracle.put_rules(src, project=project)
    if status == 200:
        return {"warnings": [
            f"L{i.get('sourcePosition', {}).get('line', 0)}:{i.get('sourcePosition', {}).get('column', 0)} {i['description']}"
            for i in (body or {}).get("issues", [])]}
    heading, *lines = body["error"].get("message", "").split("\n")
    # Otherwise it broke on this one (HTTP 500), and has no opinion.
    return {"errors": lines} if heading == "Error compiling rules:" else None


def main(argv):
    if argv[:1] == ["show"]: return print(Maker(int(argv[1])).ruleset(), end="")
    if argv[:1] != ["record"]: sys.exit(__doc__)
    sys.path.insert(0, os.environ["ORACLE"])
    import oracle
    for seed in range(int(argv[1]), int(argv[1]) + int(argv[2])):
        src = Maker(seed).ruleset()
        answer = official(src, oracle, "semantics")
        if answer and not any(mark in line for mark in SYNTAX for line in answer.get("errors", [])):
            print(json.dumps({"seed": seed, "src": src, **answer}, ensure_ascii=False), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
