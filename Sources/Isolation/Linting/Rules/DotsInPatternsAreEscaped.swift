import RulesSyntax

/// In a pattern `.` stands for any character: `@acme.com` also takes `@acmeXcom`.
enum DotsInPatternsAreEscaped: LintRule {
  static let id = "unescaped-dot"

  static func findings(_ rules: LintedRules) -> [Diagnostic] {
    var findings: [Diagnostic] = []
    for root in rules.expressions {
      root.forEachNode { e in
        guard case .methodCall(_, let method, let arguments) = e.kind, method.text == "matches",
          let argument = arguments.first, case .string(let pattern) = argument.kind, hasBareDot(pattern)
        else { return }
        findings.append(
          finding(
            argument.range, "a dot in this pattern stands for any character",
            ["Write [.] where a dot is meant: '.*@acme[.]com'"]))
      }
    }
    return findings
  }

  /// A dot between two letters, that nothing repeats.
  private static func hasBareDot(_ pattern: [UInt8]) -> Bool {
    func isLetter(_ c: UInt8) -> Bool { (0x61...0x7A).contains(c) || (0x41...0x5A).contains(c) }
    var isInClass = false
    for (i, c) in pattern.enumerated() {
      let isEscaped = i > 0 && pattern[i - 1] == UInt8(ascii: "\\")
      if c == UInt8(ascii: "["), !isEscaped { isInClass = true }
      if c == UInt8(ascii: "]"), !isEscaped { isInClass = false }
      guard c == UInt8(ascii: "."), !isEscaped, !isInClass, i > 0, i + 1 < pattern.count else { continue }
      if isLetter(pattern[i - 1]), isLetter(pattern[i + 1]) { return true }
    }
    return false
  }
}
