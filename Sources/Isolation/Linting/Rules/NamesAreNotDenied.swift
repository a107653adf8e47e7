import RulesSyntax

/// A list of forbidden names forgets some: other cases, letters that look alike, spaces.
enum NamesAreNotDenied: LintRule {
  static let id = "denied-names"

  static func findings(_ rules: LintedRules) -> [Diagnostic] {
    var findings: [Diagnostic] = []
    for root in rules.expressions {
      // Where a pattern says how names are spelled, a list of them may be complete.
      var spelled: Set<String> = []
      root.forEachNode { e in
        if case .methodCall(let receiver, let method, _) = e.kind, method.text == "matches" {
          spelled.insert(rules.text(receiver.range))
        }
      }
      root.forEachNode { e in
        guard case .unary(.not, let operand) = e.kind, case .binary(.in, let name, let list) = operand.kind,
          case .list(let items) = list.kind, items.count > 0,
          items.allSatisfy({ if case .string(let s) = $0.kind { isWord(s) } else { false } }), isFree(name), !spelled.contains(rules.text(name.range))
        else { return }
        findings.append(
          finding(
            e.range, "names are denied one by one: other spellings of them pass",
            ["Compare \(rules.text(name.range)).lower(), or say which names are allowed."]))
      }
    }
    return findings
  }

  private static func isWord(_ text: [UInt8]) -> Bool {
    !text.isEmpty && text.allSatisfy { (0x61...0x7A).contains($0) || (0x41...0x5A).contains($0) }
  }

  /// Something that the caller may spell: an id, or a name in the new document that is not made lower case.
  private static func isFree(_ e: Expression) -> Bool {
    switch e.kind {
    case .identifier: true
    case .member(_, let name):
      ["name", "username", "handle", "slug", "displayName", "nickname", "id"].contains(name.text)
    default: false
    }
  }
}
