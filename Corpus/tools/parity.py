#!/usr/bin/env python3
"""Puts random questions to the official emulator and to us, and shows where the answers differ.

  parity.py [--seeds "1 2 3"] [--count N] [--kinds a,b] [--program PATH] [--record FILE] [--keep FILE] [--answers FILE] [--all]

Of each seed, N comparisons at least are made (default 20000). A difference is shrunk before it is shown; of several
that look alike one is. `--record` appends the shrunk questions with the official answers to a file, `--keep` all
questions. `--answers` is a file (.gz) that keeps what the emulator said, so that a seed can be run again without
asking; `--only-ask` fills it and compares nothing. `--found` only says whether an emulator is installed.
FIRESTORE_EMULATOR_HOST names one that runs already.
Exit code 1 when there was a difference that counts: of texts that do not compile, acceptance and the first error do.
"""
import argparse, json, os, random, re, signal, sys, time

from parity_compare import Difference, compare, shrink
from parity_questions import TAIL, Questions
from parity_sides import Emulator, Ours, jar, start

KINDS = {"expressions": 6, "data": 6, "structure": 20, "limits": 12, "lookups": 4, "commits": 3, "budget": 2, "patterns": 3, "invalid patterns": 1, "broken": 30, "sweep": 10, "corners": 10, "idioms": 6}
# Of a number of comparisons, how they are shared out.
SHARES = {"expressions": 10, "data": 12, "structure": 10, "limits": 8, "lookups": 6, "commits": 4, "budget": 12, "patterns": 4, "invalid patterns": 3, "broken": 3,
          "sweep": 11, "corners": 12, "idioms": 8}


def make(kind, questions, ours):
    if kind == "expressions": return questions.expressions(False)
    if kind == "data": return questions.expressions(True)
    if kind == "structure": return questions.structure()
    if kind == "lookups": return questions.lookups()
    if kind == "budget": return questions.budget(lambda q: [a.get("cost", 0) for a in ours.ask(q)["answers"]] or [0] * 4)
    if kind == "corners": return questions.corners()
    if kind == "idioms": return questions.idioms()
    if kind == "sweep": return questions.sweep()
    if kind == "commits": return questions.commits()
    if kind == "limits": return questions.limits()
    if kind == "patterns": return questions.patterns()
    if kind == "invalid patterns": return questions.patterns(True)
    return questions.broken()


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--seeds", default="1")
    options.add_argument("--count", type=int, default=20000)
    options.add_argument("--questions", type=int, help="of each seed so many questions, instead of --count")
    options.add_argument("--kinds", default=",".join(KINDS))
    options.add_argument("--program", default=".build/release/rules-answer")
    options.add_argument("--record")
    options.add_argument("--keep")
    options.add_argument("--answers")
    options.add_argument("--stop", action="store_true", help="say at which comparison the first difference came, and end")
    options.add_argument("--only-ask", action="store_true")
    options.add_argument("--seconds", type=float, default=1e9)
    options.add_argument("--all", action="store_true", help="show further errors of texts that do not compile, too")
    options.add_argument("--found", action="store_true")
    options = options.parse_args()
    found = jar() is not None or "FIRESTORE_EMULATOR_HOST" in os.environ
    if options.found:
        return 0 if found else 1
    if not found:
        print("skipped: emulator not installed")
        return 0
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    host, process = start()
    try:
        return run(options, Emulator(host, f"parity{os.getpid()}", options.answers), Ours(options.program))
    finally:
        if process:
            process.terminate()


def run(options, emulator, ours):
    total, per_kind, questions_asked, shown, repeated = {}, {}, {}, {}, {}
    begin, silent = time.time(), 0
    differs = lambda q: compare(q, emulator.ask(q), ours.ask(q))
    for seed in options.seeds.split():
        count = {}
        r = random.Random(seed)
        questions = Questions(r)
        kinds = [k for k in KINDS if k in options.kinds.split(",")]
        asked, shared = 0, {}
        while (asked < options.questions if options.questions else sum(count.values()) < options.count) and time.time() - begin < options.seconds:
            asked += 1
            kind = r.choices(kinds, [KINDS[k] for k in kinds])[0]
            if not options.questions:
                kind = min(kinds, key=lambda k: shared.get(k, 0) / SHARES[k])
            question = make(kind, questions, ours)
            before = sum(count.values())
            waiting = parts(question, kind, ours)
            while waiting:
                question = waiting.pop()
                if options.only_ask:
                    waiting += halves(question) if emulator.ask(question) is None else []
                    continue
                answers = emulator.ask(question), ours.ask(question)
                if answers[0] is None:
                    silent += len(question["requests"]) <= 1
                    waiting += halves(question)
                    continue
                if options.keep:
                    record(question, emulator, options.keep)
                differences = compare(question, *answers, count)
                if differences and options.answers:
                    # What was kept of an earlier run is asked again before it is held against anyone.
                    differences = compare(question, emulator.ask(question, again=True), answers[1])
                if options.stop and any(d.kind != "further errors" for d in differences):
                    one = min(differences, key=lambda d: Difference.ORDER.index(d.kind))
                    print(f"caught within {sum(count.values())} comparisons, seed {seed}: {one.kind}, official {str(one.theirs)[:90]!r}, ours {str(one.ours)[:90]!r}")
                    return 1
                note(differences, question, seed, kind, shown, repeated, differs, options, emulator)
            per_kind[kind] = per_kind.get(kind, 0) + sum(count.values()) - before
            shared[kind] = shared.get(kind, 0) + sum(count.values()) - before + 1
            questions_asked[kind] = questions_asked.get(kind, 0) + max(1, len(question["requests"]))
        for k, n in count.items():
            total[k] = total.get(k, 0) + n
    print(f"seeds {options.seeds}: {sum(total.values())} comparisons in {time.time() - begin:.0f} s")
    print("  by what:     " + ", ".join(f"{k} {n}" for k, n in sorted(total.items())))
    print("  by question: " + ", ".join(f"{k} {n} ({questions_asked[k]} requests or texts)" for k, n in sorted(per_kind.items())))
    if silent:
        print(f"  without an answer of the emulator: {silent} requests or texts")
    counted = {}
    for signature, n in repeated.items():
        counted[signature[0]] = counted.get(signature[0], 0) + n
    print("  differences: " + (", ".join(f"{k} {counted[k]}" for k in Difference.ORDER if k in counted) or "none"))
    return 1 if any(k != "further errors" for k in counted) else 0


def parts(question, kind, ours):
    """The question itself. Of many conditions in one ruleset, those that do not compile are asked one by one."""
    if kind not in ("expressions", "data", "sweep", "corners", "idioms", "patterns", "invalid patterns"):
        return [question]
    alone = []
    for _ in range(3):
        answer = ours.ask(question)
        lines = {f[0] for f in answer["findings"] if f[3] == "ERROR"}
        if answer["accepted"] or not lines:
            break
        rules = question["rules"].split("\n")
        first = next(i for i, line in enumerate(rules) if line.startswith("match /c0"))
        for number in lines:
            if number - 2 >= first and rules[number - 2].endswith(": if"):
                one = rules[:first] + ["match /c0/{id} {"] + rules[number - 2:number + 1] + ["}", TAIL]
                alone.append({**question, "rules": "\n".join(one), "requests": [], "documents": {}})
                rules[number - 1] = "false"
            else:
                rules[number - 1] = "    return 1;" if "return" in rules[number - 1] else rules[number - 1].split("=")[0] + "= 1;"
        question = {**question, "rules": "\n".join(rules)}
    return [question] + alone


def halves(question):
    """Two questions of half the blocks each, for when the emulator fails on the whole."""
    cut = re.split(r"(?m)^(?=match /c\d)|^(?= }\n}\n)", question["rules"])
    if len(cut) < 4 or not question["requests"]:
        return []
    middle = (len(cut) - 2) // 2
    out = []
    for part in (cut[1:1 + middle], cut[1 + middle:-1]):
        names = {re.match(r"match (/c\d+/)", block)[1] for block in part}
        requests = [q for q in question["requests"] if re.match(r"/c\d+/", q["path"])[0] in names]
        out.append({**question, "requests": requests, "rules": cut[0] + "".join(part) + cut[-1]})
    return out


def note(differences, question, seed, kind, shown, repeated, differs, options, emulator):
    differences.sort(key=lambda d: Difference.ORDER.index(d.kind))
    for difference in differences:
        signature = difference.signature()
        repeated[signature] = repeated.get(signature, 0) + 1
        if repeated[signature] > 1 or difference.kind == "further errors" and not options.all:
            continue
        if sum(1 for s in shown if s[0] == difference.kind) >= 25:
            continue
        shown[signature] = True
        one = question
        if difference.request is not None:
            one = {**question, "requests": [question["requests"][difference.request]]}
        print(f"--- {difference.kind}, seed {seed}, {kind}", flush=True)
        small = shrink(one, difference, differs)
        last = next((d for d in differs(small) if d.is_like(difference)), difference)
        print(small["rules"].strip("\n"))
        for request in small["requests"][:2]:
            print("  ", json.dumps({k: v for k, v in request.items()}, ensure_ascii=True)[:400])
        if small["requests"]:
            print("   documents:", json.dumps(small["documents"])[:600])
        if last.place is not None:
            print("   at:      ", small["rules"][last.place:last.place + 60].split("\n")[0])
        print("   official:", last.theirs)
        print("   ours:    ", last.ours, flush=True)
        if options.record:
            record(small, emulator, options.record)


def record(question, emulator, path):
    """Appends the question with the official answer, one line for each request, as `statements.jsonl` has them."""
    answer = emulator.ask(question)
    if answer is None:
        return
    with open(path, "a") as file:
        for i, request in enumerate(question["requests"] or [None]):
            line = {"rules": question["rules"]}
            if not answer["accepted"]:
                line |= {"verdict": "COMPILE", "message": answer["text"]}
            elif request is None:
                line |= {"verdict": "ACCEPTED"}
            else:
                # Those of another block have nothing to do with it.
                block = request["path"].split("/")[1]
                near = {k: v for k, v in question["documents"].items() if k.split("/")[1] == block or question["kind"] != "commits" or k[3:4] == block[1:]}
                line |= {"documents": near, **request, "auth": request.get("auth")}
                if "increments" in line:
                    line["transforms"] = [{"fieldPath": f, "increment": {"integerValue": str(n)}} for f, n in line.pop("increments").items()]
                verdict = answer["answers"][i]
                line["verdict"] = {None: "CRASH", True: "ALLOW", False: "DENY"}[verdict["allowed"]]
                if verdict["message"] is not None:
                    line["message"] = verdict["message"]
            if answer["accepted"]:
                line["warnings"] = answer["findings"]
            file.write(json.dumps(line) + "\n")


if __name__ == "__main__":
    sys.exit(main())
