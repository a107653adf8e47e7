import RulesSyntax

/// Diagnostics as the official emulator prints them when a ruleset does not compile.
public enum OfficialReport {
  /// `Error compiling rules:` and then one line for each finding, `L<line>:<column> <message>`, sorted by place,
  /// then errors before warnings, then by text. A finding about the whole file stands at `L0:0`.
  public static func text(_ diagnostics: [Diagnostic]) -> String {
    (["Error compiling rules:"] + lines(diagnostics)).joined(separator: "\n")
  }

  public static func lines(_ diagnostics: [Diagnostic]) -> [String] {
    sorted(diagnostics).map { diagnostic in
      let start = diagnostic.range?.start
      return "L\(start?.line ?? 0):\(start?.column ?? 0) \(diagnostic.message)"
    }
  }

  /// In the official order. The official compiler repeats what its parser says twice about one place, and says each
  /// finding about meaning once.
  public static func sorted(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
    diagnostics.enumerated().sorted { a, b in
      let (p, q) = (place(a.element), place(b.element))
      if p != q { return p < q }
      if a.element.severity != b.element.severity { return a.element.severity == .error }
      let (x, y) = (a.element.message, b.element.message)
      if x != y { return x.unicodeScalars.lexicographicallyPrecedes(y.unicodeScalars) }
      return a.offset < b.offset
    }.map(\.element)
  }

  /// The same without repetitions of one message at one place.
  public static func withoutRepetitions(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
    var result: [Diagnostic] = []
    for diagnostic in sorted(diagnostics) {
      if let last = result.last, place(last) == place(diagnostic), last.message == diagnostic.message { continue }
      result.append(diagnostic)
    }
    return result
  }

  private static func place(_ d: Diagnostic) -> (Int, Int) {
    (d.range?.start.line ?? 0, d.range?.start.column ?? 0)
  }
}
