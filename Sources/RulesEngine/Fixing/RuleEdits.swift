import RulesSemantics
import RulesSyntax
import RulesValues

/// Changes to the rules themselves, tried only where a slip that many make shows: the file is compiled with the change,
/// and the request decided by it.
struct RuleEdits {
  /// Files beyond this size are not compiled again and again.
  static let maximumBytes = 200_000
  static let trials = 12

  let ruleset: Ruleset
  let dialect: Dialect

  init(_ ruleset: Ruleset, _ dialect: Dialect) {
    self.ruleset = ruleset
    self.dialect = dialect
  }

  private struct Edit {
    let range: Range<Int>
    let line: Int
    let from: String
    let to: String
  }

  /// Those under which the question is allowed.
  func edits(of question: FixedQuestion) -> [FixedQuestion] {
    let file = ruleset.file
    guard file.utf8.count <= Self.maximumBytes else { return [] }
    return candidates(question).prefix(Self.trials).compactMap { edit in
      let replacement = edit.to + (edit.range.isEmpty ? "\n" : "")
      guard let changed = ruleset.edited(edit.range, replacement), changed.decide(question, dialect) else { return nil }
      return question.applying(.rules(line: edit.line, from: edit.from, to: edit.to), rules: changed)
    }
  }

  private func candidates(_ question: FixedQuestion) -> [Edit] {
    var result: [Edit] = []
    if ruleset.checked.version == .one, ruleset.checked.syntax.version == nil {
      result.append(Edit(range: 0..<0, line: 1, from: "", to: "rules_version = '2';"))
    }
    let explanation = ruleset.evaluator(dialect: dialect).explain(question.request, question.documents)
    for condition in explanation.matches.flatMap(\.allows).compactMap(\.condition)
    where condition.outcome.isError || !condition.outcome.isTrue {
      collect(condition, question, &result)
    }
    return result
  }

  private func collect(_ node: Explanation.Node, _ question: FixedQuestion, _ edits: inout [Edit]) {
    let e = node.expression
    switch e.kind {
    // `!a in b` asks whether the opposite of a is in b.
    case .binary(.in, let left, let right):
      if case .unary(.not, let operand) = left.kind, left.parentheses == 0, node.outcome.isError {
        add(e, "!(\(source(operand)) in \(source(right)))", &edits)
      }
    // Before a create there is no stored document, and a delete writes none.
    case .identifier("resource")
    where question.request.method == .create && ruleset.checked.resolution(of: e) == .resource:
      add(e, "request.resource", &edits)
    case .member(let receiver, let name) where name.text == "resource" && question.request.method == .delete:
      if case .identifier("request") = receiver.kind { add(e, "resource", &edits) }
    case .call(let name, let arguments) where name.text == "get" || name.text == "exists":
      if let path = node.children.first.flatMap({ FixValue.document($0) }), question.documents.isWritten(path),
        arguments.count == 1
      {
        edits.append(
          Edit(
            range: name.range.start.byte..<name.range.end.byte, line: name.range.start.line, from: name.text,
            to: name.text + "After"))
      }
    default: break
    }
    for child in node.children { collect(child, question, &edits) }
  }

  private func source(_ e: Expression) -> String {
    // Ranges leave out what closes an expression.
    let text = ruleset.file.text(e.range)
    let open = text.utf8.reduce(0) { $0 + ($1 == 0x28 ? 1 : $1 == 0x29 ? -1 : 0) }
    let square = text.utf8.reduce(0) { $0 + ($1 == 0x5B ? 1 : $1 == 0x5D ? -1 : 0) }
    return text + String(repeating: "]", count: max(0, square)) + String(repeating: ")", count: max(0, open))
  }

  private func add(_ e: Expression, _ to: String, _ edits: inout [Edit]) {
    let from = source(e)
    let start = e.range.start.byte
    guard ruleset.file.text(SourceRange(e.range.start, end(of: e, from))) == from else { return }
    let edit = Edit(range: start..<start + from.utf8.count, line: e.range.start.line, from: from, to: to)
    if !edits.contains(where: { $0.range == edit.range }) { edits.append(edit) }
  }

  private func end(of e: Expression, _ text: String) -> SourcePosition {
    var end = e.range.start
    end.byte += text.utf8.count
    return end
  }
}

extension Ruleset {
  fileprivate func decide(_ question: FixedQuestion, _ dialect: Dialect) -> Bool {
    evaluator(dialect: dialect).decide(question.request, question.documents).isAllowed
  }
}
