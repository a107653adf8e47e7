"""What differs between two answers to one question, and the smallest question that still shows it."""
import re, time

from parity_sides import first_error

UNKNOWN = '{"unknown": true}'


class Difference:
    """kind: crash, accepted, first error, warnings, verdict, message, value or plain; the gravest first."""
    ORDER = ["crash", "verdict", "accepted", "plain", "value", "message", "first error", "warnings", "further errors"]

    def __init__(self, kind, theirs, ours, request=None, place=None):
        self.kind, self.theirs, self.ours, self.request, self.place = kind, theirs, ours, request, place

    def signature(self):
        """Equal for differences that are likely to have one cause."""
        def shape(x):
            x = re.sub(r"L\d+(:\d+)?", "L", str(x))
            x = x if self.kind == "value" else re.sub(r"'[^']*'", "'x'", x)
            x = re.sub(r'"(stringValue|intValue|floatValue|bytesValue|timestampValue|simple)": "[^"]*"', r'"\1"', x) if self.kind == "value" else x
            return re.sub(r"\d+(\.\d+)?", "0", x)[:120]
        return (self.kind, shape(self.theirs), shape(self.ours))

    def is_like(self, other):
        """May it be the same difference, seen in a smaller question?"""
        if self.kind != other.kind:
            return False
        if self.kind != "value":
            return True
        unmade = lambda d: (d.theirs == "not evaluated", d.ours == "not evaluated")
        faulty = lambda d: ("error" in str(d.theirs), "error" in str(d.ours))
        if all(faulty(self)):
            return self.signature() == other.signature()
        return unmade(self) == unmade(other) and faulty(self) == faulty(other)


def compare(question, theirs, ours, count=None):
    """The differences; `count` collects how many comparisons of each kind were made."""
    count = {} if count is None else count
    found = []

    def check(kind, a, b, request=None, place=None):
        count[kind] = count.get(kind, 0) + 1
        if a != b:
            found.append(Difference(kind, a, b, request, place))

    if ours.get("failed"):
        return [Difference("crash", "an answer", ours["failed"])]
    if theirs is None:
        return []
    check("accepted", theirs["accepted"], ours["accepted"])
    if theirs["accepted"] != ours["accepted"]:
        found[-1].theirs = theirs.get("text", "accepted")
        found[-1].ours = ours.get("text") if not ours["accepted"] else "accepted"
        return found
    if not theirs["accepted"]:
        errors = first_error(theirs["text"]), first_error(ours["text"])
        if errors[0] != errors[1] and too_deep(question["rules"], *errors):
            # Where our recovery from errors stops following, which `docs/parity.md` explains.
            count["explained"] = count.get("explained", 0) + 1
            return found
        check("first error", *errors)
        if not found:
            check("further errors", theirs["text"], ours["text"])
        return found
    warnings = [tuple(f) for f in theirs["findings"]], sorted((f[0], f[1], f[2]) for f in ours["findings"])
    if warnings[0] != warnings[1] and (types_sorted(warnings[0]) == types_sorted(warnings[1]) or
                                       of_results(question["rules"], *warnings)):
        # The order of the types in one of them, and warnings that hang on what functions give, are explained in
        # `docs/parity.md`.
        count["explained"] = count.get("explained", 0) + 1
    else:
        check("warnings", *warnings)
    start = 0
    for nodes in theirs["nodes"]:
        end = start + 1
        while end < len(question["requests"]) and question["requests"][end].get("round", 0) == question["requests"][start].get("round", 0):
            end += 1
        compare_round(question, range(start, end), nodes, theirs["answers"], ours["answers"], count, found, check)
        start = end
    return found


def compare_round(question, requests, nodes, theirs, ours, count, found, check):
    """Of a round of requests, after which the official report was taken."""
    crashed = False
    seen = {}
    for offset, chain, values in nodes:
        seen.setdefault((offset, chain), []).extend(values)
    unknowns = any(UNKNOWN in value for values in seen.values() for value in values)
    # When a block allows, the emulator goes on evaluating the others all the same.
    # A write without precondition is judged as a create and as an update at first.
    mine, certain = {}, not any(question["requests"][i]["method"] == "patch" for i in requests) and (
        question["kind"] != "structure" or not any(theirs[i]["allowed"] for i in requests))
    block = re.search(r"(?m)^match /c\d", question["rules"])
    first_block = block.start() if block else 0
    for i in requests:
        a, b = theirs[i], ours[i]
        check("plain", True, b["same"], i)
        if a["allowed"] is None:
            crashed = True
            continue
        if b.get("stumbles"):
            # A fault of the emulator, which `docs/parity.md` explains: no opinion.
            count["explained"] = count.get("explained", 0) + 1
            certain = False
            continue
        check("verdict", a["allowed"], b["allowed"], i)
        if a["allowed"] != b["allowed"]:
            found[-1].theirs, found[-1].ours = a, {k: b[k] for k in ("allowed", "message")}
        elif not a["allowed"] and excused(a["message"], b["message"]):
            count["explained"] = count.get("explained", 0) + 1
        elif not a["allowed"] and "others" in question["requests"][i]:
            # Of several documents only the first entry is stable.
            check("message", *(re.match(r".*? @ L\d+|", m or "")[0] for m in (a["message"], b["message"])), i)
        elif not a["allowed"]:
            check("message", a["message"], b["message"], i)
        if "others" in question["requests"][i]:
            certain = False
            continue
        if b.get("cost", 0) > 1000:
            certain = False
            continue
        # What the pass without documents decided was not evaluated with them.
        # So was a write that the first pass refused as an update, say, while it did not know it to be none.
        blind = question["requests"][i]["method"] == "patch" and "exists" not in question["requests"][i]
        early = unknowns and (a["allowed"] or blind or all(e == "false" for e in re.findall(r"(?:^|, )([^,]*?) for '", a["message"])))
        if early:
            certain = False
        for offset, chain, literal, value in b["nodes"]:
            mine.setdefault((offset, chain), set()).add(value)
            if literal:
                continue
            known = seen.get((offset, chain))
            if early and (all(UNKNOWN in v or v == "{}" for v in known or []) or value not in known and (
                    question["kind"] == "structure" or offset < first_block or absorbed(question["rules"], offset, known))):
                continue
            count["value"] = count.get("value", 0) + 1
            if known and "increments" in question["requests"][i]:
                # The order of `request.writeFields`, and of what a transform made, is explained in `docs/parity.md`.
                known, value = [any_order(k) for k in known], any_order(value)
            if known and value not in known and last_digit(question["rules"], offset, known, value):
                count["value"] -= 1
                count["explained"] = count.get("explained", 0) + 1
                continue
            if known is None or value not in known:
                found.append(Difference("value", sorted(set(known)) if known else "not evaluated", value, i, offset))
    if not crashed and certain and not unknowns:
        for key, values in seen.items():
            # An unset value stands at the branch that an erring condition kept from being chosen.
            extra = set(values) - mine.get(key, set()) - {"{}"}
            # The report shows the value of the branch that was chosen at the place of the other one, too.
            line = question["rules"][question["rules"].rfind("\n", 0, key[0]) + 1:key[0]]
            if extra and "?" not in line and not re.match(r"let\b", question["rules"][key[0]:key[0] + 4]):
                count["value"] = count.get("value", 0) + 1
                found.append(Difference("value", sorted(extra), "not evaluated" if key not in mine else sorted(mine[key]), None, key[0]))


def last_digit(text, offset, known, value):
    """Is it the last digit of `math.pow` or `distance`, which `docs/parity.md` explains?"""
    end = text.find("\n", offset)
    line = text[text.rfind("\n", 0, offset) + 1:end if end >= 0 else len(text)]
    if not re.search(r"math\.pow\(|\.distance\(", line):
        return False
    floats = lambda v: re.fullmatch(r'\{"floatValue": "(-?[\d.e+-]+)"\}', v)
    mine = floats(value)
    return bool(mine) and any(f and abs(float(f[1]) - float(mine[1])) <= 1e-15 * abs(float(mine[1])) for f in map(floats, known))


def of_results(text, theirs, ours):
    """Do only warnings about types differ that hang on what functions of the rules give?"""
    if "function" not in text:
        return False
    unreached = {line for line, _, said in ours if said.startswith("Unused function")}
    lines = text.split("\n")
    for line, _, said in set(theirs) ^ set(ours):
        head = next((n for n in range(line, 0, -1) if re.match(r"\s*function\b", lines[n - 1])), 0)
        if not (said.startswith("Ternary operator") and (line, _, said) in ours or
                head in unreached and said.startswith(("Ternary operator", "Invalid type", "The sub-expressions"))):
            return False
    return True


def types_sorted(findings):
    """Warnings with the types that they list in order."""
    in_order = lambda m: "[" + ", ".join(sorted(m[1].split(", "))) + "]"
    return sorted((line, column, re.sub(r"\[([a-z_, ]+)\]", in_order, text)) for line, column, text in findings)


def any_order(value):
    """A value with its lists of strings sorted."""
    return re.sub(r'\[(\{"stringValue": "\w*"\}(?:, )?)+\]', lambda m: "[" + ", ".join(sorted(m[0][1:-1].split(", "))) + "]", value)


def absorbed(text, offset, known):
    """May the known failures be of the pass without documents, which a document made good: `1 / 0 || resource.data.a`?"""
    line = text[offset:].split("\n", 1)[0]
    return all('"error"' in v or UNKNOWN in v or v == "{}" for v in known) and re.search(r"resource|get\(|After\(|exists\(|\b[dfgh]\(", line) is not None


def too_deep(text, theirs, ours):
    """Is it another wording for the same place, that more than thirty open brackets or choices lead to, or a text that
    is both broken and nested too deep, which we say first?"""
    place = re.match(r"L(\d+):(\d+) ", theirs)
    if "token recognition error" in ours and place:
        # Not said officially where the first of two passes stumbled over it, which our recovery would have to tell.
        return text.count("(") + text.count("[") > 20
    said = ours.endswith("too complex to evaluate safely.")
    if place and not said and depth_before(text, place) > 60:
        # So deep our recovery does not follow at all, and finds the mistake later.
        return True
    if place and behind_minus(text, theirs, ours):
        return True
    if not place or not said and not ours.startswith(place[0]):
        return False
    return (deepest(text) if said else depth_before(text, place)) > (45 if said else 30)


def deepest(text):
    depth = most = 0
    for token in tokens(text):
        depth += (token in "([{?") - (token in ")]}")
        most = max(most, depth)
    return most


def depth_before(text, place):
    return deepest(before(text, place))


def before(text, place):
    lines = text.split("\n")
    return "\n".join(lines[:int(place[1]) - 1] + [lines[int(place[1]) - 1][:int(place[2]) - 1]])


def behind_minus(text, theirs, ours):
    """Does an operand of a minus sign break off within which the function of a namespace is called?"""
    place = re.match(r"L(\d+):(\d+) ", theirs)
    call = r"-[\s(]*[A-Za-z_$][\w$]*\s*\.\s*[A-Za-z_$][\w$]*\s*\([^;]*$"
    return bool(place) and theirs.split()[0].split(":")[0] == ours.split()[0].split(":")[0] and re.search(call, before(text, place)) is not None


def excused(theirs, ours):
    """Is it a difference of the kind that `docs/parity.md` explains? Only of messages, and counted apart."""
    if "maximum of 1000 expressions" not in theirs or ours is None or theirs == ours:
        return False
    # The budget ran out in the stretch in which a document was first asked for: with or without a second pass.
    entries = [set(re.split(r", (?=[^,]* @ L)", m)) for m in (theirs, ours)]
    return "maximum of 1000 expressions" in ours and entries[0] == entries[1]


def tokens(text):
    return re.findall(r"\s+|[A-Za-z_$][\w$]*|[bB]?'(?:\\.|[^'\\\n])*'|[bB]?\"(?:\\.|[^\"\\\n])*\"|\d+|.", text, re.S)


def shrink(question, difference, differs, limit=400, seconds=25):
    """The smallest question that `differs(question)` finds to differ alike. Lines go first, then tokens."""
    left, end = [limit], time.time() + seconds

    def bad(q):
        if left[0] <= 0 or time.time() > end:
            return False
        left[0] -= 1
        try:
            return any(d.is_like(difference) for d in differs(q))
        except (AssertionError, KeyError, ValueError):
            return False

    for request in question["requests"]:
        alone = {**question, "requests": [request]}
        own = one_block(question["rules"], request["path"])
        if own and bad({**alone, "rules": own}):
            question = {**alone, "rules": own}
            break
        if not own and bad(alone):
            question = alone
            break

    def reduce(parts, make):
        size = max(1, len(parts) // 2)
        while size:
            i = 0
            while i < len(parts):
                fewer = parts[:i] + parts[i + size:]
                if fewer and bad(make(fewer)):
                    parts = fewer
                else:
                    i += size
            size //= 2
        return parts

    used = {k: v for k, v in question["documents"].items() if k.startswith("/w/") or any(k == q["path"] for q in question["requests"])}
    if len(used) < len(question["documents"]) and bad({**question, "documents": used}):
        question = {**question, "documents": used}
    with_rules = lambda parts: {**question, "rules": "".join(parts)}
    question = with_rules(reduce(question["rules"].splitlines(keepends=True), with_rules))
    question = hoisted(question, bad)
    question = groups(question, bad)
    for _ in range(3):
        before = question["rules"]
        question = with_rules(reduce(tokens(question["rules"]), with_rules))
        question = groups(question, bad)
        if question["rules"] == before:
            break
    for path in list(question["documents"]):
        fewer = {**question, "documents": {k: v for k, v in question["documents"].items() if k != path}}
        if bad(fewer):
            question = fewer
            continue
        for field in list(question["documents"][path]):
            fields = {k: v for k, v in question["documents"][path].items() if k != field}
            fewer = {**question, "documents": {**question["documents"], path: fields}}
            if bad(fewer):
                question = fewer
    for i, request in enumerate(question["requests"]):
        for key in ("auth", "mask", "exists", "others", "increments"):
            if key in request:
                fewer = {**question, "requests": [{k: v for k, v in request.items() if k != key}]}
                if bad(fewer):
                    question = fewer
                    request = fewer["requests"][0]
        if request.get("data") and bad({**question, "requests": [{**request, "data": {}}]}):
            question = {**question, "requests": [{**request, "data": {}}]}
    return question


def one_block(text, path):
    """Of many blocks `match /c0/…`, `match /c1/…` only that of the path; None when there are no such blocks."""
    cut = re.split(r"(?m)^(?=match /c\d)|^(?= }\n}\n)", text)
    own = [part for part in cut if part.startswith(f"match {path[:path.rindex('/')]}/")]
    return cut[0] + own[0] + cut[-1] if own and len(cut) > 2 else None


def bracketed(parts):
    """(first, last) of every bracketed group of the tokens, the longest first."""
    spans, stack = [], []
    for k, part in enumerate(parts):
        if part in ("(", "[", "{"):
            stack.append(k)
        elif part in (")", "]", "}") and stack:
            spans.append((stack.pop(), k))
    return sorted(spans, key=lambda s: s[0] - s[1])


def hoisted(question, bad):
    """The question with one of the longest lines, a condition, replaced by a part of it."""
    lines = question["rules"].split("\n")
    for number in sorted(range(len(lines)), key=lambda i: -len(lines[i]))[:3]:
        again = True
        while again:
            again = False
            parts = tokens(lines[number])
            for a, b in bracketed(parts)[::-1]:
                for text in ("".join(parts[a:b + 1]), "".join(parts[max(0, a - 1):b + 1]), "".join(parts[max(0, a - 3):b + 1])):
                    if 0 < len(text) < len(lines[number]):
                        fewer = "\n".join(lines[:number] + [text] + lines[number + 1:])
                        if bad({**question, "rules": fewer}):
                            lines[number], again = text, True
                            break
                if again:
                    break
    return {**question, "rules": "\n".join(lines)}


def groups(question, bad):
    """Bracketed groups replaced by simpler things."""
    i = 0
    while True:
        parts = tokens(question["rules"])
        spans = bracketed(parts)
        if i >= len(spans):
            return question
        a, b = spans[i]
        for other in ([parts[a + 1:b]] if parts[a] == "(" else []) + [["1"], ["true"], ["null"], ["'a'"], ["[1]"], ["{}"]]:
            if b - a < 2 and other != parts[a + 1:b]:
                continue
            fewer = {**question, "rules": "".join(parts[:a] + other + parts[b + 1:])}
            if len(fewer["rules"]) < len(question["rules"]) and bad(fewer):
                question = fewer
                break
        else:
            i += 1
