#!/usr/bin/env python3
"""Record what the official emulator answers about regular expressions: Corpus/patterns.jsonl.

  patterns.py ORACLE_FOLDER [SEED [PATTERNS]]    writes the recording to standard output

ORACLE_FOLDER holds oracle.py (it asks the emulator; FIRESTORE_EMULATOR_HOST says where one runs).
One JSON object a line. `op` is `compile`, `matches`, `replace` or `split`, the latter three asked of
patterns that compile only. `error` is the official sentence, `crash` marks an HTTP 500. Strings may
hold lone surrogates; the emulator prints those as `?`, so each `?` of an answer is asked again, unit
by unit.
"""
import importlib, json, os, random, re, sys

PROJECT = "patterns"
HEAD = "rules_version = '2';\nservice cloud.firestore {\n match /databases/{database}/documents {\n"
PREFIX = "Regular expression|Invalid regular expression"


def literal(s):
    """A string literal of the rules language; astral characters become two escapes."""
    out = ""
    for unit in utf16(s):
        c = chr(unit)
        out += "\\" + c if c in "\\'" else c if 32 <= unit < 127 else "\\u%04x" % unit
    return "'" + out + "'"


def utf16(s):
    data = s.encode("utf-16-le", "surrogatepass")
    return [data[i] | data[i + 1] << 8 for i in range(0, len(data), 2)]


def text(units):
    """The string of some UTF-16 units; halves that meet are joined."""
    return b"".join(u.to_bytes(2, "little") for u in units).decode("utf-16-le", "surrogatepass")


# --- questions -----------------------------------------------------------------------------------

def compile_errors(patterns):
    """For each pattern None or the official sentence about it."""
    source = HEAD + "".join("match /t/{id} { allow get: if 'a'.matches(%s); }\n" % literal(p) for p in patterns) + "}}\n"
    status, body = oracle.put_rules(source, PROJECT)
    if status == 200:
        return [None] * len(patterns)
    message = body["error"]["message"] if isinstance(body, dict) else str(body)
    found = re.findall(r"^L(\d+):\d+ ((?:%s).*?) Pattern: " % PREFIX, message, re.M)
    if not found:  # a long message breaks the emulator's transport
        if len(patterns) == 1:
            return ["unreadable"]
        half = len(patterns) // 2
        return compile_errors(patterns[:half]) + compile_errors(patterns[half:])
    errors = {int(line) - 4: sentence for line, sentence in found}
    return [errors.get(i) for i in range(len(patterns))]


def plain(v):
    if not v:
        return None
    kind, x = next(iter(v.items()))
    return [plain(y) for y in (x or {}).get("values", [])] if kind == "listValue" else int(x) if kind == "intValue" else x


def ask(expressions):
    """The values of expressions, CRASH where the emulator breaks down."""
    source = HEAD + "match /t/{id} { allow get: if [\n" + ",\n".join(expressions) + "\n] == 1; }}}\n"
    status, body = oracle.put_rules(source, PROJECT)
    if status == 200:
        status, body = oracle.call("GET", oracle.documents(PROJECT) + "/t/a", auth={})
        if status in (200, 403, 404):
            report = (oracle.coverage(PROJECT) or {}).get("report") or []
            try:
                values = plain(report[0]["children"][0]["values"][-1]["value"])
                if isinstance(values, list) and len(values) == len(expressions):
                    return values
            except (LookupError, TypeError):
                pass
    if len(expressions) == 1:
        return [CRASH if status == 500 else ("odd", status, body)]
    half = len(expressions) // 2
    return ask(expressions[:half]) + ask(expressions[half:])


CRASH = object()


def ask_all(expressions):
    return [v for i in range(0, len(expressions), 150) for v in ask(expressions[i:i + 150])]


def exact(expression, printed, record):
    """The string behind an expression whose printed value has question marks."""
    units = utf16(printed)
    told = utf16(record["text"] + record.get("with", "")) + [0xD83D, 0xDE00]
    surrogates = sorted({u for u in told if 0xD800 <= u <= 0xDFFF})
    at = [i for i, u in enumerate(units) if u == 0x3F]
    if not at:
        return printed
    answers = ask_all([f"(%s)[{i}] == '\\u%04x'" % (expression, u) for i in at for u in surrogates])
    for n, i in enumerate(at):
        for m, u in enumerate(surrogates):
            if answers[n * len(surrogates) + m] is True:
                units[i] = u
    return text(units)


# --- patterns ------------------------------------------------------------------------------------

class Generator:
    """Random patterns, each with a function that makes texts it is likely to match."""

    ATOMS = list("abkKsSé1 _-") + ["ſ", "\u212a", "ß", "Σ", "ς", "😀", "\n", "\t", "/", "@"]
    CLASSES = {
        r"\d": "12٣a", r"\D": "aé\n1", r"\w": "a_1é", r"\W": " -é\na", r"\s": " \n\t\x0b", r"\S": "aé ", ".": "aé😀\n",
        r"\pL": "aéß1", r"\PL": "1 a", r"\p{Lu}": "AKΣa", r"\p{^Lu}": "aA", r"\p{Ll}": "aſA", r"\p{Greek}": "Σςa",
        r"\p{Nd}": "1٣a", r"\p{Latin}": "aéΣ", r"\p{Any}": "a😀", "[[:alpha:]]": "aé1", "[[:^digit:]]": "a1", "[[:word:]]": "_aé",
        "[[:space:]]": " \x0b", "[[:punct:]]": "-!a", "[a-c]": "abd", "[^a]": "ba\n", "[a-ck-s]": "akd", "[^\\d]": "1a", "[\\w-]": "a-",
        "[é-ü]": "éa", "[😀-😂]": "😀a", "[]a]": "]a", "[^]a]": "]b", "[a\\-z]": "-b", "[-a]": "-a", "[a-]": "-a", "[\\s\\S]": "\na",
        "[^\\n]": "\na", "[\\x{41}-\\x5a]": "Aa", "[[:upper:]b]": "bBa", "[\\pN_]": "1_", "[\\PN]": "1a", "[^k]": "Kk", "[^\\W]": "Kk-",
    }
    ESCAPES = {r"\.": ".", r"\\": "\\", r"\/": "/", r"\x41": "A", r"\x{e9}": "é", r"\x{1F600}": "😀", r"\t": "\t", r"\n": "\n", r"\a": "\a",
               r"\v": "\v", r"\f": "\f", r"\101": "A", r"\07": "\a", r"\é": "é", r"\-": "-", r"\_": "_", r"\Qa.b\E": "a.b", r"\Qk": "k"}
    ODD = ["(?=a)", "(?!a)", "(?<=a)", r"\1", r"\Z", r"\C", r"\e", "a**", "a++", "a?+", "[z-a]", "[[:foo:]]", "(", ")", "[", "(?P<n>", "(?x)",
           "a{1001}", "a{2,1}", "x{", "x{,3}", "{", "}", "]", r"\u0041", r"\p{Foo}", r"\pX", "(?#c)", "(?>a)", "*", "+a", "|*", "(?i)*", r"\h",
           "(?i", "(?-)", "(?i-:a)", "a{2}{3}", r"\x{110000}", r"\xg", r"\8", "(?:", r"\E", r"\cA", r"[\b]", "[a-\\d]", "[(]", r"\k<a>", "(?R)"]

    def __init__(self, rng):
        self.rng = rng

    def pattern(self):
        self.names = 0
        return self.choice(self.rng.choice([1, 2, 2, 3, 3, 4]))

    def choice(self, depth):
        parts = [self.sequence(depth) for _ in range(self.rng.choice([1, 1, 1, 1, 2, 2, 3]))]
        return "|".join(p for p, _ in parts), lambda: self.rng.choice(parts)[1]()

    def sequence(self, depth):
        items = [self.item(depth) for _ in range(self.rng.choice([0, 1, 1, 2, 2, 3, 4]))]
        return "".join(p for p, _ in items), lambda: "".join(make() for _, make in items)

    def item(self, depth):
        r = self.rng
        p, make = self.atom(depth)
        if r.random() < 0.35:
            low, high = r.choice([(0, 3), (1, 3), (0, 1), (0, 2), (2, 2), (1, 3), (0, 0), (2, 4)])
            count = {(0, 3): "*", (1, 3): "+", (0, 1): "?", (0, 2): "{0,2}", (2, 2): "{2}", (0, 0): "{0}", (2, 4): "{2,}"}[(low, high)]
            return p + count + r.choice(["", "", "?"]), lambda: "".join(make() for _ in range(r.randint(low, high)))
        return p, make

    def atom(self, depth):
        r = self.rng
        n = r.random()
        if n < 0.25 and depth > 0:
            p, make = self.choice(depth - 1)
            n = r.random()
            if n < 0.5: return f"({p})", make
            if n < 0.6:
                self.names += 1
                return f"(?{r.choice(['P', ''])}<n{self.names}>{p})", make
            if n < 0.8: return f"(?:{p})", make
            return f"(?{r.choice(['i', 's', 'm', 'U', 'is', '-i', 'i-s', 'ms', '-U'])}:{p})", make
        if n < 0.45:
            c = r.choice(list(self.CLASSES))
            return c, lambda: r.choice(self.CLASSES[c])
        if n < 0.52:
            c = r.choice(list(self.ESCAPES))
            return c, lambda: self.ESCAPES[c]
        if n < 0.60:
            return r.choice(["^", "$", r"\b", r"\B", r"\A", r"\z", "(?i)", "(?m)", "(?s)", "(?U)", "(?i-s)", "(?-i)"]), lambda: ""
        if n < 0.62:
            return r.choice(self.ODD), lambda: r.choice(["", "a"])
        if n < 0.63:
            c = r.choice(["\ud83d", "\ude00", "\\x{d83d}", "[\ud83d\ude00]", "[\ude00-\uffff]"])
            return c, lambda: r.choice(["\ud83d", "\ude00", "😀"])
        c = r.choice(self.ATOMS)
        return c, lambda: r.choice([c, c, c, c.swapcase() if len(c.swapcase()) == 1 else c])

    def mutation(self, s):
        """The text with one thing deleted, doubled, inserted or swapped."""
        r = self.rng
        if not s: return r.choice(self.ATOMS + ["\ud83d", "\ude00"])
        i = r.randrange(len(s))
        return r.choice([s[:i] + s[i + 1:], s[:i] + s[i] + s[i:], s[:i] + r.choice(self.ATOMS + ["\ud83d", "\ude00", "?", "A", "b"]) + s[i:], s[::-1]])

    def replacement(self):
        parts = ["-", "", "[$0]", "<$1>", "$2", "${n1}", "\\$", "\\\\", "$", "$x", "$10", "é", "😀", "\\a", "$$", "\ud83d", "\ude00", "\\"]
        return "".join(self.rng.choice(parts) for _ in range(self.rng.choice([1, 1, 2])))


def edges(folder):
    """Hand-picked questions: lines of patterns.edges.json, [pattern, texts, replacements]."""
    with open(os.path.join(folder, "patterns.edges.json")) as f:
        return json.load(f)


def main(seed, amount):
    rng = random.Random(seed)
    g = Generator(rng)
    jobs = [(p, texts, repls) for p, texts, repls in edges(os.path.dirname(os.path.abspath(__file__)))]
    for _ in range(amount):
        p, make = g.pattern()
        if rng.random() < 0.08: p = g.mutation(p)
        texts = [text(utf16(make())) for _ in range(3)]
        texts.append(text(utf16(g.mutation(texts[0]))))
        jobs.append((text(utf16(p)), sorted(set(texts)), [g.replacement(), "<$0>"]))
    out = lambda **record: print(json.dumps(record))
    patterns = [p for p, _, _ in jobs]
    errors = [e for i in range(0, len(patterns), 60) for e in compile_errors(patterns[i:i + 60])]
    questions = []
    for (p, texts, repls), error in zip(jobs, errors):
        if error == "unreadable": continue
        out(op="compile", pattern=p, error=error)
        if error is None:
            for t in texts:
                questions.append((f"{literal(t)}.matches({literal(p)})", dict(op="matches", pattern=p, text=t)))
            for i, t in enumerate(texts[:2] if len(repls) == 2 and len(texts) > 2 else texts):
                for w in repls if len(repls) != 2 else repls[i:i + 1]:
                    w = text(utf16(w))
                    questions.append((f"{literal(t)}.replace({literal(p)}, {literal(w)})", dict(op="replace", pattern=p, text=t, **{"with": w})))
                questions.append((f"{literal(t)}.split({literal(p)})", dict(op="split", pattern=p, text=t)))
    for (expression, record), value in zip(questions, ask_all([q for q, _ in questions])):
        if value is CRASH: out(**record, crash=True)
        elif isinstance(value, tuple): print(value, record, file=sys.stderr)
        elif record["op"] == "matches": out(**record, value=value)
        elif record["op"] == "replace": out(**record, value=exact(expression, value, record))
        else: out(**record, value=[exact(f"({expression})[{i}]", piece, record) for i, piece in enumerate(value)])


if __name__ == "__main__":
    if len(sys.argv) < 2: sys.exit(__doc__)
    sys.path.insert(0, sys.argv[1])
    oracle = importlib.import_module("oracle")
    main(int(sys.argv[2]) if len(sys.argv) > 2 else 1, int(sys.argv[3]) if len(sys.argv) > 3 else 700)
