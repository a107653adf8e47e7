import Isolation
import LocalFirestore
import RulesEngine
import RulesSyntax
import RulesTesting
import RulesValues

/// A request that was found, as a test to paste into a test file: it fails as long as the request is allowed.
struct WitnessTest {
  private let leak: Leak
  private let rules: SourceFile
  private let title: String
  private let database: String

  /// - Parameter rules: that allow the request.
  init(_ leak: Leak, of rules: SourceFile, title: String) {
    self.leak = leak
    self.rules = rules
    self.title = title
    database = leak.witness.path.database.string
  }

  /// The lines of the test. `nil`: the test language has no words for the request, or the test would not fail.
  func lines() -> [String]? {
    guard let (user, declaration) = Self.user(leak.witness.auth) else { return nil }
    let words = title.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let title = SafeText.line(words).filter { $0 != "'" && $0 != "\\" && $0 != ";" }
    let documents = leak.witness.documents.sorted { $0.key.relative < $1.key.relative }
    let lines =
      declaration + ["test '\(title)' {"]
      + documents.map { "  given \($0.key.relative) \(WitnessText.data($0.value));" }
      + ["  deny \(WitnessText.step(leak.witness)) as \(user);", "}"]
    // Whatever could not be said in a line would be another request.
    return lines.allSatisfy { $0 == SafeText.line($0) } && fails(lines) ? lines : nil
  }

  private func fails(_ lines: [String]) -> Bool {
    let start = database == "(default)" ? "" : "database '\(database)';\n"
    let test = TestFile.load(SourceFile(name: "leak", text: start + lines.joined(separator: "\n")))
    let result = Runner(dialect: leak.dialect).run(test, RulesFile(rules))
    guard result.canRun, let step = result.tests.first?.steps.first, step.mistake == nil,
      let verdict = step.verdicts.first
    else { return false }
    let isSame = leak.witness.query != nil || verdict.asked.path == leak.witness.path
    return isSame && verdict.status == .unexpected
  }

  // MARK: Who asks

  /// The name of the user, and the lines that declare it.
  private static func user(_ auth: Auth?) -> (name: String, declaration: [String])? {
    guard let auth else { return ("nobody", []) }
    let isName =
      auth.uid.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) }
      && auth.uid.utf8.first.map { $0 > 0x39 } ?? false && auth.uid != "nobody"
    let name = isName ? auth.uid : "stranger"
    return UserText.provider(of: auth, name: name).map { (name, ["user \(name) = \($0);"]) }
  }
}
