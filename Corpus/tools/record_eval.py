#!/usr/bin/env python3
"""Puts random batches and queries to the official emulator, each on documents of its own, and writes them as questions
for `rules-test eval` with the official answers: one JSON line each.

  record_eval.py FILE [--count 240] [--seed 1]

What Firestore takes from nobody (INVALID_ARGUMENT) is left out. FIRESTORE_EMULATOR_HOST names an emulator that runs
already.
"""
import argparse, json, random, re, sys

from firestore_parity import Emulator, Questions, error

PROJECT = "demo-eval"
EVERYTHING = {"structuredQuery": {"from": [{"allDescendants": True}]}}


def is_settled(query):
    """Filters on a map and on something within it, and queries of no collection, are not judged by us (docs/parity.md)."""
    source = (query["from"] or [{}])[0]
    fields = set(re.findall(r'"fieldPath": "(m[^"]*)"', json.dumps(query.get("where"))))
    return bool(source.get("collectionId") or source.get("allDescendants")) and not ("m" in fields and len(fields) > 1)


def without_times(x):
    if isinstance(x, dict): return {k: without_times(v) for k, v in x.items() if k not in ("createTime", "updateTime", "readTime", "done")}
    if isinstance(x, list): return [without_times(y) for y in x]
    return x


def main():
    options = argparse.ArgumentParser()
    options.add_argument("file")
    options.add_argument("--count", type=int, default=240)
    options.add_argument("--seed", default="1")
    options = options.parse_args()
    r = random.Random(f"eval {options.seed}")
    emulator = Emulator(PROJECT)
    kept = {}
    lines = []
    while len(lines) < options.count:
        questions = Questions(r, PROJECT)
        rules = questions.rules()
        emulator.open(rules)
        token = r.choice([None, {"sub": "u1", "user_id": "u1", "email": "a@b.c"}])
        for _ in range(8):
            emulator.ask("commit", "", {"writes": [{"update": {"name": questions.name(), "fields": questions.fields()}}]}, "owner")
        before = [without_times(d["document"]) for d in emulator.ask("runQuery", "", EVERYTHING, "owner")[1] if "document" in d]
        question = {"rules": rules, "documents": before}
        if token: question["auth"] = {"uid": token["user_id"], "token": token}
        if r.random() < .5:
            body = {"writes": [questions.write([], questions.path()) for _ in range(r.choice([1, 2, 3]))]}
            if "REQUEST_TIME" in json.dumps(body): continue
            question.update(body, documentsAfter=True)
            status, answer = emulator.ask("commit", "", body, token)
        else:
            body, parent = questions.query()
            if not is_settled(body): continue
            question.update(structuredQuery=body, parent=parent)
            status, answer = emulator.ask("runQuery", parent, {"structuredQuery": body}, token)
        what = error([status, answer])
        if what.get("status") in ("INVALID_ARGUMENT", "INTERNAL") or status >= 500: continue
        kind = ("writes" in question, what.get("status", "OK"))
        # Not too many of a kind.
        if kept.get(kind, 0) >= options.count * .3: continue
        kept[kind] = kept.get(kind, 0) + 1
        line = {"question": question, "decision": "DENY" if status == 403 else "ALLOW"}
        if status == 403: line["message"] = what["message"]
        elif status != 200: line["obstacle"] = what["status"]
        if "writes" in question and status == 200:
            line["documents"] = [without_times(d["document"]) for d in emulator.ask("runQuery", "", EVERYTHING, "owner")[1] if "document" in d]
        lines.append(line)
    with open(options.file, "w") as file:
        for line in lines: file.write(json.dumps(line, ensure_ascii=False) + "\n")
    print(", ".join(f"{'writes' if k[0] else 'query'} {k[1]}: {n}" for k, n in sorted(kept.items())))


if __name__ == "__main__":
    sys.exit(main())
