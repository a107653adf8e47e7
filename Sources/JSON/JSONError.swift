/// A mistake in a JSON text: where it stands and what would be right there.
public struct JSONError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The line, counted from 1. LF, CR and CR LF each end a line.
  public var line: Int
  /// The column, counted from 1 in Unicode scalars.
  public var column: Int
  /// What is wrong, and what would be right.
  public var message: String

  public init(line: Int, column: Int, message: String) {
    self.line = line
    self.column = column
    self.message = message
  }

  public var description: String { "line \(line), column \(column): \(message)" }
}
