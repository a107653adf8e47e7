#!/usr/bin/env python3
"""How much of the evaluator the parity questions reach.

  parity_coverage.py --program PATH --profiles FOLDER [--missed]

PATH is `rules-answer`, built with coverage; FOLDER has the raw profiles that its runs wrote. Shown are every function
of the library and every operator, by name, with how often it ran, and the share of regions and branches reached in
the files that evaluate. `--missed` lists what was not reached. What no question can reach is listed in
`parity_unreachable.txt` with the reason, and counted apart. Exit code 1 below 100 % of the library and 95 % of the rest.
"""
import argparse, collections, glob, json, os, re, subprocess, sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LIBRARY = ("RulesValues/Library/", "RulesValues/Operators/")
ENGINE = "RulesEngine/"
# The engine's files that evaluate nothing: its public face, requests and reports, the expressions of test files, and
# what is told about queries that were judged.
NOT_EVALUATING = ("Dialect", "Decision", "Explanation", "ExpressionEvaluator", "Request", "RequestReader", "Ruleset", "QueryDecision", "ListRequest", "ListRequest+REST",
                  "QueryExplanation", "QueryAdvice", "QueryAdvisor", "QueryClues", "QueryDoubts", "FieldReferences", "WrittenExpression")
# Not of the language: a helper that nothing calls.
NOT_CALLED = ("operator condition",)


def tool(name):
    swift = subprocess.run(["which", "swift"], capture_output=True, text=True).stdout.strip()
    beside = os.path.join(os.path.dirname(os.path.realpath(swift)), name)
    return beside if os.path.exists(beside) else name


def export(program, folder):
    profile = os.path.join(folder, "all.profdata")
    raw = glob.glob(os.path.join(folder, "*.profraw"))
    subprocess.run([tool("llvm-profdata"), "merge", "-sparse", "-o", profile] + raw, check=True)
    text = subprocess.run([tool("llvm-cov"), "export", program, f"-instr-profile={profile}"], capture_output=True, check=True).stdout
    return json.loads(text)["data"][0]


def evaluates(path):
    if any(part in path for part in LIBRARY):
        return True
    name = os.path.basename(path)[:-len(".swift")]
    return "/" + ENGINE in path and name not in NOT_EVALUATING


def demangled(names):
    out = subprocess.run(["swift", "demangle", "--compact"], input="\n".join(names), capture_output=True, text=True).stdout
    return out.split("\n")


def entries(root):
    """Names of the language with the function of ours that each is entered for."""
    found = {}
    for file in ("Library+Functions", "Library+Methods"):
        name = None
        for line in open(os.path.join(root, "Sources/RulesValues/Library", file + ".swift")):
            case = re.search(r'case "([\w.]+)":', line)
            name = case[1] if case else name
            for function in re.findall(r"\b([A-Z]\w+\.\w+)(?=[,()\s]|$)", line):
                if name and not function.startswith(("Value.", "Library.")):
                    found[f"{name} ({function.split('.')[0]})"] = function
    for file in sorted(glob.glob(os.path.join(root, "Sources/RulesValues/Operators/*.swift"))):
        inside = None
        for line in open(file):
            owner = re.match(r"(?:public )?(?:extension|enum) (\w+)", line)
            inside = owner[1] if owner else inside
            function = re.match(r"\s+public static func (\w+)\(", line)
            if inside == "Operators" and function:
                found[f"operator {function[1]}"] = f"Operators.{function[1]}"
    return found


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--program", required=True)
    options.add_argument("--profiles", required=True)
    options.add_argument("--root", default=ROOT, help="where the sources lie that the program was built from")
    options.add_argument("--missed", action="store_true")
    options = options.parse_args()
    data = export(options.program, options.profiles)
    names = demangled([f["name"].split(":")[-1] for f in data["functions"]])
    ran = collections.Counter()
    for function, name in zip(data["functions"], names):
        plain = re.search(r"([A-Z]\w+\.\w+)\(", name)
        if plain and "closure" not in name:
            ran[plain[1]] += function["count"]
    print("Functions of the library and operators, with how often each ran:")
    missing = []
    for entry, function in sorted(entries(options.root).items()):
        if entry in NOT_CALLED:
            continue
        print(f"  {entry:34} {ran[function]}")
        if not ran[function]:
            missing.append(entry)

    excused = {}
    for line in open(os.path.join(ROOT, "Corpus/tools/parity_unreachable.txt")):
        if line.strip() and not line.startswith("#"):
            file, text, reason = (part.strip().replace("\\|", "|") for part in re.split(r"(?<!\\)\|", line, maxsplit=2))
            excused[(file, text)] = reason
    tally = collections.defaultdict(lambda: [0, 0, 0])
    used = set()
    for file in data["files"]:
        path = file["filename"]
        if not evaluates(path):
            continue
        lines = open(options.root + path[path.index("/Sources/"):]).read().split("\n")
        regions = {}
        for function in data["functions"]:
            if function["filenames"][0] != path:
                continue
            for region in function["regions"]:
                if region[7] == 0:
                    key = tuple(region[:4])
                    regions[key] = max(regions.get(key, 0), region[4])
        name = os.path.basename(path)
        for (line, column, last, _), count in sorted(regions.items()):
            here = tally[name]
            here[1] += 1
            if count:
                here[0] += 1
                continue
            text = lines[line - 1].strip()
            reason = next((r for (f, t), r in excused.items() if f in (name, "*") and t in lines[line - 1]), None)
            if reason:
                here[2] += 1
            elif options.missed:
                print(f"  not reached: {name}:{line}:{column} {text[:100]}")
    print("Regions and branches reached:")
    total = [0, 0, 0]
    for name, (hit, regions, unreachable) in sorted(tally.items()):
        total = [total[0] + hit, total[1] + regions, total[2] + unreachable]
        print(f"  {name:34} {hit:5} of {regions:5}" + (f", {unreachable} out of reach" if unreachable else ""))
    hit, regions, unreachable = total
    print(f"Library and operators: {len(entries(options.root)) - len(NOT_CALLED) - len(missing)} of {len(entries(options.root)) - len(NOT_CALLED)}" + (f", not {', '.join(missing)}" if missing else ""))
    print(f"Evaluator: {hit} of {regions} regions and branches, {100 * hit / regions:.1f} %; "
          f"of the {regions - unreachable} that questions can reach {100 * hit / (regions - unreachable):.1f} %")
    return 0 if not missing and hit >= 0.95 * (regions - unreachable) else 1


if __name__ == "__main__":
    sys.exit(main())
