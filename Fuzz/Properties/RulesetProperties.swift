import Reports
import RulesSemantics
import RulesSyntax

enum RulesetProperties {
  static func check(_ bytes: [UInt8]) throws(BrokenProperty) {
    try check(SourceFile(name: "fuzz.rules", utf8: bytes))
  }

  static func check(_ file: SourceFile) throws(BrokenProperty) {
    let check = Check.check(file)
    try Places(file).check(check.diagnostics)
    try require((check.ruleset == nil) == check.hasErrors, "a ruleset beside errors, or neither")
    let report = OfficialReport.lines(check.diagnostics)
    try require(OfficialReport.sorted(check.diagnostics) == check.diagnostics, "not in the official order: \(report)")
    try require(OfficialReport.lines(Check.check(file).diagnostics) == report, "the second check finds something else")
    for terminal in [Terminal(), Terminal(hasColor: true, width: 40)] {
      _ = DiagnosticReport(file, check.diagnostics).text(terminal)
    }
    guard let ruleset = check.ruleset else { return }
    for service in ruleset.services { for match in service.matches { try checkAllows(match) } }
  }

  private static func checkAllows(_ match: CheckedMatch) throws(BrokenProperty) {
    try require(match.allows.count == match.declaration.allows.count, "an allow statement is lost")
    for child in match.children { try checkAllows(child) }
  }
}
