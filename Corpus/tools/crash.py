#!/usr/bin/env python3
"""Kills a writer at random moments and looks at what is left: every commit that was acknowledged must be there, none
by halves, and the file in order.

  crash.py [--times 500] [--seed 1] [--program PATH]

Each commit writes two documents of one number, and every third one deletes two. Exit code 1 when anything was lost.
"""
import argparse, json, os, random, signal, subprocess, sys, tempfile, threading, time

BASE = "projects/p/databases/(default)/documents"


def start(program, path):
    process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    ask(process, {"open": "p", "sqlite": path})
    return process


def ask(process, question):
    process.stdin.write(json.dumps(question) + "\n")
    process.stdin.flush()
    line = process.stdout.readline()
    if not line:
        raise EOFError
    answer = json.loads(line)
    assert "failed" not in answer, answer
    return answer


def commit(n):
    """The writes of commit n, and what they leave: documents a/n and b/n, without those of n - 2 now and then."""
    writes = [{"update": {"name": f"{BASE}/{c}/{n}", "fields": {"n": {"integerValue": str(n)}, "s": {"stringValue": "x" * (n * 37 % 9000)}}}} for c in "ab"]
    if n % 3 == 0:
        writes += [{"delete": f"{BASE}/{c}/{n - 2}"} for c in "ab"]
    return {"method": "commit", "body": {"writes": writes}, "auth": "owner"}


def expected(last):
    there = set(range(last + 1))
    for n in range(0, last + 1, 3):
        there.discard(n - 2)
    return there


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--times", type=int, default=500)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--program", default=".build/release/rules-answer")
    options = options.parse_args()
    r = random.Random(options.seed)
    lost = commits = unanswered = 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "store.sqlite")
        next_number = 0
        for time_number in range(options.times):
            process = start(options.program, path)
            timer = threading.Timer(r.uniform(0, 0.3), lambda p=process: p.send_signal(signal.SIGKILL))
            timer.start()
            acknowledged = next_number - 1
            try:
                while True:
                    answer = ask(process, commit(acknowledged + 1))
                    assert answer["status"] == 200, answer
                    acknowledged += 1
            except (EOFError, BrokenPipeError):
                pass
            process.wait()
            timer.cancel()
            commits += acknowledged + 1 - next_number
            process = start(options.program, path)
            ask(process, {"check": True})
            found = {}
            for c in "ab":
                query = {"structuredQuery": {"from": [{"collectionId": c}], "select": {"fields": [{"fieldPath": "n"}]}}}
                body = ask(process, {"method": "runQuery", "body": query, "auth": "owner"})["body"]
                found[c] = {int(d["document"]["fields"]["n"]["integerValue"]) for d in body if "document" in d}
            process.stdin.close()
            process.wait()
            # The commit that was under way may have been made; if so, wholly.
            if found["a"] == found["b"] == expected(acknowledged):
                next_number = acknowledged + 1
            elif found["a"] == found["b"] == expected(acknowledged + 1):
                unanswered += 1
                next_number = acknowledged + 2
            else:
                lost += 1
                print(f"time {time_number}: acknowledged {acknowledged}, found {sorted(found['a'])[-3:]} and {sorted(found['b'])[-3:]}")
                next_number = max(found["a"] | found["b"] | {acknowledged}) + 1
                os.remove(path)
                next_number = 0
            if next_number > 1500:
                for suffix in ("", "-wal", "-shm"):
                    if os.path.exists(path + suffix):
                        os.remove(path + suffix)
                next_number = 0
    print(f"{options.times} kills, {commits} commits acknowledged, {unanswered} made but not answered, {lost} times something was lost")
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
