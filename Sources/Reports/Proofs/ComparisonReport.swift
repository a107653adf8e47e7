import Isolation
import JSON
import RulesSyntax

/// What became possible between two versions of rules, and what became impossible.
public struct ComparisonReport: Sendable {
  public let comparison: Comparison
  let old: SourceFile
  let new: SourceFile

  public init(_ comparison: Comparison, old: SourceFile, new: SourceFile) {
    self.comparison = comparison
    self.old = old
    self.new = new
  }

  /// - Parameters:
  ///   - terminal: where the text will stand.
  ///   - detail: quiet, nothing of what is no longer allowed nor of what is taken for granted; verbose, the
  ///     values under which a request is allowed.
  public func text(_ terminal: Terminal, _ detail: SuiteReport.Detail = .normal) -> String {
    var page = Page(terminal)
    add("NEW ACCESS", .badBold, comparison.opened, new, detail, to: &page)
    for doubt in comparison.doubts {
      var line = StyledLine("UNKNOWN", .warning)
      line.add("  \(doubt.method) by \(SafeText.line(new.name)):\(doubt.line)")
      page.add(line)
      page.add(StyledLine("        \(SafeText.line(doubt.reason))"))
      page.gap()
    }
    if detail != .quiet { add("NO LONGER ALLOWED", .warning, comparison.closed, old, detail, to: &page) }
    if comparison.opensNothing {
      page.add(
        StyledLine("No new access: proved, by \(Counted.text(comparison.evidence.questions, "question")).", .good))
      if detail != .quiet { page.addAssumptions() }
    } else {
      var tally = Tally()
      let opened = comparison.opened.count
      tally.add(opened, Counted.text(opened, "kind") + " of new access", .badBold)
      tally.add(comparison.doubts.count, of: "unknown", .warning)
      page.add(tally.line)
    }
    return page.text
  }

  private func add(
    _ title: String, _ style: Style, _ changes: [Comparison.Change], _ file: SourceFile, _ detail: SuiteReport.Detail,
    to page: inout Page
  ) {
    for change in changes {
      var head = StyledLine(title, style)
      head.add("  \(change.method) by \(SafeText.line(file.name)):\(change.line)")
      page.add(head)
      page.add(StyledLine("        " + SafeText.line(file.line(change.line)).drop { $0 == " " }, .code))
      page.add(WitnessText.lines(change.leak.witness))
      if detail == .verbose { LeakValues.add(change.leak, rules: file, to: &page) }
      page.gap()
    }
  }

  /// `{"opened": […], "closed": […], "unknown": […], "opensNothing": true}`; see `docs/json.md`.
  public var json: JSONValue {
    [
      "opened": .array(comparison.opened.map { Self.json($0) }),
      "closed": .array(comparison.closed.map { Self.json($0) }),
      "unknown": .array(
        comparison.doubts.map {
          ["method": .string($0.method), "line": .int(Int64($0.line)), "reason": .string($0.reason)]
        }),
      "opensNothing": .bool(comparison.opensNothing), "questions": .int(Int64(comparison.evidence.questions)),
    ]
  }

  private static func json(_ change: Comparison.Change) -> JSONValue {
    [
      "method": .string(change.method), "line": .int(Int64(change.line)),
      "request": WitnessText.json(change.leak.witness),
    ]
  }
}
