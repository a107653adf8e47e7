"""Presses the tab key in bash, zsh and fish, and checks what they offer with the scripts of `rules-test completion`.

    completions.py PROGRAM

A shell that is not installed is named as skipped, and never counted as passed. Exit code 1 when one offers something
else. In bash and zsh the key is really pressed, in an interactive shell on a terminal of its own; fish has a command
that tells what it would offer.
"""

import concurrent.futures
import functools
import os
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time

# What stands before the cursor, what must be offered, and what must not be.
CASES = [
    ("rules-test pro", ["prove"], ["fuzz"]),
    ("rules-test ", ["check", "explain", "completion", "help"], []),
    ("rules-test --filt", ["--filter"], ["--ast"]),
    ("rules-test -", ["--watch", "--quiet"], ["--ast"]),
    ("rules-test check --a", ["--ast"], ["--attacks"]),
    ("rules-test prove --prove ", ["one", "both"], ["notes.rules"]),
    ("rules-test check --format=j", ["json"], ["junit"]),
    ("rules-test test --format ju", ["junit"], ["json"]),
    ("rules-test --report ju", ["junit="], ["human"]),
    ("rules-test --report junit=no", ["notes.rules"], ["human"]),
    ("rules-test help con", ["convert"], ["prove"]),
    ("rules-test completion ", ["bash", "zsh", "fish"], ["notes.rules"]),
    ("rules-test check no", ["notes.rules"], ["help"]),
    ("rules-test prove --dump-smt ", ["smt files"], ["notes.rules"]),
]

SETUP = {
    "bash": "bind 'set show-all-if-ambiguous on'; bind 'set completion-query-items 0'; bind 'set page-completions off'; "
    "bind 'set enable-bracketed-paste off'; show() { echo \"[[$READLINE_LINE]]\"; }; bind -x '\"\\C-xs\": show'; "
    "source ./rules-test.bash; ",
    "zsh": "unsetopt zle_bracketed_paste 2>/dev/null; fpath=($PWD $fpath); autoload -Uz compinit && compinit -u -D; "
    "LISTMAX=1000; show() { print -r -- \"[[$BUFFER]]\"; BUFFER=''; zle .accept-line; }; zle -N show; "
    "bindkey '^Xs' show; ",
}
COMMAND = {"bash": ["bash", "--norc", "--noprofile", "-i"], "zsh": ["zsh", "-f", "-i"]}


def read_until(terminal: int, mark: bytes, seconds: float = 20) -> bytes:
    """What is shown until a text comes. Without a text: until nothing has come for half a second."""
    text = b""
    end = time.monotonic() + seconds
    while time.monotonic() < end and not (mark and mark in text):
        if select.select([terminal], [], [], 0.05 if mark or not text else 0.5)[0]:
            try:
                text += os.read(terminal, 65536)
            except OSError:
                break
        elif not mark and text:
            break
    return text


def pressed(shell: str, folder: str, line: str) -> str:
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(folder)
        os.environ.update(TERM="dumb", ZDOTDIR=folder, HOME=folder, LC_ALL="C.UTF-8")
        os.execvp(COMMAND[shell][0], COMMAND[shell])
    # In two parts, so that what is typed is not taken for the answer.
    ready = "PS1='> '; stty -echo rows 400 cols 300; echo rea''dy\n"
    os.write(terminal, (SETUP[shell] + ready).encode())
    read_until(terminal, b"ready\r")
    read_until(terminal, b"", 1)
    os.write(terminal, line.encode() + b"\t")
    shown = read_until(terminal, b"", 5)
    os.write(terminal, b"\x18s")
    shown += read_until(terminal, b"]]", 5)
    os.close(terminal)
    os.waitpid(child, 0)
    text = shown.decode(errors="replace").replace("\r", "\n")
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|\x07", "", text).replace("\\ ", " ")


def told_by_fish(folder: str, line: str) -> str:
    script = 'source rules-test.fish; complete -C "$argv[1]"'
    environment = dict(os.environ, HOME=folder, XDG_CONFIG_HOME=folder, LC_ALL="C.UTF-8")
    run = subprocess.run(
        ["fish", "--no-config", "-c", script, line], cwd=folder, env=environment, text=True, capture_output=True,
        check=True)
    return run.stdout.replace("\\ ", " ")


def is_offered(word: str, shown: str, line: str) -> bool:
    # The line that was typed is shown, too.
    for piece in shown.replace("[[", "\n").replace("]]", "\n").split("\n"):
        rest = piece[len(line) - len(line.split(" ")[-1].split("=")[-1]):] if piece.startswith(line) else piece
        if re.search(r"(^|[\s=])" + re.escape(word) + r"($|[\s/=])", rest):
            return True
    return False


def check(shell: str, program: str) -> list[str]:
    with tempfile.TemporaryDirectory() as folder:
        script = subprocess.run([program, "completion", shell], text=True, capture_output=True, check=True).stdout
        name = "_rules-test" if shell == "zsh" else f"rules-test.{shell}"
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(script)
        open(os.path.join(folder, "notes.rules"), "w").close()
        os.mkdir(os.path.join(folder, "smt files"))
        wrong = []
        lines = [line for line, _, _ in CASES]
        # The shells mostly wait.
        with concurrent.futures.ProcessPoolExecutor(7) as pool:
            tell = told_by_fish if shell == "fish" else functools.partial(pressed, shell)
            answers = list(pool.map(tell, [folder] * len(lines), lines))
        for (line, wanted, unwanted), shown in zip(CASES, answers):
            missing = [word for word in wanted if not is_offered(word, shown, line)]
            extra = [word for word in unwanted if is_offered(word, shown, line)]
            if missing or extra:
                wrong.append(f"'{line}': not offered {missing}, offered {extra}\n{shown}")
        return wrong


def main() -> int:
    program = os.path.abspath(sys.argv[1])
    failed = False
    for shell in ["bash", "zsh", "fish"]:
        if not shutil.which(shell):
            print(f"  skipped  completions: {shell} is not installed")
            continue
        wrong = check(shell, program)
        failed = failed or bool(wrong)
        print(f"  {'FAILED ' if wrong else 'ok     '}  completions: {shell}, {len(CASES)} lines")
        for text in wrong:
            print(text)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
