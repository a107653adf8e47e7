import RulesEngine

/// The tracefile of lcov, which `genhtml`, editors and dashboards read: lines that were come to, functions of the rules,
/// and as branches both halves of every condition and operand.
enum LcovFormat {
  static func text(_ report: CoverageReport, _ paths: ReportPaths) -> String {
    report.entries.map { file($0, paths) }.joined()
  }

  private static func file(_ entry: CoverageReport.Entry, _ paths: ReportPaths) -> String {
    var text = "TN:\nSF:\(SafeText.line(paths.path(entry.ruleset.file.name)))\n"
    var hit = 0
    for function in entry.functions {
      let declaration = function.declaration
      // Functions of several matches may have one name.
      let name = "\(declaration.name.text)@\(declaration.range.start.line)"
      let count = entry.coverage.counts(of: declaration.result).total
      if count > 0 { hit += 1 }
      text += "FN:\(declaration.range.start.line),\(name)\nFNDA:\(count),\(name)\n"
    }
    text += "FNF:\(entry.functions.count)\nFNH:\(hit)\n"
    let branches = entry.branches
    for (i, branch) in branches.enumerated() {
      for (half, count) in [branch.isTrue, branch.isFalse].enumerated() {
        text += "BRDA:\(branch.line),\(i),\(half),\(branch.isReached ? String(count) : "-")\n"
      }
    }
    let met = branches.reduce(0) { $0 + ($1.isTrue > 0 ? 1 : 0) + ($1.isFalse > 0 ? 1 : 0) }
    text += "BRF:\(branches.count * 2)\nBRH:\(met)\n"
    let lines = entry.lines
    for line in lines.keys.sorted() { text += "DA:\(line),\(lines[line] ?? 0)\n" }
    return text + "LF:\(lines.count)\nLH:\(lines.values.count { $0 > 0 })\nend_of_record\n"
  }
}
