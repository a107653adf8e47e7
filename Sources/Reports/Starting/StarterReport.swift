/// What `rules-test init` did with each file, and what comes next.
public struct StarterReport: Sendable {
  public enum Deed: String, Sendable {
    case wrote, kept
    /// Left as it is, and without tests.
    case broken
  }

  private var rows: [(deed: Deed, path: String, what: String)] = []
  public var notes: [String] = []
  /// Where the next commands are given, when not here.
  public var folder: String?
  /// Whether the workflow has yet to be told where the program is.
  public var needsProgram = false

  public init() {}

  public mutating func add(_ deed: Deed, _ path: String, _ what: String) { rows.append((deed, path, what)) }

  public func text(_ terminal: Terminal) -> String {
    var page = Page(terminal)
    let width = rows.map { SafeText.columns(SafeText.line($0.path)) }.max() ?? 0
    for row in rows {
      var line = StyledLine(row.deed.rawValue, row.deed == .wrote ? .good : row.deed == .kept ? .dim : .badBold)
      line.pad(to: 8)
      line.add(SafeText.line(row.path), .place)
      line.pad(to: 8 + width + 2)
      line.add(SafeText.line(row.what))
      page.add(line)
    }
    for note in notes {
      page.gap()
      page.add(SafeText.line(note))
    }
    page.gap()
    page.add("Next:")
    if let folder { page.add("cd \(SafeText.shellWord(folder))", .code, indent: 2) }
    for (command, what) in [
      ("rules-test", "runs the tests, and proves the invariants"),
      ("rules-test --watch", "runs them again whenever a file is saved"),
    ] {
      var line = StyledLine(command, .code)
      line.pad(to: 21)
      line.add(what)
      page.add(line, indent: 2)
    }
    if needsProgram {
      page.gap()
      page.add(
        "The workflow fetches the program from the address in the repository's variable RULES_TEST_URL: set it in")
      page.add("Settings, Secrets and variables, Actions, Variables. docs/ci.md says more.")
    }
    return page.text
  }
}
