import JSON
import LocalFirestore
import Reports
import RulesEngine
import RulesSyntax
import RulesTesting

enum EvalCommand: Command {
  static let name = "eval"
  static let summary = "Answer questions written as JSON, one object a line"
  static let usage = ["eval [FILE]"]
  static let details = """
    Reads one question a line from FILE, or from standard input, and prints one answer a line: {"decision": "ALLOW" or
    "DENY", "message": …}. Each question holds the rules' text, who asks, the documents that are there, and one of get,
    structuredQuery (with parent) and writes, as Firestore's REST interface writes them; see docs/json.md. A line that
    cannot be answered gets {"decision": "ERROR", "error": …} and exit code 2; otherwise the exit code is 0, whatever the decisions are.

      echo '{"rules": "…", "auth": {"uid": "alice"}, "documents": [], "get": "users/alice"}' | rules-test eval
    """
  static let options = [OptionSpec.queries, .dialect, .help]

  static func run(_ options: Options) throws(UsageError) -> ExitCode {
    guard options.operands.count <= 1 else {
      throw UsageError("eval reads one file; '\(options.operands[1])' is too much.", usage[0])
    }
    var evaluation = Evaluation(dialect: options.dialect, queryMode: options.queryMode)
    var isFine = true
    let text = try Files.read(options.operands.first ?? "-")
    for (i, line) in text.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
      guard line.contains(where: { $0 > 0x20 }) else { continue }
      let answer: JSONObject
      do throws(EvalFailure) {
        answer = try Self.answer(Array(line), line: i + 1, &evaluation)
      } catch {
        answer = error.json
        isFine = false
      }
      Console.write(JSONValue.object(answer).serialized() + "\n")
    }
    return isFine ? .fine : .usage
  }

  /// A question that cannot be answered.
  private struct EvalFailure: Error {
    var json: JSONObject

    init(_ id: JSONValue?, _ line: Int, _ message: String) {
      json = ["decision": "ERROR"]
      json["id"] = id
      json["error"] = .string(message)
      json["line"] = .int(Int64(line))
    }
  }

  private static func answer(
    _ bytes: [UInt8], line: Int, _ evaluation: inout Evaluation
  ) throws(EvalFailure) -> JSONObject {
    let json: JSONValue
    do {
      json = try JSONValue(parsing: bytes)
    } catch {
      throw EvalFailure(nil, line, "line \(line), column \(error.column): \(error.message)")
    }
    let id = json["id"]
    let question: EvaluationQuestion
    do {
      question = try EvaluationQuestion(json)
    } catch {
      throw EvalFailure(id, line, error.description)
    }
    let (ruleset, diagnostics) = evaluation.compile(question)
    guard let ruleset else {
      var failure = EvalFailure(id, line, "The rules do not compile.")
      failure.json["diagnostics"] = .array(diagnostics.map(\.json))
      throw failure
    }
    do {
      return object(id, try evaluation.answer(question, ruleset), ruleset)
    } catch {
      throw EvalFailure(id, line, error.description)
    }
  }

  private static func object(_ id: JSONValue?, _ answer: EvaluationAnswer, _ ruleset: Ruleset) -> JSONObject {
    var object: JSONObject = [:]
    object["id"] = id
    object["decision"] = .string(answer.decision.isAllowed ? "ALLOW" : "DENY")
    object["message"] = answer.decision.denial.map { .string($0.message) } ?? .null
    if let obstacle = answer.obstacle {
      object["obstacle"] = ["status": .string(obstacle.code.rawValue), "message": .string(obstacle.message)]
    }
    object["warnings"] = .array(
      answer.warnings.map { ["text": .string($0.text), "line": .int(Int64($0.line)), "column": .int(Int64($0.column))] })
    if let explanation = answer.explanation { object["explanation"] = ExplanationReport(explanation, of: ruleset).json }
    if let explanation = answer.queryExplanation { object["explanation"] = QueryReport(explanation, of: ruleset).json }
    if !answer.budgets.isEmpty { object["budgets"] = .array(answer.budgets.map(\.json)) }
    if let lookups = answer.lookups { object["lookups"] = ["before": lookups.before.json, "after": lookups.after.json] }
    if let documents = answer.documents { object["documents"] = documents }
    return object
  }
}
