#!/usr/bin/env python3
"""Kills `rules-test serve --data` while clients write, starts it again, and looks whether anything that was acknowledged
is lost, or half of a commit is there.

  server_crash.py [--times N] [--program PATH]

Exit code 1 when something was lost.
"""
import argparse, http.client, json, os, random, signal, subprocess, sys, tempfile, threading, time

BASE = "/v1/projects/demo-project/databases/(default)/documents"
NAME = "projects/demo-project/databases/(default)/documents/"


class Server:
    def __init__(self, program, folder):
        self.process = subprocess.Popen(
            [program, "serve", "--open", "--data", os.path.join(folder, "state.sqlite"), "--firestore-port", "0", "--auth-port", "0", "--format", "json"],
            stdout=subprocess.PIPE, text=True, cwd=folder)
        self.port = json.loads(self.process.stdout.readline())["firestore"]["port"]

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.process.stdout.close()


def call(connection, method, path, body=None):
    connection.request(method, path, None if body is None else json.dumps(body), {"Authorization": "Bearer owner"})
    answer = connection.getresponse()
    return answer.status, json.loads(answer.read() or b"{}")


def write(port, writer, first, acknowledged, attempted):
    """Pairs of documents, each pair in one commit, until the server is gone."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    n = first
    try:
        while True:
            value = {"n": {"integerValue": str(n)}}
            names = [f"a/{writer}-{n}", f"b/{writer}-{n}"]
            attempted.append(n)
            status, _ = call(connection, "POST", BASE + ":commit", {"writes": [{"update": {"name": NAME + name, "fields": value}} for name in names]})
            if status == 200: acknowledged.append(n)
            n += 1
    except (OSError, http.client.HTTPException):
        pass


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--times", type=int, default=100)
    options.add_argument("--program", default=".build/release/rules-test")
    options = options.parse_args()
    program = os.path.abspath(options.program)
    r = random.Random(1)
    lost, acknowledged_in_all, unanswered = 0, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        known = [[] for _ in range(4)]
        for _ in range(options.times):
            server = Server(program, folder)
            acknowledged, attempted = [[] for _ in known], [[] for _ in known]
            first = [(done[-1] + 1 if done else 0) for done in known]
            threads = [threading.Thread(target=write, args=(server.port, i, first[i], acknowledged[i], attempted[i])) for i in range(len(known))]
            for thread in threads: thread.start()
            time.sleep(r.uniform(0.01, 0.3))
            server.kill()
            for thread in threads: thread.join()
            server = Server(program, folder)
            connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
            for i in range(len(known)):
                for n in acknowledged[i]:
                    acknowledged_in_all += 1
                    for collection in "ab":
                        status, body = call(connection, "GET", f"{BASE}/{collection}/{i}-{n}")
                        if status != 200 or body["fields"]["n"]["integerValue"] != str(n):
                            lost += 1
                            print(f"lost: {collection}/{i}-{n}: {status}")
                known[i] += acknowledged[i]
                # The last may have been made without an answer: then as a whole.
                for n in attempted[i][len(acknowledged[i]):]:
                    there = [call(connection, "GET", f"{BASE}/{collection}/{i}-{n}")[0] == 200 for collection in "ab"]
                    if there[0] != there[1]:
                        lost += 1
                        print(f"half of a commit: {i}-{n}")
                    unanswered += there[0]
                    known[i].append(n)
            connection.close()
            server.kill()
    print(f"{options.times} kills, {acknowledged_in_all} commits acknowledged, {unanswered} made but not answered, {lost} times something was lost")
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
