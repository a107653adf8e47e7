import RulesSyntax

/// Where one text of a document has a bound the others want one, too: a document may be a mebibyte large.
enum TextsAreBounded: LintRule {
  static let id = "unbounded-text"

  static func findings(_ rules: LintedRules) -> [Diagnostic] {
    rules.expressions.flatMap { root -> [Diagnostic] in
      var texts: [(text: String, range: SourceRange)] = []
      var bounded: Set<String> = []
      root.forEachNode { e in
        switch e.kind {
        case .typeTest(let operand, let type) where type.text == "string":
          if case .member = operand.kind { texts.append((rules.text(operand.range), e.range)) }
        case .binary(let op, let a, let b):
          for (side, isLess) in [(a, true), (b, false)] {
            guard case .methodCall(let receiver, let size, _) = side.kind, size.text == "size" else { continue }
            let bounds =
              isLess ? [.less, .lessOrEqual, .equal].contains(op) : [.greater, .greaterOrEqual, .equal].contains(op)
            if bounds { bounded.insert(rules.text(receiver.range)) }
          }
          // A text that is one of some texts is as long as they are.
          if op == .in || op == .equal { bounded.insert(rules.text(a.range)) }
        case .methodCall(let receiver, let method, _) where method.text == "matches":
          bounded.insert(rules.text(receiver.range))
        default: break
        }
      }
      guard texts.contains(where: { bounded.contains($0.text) }) else { return [] }
      return texts.filter { !bounded.contains($0.text) }.map {
        finding(
          $0.range, "\($0.text) may be a mebibyte long, while other texts here have a bound",
          ["For instance: && \($0.text).size() <= 1000"])
      }
    }
  }
}
