extension Meanings {
  static let syntax = [
    Meaning(
      "unknown-character", "A character that the rules language does not have.", "Remove it; quotes are `'` or `\"`."),
    Meaning(
      "unexpected-token", "Something stands where the grammar has no place for it.",
      "Look at what stands before it: mostly a `;`, a bracket or an operator is missing there."),
    Meaning("mismatched-input", "One thing stands where another must.", "Write what the message expects."),
    Meaning("missing-token", "A sign is missing, mostly `;`, `}` or `)`.", "Write it."),
    Meaning("syntax-error", "The parser could not go on here.", "Look at the statement before."),
    Meaning("missing-match", "A path stands without `match` before it.", "`match /path { … }`"),
    Meaning("missing-method", "An `allow` names no method.", "`allow get, list: if …;`"),
    Meaning("missing-colon", "There is no `:` between the methods and `if`, or behind a key.", "Write it."),
    Meaning("missing-if", "A condition stands without `if`.", "`allow read: if …;`"),
    Meaning("missing-condition", "Nothing stands behind `if`.", "Write the condition; `if false` where nobody may."),
    Meaning("missing-function-name", "A function has no name.", "`function name() { return …; }`"),
    Meaning(
      "missing-function-signature", "A function has no parameter list.",
      "`function name() { … }`, also without parameters."),
    Meaning("missing-function-body", "A function has no body.", "`{ return …; }`"),
    Meaning("empty-body", "A service or a match holds nothing.", "Write something into it, or take it away."),
    Meaning("stray-slash", "A path ends in a slash, or has two in a row.", "Take the slash away."),
    Meaning("extra-brace-in-path", "A capture in a path is closed twice.", "`/{name}`"),
    Meaning("extra-parenthesis", "A parameter list is closed twice.", "Take one `)` away."),
    Meaning("unclosed-quote", "A text is not closed in its line.", "Close it; a line break within is `\\n`."),
    Meaning(
      "increment", "There is no `++` in the rules language.",
      "Compare with the old value: `request.resource.data.n == resource.data.n + 1`."),
    Meaning("service-name", "A keyword stands for the name of a service.", "`service cloud.firestore { … }`"),
    Meaning(
      "import-alias", "The alias of an `import` is not written `as name`.",
      "There are no imports in deployed rules: put everything in one file."),
    Meaning("invalid-number", "A number too large.", "Ints have 64 bits: up to 9223372036854775807."),
    Meaning(
      "invalid-bytes", "The escapes of a bytes literal are wrong.",
      "`b'\\x00'`: two hexadecimal digits, or three octal ones."),
    Meaning("empty-file", "There is nothing in the file.", "Write `rules_version = '2';` and a service."),
    Meaning(
      "file-too-large", "The file is larger than any that is read.",
      "Take generated parts out; deployed rules may have 256 KiB."),
    Meaning(
      "nesting-too-deep", "Brackets or blocks lie deeper in one another than is read safely.",
      "Divide the expression with functions or `let`."),
    Meaning(
      "expression-too-complex", "An expression is deeper than the official compiler reads.",
      "Divide it with functions or `let`."),
  ]

  static let compiling = [
    Meaning("unsupported-version", "`rules_version` is neither '1' nor '2'.", "`rules_version = '2';`"),
    Meaning("import", "Imports are not allowed in deployed rules.", "Put everything in one file."),
    Meaning("unknown-module", "There is no such module in the standard library.", "Take the import away."),
    Meaning("duplicate-service", "A service is declared twice.", "Join the two."),
    Meaning(
      "duplicate-function", "Two functions of one scope have one name.",
      "Rename one; the number of parameters makes no difference."),
    Meaning("duplicate-parameter", "Two parameters have one name.", "Rename one."),
    Meaning("duplicate-let", "A `let` takes a name that is taken in this function.", "Take another name."),
    Meaning(
      "duplicate-capture", "Two captures of a path, those of the matches around it included, have one name.",
      "Rename one."),
    Meaning(
      "glob-not-last", "In version 1 `{name=**}` stands at the end of a path only.",
      "`rules_version = '2';`, or move it to the end."),
    Meaning("second-glob", "A path, with those around it, has two `{name=**}`.", "Keep one."),
    Meaning(
      "package-as-variable", "The name of a package, such as `math`, stands as a value.",
      "Call one of its functions, or rename the variable."),
    Meaning(
      "unknown-type", "`is` is followed by something that is no type.",
      "Take one of those the message lists; a string is `string`, not `text`."),
    Meaning("too-many-parameters", "A function has more than 7 parameters.", "Give it a map, or divide it."),
    Meaning("too-many-lets", "A function has more than 10 `let`s.", "Divide it."),
    Meaning("too-many-captures", "A path, with those around it, has more than 20 captures.", "Shorten it."),
    Meaning("let-in-version-1", "`let` exists in version 2 only.", "`rules_version = '2';`"),
    Meaning("match-too-deep", "Matches lie more than 10 deep in one another.", "Write longer paths in fewer matches."),
    Meaning("match-path-too-long", "A path has more than 100 segments.", "Shorten it."),
    Meaning("recursion", "A function calls itself.", "There is no recursion: unroll it to the depth that is needed."),
    Meaning("call-cycle", "Functions call one another in a circle.", "Break the circle: there is no recursion."),
    Meaning("calls-too-deep", "More than 20 functions call one another in a row.", "Put some of them together."),
  ]

  static let warnings = [
    Meaning(
      "service-function-outside", "A function such as `get` is called where no service is around it.",
      "Move the function into the service."),
    Meaning(
      "matches-in-glob", "In version 1 a match that ends in `{name=**}` holds no other match.",
      "`rules_version = '2';`, or put the inner match beside it."),
    Meaning(
      "old-version", "The file says no version, and is read as version 1, in which `{name=**}` does not match nothing.",
      "`rules_version = '2';` as the first line, and look at the globs."),
    Meaning(
      "unused-function", "A function is never called.",
      "Call it, or take it away: often the condition that should call it was forgotten."),
    Meaning("unused-variable", "A `let` is never used.", "Use it, or take it away."),
    Meaning(
      "unknown-variable", "There is no such name here; at run time it is an error.",
      "Mind the spelling; a capture is known inside its match only."),
    Meaning(
      "unknown-function", "There is no such function here; at run time it is an error.",
      "Mind the spelling, and where the function is declared."),
    Meaning(
      "argument-count", "A function gets more or fewer arguments than it has parameters; the call is an error.",
      "Give it as many."),
    Meaning(
      "unknown-service", "There is no such service; what is in it counts for nothing.",
      "`cloud.firestore` or `firebase.storage`"),
    Meaning(
      "unknown-method", "There is no such method; the `allow` does not allow it.",
      "`read` (`get`, `list`), `write` (`create`, `update`, `delete`)"),
    Meaning(
      "invalid-pattern", "A pattern of `matches`, `replace` or `split` is not RE2; the call is an error.",
      "No look-ahead and no back references; a backslash is written twice."),
    Meaning(
      "never-equal", "The two sides have different types, so that the comparison always comes out the same.",
      "Convert one side, or compare the field that was meant."),
    Meaning(
      "ternary-types", "The two results of `? :` have different types.",
      "Mostly one of them was meant otherwise; else it does no harm."),
    Meaning(
      "wrong-type", "An operator or a condition gets a type that it cannot take; at run time it is an error.",
      "Convert, or compare: `if resource.data.count > 0` for `if resource.data.count`."),
    Meaning(
      "no-type", "A variable is used as different types in one function; one of the uses is an error.", "Mind each use."
    ),
  ]

  /// As `docs/lint.md` has them.
  static let lint = [
    Meaning(
      "missing-version", "The file names no `rules_version`, and is read as version 1.",
      "`rules_version = '2';` as the first line"),
    Meaning("test-mode", "A condition asks for nothing but the time: everybody may, until a day.", "Say who may."),
    Meaning(
      "open-to-everybody", "Everybody writes, or everybody reads everything there is.",
      "Say who may; `if false` where only servers write."),
    Meaning("always-false", "*proved*: the condition is never true.", "Mend it, or write `if false`."),
    Meaning(
      "always-true", "*proved*: the condition is true of every request on its path.", "Mend it, or write `if true`."),
    Meaning(
      "redundant-allow", "*proved*: other statements let all of it through.",
      "Take it away, or make the others stricter: often this one was meant to count."),
    Meaning(
      "closed-here-open-there", "`if false`, and another match opens the path; the request that passes is named.",
      "Make the pattern of the other match narrower."),
    Meaning("shadowed-function", "A function hides another of its name and number of parameters.", "Rename one."),
    Meaning(
      "write-includes-delete",
      "`write` with a condition that does not say whose the document is, so that everybody who passes may delete.",
      "`create, update`"),
    Meaning(
      "unbounded-text", "A text of a new document has no bound on its length, while others have.",
      "`&& ….size() <= 1000`"),
    Meaning(
      "denied-names", "Names are forbidden one by one, so that `Admin` passes where `admin` does not.",
      "Compare `.lower()`, or list what is allowed."),
    Meaning("unescaped-dot", "A bare dot between letters of a pattern, which stands for any character.", "`[.]`"),
    Meaning("negated-whole-text", "`!….matches('word')` refuses that one text alone.", "`'.*word.*'`"),
    Meaning(
      "claim-presence", "It is asked whether a claim is there, not what it is.",
      "`request.auth.token.get('admin', false) == true`"),
    Meaning(
      "unverified-address", "The e-mail address is trusted without `email_verified`.",
      "`&& request.auth.token.email_verified == true`"),
    Meaning("mixed-and-or", "`request.auth != null && a \\|\\| b`: for `b` nobody has to sign in.", "brackets"),
    Meaning(
      "keys-of-old-document", "`resource.data.keys().hasOnly(…)` in a write: the new document may have other keys.",
      "`request.resource.data.keys()`"),
  ]
}
