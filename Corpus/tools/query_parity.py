#!/usr/bin/env python3
"""Puts random queries under random rules to the official emulator and to us, and shows where the verdicts or the
messages of denials differ.

  query_parity.py [--seeds "1 2 3"] [--count N] [--program PATH] [--record FILE] [--seconds S]

Of each seed, N pairs of a rule and a query at least are compared (default 10000). A difference is shrunk before it is
shown; of several that look alike one is. `--record` writes pairs with the official answers instead, for
`Corpus/queries.jsonl`. FIRESTORE_EMULATOR_HOST names an emulator that runs already.
Exit code 1 when there was a difference.
"""
import argparse, json, os, random, re, subprocess, sys, time, urllib.parse

from parity_sides import Emulator, jar, start
from query_questions import DOCUMENTS, USER, Questions, render, rest

HEAD = """rules_version = '2';
service cloud.firestore {
match /databases/{database}/documents {
function same(x) { return x; }
function mine(x) { let u = request.auth.uid; return x == u; }
function above(x, y) { let z = x > 1; return z || y; }
function isOwner(data) { return data.o == request.auth.uid; }
"""
BLOCKS, QUERIES = 25, 20


def rules(blocks):
    text = HEAD
    for block in blocks:
        text += f"match {block['pattern']} {{\n"
        for allow in block["allows"]:
            text += f"allow {allow['methods']}: if\n{render(allow['condition'])}\n;\n"
        text += "}\n"
    return text + "}\n}\n"


class Official(Emulator):
    def __init__(self, host, project):
        super().__init__(host, project)
        self.call("DELETE", f"/emulator/v1/projects/{project}/databases/(default)/documents", auth="owner")
        writes = [{"update": {"name": f"projects/{project}/databases/(default)/documents{path}", "fields": {k: rest(v) for k, v in fields.items()}}}
                  for path, fields in DOCUMENTS.items()]
        status, body = self.call("POST", self.database + ":commit", {"writes": writes}, "owner")
        assert status == 200, body

    def load(self, text):
        status, body = self.call("PUT", f"/emulator/v1/projects/{self.project}:securityRules",
                                 {"rules": {"files": [{"name": "security.rules", "content": text}]}}, "owner")
        return status == 200

    def judge(self, question):
        """(allowed, message); (None, …) where the emulator has no opinion."""
        query = json.loads(json.dumps(question["query"]).replace("projects/PROJECT/", f"projects/{self.project}/"))
        status, body = self.call("POST", self.database + question["parent"] + ":runQuery", {"structuredQuery": query}, question["auth"])
        if status == 200: return True, None
        error = (body[0] if isinstance(body, list) else body or {}).get("error", {})
        return (False if status == 403 else None), error.get("message", "").strip().replace(self.project, "PROJECT")


class Ours:
    def __init__(self, program):
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.documents = {path: {k: rest(v) for k, v in fields.items()} for path, fields in DOCUMENTS.items()}

    def judge(self, text, questions, nodes=False):
        data = json.dumps({"rules": text, "documents": self.documents, "queries": questions, "nodes": nodes}).replace("projects/PROJECT/", "projects/p/")
        self.process.stdin.write(data.encode() + b"\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        if "failed" in answer: raise SystemExit(answer["failed"])
        self.stumbles = [a["stumbles"] for a in answer["answers"]]
        return answer["accepted"], [(a["allowed"], a["message"]) for a in answer["answers"]]


def unjudged(answer):
    """Filters on a field and on something within it are put together by the emulator in the order of a hash table."""
    return (answer[1] or "").endswith("cannot be judged.")


def differs(official, ours, block, question):
    """Both answers where they differ, else None."""
    text = rules([block])
    if not official.load(text): return None
    theirs = official.judge(question)
    accepted, answers = ours.judge(text, [question], nodes=True)
    # Where the emulator loses its place among the values of a literal, it has no opinion.
    if not accepted or theirs[0] is None or unjudged(answers[0]) or ours.stumbles[0]: return None
    return (theirs, answers[0]) if theirs != answers[0] else None


def smaller_trees(tree):
    text, parts = tree
    for part in parts: yield part
    if tree not in (("true", []), ("false", [])):
        yield ("true", [])
        yield ("false", [])
    for i, part in enumerate(parts):
        for less in smaller_trees(part): yield (text, parts[:i] + [less] + parts[i + 1:])


def smaller_filters(where):
    yield None
    if "compositeFilter" in (where or {}):
        op, filters = where["compositeFilter"]["op"], where["compositeFilter"]["filters"]
        yield from filters
        for i in range(len(filters)):
            if len(filters) > 1: yield {"compositeFilter": {"op": op, "filters": filters[:i] + filters[i + 1:]}}
            for less in smaller_filters(filters[i]):
                if less: yield {"compositeFilter": {"op": op, "filters": filters[:i] + [less] + filters[i + 1:]}}
    values = (where or {}).get("fieldFilter", {}).get("value", {}).get("arrayValue", {}).get("values", [])
    if len(values) > 1 and where["fieldFilter"]["op"] in ("IN", "NOT_IN", "ARRAY_CONTAINS_ANY"):
        for i in range(len(values)):
            yield {"fieldFilter": {**where["fieldFilter"], "value": {"arrayValue": {"values": values[:i] + values[i + 1:]}}}}


def smaller(block, question):
    allows = block["allows"]
    for i in range(len(allows)):
        if len(allows) > 1: yield {**block, "allows": allows[:i] + allows[i + 1:]}, question
        for tree in smaller_trees(allows[i]["condition"]):
            yield {**block, "allows": allows[:i] + [{**allows[i], "condition": tree}] + allows[i + 1:]}, question
    query = question["query"]
    for key in ("limit", "offset", "orderBy", "select"):
        if key in query: yield block, {**question, "query": {k: v for k, v in query.items() if k != key}}
    if "where" in query:
        for where in smaller_filters(query["where"]):
            yield block, {**question, "query": {**{k: v for k, v in query.items() if k != "where"}, **({"where": where} if where else {})}}


def shrink(official, ours, block, question):
    found = True
    for _ in range(60):
        found = next(((b, q) for b, q in smaller(block, question) if differs(official, ours, b, q)), None)
        if not found: break
        block, question = found
    return block, question


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--seeds", default="1")
    options.add_argument("--count", type=int, default=10000)
    options.add_argument("--program", default=".build/debug/rules-answer")
    options.add_argument("--record")
    options.add_argument("--seconds", type=float, default=1e9)
    options = options.parse_args()
    if jar() is None and "FIRESTORE_EMULATOR_HOST" not in os.environ:
        print("skipped: emulator not installed")
        return 0
    host, process = start()
    try:
        return run(options, Official(host, f"queries{os.getpid()}"), Ours(options.program))
    finally:
        if process: process.terminate()


def run(options, official, ours):
    begin, pairs, allowed, silent, different, refused, shown = time.time(), 0, 0, 0, 0, 0, {}
    recording = Recording(official) if options.record else None
    for seed in options.seeds.split():
        questions, done = Questions(random.Random(seed)), 0
        while done < options.count and time.time() - begin < options.seconds:
            blocks = [questions.block(i) for i in range(BLOCKS)]
            asked = [(i, questions.query(i, blocks[i])) for i in range(BLOCKS) for _ in range(QUERIES)]
            # Conditions that do not compile are found one by one, by us, and left out.
            bad = set() if ours.judge(rules(blocks), [])[0] else {i for i, b in enumerate(blocks) if not ours.judge(rules([b]), [])[0]}
            blocks = [b if i not in bad else {"pattern": f"/c{i}/{{id}}", "allows": []} for i, b in enumerate(blocks)]
            text = rules([b for b in blocks if b["allows"]])
            if not official.load(text): continue
            asked = [(i, q) for i, q in asked if i not in bad]
            _, answers = ours.judge(text, [q for _, q in asked])
            for (i, question), answer in zip(asked, answers):
                theirs = official.judge(question)
                if theirs[0] is None:
                    silent += 1
                    continue
                done += 1
                pairs += 1
                allowed += theirs[0]
                if recording:
                    recording.note(blocks[i], question, theirs)
                    if recording.dirty: official.load(text)
                    recording.dirty = False
                if theirs == answer: continue
                if unjudged(answer) and not answer[0]:
                    refused += 1
                    continue
                if not differs(official, ours, blocks[i], question):
                    refused += 1
                    official.load(text)
                    continue
                different += 1
                note(official, ours, blocks[i], question, theirs, answer, shown, seed)
                official.load(text)
        print(f"seed {seed}: {done} pairs, {different} different so far, {time.time() - begin:.0f} s", flush=True)
    print(f"seeds {options.seeds}: {pairs} pairs in {time.time() - begin:.0f} s, {allowed} allowed, {different} different, "
          f"{refused} that we refuse to judge or the emulator stumbles over; {silent} queries that the emulator does not take")
    if recording: recording.write(options.record)
    return 1 if different else 0


def note(official, ours, block, question, theirs, answer, shown, seed):
    signature = lambda t: re.sub(r"\d+", "#", str(t))[:160]
    key = (signature(theirs), signature(answer))
    shown[key] = shown.get(key, 0) + 1
    if shown[key] > 1 or len(shown) > 25: return
    block, question = shrink(official, ours, block, question)
    last = differs(official, ours, block, question) or (theirs, answer)
    again = (signature(last[0]), signature(last[1]), signature(render(block["allows"][0]["condition"])))
    shown[again] = shown.get(again, 0) + 1
    if shown[again] > 1: return
    print(f"--- seed {seed}")
    print("\n".join(rules([block]).split("\n")[7:-3]))
    print("  ", json.dumps({k: v for k, v in question.items() if k != "auth" or v is None}))
    print("   official:", last[0])
    print("   ours:    ", last[1], flush=True)


class Recording:
    """A sample of the pairs asked, as many allowed as denied and not too many alike."""

    def __init__(self, official):
        self.dirty = False
        self.official, self.lines, self.seen = official, {True: [], False: []}, {}

    def note(self, block, question, theirs):
        shape = lambda t: re.sub(r"[\d.]+|'[^']*'", "#", t)
        key = shape(str(theirs[1])[:80] + "|".join(render(a["condition"]) for a in block["allows"]) if not theirs[0] else render(block["allows"][0]["condition"]))[:90]
        self.seen[key] = self.seen.get(key, 0) + 1
        if self.seen[key] > 3 or len(self.lines[theirs[0]]) >= 2000: return
        text = rules([block])
        if not self.official.load(text): return
        verdict, message = self.official.judge(question)
        line = {"rules": text[len(HEAD):-len("}\n}\n")], **{k: v for k, v in question.items() if v not in ("", USER)}, "verdict": "ALLOW" if verdict else "DENY"}
        if message: line["message"] = message
        self.lines[verdict].append(line)
        self.dirty = True

    def write(self, path):
        with open(path, "w") as file:
            documents = {path: {k: rest(v) for k, v in fields.items()} for path, fields in DOCUMENTS.items()}
            file.write(json.dumps({"before": HEAD, "after": "}\n}\n", "documents": documents, "auth": USER}) + "\n")
            for line in self.lines[True] + self.lines[False]: file.write(json.dumps(line) + "\n")


if __name__ == "__main__":
    sys.exit(main())
