import Identity
import LocalFirestore
import RulesEngine
import RulesSyntax
import RulesValues

/// Finds what is wrong with a test file beyond its grammar, and works out its users and fixtures.
struct TestChecker {
  let syntax: TestFileSyntax
  let project: String
  var diagnostics: [Diagnostic] = []
  var users: [User] = []
  var fixtures: [Fixture] = []
  var now = TestFile.defaultNow
  /// Names of users that some step, expression or invariant mentions.
  var usedUsers: Set<String> = []
  let functions: [String: FunctionDeclaration]
  let userNames: [String]

  init(_ syntax: TestFileSyntax, project: String) {
    self.syntax = syntax
    self.project = project
    functions = Dictionary(syntax.functions.map { ($0.name.text, $0) }, uniquingKeysWith: { first, _ in first })
    userNames = syntax.users.map(\.name.text)
  }

  var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }

  mutating func error(_ id: String, _ range: SourceRange, _ message: String, notes: [String] = []) {
    diagnostics.append(Diagnostic(id: id, severity: .error, range: range, message: message, notes: notes))
  }

  mutating func warn(_ id: String, _ range: SourceRange, _ message: String, notes: [String] = []) {
    diagnostics.append(Diagnostic(id: id, severity: .warning, range: range, message: message, notes: notes))
  }

  mutating func check() {
    checkDeclarations()
    checkFunctions()
    if let now = syntax.now { checkNames(now, .step) }
    for user in syntax.users {
      for argument in user.arguments { checkNames(argument, .step) }
    }
    for fixture in syntax.fixtures { checkFixture(fixture) }
    for test in syntax.tests { checkTest(test) }
    for invariant in syntax.invariants { checkInvariant(invariant) }
    // Nothing is evaluated of a file that has mistakes: functions might call themselves without end.
    if hasErrors { return }
    workOutClock()
    workOutUsers()
    if hasErrors { return }
    workOutFixtures()
    if hasErrors { return }
    if syntax.tests.isEmpty, syntax.invariants.isEmpty {
      diagnostics.append(
        Diagnostic(
          id: "no-tests", severity: .warning, range: nil, message: "There is no test in this file.",
          notes: ["A test is written as test 'what it shows' { … }"]))
    }
    for user in syntax.users where !usedUsers.contains(user.name.text) {
      warn("unused-user", user.name.range, "The user '\(user.name.text)' is never used.")
    }
  }

  // MARK: Declarations

  private mutating func checkDeclarations() {
    if let database = syntax.database, database.text.isEmpty {
      error("empty-database", database.range, "The id of the database is empty; the default one is '(default)'.")
    }
    if let rules = syntax.rules, rules.text.isEmpty {
      error("empty-rules", rules.range, "The name of the rules file is empty.")
    }
    var seen: [String: Name] = [:]
    for user in syntax.users {
      let name = user.name.text
      if name == "nobody" {
        error(
          "reserved-name", user.name.range, "'nobody' is always there: the caller who is signed out.")
      } else if TestChecker.reservedNames.contains(name) {
        error("reserved-name", user.name.range, "'\(name)' has a meaning of its own and cannot name a user.")
      } else if let first = seen[name] {
        error(
          "repeated-user", user.name.range, "The user '\(name)' is declared twice.",
          notes: ["The first time in line \(first.range.start.line)."])
      }
      seen[name] = seen[name] ?? user.name
    }
    var names: [String: Name] = [:]
    for test in syntax.tests {
      if let first = names[test.name.text] {
        warn(
          "repeated-test", test.name.range, "Another test has the same name.",
          notes: ["It is in line \(first.range.start.line)."])
      }
      names[test.name.text] = names[test.name.text] ?? test.name
    }
  }

  static let reservedNames: Set<String> = [
    "request", "resource", "database", "math", "duration", "timestamp", "latlng", "hashing",
  ]

  // MARK: Tests

  private mutating func checkTest(_ test: TestDeclaration) {
    if test.steps.isEmpty {
      warn("empty-test", test.name.range, "The test has no step: it shows nothing.")
    }
    for statement in test.statements {
      switch statement {
      case .given(let fixture): checkFixture(fixture)
      case .at(let time): checkNames(time, .step)
      case .step(let step): checkStep(step)
      case .action(let action): checkAction(action)
      }
    }
  }

  mutating func checkFixture(_ fixture: FixtureDeclaration) {
    checkPath(fixture.path)
    checkData(fixture.data, .given)
  }

  private mutating func checkStep(_ step: StepDeclaration) {
    checkRequest(step.request)
    useUsers(step.users)
    if let because = step.because, because.text.isEmpty {
      error("empty-reason", because.range, "An empty reason is part of every message: it says nothing.")
    } else if let because = step.because,
      let method = step.request.methods.first(where: { " for '\($0)' @ L".contains(because.text) })
    {
      error(
        "empty-reason", because.range, "This reason is part of every message: it says nothing.",
        notes: ["Take more of the message, such as \"false for '\(method)' @ L12\"."])
    }
  }

  mutating func useUsers(_ names: [Name]) {
    var seen: Set<String> = []
    for user in names {
      useUser(user)
      if !seen.insert(user.text).inserted {
        error("repeated-name", user.range, "'\(user.text)' is named twice.")
      }
    }
  }

  mutating func useUser(_ name: Name) {
    if name.text == "nobody" || userNames.contains(name.text) {
      usedUsers.insert(name.text)
      return
    }
    let question = Suggestion.question(name.text, userNames + ["nobody"])
    error("unknown-user", name.range, "Unknown user '\(name.text)'.\(question)")
  }

  // MARK: Working out

  private mutating func workOutClock() {
    guard let expression = syntax.now else { return }
    let evaluator = ExpressionEvaluator(
      functions: syntax.functions, variables: TestFile.variables([], time: TestFile.defaultNow))
    do throws(TestMistake) {
      now = try DataBuilder(evaluator: evaluator, database: "", functions: functions).time(expression)
    } catch {
      diagnostics.append(error.diagnostic)
    }
  }

  private mutating func workOutFixtures() {
    let evaluator = ExpressionEvaluator(
      functions: syntax.functions, variables: TestFile.variables(users, time: now))
    let database = syntax.database.map { Text($0.text) } ?? LocalFirestore.defaultDatabase
    let builder = DataBuilder(evaluator: evaluator, database: database, functions: functions)
    let store = LocalFirestore(project: project)
    var seen: [ResourcePath: FixtureDeclaration] = [:]
    for declaration in syntax.fixtures {
      do throws(TestMistake) {
        let fixture = try builder.fixture(declaration, time: now)
        if let first = seen[fixture.path] {
          error(
            "repeated-fixture", declaration.path.range, "This document is given twice.",
            notes: ["The first time in line \(first.range.start.line)."])
        }
        seen[fixture.path] = seen[fixture.path] ?? declaration
        try store.put(fixture)
        fixtures.append(fixture)
      } catch {
        diagnostics.append(error.diagnostic)
      }
    }
  }
}
