#!/usr/bin/env python3
"""Random regular expressions and texts, put to the official emulator, to us and to Google's RE2 (`google-re2` of PyPI).

  parity_patterns.py [--seeds "1 2 3"] [--count N] [--program PATH] [--venv FOLDER] [--seconds S]

The emulator uses the Java port of RE2. Where the port and RE2 agree, RE2 is asked alone, which is much faster: of each
seed N comparisons with it (default 20000), and a tenth of that with the emulator, when one is installed. Google's
library is installed into FOLDER at first; `skipped` is said of whatever is missing. Exit code 1 when there was a
difference.
"""
import argparse, json, os, random, re, subprocess, sys, time

from parity_sides import Emulator, Ours, jar, start
from parity_limits import HEAD, TAIL

ATOMS = ["a", "b", "c", "A", "k", "1", "0", " ", "_", "-", ",", ".", "\\.", "\\d", "\\D", "\\w", "\\W", "\\s", "\\S", "[ab]", "[^a]", "[a-c]", "[^b-z]", "[\\d-]", "[\\w.]", "[]a]", "[^]a]", "[a\\]]",
         "(a)", "(b|c)", "(ab|a)", "(?:b)", "(?:a|)", "(?P<n>b)", "()", "\\b", "\\B", "^", "$", "\\A", "\\z", "|", "\\x41", "\\x{e9}", "\\101", "\\n", "\\t", "\\pL", "\\PL", "\\p{Lu}", "\\p{^Lu}",
         "\\p{Greek}", "\\pN", "[[:alpha:]]", "[[:^alpha:]]", "[[:digit:]a]", "[[:word:]]", "[^[:space:]]", "é", "É", "ß", "\U0001F600", "\u212a", "\u03c3", "\u03c2", "[à-ÿ]", "[\U0001F600-\U0001F610]",
         "\\Q.+\\E", "\\Qa", "(?i)", "(?s)", "(?m)", "(?U)", "(?i:aK)", "(?-i:a)", "(?s:.)", "(?is)", "(?i-s:b.)", "]", "}", "{", "{a", "a{,2}", "(a|b)*", "(a*)+", "(a*)*", "x{0}", "x{0,0}", "(|a)+"]
BAD = ["(", ")", "[", "[a", "[^", "\\", "\\1", "\\8", "\\Z", "\\e", "\\G", "\\X", "\\h", "\\pX", "\\p{Foo}", "\\p{", "(?=a)", "(?!a)", "(?<=a)", "(?<n>a)", "(?P=n)", "(?P<n", "(?P<1>a)", "(?P<n>a)(?P<n>b)", "(?x)", "(?#c)", "(?",
       "a{3,2}", "a{1001}", "a{0,1001}", "a{1000}{2}", "(a{500}){3}", "[z-a]", "[[:x:]]", "[[:alpha:]", "*", "+", "?", "{1}", "**", "a**", "a*+", "a+*", "a{2}{3}", "a{2}*", "^*", "$*", "\\b+", "(?i)*", "|*", "\\x{110000}", "\\x{", "\\xg", "\\C", "[\\d-z]", "[a-\\d]", "[--a]", "[a-b-c]", "\\u0041", "\\N"]
REPEATS = ["*", "+", "?", "*?", "+?", "??", "{2}", "{0,2}", "{1,}", "{2}?", "{1,3}?", "{0}", "{3}"]
LETTERS = ["a", "b", "c", "A", "B", "K", "k", "1", "0", " ", "-", ",", ".", "_", "]", "}", "é", "É", "ß", "\u00c5", "\u0100", "\u03c3", "\u03c2", "\u03a3", "\u212a", "\u017f", "\U0001F600", "\U00010400", "\U00010428", "\n", "\t", "\u0085", "\u2028", "\x00"]
# Where RE2 goes another way than its Java port (found by asking both): forms that only one of them knows, and a brace
# that opens nothing, which RE2 takes for a letter and the port does not when it is repeated; RE2 bounds repetitions of
# repetitions to 1,000 in all, the port groups within groups to a hundred or so; the port refuses a name used twice.
APART = re.compile(r"\(\?<n>|\\C|\{[*+?]|\{\{\d|\{500\}\)\{|\({60}|<n>.*<n>", re.S)


def literal(text):
    """A string literal of the rules language; others than ASCII become escapes."""
    data = text.encode("utf-16-le", "surrogatepass")
    out = ""
    for unit in (data[i] | data[i + 1] << 8 for i in range(0, len(data), 2)):
        c = chr(unit)
        out += "\\" + c if c in "\\'" else c if 32 <= unit < 127 else f"\\u{unit:04x}"
    return f"'{out}'"


def pattern(r, bad):
    text = ""
    for _ in range(r.randint(0, 6)):
        text += r.choice(BAD) if r.random() < bad else r.choice(ATOMS)
        if r.random() < 0.35:
            text += r.choice(REPEATS)
    if r.random() < 0.05:
        # Deeper and longer, up to the limits of the dialect.
        n = r.choice([2, 10, 100, 999, 1000])
        text = r.choice([f"(?:{text}){{{min(n, 10)}}}", "(" * min(n, 100) + text + ")" * min(n, 100), f"a{{{n}}}", f"[{text}]", f"(?:a{{{min(n, 30)}}}){{{min(n, 30)}}}"])
    return text


def string(r, p):
    """At random, or made of what the pattern is made of."""
    if r.random() < 0.4:
        source = [c for c in p if c not in "\\()[]{}*+?|^$"] or ["a"]
        return "".join(r.choice(source + ["a", "b"]) for _ in range(r.randint(0, 6)))
    return "".join(r.choice(LETTERS) for _ in range(r.choice([0, 1, 1, 2, 3, 5, 8])))


def question(lines):
    """A ruleset of conditions, each in a block of its own, with a request for each."""
    rules = HEAD + "".join(f"match /c{i}/{{id}} {{\nallow get: if\n{line}\n;\n}}\n" for i, line in enumerate(lines)) + TAIL
    return {"kind": "patterns", "rules": rules, "documents": {}, "requests": [{"path": f"/c{i}/x", "method": "get"} for i in range(len(lines))]}


def verdict(answer):
    """True, False, or "invalid" for an answer to a condition of patterns; None for a crash."""
    if answer["allowed"] is None:
        return None
    if answer["allowed"]:
        return True
    return False if answer["message"].startswith("false ") else "invalid" if "regular expression" in answer["message"].lower() else answer["message"][:60]


def condition(p, s, op, other):
    """As no literal, so that an invalid pattern is no error of the ruleset."""
    made = f"({literal(p)} + '')"
    if op == "matches":
        return f"{literal(s)}.matches({made})"
    return f"{literal(s)}.{op}({made}{', ' + literal('-') if op == 'replace' else ''}) == {literal(other) if isinstance(other, str) else '[' + ', '.join(map(literal, other)) + ']'}"


class RE2:
    """Google's library, in a process of its own so that it may live in its own environment."""
    PROGRAM = """
import json, sys, re2
o = re2.Options(); o.log_errors = False; o.max_mem = 64 << 20
for line in sys.stdin:
    out = []
    for p, s in json.loads(line):
        try:
            out.append(re2.compile(p, o).fullmatch(s) is not None)
        except re2.error:
            out.append("invalid")
    print(json.dumps(out), flush=True)
"""

    def __init__(self, folder):
        self.process = None
        python = os.path.join(folder, "bin", "python")
        if not os.path.exists(python):
            if subprocess.run([sys.executable, "-m", "venv", folder]).returncode:
                return
        if subprocess.run([python, "-c", "import re2"], capture_output=True).returncode:
            if subprocess.run([python, "-m", "pip", "install", "-q", "google-re2"], capture_output=True).returncode:
                return
        self.process = subprocess.Popen([python, "-c", self.PROGRAM], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)

    def ask(self, pairs):
        self.process.stdin.write(json.dumps(pairs) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--seeds", default="1")
    options.add_argument("--count", type=int, default=20000)
    options.add_argument("--program", default=".build/release/rules-answer")
    options.add_argument("--venv", default=".build/google-re2")
    options.add_argument("--seconds", type=float, default=1e9)
    options = options.parse_args()
    ours = Ours(options.program)
    re2 = RE2(options.venv)
    if not re2.process:
        print("skipped: google-re2 cannot be installed")
    process, emulator = None, None
    if jar() is not None or "FIRESTORE_EMULATOR_HOST" in os.environ:
        host, process = start()
        emulator = Emulator(host, f"patterns{os.getpid()}")
    else:
        print("skipped: emulator not installed")
    try:
        return run(options, emulator, ours, re2 if re2.process else None)
    finally:
        if process:
            process.terminate()


def run(options, emulator, ours, re2):
    begin, wrong = time.time(), 0
    tally = {"emulator": 0, "google-re2": 0, "Java port apart from RE2": 0, "no answer of the emulator": 0}
    for seed in options.seeds.split():
        r = random.Random(f"patterns {seed}")
        asked = 0
        while emulator and asked < options.count // 10 and time.time() - begin < options.seconds:
            asked += 40
            wrong += with_emulator(r, emulator, ours, re2, tally)
        asked = 0
        while re2 and asked < options.count and time.time() - begin < options.seconds:
            asked += 200
            pairs = []
            while len(pairs) < 200:
                p = pattern(r, 0)
                for _ in range(4):
                    pairs.append((p, string(r, p)))
            expected = re2.ask(pairs)
            answers = ours.ask(question([condition(p, s, "matches", None) for p, s in pairs]))["answers"]
            for (p, s), a, b in zip(pairs, expected, answers):
                tally["google-re2"] += 1
                if a != verdict(b) and apart(p):
                    tally["Java port apart from RE2"] += 1
                elif a != verdict(b):
                    wrong += 1
                    show(seed, p, s, "matches", {"google-re2": a, "ours": verdict(b)})
    print(f"patterns, seeds {options.seeds}: " + ", ".join(f"{k} {n}" for k, n in tally.items()) + f", differences {wrong}, in {time.time() - begin:.0f} s")
    return 1 if wrong else 0


def with_emulator(r, emulator, ours, re2, tally):
    """Forty conditions put to all three."""
    asked = []
    while len(asked) < 40:
        p = pattern(r, 0.12)
        for op in ["matches", "matches", "replace", "split"]:
            asked.append((p, string(r, p), op))
    lines = [condition(p, s, op, "" if op == "replace" else []) for p, s, op in asked]
    q = question(lines)
    theirs, mine = emulator.ask(q), ours.ask(q)
    if theirs is None or not theirs["accepted"]:
        tally["no answer of the emulator"] += len(lines)
        return 0 if not mine["accepted"] or theirs is None else show("", "", "", "acceptance", {"emulator": theirs, "ours": mine["findings"]})
    values = {}
    for offset, chain, reported in theirs["nodes"][0]:
        values.setdefault((offset, chain), []).extend(reported)
    google = re2.ask([(p, s) for p, s, _ in asked]) if re2 else [None] * len(asked)
    wrong = 0
    for (p, s, op), a, b, g in zip(asked, theirs["answers"], mine["answers"], google):
        if a["allowed"] is None:
            tally["no answer of the emulator"] += 1
            continue
        tally["emulator"] += 1
        if (a["allowed"], a["message"]) != (b["allowed"], b["message"]):
            wrong += show("", p, s, op, {"emulator": a, "ours": {k: b[k] for k in ("allowed", "message")}})
        # The value itself, as text or list.
        for offset, chain, is_literal, value in b["nodes"]:
            if not is_literal and value not in values.get((offset, chain), []):
                wrong += show("", p, s, op, {"emulator": values.get((offset, chain)), "ours": value})
                break
        if op == "matches" and g is not None and verdict(a) != g:
            tally["Java port apart from RE2"] += 1
            if not apart(p) and os.environ.get("PORT"):
                print("    port", json.dumps([p, s]), "RE2", g, "emulator", verdict(a))
    return wrong


def apart(p):
    """May RE2 and its Java port differ about it?"""
    return APART.search(p) is not None


def show(seed, p, s, op, answers):
    print(f"--- {op}, seed {seed}: pattern {json.dumps(p)}, text {json.dumps(s)}")
    for side, answer in answers.items():
        print(f"   {side}: {json.dumps(answer)[:300]}", flush=True)
    return 1


if __name__ == "__main__":
    sys.exit(main())
