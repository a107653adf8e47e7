import JSON
import RulesEngine
import RulesSemantics
import RulesSyntax
import RulesValues

/// What we say to a question, in the shape of what the official emulator says.
enum Answer {
  static func line(to line: String, _ session: inout Session) -> String {
    do {
      let json = try JSONValue(parsing: line, limits: JSONLimits(maxDepth: 600))
      if let answer = try session.answer(json) { return answer.serialized() }
      return answer(try Question(json)).serialized()
    } catch {
      return JSONValue.object(["failed": .string("\(error)")]).serialized()
    }
  }

  private static func answer(_ question: Question) -> JSONValue {
    let (ruleset, diagnostics) = Ruleset.compile(SourceFile(name: "security.rules", text: question.rules))
    let findings = OfficialReport.sorted(diagnostics).map { finding -> JSONValue in
      let start = finding.range?.start
      return [
        .int(Int64(start?.line ?? 0)), .int(Int64(start?.column ?? 0)), .string(finding.message),
        .string(finding.severity == .error ? "ERROR" : "WARNING"),
      ]
    }
    var answers: [JSONValue] = []
    if let ruleset {
      let evaluator = ruleset.evaluator(dialect: .emulator1_19)
      for (request, documents) in question.requests {
        answers.append(answer(request, documents, question.wantsNodes, evaluator))
      }
      for list in question.lists {
        let decision = evaluator.decide(list, question.documents)
        answers.append([
          "allowed": .bool(decision.isAllowed), "message": decision.denial.map { .string($0.message) } ?? .null,
          "stumbles": .bool(question.wantsNodes && stumbles(over: list, question, evaluator)),
        ])
      }
    }
    return [
      "accepted": .bool(ruleset != nil), "findings": .array(findings), "answers": .array(answers),
    ]
  }

  private static func stumbles(over list: ListRequest, _ question: Question, _ evaluator: Evaluator) -> Bool {
    evaluator.explain(list, question.documents).branches.flatMap(\.matches).flatMap(\.allows).compactMap(\.condition)
      .contains(where: LostPlaces.matter)
  }

  private static func answer(
    _ request: Request, _ documents: Commit, _ wantsNodes: Bool, _ evaluator: Evaluator
  ) -> JSONValue {
    let isAllowed = evaluator.allows(request, documents)
    guard wantsNodes else {
      let decision = evaluator.decide(request, documents)
      return [
        "allowed": .bool(isAllowed), "message": decision.denial.map { .string($0.message) } ?? .null,
        "same": .bool(decision.isAllowed == isAllowed),
      ]
    }
    let explanation = evaluator.explain(request, documents)
    var nodes: [JSONValue] = []
    var stumbles = false
    for allow in explanation.matches.flatMap(\.allows) {
      guard let condition = allow.condition else { continue }
      collect(condition, 0, into: &nodes)
      stumbles = stumbles || LostPlaces.matter(in: condition)
    }
    // The explanation is of the data pass; a budget that ran out is decided by the passes together.
    let isSame =
      explanation.decision.isAllowed == isAllowed
      && ((explanation.deciding != nil) == isAllowed || explanation.cost > 1000)
    return [
      "allowed": .bool(isAllowed), "message": explanation.decision.denial.map { .string($0.message) } ?? .null,
      "same": .bool(isSame), "cost": .int(Int64(explanation.cost)), "stumbles": .bool(stumbles), "nodes": .array(nodes),
    ]
  }

  /// Every sub-expression: offset of its start, how many of the expressions around it start there too, is it a
  /// literal (which the official report leaves out), and its value or the text of its failure.
  private static func collect(_ node: Explanation.Node, _ chain: Int, into nodes: inout [JSONValue]) {
    let start = node.expression.range.start.offset
    let isLiteral =
      switch node.expression.kind {
      case .null, .bool, .int, .float, .string, .bytes: true
      default: false
      }
    let value: JSONValue =
      switch node.outcome {
      case .value(_, let json): json
      case .error(let text): ["undefined": ["causeMessage": .string(text)]]
      }
    nodes.append([.int(Int64(start)), .int(Int64(chain)), .bool(isLiteral), value])
    for child in node.children {
      collect(child, child.expression.range.start.offset == start ? chain + 1 : 0, into: &nodes)
    }
  }
}
