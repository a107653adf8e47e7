import JSON
import RulesSemantics
import RulesSyntax

/// What `rules-test check` found in one or more rules files.
public struct CheckReport: Sendable {
  /// A file with its findings, in the official order.
  public typealias Entry = (file: SourceFile, diagnostics: [Diagnostic])

  public let entries: [Entry]

  /// Test files that were named but not looked at.
  public let skipped: Int

  /// What the official compiler says twice of one place is shown once.
  public init(_ entries: [Entry], skipped: Int = 0) {
    self.entries = entries.map { ($0.file, OfficialReport.withoutRepetitions($0.diagnostics)) }
    self.skipped = skipped
  }

  public var errors: Int { count(.error) }
  public var warnings: Int { count(.warning) }

  private func count(_ severity: Diagnostic.Severity) -> Int {
    entries.reduce(0) { $0 + $1.diagnostics.count { $0.severity == severity } }
  }

  /// For people. With `quiet`, files without findings are not named.
  public func text(_ terminal: Terminal, quiet: Bool = false) -> String {
    var page = Page(terminal)
    for (file, diagnostics) in entries {
      if diagnostics.isEmpty {
        if quiet { continue }
        page.add(Self.fine(file))
        continue
      }
      let (shown, left) = diagnostics.shownToPeople
      for diagnostic in shown {
        page.gap()
        page.add(DiagnosticReport(file, diagnostics).lines(diagnostic, terminal))
      }
      if left > 0 {
        page.gap()
        page.add([Diagnostic].leftOut(left))
      }
      page.gap()
    }
    if !quiet || errors + warnings > 0 {
      page.gap()
      page.add(totals)
    }
    return page.text
  }

  private static func fine(_ file: SourceFile) -> StyledLine {
    var line = StyledLine("✔ ", .good)
    line.add(SafeText.line(file.name))
    return line
  }

  private var totals: StyledLine {
    var line = StyledLine(Counted.text(errors, "error"), errors > 0 ? .badBold : .plain)
    line.add(", ")
    line.add(Counted.text(warnings, "warning"), warnings > 0 ? .warning : .plain)
    line.add(" in \(Counted.text(entries.count, "file"))")
    if skipped > 0 { line.add(" (\(Counted.text(skipped, "test file")) skipped)") }
    return line
  }

  /// `{"files": […], "errors": n, "warnings": n}`; see `docs/json.md`.
  public var json: JSONValue {
    [
      "files": .array(
        entries.map { file, diagnostics in
          [
            "file": .string(file.name), "ok": .bool(!diagnostics.contains { $0.severity == .error }),
            "diagnostics": .array(diagnostics.map(\.json)),
          ]
        }),
      "errors": .int(Int64(errors)), "warnings": .int(Int64(warnings)),
    ]
  }
}

enum Counted {
  /// `1 error`, `2 errors`
  /// - Parameter plural: where it is not made with an s.
  static func text(_ count: Int, _ noun: String, plural: String? = nil) -> String {
    "\(count) \(count == 1 ? noun : plural ?? noun + "s")"
  }
}
