"""Random expressions of the rules language: every literal form, operator, method and function, typed and ill-typed."""
import re

from parity_corners import CORNERS, IDIOMS

TYPES = "bifsylmSptdgDn"
"""bool int float string bytes list map set path timestamp duration latlng map_diff null; v is any of them."""

STRINGS = ["", "a", "b", "ab", "abc", "aXb", "A", "Z", "é", "É", "ß", "\U0001F600", "a\U0001F600b", " a ", "\\t", "\\n",
           "\\\\", "\\'", "\\\"", "\\u0041", "\\ud83d", "\\ude00", "\\ud83d\\ude00", "\\x41", "\\101", "\\u00e9", "\\uffff",
           "a,b,c", ",", "/a/b", "a/b", "x.y", "$1", "1", "-7", "007", "1.5", "1e3", "NaN", "true", "9223372036854775807",
           "9223372036854775808", "2020-02-29T12:34:56.789Z", "K", "\u212a", "\\u0000", "k1", "k2", "size", "__name__"]
INTS = ["0", "1", "2", "3", "5", "7", "10", "60", "-1", "-2", "100", "255", "1000", "86400", "2147483647", "2147483648",
        "9007199254740993", "9223372036854775807", "-9223372036854775808", "-9223372036854775807", "4611686018427387904"]
FLOATS = ["0.0", "-0.0", "1.0", "1.5", "2.5", "-0.5", ".5", "5.", "0.1", "1000000.0", "10000000.0", "0.001", "0.0001",
          "123456789012345680.0", "9223372036854775807.0", "0.49999999999999994", "1.7976931348623157" + "0" * 5,
          "float('NaN')", "float('Infinity')", "float('-Infinity')", "float('1e308')", "float('4.9e-324')", "1.0 / 0"]
PATTERNS = ["a", "b*", "", ".", ".*", "a+", "[ab]+", "(a)(b)?", "(?i)AB", "\\\\w+", "\\\\d", "[^a]", "^a", "b$", "a|b", "(?P<n>a)",
            "\\\\.", ",", "a{2}", "a{1,2}", "\\\\p{L}+", "[[:alpha:]]", "a*?", "\\\\bA", "(?s).", "\\\\x41", "\\\\pN", "[a-c]",
            "\\\\Qa.b\\\\E", "\\\\z", "(?:ab)+"]
BROKEN = ["[", "(", "*", "a**", "\\\\", "(?=a)", "\\\\1", "a{1001}", "[b-a]", "(?P<n>a)(?P<n>b)", "(?<n>a)", "\\\\pX", "x{2}{3}",
          "[[:foo:]]", ")", "(?#c)", "a++", "\\\\Z", "a{,2}", "{", "]", "}", "\\\\8", "(?i", "[a", "\\\\C"]
UNITS = ["w", "d", "h", "m", "s", "ms", "ns", "us", "S", ""]
IS = ("bool bytes constraint duration float int latlng list vector set number map string timestamp path map_diff").split()

TEMPLATES = {
    "b": ["<v> == <v>", "<v> != <v>", "<i> == <f>", "<s> == <s>", "<l> == <l>", "<m> == <m>", "<S> == <S>", "<p> == <p>", "<d> != <d>", "<t> == <t>",
          "<i> < <i>", "<f> <= <i>", "<s> > <s>", "<y> >= <y>", "<d> < <d>", "<t> > <t>", "<v> < <v>",
          "<b> && <b>", "<b> || <b>", "<b> && <b>", "<b> || <b>", "<v> || <b>", "<b> && <v>", "!<b>",
          "<v> in <l>", "<v> in <S>", "<s> in <m>", "<v> in <v>", "<v> is %T", "<v> is %T",
          "<s>.matches(%P)", "<s>.matches(<s>)", "<l>.hasAll(<l>)", "<l>.hasAny(<l>)", "<l>.hasOnly(<l>)", "<S>.hasAll(<S>)",
          "<S>.hasAny(<l>)", "<S>.hasOnly(<l>)", "<S>.hasOnly(<S>)", "math.isNaN(<f>)", "<b> ? <b> : <b>", "<m>.get(<s>, <b>)",
          "exists(<q>)", "existsAfter(<q>)", "<v> == null", "null != <v>"],
    "i": ["<i> + <i>", "<i> - <i>", "<i> * <i>", "<i> / <i>", "<i> % <i>", "-<i>", "int(<f>)", "int(<s>)", "int(<i>)",
          "<s>.size()", "<l>.size()", "<m>.size()", "<S>.size()", "<y>.size()", "math.abs(<i>)", "math.round(<f>)",
          "<t>.year()", "<t>.month()", "<t>.day()", "<t>.hours()", "<t>.minutes()", "<t>.seconds()", "<t>.nanos()",
          "<t>.toMillis()", "<t>.dayOfWeek()", "<t>.dayOfYear()", "<d>.seconds()", "<d>.nanos()", "<b> ? <i> : <i>",
          "<m>.get(<s>, <i>)", "[<i>, <i>][<i>]", "{'a': <i>, 'b': <i>}.a", "{'a': <i>}[<s>]"],
    "f": ["<f> + <i>", "<f> - <f>", "<f> * <f>", "<i> / <f>", "<f> % <f>", "-<f>", "float(<s>)", "float(<i>)", "float(<f>)",
          "math.ceil(<f>)", "math.floor(<f>)", "math.sqrt(<f>)", "math.pow(<f>, <i>)", "math.abs(<f>)", "math.ceil(<i>)",
          "<g>.latitude()", "<g>.longitude()", "<g>.distance(<g>)"],
    "s": ["<s> + <s>", "<s>[<i>]", "<s>[<i>:<i>]", "<s>[<i>:]", "<s>[:<i>]", "<s>.lower()", "<s>.upper()", "<s>.trim()",
          "<s>.replace(%P, <s>)", "<s>.replace(%P, '-')", "string(<v>)", "string(<f>)", "string(<p>)", "string(<i>)", "<l>.join(<s>)",
          "<y>.toBase64()", "<y>.toHexString()", "<p>[<i>]", "<b> ? <s> : <s>", "<m>.get(<s>, <s>)", "<s>.split(%P)[<i>]"],
    "y": ["<s>.toUtf8()", "hashing.md5(<s>)", "hashing.sha256(<y>)", "hashing.crc32(<s>)", "hashing.crc32c(<y>)",
          "b'%B'"],
    "l": ["[<v>]", "[<v>, <v>]", "[<i>, <i>, <i>]", "[<s>, <s>]", "[<v>, <v>, <v>,]", "<l>.concat(<l>)", "<l>.removeAll(<l>)",
          "<l>[<i>:<i>]", "<l>[:<i>]", "<m>.keys()", "<m>.values()", "<s>.split(%P)", "<b> ? <l> : <l>", "<l>[<i>:]"],
    "m": ["{'a': <v>}", "{'a': <v>, 'b': <v>}", "{<s>: <v>}", "{<s>: <v>, <s>: <v>,}", "{'a': {'b': <v>}}", "{'k1': <i>, 'k2': <s>}",
          "<m>.get(<s>, <m>)", "<m>.get(['a', 'b'], <m>)"],
    "S": ["<l>.toSet()", "<S>.union(<S>)", "<S>.intersection(<S>)", "<S>.difference(<S>)", "<D>.addedKeys()", "<D>.removedKeys()",
          "<D>.changedKeys()", "<D>.affectedKeys()", "<D>.unchangedKeys()", "[<v>, <v>, <v>].toSet()"],
    "p": ["/a/b", "/a/$(<v>)", "/a/$(<s>)/c", "/$(<p>)/c", "path(<s>)", "<p>[<i>:<i>]", "(/a/{x}).bind({'x': <v>})",
          "(/a/{x=**}).bind({'x': <p>})", "(/{x}/{y}).bind(<m>)", "/a/{x}", "/a/{x=**}", "<p>[<i>:]"],
    "t": ["timestamp.date(<i>, <i>, <i>)", "timestamp.date(2020, <i>, <i>)", "timestamp.value(<i>)", "timestamp.value(<s>)", "<t> + <d>",
          "<d> + <t>", "<t> - <d>", "<t>.date()"],
    "d": ["duration.value(<i>, %U)", "duration.time(<i>, <i>, <i>, <i>)", "<d> + <d>", "<d> - <d>", "<t> - <t>", "-<d>", "duration.abs(<d>)",
          "<t>.time()"],
    "g": ["latlng.value(<f>, <f>)", "latlng.value(<i>, <i>)"],
    "D": ["<m>.diff(<m>)"],
    "n": ["null"],
    "q": ["/databases/$(database)/documents/w/%W", "/databases/(default)/documents/w/%W", "/databases/$(database)/documents/w/$(<s>)"],
}
ANY = ["<m>.a", "<m>[<s>]", "<m>.get(<s>, <v>)", "<l>[<i>]", "debug(<v>)", "<b> ? <v> : <v>", "<v>.size()", "<v>[<i>]", "<v>.a", "-<v>",
       "<v> + <v>", "<v> - <v>", "<v> * <v>", "<v>.%M()", "<v>.%M(<v>)", "%N(<v>)", "%N(<v>, <v>)", "<v>.%M(<v>, <v>)", "<v>[<v>]", "<v>[<v>:<v>]",
       "<l>[<f>]", "!<v>", "<p>.x", "(/a/{x}).bind({'x': <v>}).x"]
METHODS = ("size lower upper trim matches replace split toUtf8 toBase64 toHexString join concat hasAll hasAny hasOnly removeAll toSet difference "
           "intersection union keys values get diff addedKeys removedKeys changedKeys affectedKeys unchangedKeys bind year month day hours minutes "
           "seconds nanos date time dayOfWeek dayOfYear toMillis latitude longitude distance foo contains").split()
NAMES = ("int float string path debug bool get exists math.abs math.ceil math.floor math.round math.sqrt math.pow math.isNaN math.isInfinite "
         "duration.value duration.abs duration.time timestamp.value timestamp.date latlng.value hashing.md5 hashing.crc32 hashing.crc32c "
         "hashing.sha256 foo math.foo firestore.get").split()
FIELDS = "i i2 s u t f nan z n l e m n2 ts b g v r a zz yy".split()
LOADED = {"b": ["t"], "i": ["i", "i2"], "f": ["f", "nan", "z"], "s": ["s", "u"], "y": ["b"], "l": ["l", "e"], "m": ["m", "n2"], "p": ["r"], "t": ["ts"],
          "g": ["g"], "n": ["n"], "v": ["v", "missing", "m.k", "l", "i", "n", "m.k.x"]}


class Expressions:
    """Makes expressions with one source of randomness.

    scope: names that are variables; functions: name -> number of arguments; loaded: may data be asked for?
    """

    def __init__(self, random, scope=("id", "database"), functions=None, loaded=True, ill=0.08):
        self.r, self.scope, self.functions, self.loaded, self.ill = random, list(scope), functions or {}, loaded, ill

    def make(self, kind="v", depth=4):
        r = self.r
        if r.random() < self.ill:
            kind = "v"
        if kind == "v":
            x = r.random()
            if x < 0.25 and depth > 0:
                return self.fill(r.choice(ANY), depth)
            if x < 0.35 and self.scope:
                return r.choice(self.scope)
            if x < 0.47 and self.functions and depth > 0:
                name = r.choice(list(self.functions))
                count = self.functions[name]
                if r.random() < 0.04:
                    count = max(0, count + r.choice([-1, 1]))
                return f"{name}({', '.join(self.make('v', depth - 1) for _ in range(count))})"
            kind = r.choice(TYPES)
        if kind == "b" and self.functions and depth > 0 and r.random() < 0.15:
            name = r.choice(list(self.functions))
            return f"{name}({', '.join(self.make('v', depth - 1) for _ in range(self.functions[name]))})"
        if self.loaded and kind in LOADED and r.random() < 0.2:
            return self.data(kind)
        if depth <= 0 or r.random() < 0.15:
            return self.literal(kind)
        return self.fill(r.choice(TEMPLATES[kind]), depth)

    def corner(self):
        return self.fill(self.r.choice(CORNERS), 1) if self.r.random() < 0.8 else self.chain()

    def chain(self):
        """Operators in a row without parentheses, for what binds tighter than what."""
        r = self.r
        operand = lambda: r.choice(["1", "2", "-3", "2.5", "true", "false", "!true", "'a'", "id", "[1, 2]", "[true]", "{'a': 1}", "resource.data.i", "request.auth.token.t", "null", "(1)"])
        text = operand()
        for _ in range(r.randint(2, 5)):
            x = r.random()
            if x < 0.12:
                text += f" is {r.choice(['int', 'bool', 'list', 'string'])}"
            elif x < 0.2:
                text += f" ? {operand()} : {operand()}"
            else:
                text += f" {r.choice('+ - * / % == != < <= > >= in in == && ||'.split())} {operand()}"
        return text

    def idiom(self):
        """A condition of the kind that rules have."""
        r = self.r
        text = self.fill(r.choice(IDIOMS), 1)
        for _ in range(r.choice([0, 0, 1, 1, 2, 3, 5])):
            other = self.fill(r.choice(IDIOMS), 1)
            text += r.choice([" && ", " && ", " || "]) + (other if r.random() < 0.75 else f"!({other})")
        return text if r.random() < 0.85 else f"({text}) == {r.choice(['true', 'false'])}"

    def plainly(self):
        """One operator, method or function upon simple operands, each as likely as the others."""
        r = self.r
        x = r.random()
        if x < 0.5:
            return self.fill(*r.choice([(t, 1) for templates in TEMPLATES.values() for t in templates]))
        operand = lambda: self.data(k) if self.loaded and (k := r.choice(TYPES)) in LOADED and r.random() < 0.5 else self.literal(r.choice(TYPES))
        arguments = ", ".join(operand() for _ in range(r.choices([0, 1, 2, 3, 4, 5], [4, 8, 3, 2, 1, 1])[0]))
        if x < 0.75:
            return f"({operand()}).{r.choice(METHODS)}({arguments})"
        if x < 0.85:
            return f"{r.choice(NAMES)}({arguments})"
        if x < 0.97:
            return f"({operand()}) {r.choice('+ - * / % == != < <= > >= in && ||'.split())} ({operand()})"
        return r.choice([f"({operand()})[{operand()}]", f"({operand()})[{operand()}:{operand()}]", f"({operand()}) is {r.choice(IS)}", f"-({operand()})", f"!({operand()})"])

    def data(self, kind):
        r = self.r
        field = r.choice(LOADED[kind])
        source = r.choice(["resource.data", "resource.data", "request.resource.data", "get(/databases/$(database)/documents/w/a).data", "request.auth.token",
                           "getAfter(/databases/$(database)/documents/w/b).data", "d()" if "d" in self.functions else "resource.data"])
        x = r.random()
        if x < 0.08:
            return r.choice(["resource", "request.auth", "request.resource", "request.auth.uid", "resource.id", "request.method",
                             "request.path", "resource.data", "request.auth.token.email", "resource.__name__", "request.writeFields", "request.query", "request.fields"])
        return f"{source}.{field}"

    def literal(self, kind):
        r = self.r
        if kind == "b": return r.choice(["true", "false"])
        if kind == "i": return r.choice(INTS)
        if kind == "f": return r.choice(FLOATS)
        if kind == "s":
            if "id" in self.scope and r.random() < 0.1: return "id"
            text = r.choice(STRINGS)
            return f'"{text}"' if r.random() < 0.2 else f"'{text}'"
        if kind == "y": return r.choice(["b''", "b'a'", "b'ab'", 'B"\\x00\\xff"', "b'é'", "b'\\n\\101'"])
        if kind == "l": return r.choice(["[]", "[1]", "[1, 2]", "['a', 'b']", "['a']", "[1.0]", "[null]", "[[1]]", "[true, 1, 'a', 1.0]"])
        if kind == "m": return r.choice(["{}", "{'a': 1}", "{'b': 'x', 'a': 2}", "{'a': {'b': 1}}", "{'k1': null}", "{'\U0001F600': 1, '\\uffff': 2}"])
        if kind == "S": return r.choice(["[].toSet()", "[1, 2].toSet()", "['b', 'a'].toSet()", "[1.0, 1].toSet()"])
        if kind == "p": return r.choice(["/a/b", "/a", "/a/b/c/d", "/a/(default)", "/a/b.c", "/a%20b/c", "request.path", "path('a/b')"])
        if kind == "t": return r.choice(["timestamp.value(0)", "timestamp.date(2020, 2, 29)", "timestamp.value(-1)", "timestamp.value(1582934400123)",
                                         "timestamp.date(1, 1, 1)", "timestamp.date(9999, 12, 31)", "timestamp.value('2019-12-31T23:59:59.999999999Z')"])
        if kind == "d": return r.choice(["duration.value(1, 's')", "duration.value(-90, 'm')", "duration.time(1, 2, 3, 4)", "duration.value(1500, 'ms')",
                                         "duration.value(1, 'w')", "duration.value(-1, 'ns')", "duration.value(315576000000, 's')"])
        if kind == "g": return r.choice(["latlng.value(0, 0)", "latlng.value(1.5, -2.5)", "latlng.value(90, 180)", "latlng.value(-90.0, 0)"])
        if kind == "D": return "{'a': 1, 'b': 2}.diff({'b': 3, 'c': 4})"
        if kind == "q": return f"/databases/$(database)/documents/w/{r.choice('abcd')}"
        return "null"

    def fill(self, template, depth):
        r = self.r
        alone = re.fullmatch(r"[\[{(].*|[a-z.]+\(.*|/.*", template) is not None

        def one(match):
            if match[1]:
                before, after = template[:match.start()], template[match.end():]
                text = self.make(match[1], depth - 1)
                inside = before.rstrip()[-1:] in ("(", "[", ",", ":") and after.lstrip()[:1] in (")", "]", ",", "}", ":") and not before.endswith("?")
                if inside and not (before == "" or after.startswith((".", "["))):
                    return text
                if re.fullmatch(r"[a-zA-Z]+(\.[a-zA-Z]+)*|'[^'\\]*'|\[[^\[\]]*\]", text):
                    return text
                if re.fullmatch(r"[0-9]+|[0-9]*\.[0-9]+|[0-9]+\.", text) and not after.startswith((".", "[")):
                    return text
                # Without parentheses now and then: precedence is worth asking about.
                if not after.startswith((".", "[")) and not before.endswith(("-", "!")) and r.random() < 0.3 and not text.startswith("/"):
                    return text
                return f"({text})"
            code = match[2]
            if code == "T": return r.choice(IS)
            if code == "P":
                text = "'" + (r.choice(BROKEN) if r.random() < 0.06 else r.choice(PATTERNS)) + "'"
                return text if r.random() < 0.8 else f"('' + {text})"
            if code == "F": return ", ".join(f"'{f}'" for f in r.sample(FIELDS, r.choice([0, 1, 2, 3, 8, 15, 21])))
            if code == "G": return f"'{r.choice(FIELDS)}'"
            if code == "U": return "'" + r.choice(UNITS[:7] if r.random() < 0.9 else UNITS) + "'"
            if code == "B": return r.choice(["a", "\\x00", "\\377", "é", "ab", "\\n"])
            if code == "W": return r.choice("abcdefghijkl")
            if code == "M": return r.choice(METHODS)
            if code == "N": return r.choice(NAMES)
            raise ValueError(code)

        return re.sub(r"<(\w)>|%([A-Z])", one, template)
