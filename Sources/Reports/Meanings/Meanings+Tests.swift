extension Meanings {
  static let testSyntax = [
    Meaning(
      "unknown-statement", "A statement begins with a word that is none of the test language.",
      "Mind the spelling; test files have no `rules_version`."),
    Meaning("missing-semicolon", "A statement does not end with `;`.", "Write it."),
    Meaning("unclosed-test", "A test is not closed before the next begins.", "`}`"),
    Meaning("stray-brace", "A `}` closes nothing.", "Take it away."),
    Meaning("step-outside-test", "A step stands at the top of the file.", "`test 'what it shows' { … }` around it"),
    Meaning("misplaced-statement", "A statement of the top of the file stands inside a test.", "Move it out."),
    Meaning("missing-expectation", "A step says neither `allow` nor `deny`.", "Write one of them before the method."),
    Meaning(
      "unknown-operation", "There is no such method of a step.",
      "`get`, `list`, `create`, `update`, `set`, `delete`, `batch`, `transaction`, `count`, `sum`, `avg`"),
    Meaning(
      "misplaced-operation", "This method cannot stand here, in a batch or transaction.",
      "Take one of those the message names."),
    Meaning("missing-user", "A step does not say who asks.", "`as alice`, or `as nobody`"),
    Meaning("misplaced-as", "`as` stands behind `because`.", "First `as`, then `because`."),
    Meaning("because-of-allow", "An `allow` has a reason.", "Only a denial has a message: take `because` away."),
    Meaning(
      "misplaced-query", "`where`, `order by`, `limit` or `offset` stands out of order, or behind `as`.",
      "`list PATH where … order by … limit … offset … as USER`"),
    Meaning(
      "unexpected-data", "Data or a field stands where none is taken.",
      "Only `create`, `set` and `update` write data; `count` counts documents."),
    Meaning(
      "filter-too-deep", "The brackets of a filter lie too deep in one another.",
      "Firestore would not take it either: make it flatter."),
    Meaning("empty-batch", "A batch or transaction holds nothing.", "Write at least one request into it."),
    Meaning("read-after-write", "A transaction reads after it has written.", "Put its reads first."),
    Meaning("path-without-slash", "A path does not begin with `/`.", "`/users/alice`"),
    Meaning("trailing-slash", "A path ends in `/`.", "Take it away, or write what comes behind it."),
    Meaning("capture-without-slash", "A capture stands right behind a segment.", "`/{name}`"),
    Meaning(
      "capture-in-path", "A capture stands in the path of a step, which is about one document or collection.",
      "A value is put in by `/$(name)`; all collections of a name are `/{any=**}/name`."),
    Meaning(
      "expression-in-pattern", "`$(…)` stands in the path of an invariant.",
      "Capture the segment, and compare it in the condition."),
    Meaning("glob-without-name", "`**` stands in a path without a name.", "`/{rest=**}`"),
    Meaning("computed-key", "A key that is computed stands without parentheses.", "`(expression): value`"),
    Meaning(
      "not-a-map", "Data is no map that is written out.", "`{ field: value }`; a function may give the values in it."),
    Meaning(
      "not-a-plain-string", "Something computed stands where plain text must, such as the name of a test.",
      "Write the text in quotes."),
    Meaning(
      "not-a-provider", "A user is declared by something that is no provider.", "`password({ … })`, `google()`, …"),
    Meaning("one-user", "A statement about one user names several.", "Write one for each."),
    Meaning(
      "repeated-statement", "`rules`, `database` or `now` stands twice.",
      "Keep one; inside a test `at` moves the clock."),
    Meaning("repeated-method", "A method is named twice.", "Keep one."),
  ]

  static let testMeaning = [
    Meaning("repeated-fixture", "A document is given twice.", "Keep one."),
    Meaning("unknown-user", "There is no user of this name.", "Declare it at the top: `user name = google();`"),
    Meaning("repeated-user", "Two users have one name.", "Rename one."),
    Meaning(
      "wrong-user", "There can be no account of this kind.", "The message says what the provider does not allow."),
    Meaning(
      "unknown-provider", "There is no such provider.",
      "Take one of those the message lists; others are `oidc('oidc.name')` and `saml('saml.name')`."),
    Meaning(
      "wrong-provider", "The provider cannot be used so, or the id of an `oidc` or `saml` provider is wrong.",
      "The ids begin with `oidc.` and `saml.`"),
    Meaning("unknown-option", "A user has no such option.", "A claim of your own goes into `claims: { … }`."),
    Meaning("computed-option", "The name of an option is computed.", "Write it out."),
    Meaning(
      "not-json", "A claim holds what a token cannot, such as a time.",
      "null, a bool, a number, text, a list or a map"),
    Meaning("no-account", "`nobody` has no account.", "Name a declared user."),
    Meaning(
      "signed-in", "A user signs in who is signed in already.", "Users are, when a test begins: `sign out` first."),
    Meaning("signed-out", "A user does something who is signed out.", "`sign in` first."),
    Meaning(
      "refused-by-identity", "Firebase Authentication would refuse this.",
      "The message says why; see [identity.md](identity.md)."),
    Meaning(
      "refused-by-firestore", "Firestore would refuse this before it asks the rules.",
      "The message is Firestore's: mend the request."),
    Meaning(
      "update-of-missing", "An `update` of a document that is not there fails whatever the rules say.",
      "`given` the document, or `set` it."),
    Meaning(
      "create-of-existing", "A `create` of a document that is there fails whatever the rules say.",
      "`set` it, or `update` it."),
    Meaning(
      "collection-path", "A path of a collection stands where a document is meant.",
      "An even number of segments: `/collection/document`."),
    Meaning(
      "document-path", "A path of a document stands where a collection is meant.",
      "An odd number of segments; one document is read by `get`."),
    Meaning("wrong-group", "A collection group is written otherwise.", "`/{any=**}/name`"),
    Meaning("wrong-id", "An id in a path is empty or holds a slash.", "Mind the value that is put in."),
    Meaning("id-not-text", "An id in a path is no text.", "`string(…)` makes text of a number."),
    Meaning("wrong-arguments", "A function gets arguments that it cannot take.", "The message shows how it is called."),
    Meaning(
      "unknown-function", "There is no such function in the test file.",
      "Functions of the rules are not known in tests: write a helper."),
    Meaning(
      "unknown-name", "There is no such name here.",
      "Mind the spelling; in steps only users and `request.time` are known."),
    Meaning("reserved-name", "The name has a meaning of its own.", "Take another."),
    Meaning("repeated-name", "A name stands twice in one list.", "Keep one."),
    Meaning("repeated-function", "Two functions have one name.", "Rename one."),
    Meaning("recursion", "A function calls itself.", "There is no recursion."),
    Meaning("repeated-key", "A map has a key twice.", "Keep one."),
    Meaning("key-not-text", "A computed key is no text.", "`string(…)`"),
    Meaning(
      "no-value", "The value of an expression cannot be worked out.", "The message is that of the rules language."),
    Meaning("not-a-time", "Something else than a time stands behind `at` or `now`.", "`timestamp.date(2026, 1, 1)`"),
    Meaning(
      "no-documents",
      "`get`, `exists` and their like are not known in test files, which have no documents of their own.",
      "Write the values out."),
    Meaning("no-field", "A filter has no field on its left side.", "`items < 10`, or `'x' in tags`"),
    Meaning("wrong-field-path", "The path of a field cannot be read.", "Quote names with dots or spaces: `'a.b'`"),
    Meaning("wrong-count", "`limit` or `offset` is no whole number, or too small.", "A positive whole number."),
    Meaning("overlapping-fields", "Of one update a field lies within another.", "Keep one of the two."),
    Meaning(
      "transform-in-fixture", "A transform such as `increment` stands in a fixture.", "Fixtures hold plain values."),
    Meaning(
      "misplaced-transform", "A transform stands where nothing can be changed.",
      "It is the whole value of a field of a write; `deleteField()` belongs to `update`."),
    Meaning("misplaced-vector", "`vector([…])` is part of an expression.", "It stands alone as a value."),
    Meaning("empty-database", "The id of the database is empty.", "The default one is `'(default)'`."),
    Meaning("empty-rules", "The name of the rules file is empty.", "Name it, or leave the statement out."),
    Meaning(
      "empty-reason", "A reason is part of every message.",
      "Take more of the message: `because \"false for 'get' @ L5\"`."),
    Meaning(
      "no-firestore", "The rules have no service for Firestore, and would deny everything.",
      "`service cloud.firestore { … }`"),
  ]

  static let testWarnings = [
    Meaning("no-tests", "There is no test in the file.", "Write one, or an invariant."),
    Meaning("empty-test", "A test has no step and shows nothing.", "Write one."),
    Meaning("repeated-test", "Two tests have one name, so that reports cannot tell them apart.", "Rename one."),
    Meaning("unused-user", "A user asks for nothing.", "Use it, or take it away."),
    Meaning(
      "unused-fixture", "No step asks for the document, and no rule looked at it.",
      "Mind its path; else take it away."),
    Meaning(
      "dot-in-name", "A dot in a quoted key is part of the name: only in `update` it leads into a map.",
      "`{ a: { b: … } }`"),
    Meaning(
      "unknown-sign-in-provider", "No token has such a `sign_in_provider`, so that the comparison is never true.",
      "`google.com`, `apple.com`, `password`, …"),
    Meaning("unknown-database", "`firebase.json` has no such database.", "Mind the name."),
    Meaning(
      "rules-of-another", "`firebase.json` gives these rules to another database than the test is about.",
      "Name the database at the top of the test file."),
    Meaning(
      "deny-without-rule", "A request was denied only because no rule is about its path and method.",
      "Mind the path; if it is meant, `because 'No matching allow statements'`."),
    Meaning(
      "deny-by-plain-false", "A request was denied by an `if false` that refuses everything.",
      "Mind the path; if it is meant, `because 'false for'`."),
    Meaning(
      "deny-by-error", "A request was denied through an evaluation error, not through a condition that is false.",
      "Mend the rule or the data; if it is meant, say so with `because`."),
    Meaning(
      "near-limit", "A step takes 80 % or more of an official limit, or exceeds it.",
      "Make the condition cheaper; `explain` says what takes how much."),
    Meaning(
      "query-on-absence", "A query is allowed although it can return documents that the condition forbids.",
      "Filter on the field that the condition asks for."),
  ]

  static let results = [
    Meaning(
      "unexpected-allow", "A request was allowed that the test says must be denied.",
      "Mend the `allow` that is named, or the test."),
    Meaning(
      "unexpected-deny", "A request was denied that the test says must be allowed.",
      "The report says what decided, and the nearest change that is allowed."),
    Meaning(
      "other-reason", "A request was denied for another reason than the one the test names.",
      "Look whether the rule that was meant still decides; mind line numbers in `because`."),
    Meaning(
      "broken-invariant", "A request breaks an invariant.", "The request is shown: mend the rules, or the invariant."),
    Meaning(
      "impossible-invariant", "What must stay possible is not allowed to anybody.",
      "Mend the rules, or the invariant."),
    Meaning(
      "other-in-database", "A database decides a case of a TestSuite otherwise than the Rules API.",
      "See [testsuite.md](testsuite.md); `rules-test convert` makes tests of the other cases."),
    Meaning(
      "undecided-invariant", "An invariant was neither proved nor broken.",
      "Install the solver; else `rules-test prove` says why."),
    Meaning("unusable-file", "A file could not be found, read or used.", "The message says why."),
  ]
}
