import RulesEngine

/// Cobertura XML, which GitLab, Jenkins and Azure read: a class for each rules file.
enum CoberturaFormat {
  static func text(_ report: CoverageReport, _ paths: ReportPaths) -> String {
    var lines = Share()
    var branches = Share()
    var classes = ""
    for entry in report.entries {
      let (text, ownLines, ownBranches) = file(entry, paths)
      classes += text
      lines.add(ownLines)
      branches.add(ownBranches)
    }
    let rates = "line-rate=\"\(lines.rate)\" branch-rate=\"\(branches.rate)\""
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE coverage SYSTEM "http://cobertura.sourceforge.net/xml/coverage-04.dtd">
      <coverage \(rates) lines-covered="\(lines.met)" lines-valid="\(lines.total)" branches-covered="\(branches.met)" \
      branches-valid="\(branches.total)" complexity="0" version="rules-test" timestamp="0">
        <sources>
          <source>.</source>
        </sources>
        <packages>
          <package name="rules" \(rates) complexity="0">
            <classes>
      \(classes)      </classes>
          </package>
        </packages>
      </coverage>

      """
  }

  private struct Share {
    var met = 0
    var total = 0

    var rate: String {
      guard total > 0 else { return "1" }
      let thousandths = String(met * 1000 / total % 1000)
      return met >= total ? "1" : "0." + String(repeating: "0", count: 3 - thousandths.count) + thousandths
    }

    mutating func add(_ other: Share) {
      met += other.met
      total += other.total
    }
  }

  private static func file(_ entry: CoverageReport.Entry, _ paths: ReportPaths) -> (String, Share, Share) {
    let counts = entry.lines
    var halves: [Int: Share] = [:]
    for branch in entry.branches {
      let met = (branch.isTrue > 0 ? 1 : 0) + (branch.isFalse > 0 ? 1 : 0)
      halves[branch.line, default: Share()].add(Share(met: met, total: 2))
    }
    var branches = Share()
    for half in halves.values { branches.add(half) }
    let lines = Share(met: counts.values.count { $0 > 0 }, total: counts.count)
    var text = ""
    for line in counts.keys.sorted() {
      text += "            <line number=\"\(line)\" hits=\"\(counts[line] ?? 0)\""
      if let half = halves[line] {
        text +=
          " branch=\"true\" condition-coverage=\"\(half.met * 100 / half.total)% (\(half.met)/\(half.total))\"/>\n"
      } else {
        text += " branch=\"false\"/>\n"
      }
    }
    let path = XMLText.attribute(paths.path(entry.ruleset.file.name))
    let head =
      "        <class name=\"\(path)\" filename=\"\(path)\" line-rate=\"\(lines.rate)\" branch-rate=\"\(branches.rate)\""
    return (
      head + " complexity=\"0\">\n          <methods/>\n          <lines>\n" + text
        + "          </lines>\n        </class>\n",
      lines, branches
    )
  }
}
