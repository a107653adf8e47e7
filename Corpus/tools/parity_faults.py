#!/usr/bin/env python3
"""Plants one fault at a time in a copy of the sources and shows that the parity questions catch it.

  parity_faults.py [--folder FOLDER] [--seeds "1 2 3"] [--count N] [--only NAME] [--answers FILE]

Each fault must be caught within N comparisons (default 10000) of the first seed that is tried. FOLDER (default
`.build/faults`) holds the copy and its build. Exit code 1 when one was not caught.
"""
import argparse, os, re, shutil, subprocess, sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# name, file, what stands there, what is planted
FAULTS = [
    ("operator: -7 % 3 is 1", "Sources/RulesValues/Operators/Arithmetic.swift",
     r"a\.asInt\.remainderReportingOverflow\(dividingBy: b\.asInt\)\.partialValue|a\.asInt % b\.asInt", "abs(a.asInt % b.asInt)"),
    ("precedence: in binds as tightly as ==", "Sources/RulesSyntax/Parser/Parser+Expressions.swift", r"case \.in: 3", "case .in: 5"),
    ("limit: 1001 expressions", "Sources/RulesEngine/Budget.swift", r"static let limit = 1000", "static let limit = 1001"),
    ("message: a wrong word", "Sources/RulesValues/ErrorText.swift", r'"Null value error\."', '"Null value failure."'),
]


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--folder", default=os.path.join(ROOT, ".build", "faults"))
    options.add_argument("--seeds", default="1")
    options.add_argument("--count", type=int, default=10000)
    options.add_argument("--only", default="")
    options.add_argument("--answers")
    options = options.parse_args()
    from parity_sides import jar
    if jar() is None and "FIRESTORE_EMULATOR_HOST" not in os.environ:
        print("skipped: emulator not installed")
        return 0
    copy = os.path.join(options.folder, "copy")
    shutil.rmtree(copy, ignore_errors=True)
    os.makedirs(copy)
    for name in ("Package.swift", "Sources", "Fuzz", "Tests"):
        source = os.path.join(ROOT, name)
        (shutil.copytree if os.path.isdir(source) else shutil.copy2)(source, os.path.join(copy, name))
    missed = 0
    for name, file, pattern, planted in FAULTS:
        if options.only and options.only not in name:
            continue
        path = os.path.join(copy, file)
        sound = open(path).read()
        faulty, count = re.subn(pattern, lambda _: planted, sound, count=1)
        if not count:
            print(f"{name}: there is no place to plant it in {file}")
            missed += 1
            continue
        write(path, faulty)
        build = subprocess.run(["swift", "build", "--product", "rules-answer", "--package-path", copy, "--scratch-path",
                                os.path.join(options.folder, "build")], capture_output=True, text=True)
        if build.returncode:
            print(build.stdout[-2000:])
            return 1
        run = [sys.executable, os.path.join(ROOT, "Corpus/tools/parity.py"), "--stop", "--seeds", options.seeds, "--count", str(options.count),
               "--program", os.path.join(options.folder, "build/debug/rules-answer")] + (["--answers", options.answers] if options.answers else [])
        text = subprocess.run(run, capture_output=True, text=True).stdout
        caught = re.search(r"(?m)^caught .*", text)
        print(f"{name}: {caught[0] if caught else 'NOT CAUGHT'}", flush=True)
        missed += caught is None
        write(path, sound)
    return 1 if missed else 0


def write(path, text):
    with open(path, "w") as file:
        file.write(text)


if __name__ == "__main__":
    sys.exit(main())
