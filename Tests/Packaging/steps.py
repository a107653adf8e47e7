"""Runs action.yml, and the workflow that `rules-test init` writes, as GitHub's runner would: each `run` in bash, with its
environment, GITHUB_PATH and GITHUB_OUTPUT, and an https server that the program is fetched from.

    steps.py PROGRAM

What is `uses:` is passed over, and `sudo` does nothing here. Exit code 1 when a step does something else than expected.
Needs PyYAML, curl and openssl.
"""

import functools
import hashlib
import http.server
import os
import re
import shutil
import ssl
import subprocess
import sys
import tempfile
import threading

import yaml

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
wrong = 0


def say(is_right: bool, what: str, shown: str = "") -> None:
    global wrong
    print(f"  {'ok      ' if is_right else 'FAILED  '} {what}")
    if not is_right:
        wrong += 1
        print(shown)


class Runner:
    """A machine with a repository checked out."""

    def __init__(self, folder: str, address: str, certificate: str):
        self.address = address
        self.workspace = os.path.join(folder, "workspace")
        self.temporary = os.path.join(folder, "temporary")
        self.tools = os.path.join(folder, "tools")
        for path in [self.workspace, self.temporary, self.tools]:
            os.makedirs(path, exist_ok=True)
        with open(os.path.join(self.tools, "sudo"), "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\n")
        os.chmod(os.path.join(self.tools, "sudo"), 0o755)
        self.environment = {
            "PATH": self.tools + ":/usr/local/bin:/usr/bin:/bin", "HOME": folder, "CI": "true", "GITHUB_ACTIONS": "true",
            "GITHUB_WORKSPACE": self.workspace, "RUNNER_TEMP": self.temporary, "CURL_CA_BUNDLE": certificate,
            "RULES_TEST_STATE": os.path.join(folder, "state"),
        }

    def run(self, script: str, environment: dict, folder: str) -> subprocess.CompletedProcess:
        """One step; what it puts on the path is there for the next."""
        path_file = os.path.join(self.temporary, "path")
        output_file = os.path.join(self.temporary, "output")
        for file in [path_file, output_file]:
            open(file, "w").close()
        whole = {**self.environment, **environment, "GITHUB_PATH": path_file, "GITHUB_OUTPUT": output_file}
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script], cwd=os.path.join(self.workspace, folder),
            env=whole, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        with open(path_file, encoding="utf-8") as file:
            for line in file.read().splitlines():
                self.environment["PATH"] = line + ":" + self.environment["PATH"]
        with open(output_file, encoding="utf-8") as file:
            done.outputs = file.read()
        return done

    def action(self, **inputs: str) -> subprocess.CompletedProcess:
        with open(os.path.join(ROOT, "action.yml"), encoding="utf-8") as file:
            action = yaml.safe_load(file)
        values = {name: spec.get("default", "") for name, spec in action["inputs"].items()}
        values.update({name.replace("_", "-"): value for name, value in inputs.items()})

        def filled(text: str) -> str:
            return re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", lambda match: values[match.group(1)], text)

        (step,) = action["runs"]["steps"]
        environment = {name: filled(text) for name, text in step["env"].items()}
        environment["GITHUB_ACTION_PATH"] = ROOT
        return self.run(step["run"], environment, filled(step["working-directory"]))

    def workflow(self, variables: dict) -> tuple[list[subprocess.CompletedProcess], bool]:
        """The steps that were run, up to the first that failed."""
        with open(os.path.join(self.workspace, ".github/workflows/rules.yml"), encoding="utf-8") as file:
            job = yaml.safe_load(file)["jobs"]["rules"]
        folder = job.get("defaults", {}).get("run", {}).get("working-directory", ".")

        def filled(text: str) -> str:
            return re.sub(r"\$\{\{ vars\.(\w+) \}\}", lambda match: variables.get(match.group(1), ""), text)

        done = []
        for step in job["steps"]:
            if "run" not in step:
                continue
            environment = {name: filled(text) for name, text in step.get("env", {}).items()}
            done.append(self.run(step["run"], environment, folder))
            if done[-1].returncode != 0:
                return done, False
        return done, True


RULES = "rules_version = '2'; service cloud.firestore { match /databases/{d}/documents { match /a/{b} { %s } } }"
TESTS = "test 'a list' { allow get /a/b as nobody; } test 'other' { allow get /a/c as nobody; }"


def project(runner: Runner, allow: str) -> None:
    with open(os.path.join(runner.workspace, "firestore.rules"), "w", encoding="utf-8") as file:
        file.write(RULES % allow)
    with open(os.path.join(runner.workspace, "firestore_test.rules"), "w", encoding="utf-8") as file:
        file.write(TESTS)


def check_action(folder: str, program: str, address: str, certificate: str) -> None:
    runner = Runner(folder, address, certificate)
    project(runner, "allow get: if true;")
    with open(program, "rb") as file:
        sum = hashlib.sha256(file.read()).hexdigest()

    missing = runner.action()
    say(missing.returncode == 2 and "::error title=rules-test::There is no rules-test" in missing.stdout,
        "action: without a program it says what to give", missing.stdout)
    fetched = runner.action(program=address + "/rules-test", sha256=sum)
    say(fetched.returncode == 0 and "2 passed, 0 failed" in fetched.stdout and "program=/" in fetched.outputs,
        "action: fetches the program, checks its sum and runs the tests", fetched.stdout)
    other = runner.action(program=address + "/rules-test", sha256="0" * 64)
    say(other.returncode == 2 and f"has the sum {sum}, not 000" in other.stdout,
        "action: a program of another sum is not run", other.stdout)
    gone = runner.action(program=address + "/nowhere")
    say(gone.returncode == 2 and "cannot be fetched" in gone.stdout, "action: what cannot be fetched is said", gone.stdout)
    plain = runner.action(program=address.replace("https:", "http:") + "/rules-test")
    say(plain.returncode == 2 and "over https alone" in plain.stdout, "action: nothing is fetched without https", plain.stdout)

    os.makedirs(os.path.join(runner.workspace, "tools"))
    os.symlink(program, os.path.join(runner.workspace, "tools/rules-test"))
    chosen = runner.action(program="tools/rules-test", arguments="--filter 'a list' --no-proofs")
    say(chosen.returncode == 0 and "1 passed, 0 failed" in chosen.stdout,
        "action: a program in the workspace, with arguments in quotes", chosen.stdout)
    hostile = runner.action(program="tools/rules-test", arguments="--filter $(touch${IFS}made);`touch made`|touch made")
    say(hostile.returncode == 2 and not os.path.exists(os.path.join(runner.workspace, "made")),
        "action: nothing in the arguments is run", hostile.stdout)
    half = runner.action(program="tools/rules-test", arguments="--filter 'a list")
    say(half.returncode == 2 and "without its other half" in half.stdout, "action: half a quote is said", half.stdout)
    project(runner, "allow get: if false;")
    failed = runner.action(program="tools/rules-test")
    say(failed.returncode == 1 and "::error file=firestore_test.rules,line=1" in failed.stdout,
        "action: a failing test fails the step, annotated at its line", failed.stdout)
    os.rename(os.path.join(runner.workspace, "tools/rules-test"), os.path.join(runner.tools, "rules-test"))
    project(runner, "allow get: if true;")
    found = runner.action()
    say(found.returncode == 0 and "2 passed" in found.stdout, "action: a program on PATH", found.stdout)


def check_workflow(folder: str, program: str, address: str, certificate: str) -> None:
    runner = Runner(folder, address, certificate)
    os.makedirs(os.path.join(runner.workspace, ".git"))
    app = os.path.join(runner.workspace, "the app's")
    os.makedirs(app)
    with open(os.path.join(app, "firebase.json"), "w", encoding="utf-8") as file:
        file.write('{"firestore": {"rules": "firestore.rules"}}')
    begun = subprocess.run([program, "init"], cwd=app, text=True, capture_output=True, check=False)
    say(begun.returncode == 0, "init: writes a workflow at the root of the repository", begun.stderr)
    steps, is_green = runner.workflow({})
    say(not is_green and "Set the variable RULES_TEST_URL" in steps[-1].stdout,
        "workflow: without an address it says which variable to set", steps[-1].stdout)
    steps, is_green = runner.workflow({"RULES_TEST_URL": address + "/rules-test"})
    say(is_green and "4 passed, 0 failed" in steps[-1].stdout, "workflow: from init to green", steps[-1].stdout)
    with open(os.path.join(app, "firestore.rules"), encoding="utf-8") as file:
        rules = file.read()
    with open(os.path.join(app, "firestore.rules"), "w", encoding="utf-8") as file:
        file.write(rules.replace("request.auth.uid == uid", "true"))
    steps, is_green = runner.workflow({"RULES_TEST_URL": address + "/rules-test"})
    say(not is_green and "::error file=the app's/" in "".join(step.stdout for step in steps),
        "workflow: weaker rules turn it red, annotated", steps[-1].stdout)


def main() -> int:
    program = os.path.realpath(sys.argv[1])
    for tool in ["curl", "openssl"]:
        if not shutil.which(tool):
            print(f"  skipped  action and workflow: {tool} is not installed")
            return 0
    with tempfile.TemporaryDirectory() as folder:
        certificate = os.path.join(folder, "certificate.pem")
        key = os.path.join(folder, "key.pem")
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=localhost", "-addext",
             "subjectAltName=DNS:localhost", "-keyout", key, "-out", certificate], check=True, capture_output=True)
        served = os.path.join(folder, "served")
        os.makedirs(served)
        os.symlink(program, os.path.join(served, "rules-test"))

        class Quiet(http.server.SimpleHTTPRequestHandler):
            def log_message(self, *arguments):
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=served))
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        server.socket = context.wrap_socket(server.socket, server_side=True)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"https://localhost:{server.server_port}"
        check_action(os.path.join(folder, "action"), program, address, certificate)
        check_workflow(os.path.join(folder, "workflow"), program, address, certificate)
        server.shutdown()
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
