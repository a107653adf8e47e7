import JSON
import RulesEngine
import RulesSyntax
import RulesTesting

extension SuiteReport {
  /// Everything, with positions; see `docs/json.md`.
  public var json: JSONValue {
    let totals = result.totals
    var object: JSONObject = [
      "files": .array(result.files.map(json)),
      "errors": .array(errors.map { ["file": .string($0.path), "message": .string($0.reason)] }),
      "totals": [
        "passed": .int(Int64(totals.passed)), "failed": .int(Int64(totals.failed)), "steps": .int(Int64(totals.steps)),
        "proved": .int(Int64(totals.count(.proved))), "vacuous": .int(Int64(totals.count(.vacuous))),
        "leaks": .int(Int64(totals.count(.leak))), "unknown": .int(Int64(totals.count(.unknown))),
        "notProved": .int(Int64(totals.count(.notProved))), "notRun": .int(Int64(totals.notRun)),
        "warnings": .int(Int64(warningCount)),
      ],
    ]
    if let selection { object["selection"] = selection.json }
    // Names of files are as everywhere here: as they were given.
    if let coverage { object["coverage"] = coverage.json { $0 } }
    return .object(object)
  }

  private func json(_ file: FileResult) -> JSONValue {
    [
      "file": .string(file.test.file.name), "rules": .string(file.rules.file.name),
      "database": .string(file.test.database.string), "ran": .bool(file.canRun),
      "diagnostics": .array(file.diagnostics.map(\.json)),
      "rulesDiagnostics": .array(file.rules.diagnostics.map(\.json)),
      "tests": .array(file.tests.map { json($0, file) }),
      "invariants": .array(file.invariants.map { json($0, file) }),
    ]
  }

  private func json(_ result: InvariantResult, _ file: FileResult) -> JSONValue {
    var object: JSONObject = [
      "source": .string(Self.source(result.invariant.range, file.test.file, .max)),
      "range": result.invariant.range.json, "status": .string(result.status.rawValue),
    ]
    if let proof = proof(of: result, in: file) { object["detail"] = ProofReport.detail(proof) }
    return .object(object)
  }

  private func json(_ test: TestResult, _ file: FileResult) -> JSONValue {
    [
      "name": .string(test.name), "range": test.test.range.json, "passed": .bool(test.hasPassed),
      "mistakes": .array(test.mistakes.map(\.json)), "steps": .array(test.steps.map { json($0, file) }),
    ]
  }

  private func json(_ step: StepResult, _ file: FileResult) -> JSONValue {
    var object: JSONObject = [
      "source": .string(Self.source(step.step.range, file.test.file, .max)), "range": step.step.range.json,
      "expected": .string(step.step.expectation.rawValue), "held": .bool(step.isHeld),
      "verdicts": .array(step.verdicts.map { json($0, step, file) }),
    ]
    if let because = step.step.because { object["because"] = .string(because.text) }
    if let mistake = step.mistake { object["mistake"] = mistake.json }
    if !step.warnings.isEmpty { object["warnings"] = .array(step.warnings.map(\.json)) }
    return .object(object)
  }

  private func json(_ verdict: Verdict, _ step: StepResult, _ file: FileResult) -> JSONValue {
    var object: JSONObject = [
      "user": .string(verdict.user.text), "held": .bool(verdict.isHeld), "allowed": .bool(verdict.decision.isAllowed),
      "status": .string(verdict.status.word), "message": verdict.decision.denial.map { .string($0.message) } ?? .null,
    ]
    if !verdict.isHeld {
      object["explain"] = .string(ExplainHint.command(file.test.file, step.step, verdict.user.text, dialect))
      if let explanation = verdict.explanation, let ruleset = file.rules.ruleset {
        object["explanation"] = ExplanationReport(explanation, of: ruleset).json
      }
      if let explanation = verdict.queryExplanation, let ruleset = file.rules.ruleset {
        object["explanation"] = QueryReport(explanation, of: ruleset).json
      }
    }
    return .object(object)
  }
}

extension Verdict.Status {
  var word: String {
    switch self {
    case .held: "held"
    case .unexpected: "unexpected"
    case .otherReason: "otherReason"
    }
  }
}
