#!/usr/bin/env python3
"""Read the Unicode tables behind \\p{…} and (?i) off the official emulator, code point by code point.

  pattern_tables.py ORACLE_FOLDER SOURCES_FOLDER    writes Unicode*Table.swift and CaseFoldingTable.swift

ORACLE_FOLDER holds oracle.py (FIRESTORE_EMULATOR_HOST says where an emulator runs; take one of your
own, this keeps it busy for some minutes). The text of a document holds 65,536 code points, and
`replace` with the complement of a class leaves those of the class.
"""
import importlib, os, sys

PROJECT = "patterntables"
HEAD = ("rules_version = '2';\nservice cloud.firestore {\n match /databases/{database}/documents {\n"
        "function d() { return get(/databases/$(database)/documents/w/a).data.s; }\n")
CATEGORIES = ["Any"] + [a + b for a in "CLMNPSZ" for b in [""] + list("abcdefghijklmnopqrstuvwxyz")]
SCRIPTS = """Adlam Ahom Anatolian_Hieroglyphs Arabic Armenian Avestan Balinese Bamum Bassa_Vah Batak Bengali Bhaiksuki Bopomofo
Brahmi Braille Buginese Buhid Canadian_Aboriginal Carian Caucasian_Albanian Chakma Cham Cherokee Common Coptic Cuneiform Cypriot
Cyrillic Deseret Devanagari Dogra Duployan Egyptian_Hieroglyphs Elbasan Elymaic Ethiopic Georgian Glagolitic Gothic Grantha Greek
Gujarati Gunjala_Gondi Gurmukhi Han Hangul Hanifi_Rohingya Hanunoo Hatran Hebrew Hiragana Imperial_Aramaic Inherited
Inscriptional_Pahlavi Inscriptional_Parthian Javanese Kaithi Kannada Katakana Kayah_Li Kharoshthi Khmer Khojki Khudawadi Lao Latin
Lepcha Limbu Linear_A Linear_B Lisu Lycian Lydian Mahajani Makasar Malayalam Mandaic Manichaean Marchen Masaram_Gondi Medefaidrin
Meetei_Mayek Mende_Kikakui Meroitic_Cursive Meroitic_Hieroglyphs Miao Modi Mongolian Mro Multani Myanmar Nabataean Nandinagari
New_Tai_Lue Newa Nko Nushu Nyiakeng_Puachue_Hmong Ogham Ol_Chiki Old_Hungarian Old_Italic Old_North_Arabian Old_Permic Old_Persian
Old_Sogdian Old_South_Arabian Old_Turkic Oriya Osage Osmanya Pahawh_Hmong Palmyrene Pau_Cin_Hau Phags_Pa Phoenician
Psalter_Pahlavi Rejang Runic Samaritan Saurashtra Sharada Shavian Siddham SignWriting Sinhala Sogdian Sora_Sompeng Soyombo
Sundanese Syloti_Nagri Syriac Tagalog Tagbanwa Tai_Le Tai_Tham Tai_Viet Takri Tamil Tangut Telugu Thaana Thai Tibetan Tifinagh
Tirhuta Ugaritic Unknown Vai Wancho Warang_Citi Yi Zanabazar_Square""".split()
# Folding these sends the emulator into an endless loop.
ENDLESS = range(0x1C80, 0x1C89)
SURROGATES = [0xD800, 0xD801, 0xDABC, 0xDB7F, 0xDB80, 0xDBFF, 0xDC00, 0xDD00, 0xDFFF]


def ask(expressions, text=None):
    """The values of expressions, in which d() is the text."""
    if text is not None:
        fields = {"fields": {"s": {"stringValue": text}}}
        status, body = oracle.call("PATCH", oracle.documents(PROJECT) + "/w/a", fields, "owner")
        assert status == 200, body
    values = []
    for i in range(0, len(expressions), 40):
        part = expressions[i:i + 40]
        source = HEAD + "match /t/{id} { allow get: if [\n" + ",\n".join(part) + "\n] == 1; }}}\n"
        status, body = oracle.put_rules(source, PROJECT)
        assert status == 200, body
        oracle.call("GET", oracle.documents(PROJECT) + "/t/a", auth={})
        values += find(oracle.coverage(PROJECT)["report"], len(part))
    return values


def find(nodes, count):
    for node in nodes:
        for v in node.get("values", []):
            items = v.get("value", {}).get("listValue", {}).get("values", [])
            if len(items) == count:
                return [next(iter(x.values())) for x in items]
        inner = find(node.get("children", []), count)
        if inner: return inner
    return None


def known(names):
    good = []
    for name in names:
        source = HEAD + "match /t/{id} { allow get: if d().matches('\\\\p{%s}'); }}}\n" % name
        if oracle.put_rules(source, PROJECT)[0] == 200: good.append(name)
    return good


def members(names, flags):
    sets = {name: set() for name in names}
    for base in range(0, 0x110000, 0x10000):
        text = "".join(chr(c) for c in range(base, base + 0x10000) if not 0xD800 <= c <= 0xDFFF)
        answers = ask(["d().replace('%s[^\\\\p{%s}]+', '')" % (flags, name) for name in names], text)
        for name, answer in zip(names, answers): sets[name].update(map(ord, answer))
        print(hex(base), file=sys.stderr)
    for name in names:
        answers = ask(["'\\u%04x'.matches('%s\\\\p{%s}')" % (c, flags, name) for c in SURROGATES])
        assert all(answers) or not any(answers), name
        if all(answers): sets[name].update(range(0xD800, 0xE000))
    return sets


def orbits():
    """Characters that (?i) makes equal. Single characters are asked, since classes stop folding at U+1044F."""
    cased = set()
    for c in (c for c in range(0x110000) if not 0xD800 <= c <= 0xDFFF):
        for form in (chr(c).upper(), chr(c).lower(), chr(c).title(), chr(c).casefold()):
            if form != chr(c): cased.update([c, *map(ord, form)])
    # Letters that may have got a case after Python's Unicode version.
    for low, high in [(0x1C80, 0x1C90), (0x1F80, 0x2000), (0xA7C0, 0xA7DD), (0x10570, 0x105C0), (0x10D50, 0x10D90), (0x16E40, 0x16E80)]:
        cased.update(range(low, high))
    todo = sorted(cased - set(ENDLESS))
    rest = ask(["d().replace('(?i)\\\\x{%x}', '')" % c for c in todo], "".join(map(chr, todo)))
    found = {tuple(sorted(set(todo) - set(map(ord, left)))) for left in rest}
    assert len({c for orbit in found for c in orbit}) == sum(map(len, found)), "orbits overlap"
    return sorted(orbit for orbit in found if len(orbit) > 1)


def ranges(codes):
    result = []
    for c in sorted(codes):
        if result and result[-1][1] == c - 1: result[-1][1] = c
        else: result.append([c, c])
    return " ".join("%x" % a if a == b else "%x-%x" % (a, b) for a, b in result)


def wrapped(text, indent, width=116):
    lines = [""]
    for word in text.split(" "):
        if lines[-1] and len(lines[-1]) + len(word) + 1 > width - len(indent): lines.append("")
        lines[-1] = (lines[-1] + " " + word).strip()
    if len(lines) == 1: return '"%s"' % lines[0]
    return '"""\n' + " \\\n".join(indent + line for line in lines) + "\n" + indent + '"""'


def table(names, sets):
    return "[\n" + "".join('    "%s": %s,\n' % (n, wrapped(ranges(sets[n]), "      ")) for n in names) + "  ]"


def main(folder):
    def write(name, body):
        with open(os.path.join(folder, name), "w") as f:
            f.write("// Written by Corpus/tools/pattern_tables.py from the answers of the official emulator 1.19.9.\n\n" + body)
    categories, scripts = known(sorted(CATEGORIES)), known(SCRIPTS)
    plain, folded = members(categories + scripts, ""), members(categories + scripts, "(?i)")
    added = {n: folded[n] - plain[n] for n in sorted(plain) if folded[n] != plain[n]}
    assert all(plain[n] <= folded[n] for n in plain)
    write("UnicodeCategoryTable.swift", "/// General categories, as `UnicodeClasses.decode` reads them.\nenum UnicodeCategoryTable {\n"
          "  static let ranges: [String: String] = " + table(categories, plain) +
          "\n\n  /// What `(?i)` adds to a category or script.\n  static let foldAdditions: [String: String] = " + table(sorted(added), added) + "\n}\n")
    write("UnicodeScriptTable.swift", "/// Scripts, as `UnicodeClasses.decode` reads them.\nenum UnicodeScriptTable {\n"
          "  static let ranges: [String: String] = " + table(scripts, plain) + "\n}\n")
    text = " ".join("=".join("%x" % c for c in orbit) for orbit in orbits())
    write("CaseFoldingTable.swift", "/// Characters that `(?i)` makes equal, joined by `=`.\nenum CaseFoldingTable {\n"
          "  static let orbits = " + wrapped(text, "    ") + "\n}\n")


if __name__ == "__main__":
    if len(sys.argv) != 3: sys.exit(__doc__)
    sys.path.insert(0, sys.argv[1])
    oracle = importlib.import_module("oracle")
    main(sys.argv[2])
