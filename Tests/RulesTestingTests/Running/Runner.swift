import RulesSyntax
import RulesValues
import Testing

@testable import RulesTesting

private func run(_ text: String, rules: String = runnerRules) -> FileResult {
  Runner().run(
    TestFile.load(SourceFile(name: "a_test.rules", text: text)),
    RulesFile(SourceFile(name: "a.rules", text: rules)))
}

/// A result in words: verdicts that did not hold, mistakes, warnings, totals.
private func describe(_ result: FileResult) -> String {
  var lines: [String] = []
  for diagnostic in result.diagnostics { lines.append(draw(diagnostic, in: result.test.file)) }
  for test in result.tests {
    for mistake in test.mistakes { lines.append(draw(mistake, in: result.test.file)) }
    for step in test.steps {
      let line = step.step.range.start.line
      if let mistake = step.mistake { lines.append(draw(mistake, in: result.test.file)) }
      for verdict in step.verdicts where !verdict.isHeld {
        let message = verdict.decision.denial.map { "denied, \($0.message)" } ?? "allowed"
        lines.append("line \(line), \(verdict.user.text): \(verdict.status): \(message)")
        lines.append("explained: \(verdict.explanation != nil)")
      }
      for warning in step.warnings { lines.append(draw(warning, in: result.test.file)) }
    }
  }
  let t = result.totals
  lines.append("\(t.passed) passed, \(t.failed) failed, \(t.steps) steps")
  return lines.joined(separator: "\n")
}

@Suite struct RunnerTests {
  @Test(arguments: runnerMistakes) func `a mistake is reported where it is`(_ mistake: Mistake) {
    let diagnostics = describe(run(mistake.source))
    #expect(diagnostics == mistake.expected)
  }

  @Test func `a test tells a story, and each begins anew`() {
    let result = run(
      """
      user alice = anonymous();
      given /open/a { n: 1 };
      test 'one' {
        allow update /open/a { n: increment(2), at: request.time } as alice;
        allow create /open/b { x: 1 } as alice;
        allow set /open/b { y: 1 } as alice;
        allow delete /open/a as alice;
        allow create /open/a { } as nobody;
      }
      test 'two' {
        deny create /mine/bob {} as alice;
        allow create /open/b {} as alice;
        allow update /open/a { n: 5 } as nobody;
      }
      """)
    #expect(describe(result) == "2 passed, 0 failed, 8 steps")
    #expect(result.canRun)
  }

  /// Each verdict as the official emulator gives it for the same rules.
  @Test func `queries are judged by what they ask, not by what is there`() {
    let rules = """
      rules_version = '2';
      service cloud.firestore { match /databases/{d}/documents {
        match /lists/{x} {
          allow list: if resource.data.owner == request.auth.uid && request.query.limit <= 20;
          match /items/{y} { allow read: if resource.data.n < 10 || 'x' in resource.data.tags; }
        }
        match /{any=**}/notes/{x} { allow list: if resource.data.open == true; }
      } }
      """
    let result = run(
      """
      user alice = anonymous();
      test 't' {
        deny list /lists as alice;
        deny list /lists where owner == alice.uid as alice because "for 'list' @ L4";
        allow list /lists where owner == alice.uid limit 20 as alice;
        deny list /lists where owner == alice.uid order by owner limit 21 as alice;
        deny count, sum(n) /lists where owner == 'bob' limit 5 as alice;
        allow count /lists where owner == alice.uid limit 5 as alice;
        allow list /lists/a/items where n < 5 as nobody;
        allow list /lists/a/items where n < 5 || 'x' in tags as nobody;
        deny list /lists/a/items where n < 15 as nobody;
        deny list /{any=**}/items where n < 5 as nobody because 'No matching allow statements';
        allow list /{any=**}/notes where open == true as nobody;
        allow list /{any=**}/notes where open == true && n not in [1] as nobody;
        deny list /{any=**}/notes as nobody;
      }
      """, rules: rules)
    #expect(describe(result) == "1 passed, 0 failed, 13 steps")
  }

  @Test func `writes of a batch are made together or not at all`() {
    let rules = """
      rules_version = '2';
      service cloud.firestore { match /databases/{d}/documents {
        match /counters/{c} { allow get; allow update: if request.resource.data.n == resource.data.n + 1; }
        match /entries/{e} {
          allow create: if getAfter(/databases/$(d)/documents/counters/c).data.n
            == get(/databases/$(d)/documents/counters/c).data.n + 1;
        }
      } }
      """
    let result = run(
      """
      given /counters/c { n: 1 };
      test 't' {
        deny create /entries/e { by: 'alice' } as nobody;
        deny batch { create /entries/e { by: 'alice' }; update /counters/c { n: 5 } } as nobody because "'update' @ L3";
        allow batch { create /entries/e { by: 'alice' }; update /counters/c { n: increment(1) }; } as nobody;
        deny get /entries/e as nobody because 'No matching';
        allow transaction { get /counters/c; update /counters/c { n: 3 } } as nobody;
        deny transaction { get /entries/e; update /counters/c { n: 4 } } as nobody because "No matching";
        allow update /counters/c { n: 4 } as nobody;
      }
      """, rules: rules)
    #expect(describe(result) == "1 passed, 0 failed, 7 steps")
  }

  @Test func `all users of a step meet the same state, and the write is done once`() {
    let rules = """
      rules_version = '2';
      service cloud.firestore { match /databases/{d}/documents {
        match /c/{x} { allow create; allow update: if request.resource.data.n == resource.data.n + 1; allow get: if resource.data.n == 2; }
      } }
      """
    let result = run(
      """
      user alice = anonymous();
      user bob = anonymous();
      given /c/x { n: 1 };
      test 't' {
        allow update /c/x { n: increment(1) } as alice, bob, nobody;
        allow get /c/x as alice;
        allow create /c/y { n: 2 } as alice, bob;
        allow get /c/y as alice;
      }
      """, rules: rules)
    #expect(describe(result) == "1 passed, 0 failed, 4 steps")
  }

  @Test func `nothing runs of a file with errors, or against rules with errors`() {
    let wrong = run("test 't' { allow get /open/x as nobody }\ntest 'u' { allow list /open as nobody; }")
    #expect(!wrong.canRun)
    #expect(wrong.tests.isEmpty)
    #expect(wrong.totals == Totals(notRun: 1))
    let rules = run("test 't' { allow get /open/x as nobody; }", rules: "service cloud.firestore {")
    #expect(!rules.canRun)
    #expect(rules.totals == Totals(notRun: 1))
    #expect(!SuiteResult(files: [rules]).hasPassed)
  }

  @Test func `rules for Storage are no rules for Firestore, where every refusal would hold`() {
    let result = run(
      "test 't' { deny get /open/x as nobody; }",
      rules: "rules_version = '2'; service firebase.storage { match /b/{c}/o { match /{d=**} { allow read; } } }")
    #expect(!result.canRun && result.tests.isEmpty && result.totals == Totals(notRun: 1))
    #expect(result.diagnostics.map(\.message) == ["a.rules has no rules for Firestore."])
  }

  @Test func `an invariant is never taken for proved`() {
    let result = run("never get /a/{b} if true;\nprivate /c/{d};")
    #expect(result.invariants.map(\.status) == [.notProved, .notProved])
    #expect(result.totals == Totals(invariants: [.notProved: 2]))
  }

  /// Rules whose last match refuses everything: it must not hide why a request was refused by the others.
  static let closed = """
    rules_version = '2';
    service cloud.firestore { match /databases/{d}/documents {
      match /users/{uid} { allow create: if uid == 'new'; allow update: if resource.data.owner == request.auth.uid; }
      match /notes/{id} { allow create: if id == 'new'; }
      match /{document=**} { allow read, write: if false; }
    } }
    """

  @Test(arguments: [
    ("deny update /users/a { x: 1 } as alice;", "Denied to alice only through an evaluation error: Property owner is undefined on object."),
    ("deny set /users/a { x: 1 } as alice;", "Denied to alice only through an evaluation error: Property owner is undefined on object."),
    ("deny get /usres/a as alice;", "Denied to alice only by 'if false', which refuses whatever the path is. Did you mean 'users'?"),
    ("deny get /users/a/nots/b as alice;", "Denied to alice only by 'if false', which refuses whatever the path is. Did you mean 'notes'?"),
    ("deny get /usres/a as alice because 'false for';", nil),
    ("deny get /users/a as alice;", nil),
    ("deny create /users/b { x: 1 } as alice;", nil),
    ("deny get /elsewhere/b as alice;", nil),
  ]) func `a match that refuses everything hides no accident`(_ step: String, _ warning: String?) {
    let result = run(
      "user alice = anonymous(); given /users/a { ownr: 'alice' };\ntest 't' { \(step) }", rules: Self.closed)
    #expect(result.totals.passed == 1)
    #expect(result.tests.flatMap(\.steps).flatMap(\.warnings).map(\.message) == [warning].compactMap(\.self))
  }

  @Test func `a set is refused without rule when none is about what it turned out to be`() {
    let result = run(
      "given /c/x { n: 1 }; test 't' { deny set /c/x { n: 2 } as nobody; }", rules: """
        rules_version = '2';
        service cloud.firestore { match /databases/{d}/documents { match /c/{x} { allow create: if x == 'y'; } } }
        """)
    #expect(
      result.tests.flatMap(\.steps).flatMap(\.warnings).map(\.message) == [
        "Denied to nobody only because no rule is about this path and method."
      ])
  }

  @Test(arguments: [
    ("@ L1", false), ("@ L12", true), ("L12, Nu", true), ("2, N", false), ("L12 ", false), (" @ L12, Null value error.", true),
  ]) func `a number in a reason is a whole one`(_ part: String, _ isPart: Bool) {
    #expect("false for 'get' @ L12, Null value error. for 'get' @ L120".holds(part) == isPart)
  }

  @Test func `requests go to the database that the file names`() {
    let rules = """
      rules_version = '2';
      service cloud.firestore { match /databases/archive/documents { match /{x=**} { allow read, write; } } }
      """
    let text = "test 't' { allow get /a/b as nobody; allow create /a/b { r: /a/b } as nobody; allow get /a/b as nobody; }"
    #expect(run("database 'archive';\n" + text, rules: rules).totals.passed == 1)
    #expect(run(text, rules: rules).totals.failed == 1)
  }

  @Test func `a run is the same every time`() {
    let results = runnerMistakes.map { describe(run($0.source)) }
    #expect(results == runnerMistakes.map { describe(run($0.source)) })
  }
}
