import Identity
import LocalFirestore
import RulesEngine
import RulesSyntax
import RulesValues

/// A test file that was read and checked, ready to run. Its fixtures and users are worked out already.
public struct TestFile: Sendable {
  public let syntax: TestFileSyntax
  /// Errors and warnings, in source order.
  public let diagnostics: [Diagnostic]
  /// In source order, without `nobody`.
  public let users: [User]
  /// `request.time` when each test begins.
  public let now: Timestamp
  public let database: Text
  /// The project that tokens and resource names mention.
  public let project: String
  /// Documents that are there when each test begins.
  public let fixtures: [Fixture]

  public var file: SourceFile { syntax.file }
  public var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }

  /// 2026-01-01T00:00:00Z: when tests begin that don't say.
  public static let defaultNow = Timestamp(seconds: 1_767_225_600)

  /// Reads and checks a test file. Never fails: what is wrong is in `diagnostics`, and a file with errors must not run.
  public static func load(_ file: SourceFile, project: String = "demo-project") -> TestFile {
    let (syntax, diagnostics) = TestParser.parse(file)
    var checker = TestChecker(syntax, project: project)
    // The meaning of what was read only in part cannot be told: an unknown user may be one that could not be read.
    if diagnostics.isEmpty { checker.check() }
    return TestFile(
      syntax: syntax, diagnostics: (diagnostics + checker.diagnostics).inSourceOrder, users: checker.users,
      now: checker.now, database: syntax.database.map { Text($0.text) } ?? LocalFirestore.defaultDatabase,
      project: project, fixtures: checker.fixtures)
  }

  /// The same with another finding, which only a look beyond the file could bring.
  func adding(_ finding: Diagnostic) -> TestFile {
    TestFile(
      syntax: syntax, diagnostics: (diagnostics + [finding]).inSourceOrder, users: users, now: now, database: database,
      project: project, fixtures: fixtures)
  }

  /// The values that expressions of the file can name at a time.
  /// - Parameter present: who users have become, where that is not what the file declares.
  func evaluator(at time: Timestamp, present: [String: Auth] = [:]) -> ExpressionEvaluator {
    ExpressionEvaluator(functions: syntax.functions, variables: TestFile.variables(users, time: time, present: present))
  }

  static func variables(_ users: [User], time: Timestamp, present: [String: Auth] = [:]) -> [String: DataValue] {
    var variables: [String: DataValue] = [
      "nobody": .null, "request": .map(["time": .timestamp(time)]),
    ]
    for user in users {
      let auth = present[user.name] ?? user.auth
      variables[user.name] = .map(["uid": .string(auth.uid), "token": .map(auth.token)])
    }
    return variables
  }
}

/// A document that is there when a test begins.
public struct Fixture: Sendable {
  public let declaration: FixtureDeclaration
  public let path: ResourcePath
  public let fields: Fields
}

extension [Diagnostic] {
  /// Stable, so that two findings at one place keep the order in which they were found.
  var inSourceOrder: [Diagnostic] {
    enumerated().sorted { a, b in
      let x = a.element.range?.start.byte ?? -1
      let y = b.element.range?.start.byte ?? -1
      return x == y ? a.offset < b.offset : x < y
    }.map(\.element)
  }
}
