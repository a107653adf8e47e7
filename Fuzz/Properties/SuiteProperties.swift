import Reports
import RulesSyntax
import RulesTesting

enum SuiteProperties {
  private static let rules = RulesFile(
    SourceFile(
      name: "firestore.rules",
      text: """
        rules_version = '2';
        service cloud.firestore { match /databases/{database}/documents {
          match /users/{uid} {
            allow get, delete: if request.auth.uid == uid;
            allow create, update: if request.resource.data.keys().hasOnly(['a', 'b']) && request.resource.data.a is number; }
          match /a/{b=**} { allow read, write: if resource == null || resource.data.a == request.resource.data.a; } } }
        """))

  static func check(_ bytes: [UInt8]) throws(BrokenProperty) {
    try check(SourceFile(name: "fuzz_test.rules", utf8: bytes))
  }

  static func checkGenerated(_ bytes: [UInt8]) throws(BrokenProperty) {
    try check(SourceFile(name: "fuzz_test.rules", text: SuiteGrammar.file(Choices(bytes))))
  }

  private static func check(_ file: SourceFile) throws(BrokenProperty) {
    let test = TestFile.load(file)
    let places = Places(file)
    try places.check(test.diagnostics)
    _ = DiagnosticReport(file, test.diagnostics).text(Terminal(width: 50))
    let result = Runner().run(test, rules)
    try places.check(result.diagnostics)
    if test.hasErrors {
      try require(result.tests.isEmpty, "a file with errors was run")
    } else {
      try require(result.tests.count == test.syntax.tests.count, "a test was left out")
      for test in result.tests {
        try places.check(test.mistakes + test.steps.flatMap(\.warnings) + test.steps.compactMap(\.mistake))
        for step in test.steps where step.mistake == nil {
          try require(step.verdicts.count == step.step.users.count, "a user was left out")
        }
      }
    }
  }
}
