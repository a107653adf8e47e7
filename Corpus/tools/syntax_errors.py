"""Breaks rulesets at random and records what the official emulator says: Corpus/syntax-errors.jsonl.

    syntax_errors.py COUNT SEED > Corpus/syntax-errors.jsonl

Each line has `src` and the lines of the compile error (`errors`, empty when the emulator takes the ruleset). The same
seed gives the same rulesets. The recorded file was made with COUNT 1500 and SEED 1, and has `probes`, hand-written
mistakes, behind them.
"""
import json, random, re, sys

from emulator import Emulator

BASES = ["""rules_version = '2';
service cloud.firestore {
  match /databases/{database}/documents {
    function signedIn() { return request.auth != null; }
    function owns(uid) {
      let me = request.auth.uid;
      return signedIn() && me == uid;
    }
    match /users/{uid} {
      allow read, write: if owns(uid);
      match /notes/{note=**} { allow get: if resource.data.tags[0] in ['a', 'b']; }
    }
    match /rooms/{room} {
      allow create: if request.resource.data.keys().hasAll(['name']) && !(room is int);
      allow delete;
    }
  }
}
""", """service cloud.firestore {
  match /databases/{db}/documents {
    match /a/{x} {
      allow list: if exists(/databases/$(db)/documents/b/$(x)) ? x == 'y' : -1 < 2 * 3;
      allow update: if get(/databases/(default)/documents/c/d).data.n[1:2].size() >= 1.5 || {'k': [1, 2]}.k[0] == 1 % 2;
    }
  }
}
""", """rules_version = "2";
function top(a, b) { return a + b - 1; }
service firebase.storage {
  match /b/{bucket}/o {
    match /{all=**} {
      // a comment
      allow read: if request.time < timestamp.date(2020, 1, 1) /* c */;
      allow write: if top(1, 2) == 2 && math.abs(-2) != b'ab';
    }
  }
}
"""]
TOKEN = re.compile(
    r"\s+|//[^\n]*|/\*.*?\*/|/[A-Za-z0-9_]+|/\(default\)|[A-Za-z_]\w*|\d+\.\d+|\d+|'[^'\n]*'|\"[^\"\n]*\""
    r"|==|!=|<=|>=|&&|\|\||\*\*|.", re.S)
WORDS = ["'", "\"", "(", ")", "{", "}", "[", "]", ";", ":", ",", ".", "/", "/x", "=", "==", "!", "-", "+", "*", "**",
         "&&", "||", "?", "in", "is", "if", "allow", "match", "function", "return", "let", "service", "true", "null",
         "id", "1", "2.5", "'s'", "$", "++", "@", "rules_version", "import", "<", "%", "#", "&", "\\", "as", "b'x'",
         "0x1", "/*", "//"]
CHARACTERS = ["'", '/', '.', ' ', 'é', ';', '{', '}', '(', ')', '#', '\\', 'x']


def broken(r):
    """A base ruleset with one or two tokens removed, inserted, replaced, swapped, doubled, or split, or cut off."""
    tokens = TOKEN.findall(r.choice(BASES))
    for _ in range(r.choice([1, 1, 1, 1, 2])):
        places = [i for i, x in enumerate(tokens) if x.strip() and not x.startswith('//') and not x.startswith('/*')]
        i, kind = r.choice(places), r.random()
        if kind < .30:
            tokens[i] = ''
        elif kind < .50:
            tokens.insert(i, r.choice(WORDS) + ' ')
        elif kind < .68:
            tokens[i] = r.choice(WORDS)
        elif kind < .80:
            j = places[min(places.index(i) + 1, len(places) - 1)]
            tokens[i], tokens[j] = tokens[j], tokens[i]
        elif kind < .86:
            tokens[i] = tokens[i] + ' ' + tokens[i]
        elif kind < .92:
            p = r.randrange(len(tokens[i]) + 1)
            tokens[i] = tokens[i][:p] + r.choice(CHARACTERS) + tokens[i][p:]
        elif kind < .96:
            p = r.randrange(len(tokens[i]))
            tokens[i] = tokens[i][:p] + tokens[i][p + 1:]
        else:
            tokens = tokens[:i]
    return ''.join(tokens)


def main(count, seed):
    r, seen, emulator = random.Random(seed), set(), Emulator("syntax-errors")
    while count:
        source = broken(r)
        if source in seen:
            continue
        seen.add(source)
        status, body = emulator.put(source)
        if status not in (200, 400):
            continue
        errors = [] if status == 200 else body["error"]["message"].split("\n")[1:]
        print(json.dumps({"src": source, "errors": errors}, ensure_ascii=False))
        count -= 1


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
