import Reports
import RulesEngine
import RulesSyntax

enum EvaluationProperties {
  static func check(_ bytes: [UInt8]) throws(BrokenProperty) {
    let parts = bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
    let file = SourceFile(name: "fuzz.rules", utf8: Array(parts[0]))
    try check(file, Choices(parts.count > 1 ? Array(parts[1]) : []))
  }

  static func checkGenerated(_ bytes: [UInt8]) throws(BrokenProperty) {
    let (text, rest) = RulesGrammar.file(Choices(bytes))
    let file = SourceFile(name: "fuzz.rules", text: text)
    try RulesetProperties.check(file)
    try check(file, rest)
  }

  private static func check(_ file: SourceFile, _ choices: Choices) throws(BrokenProperty) {
    guard let ruleset = Ruleset.compile(file).ruleset else { return }
    for dialect in Dialect.allCases {
      var choices = choices
      let evaluator = ruleset.evaluator(dialect: dialect)
      for _ in 0..<3 {
        let request = Requests.request(&choices)
        try check(request, Requests.documents(&choices), evaluator)
        if choices.isExhausted { break }
      }
    }
  }

  /// The plain answer, the answer with reasons and the explained one are one answer, also of a second run.
  private static func check(_ request: Request, _ documents: DocumentTable, _ evaluator: Evaluator) throws(BrokenProperty) {
    let decision = evaluator.decide(request, documents)
    var question: String { "\(evaluator.dialect) \(request)" }
    try require(evaluator.allows(request, documents) == decision.isAllowed, "allows and decide differ: \(question)")
    try require(decision.isAllowed == (decision.denial == nil), "a denial without reason: \(question)")
    let explanation = evaluator.explain(request, documents)
    try require(explanation.decision.denial == decision.denial, "a second run differs: \(question)")
    if explanation.deciding != nil {
      try require(decision.isAllowed, "the explained run allows, the plain one refuses: \(question)")
    } else if decision.isAllowed {
      // Only what ran out of its budget on data may have been allowed without them.
      let exhausted = explanation.matches.flatMap(\.allows).contains { $0.verdict.isError }
      try require(exhausted, "the plain run allows, the explained one refuses: \(question)")
    }
    if let denial = decision.denial, request.alternatives.count == 1 { try compare(denial, explanation, question) }
    for node in explanation.matches.flatMap(\.allows).compactMap(\.condition) { _ = node.cause }
    let report = ExplanationReport(explanation, of: evaluator.ruleset)
    _ = report.text(Terminal(width: 60))
    _ = report.json.serialized()
  }

  /// The last reasons of a denial are those of the run that was explained.
  private static func compare(_ denial: Denial, _ explanation: Explanation, _ question: String) throws(BrokenProperty) {
    let explained = explanation.matches.flatMap(\.allows).compactMap { allow -> String? in
      switch allow.verdict {
      case .refused: "false"
      case .error(let text): text
      case .allowed, .notReached, .otherMethod: nil
      }
    }
    let said = denial.entries.map { $0.text.hasPrefix("evaluation error at ") ? "evaluation error" : $0.text }
    try require(said.suffix(explained.count).elementsEqual(explained), "said \(said), explained \(explained): \(question)")
  }
}

extension Explanation.Verdict {
  fileprivate var isError: Bool { if case .error = self { true } else { false } }
}
