/// One finding about a source text, as a value: renderers (terminal, JSON, SARIF, editor) draw it elsewhere.
public struct Diagnostic: Sendable, Equatable {
  public enum Severity: String, Sendable { case error, warning }

  /// A replacement of a piece of source that would mend the finding.
  public struct Fix: Sendable, Equatable {
    public var message: String
    public var range: SourceRange
    public var replacement: String

    public init(message: String, range: SourceRange, replacement: String) {
      self.message = message
      self.range = range
      self.replacement = replacement
    }
  }

  /// A stable name in kebab case, e.g. `unused-function`; never shown in place of the message.
  public var id: String
  public var severity: Severity
  /// `nil` for findings about the whole file (the official "old version" warning has no position).
  public var range: SourceRange?
  /// In the official words where the official compiler has any.
  public var message: String
  /// Further lines of our own that explain or advise.
  public var notes: [String]
  public var fix: Fix?

  public init(
    id: String, severity: Severity, range: SourceRange?, message: String, notes: [String] = [], fix: Fix? = nil
  ) {
    self.id = id
    self.severity = severity
    self.range = range
    self.message = message
    self.notes = notes
    self.fix = fix
  }
}
