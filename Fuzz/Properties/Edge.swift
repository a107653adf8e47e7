import RulesPatterns

/// A text that is made to hurt, of any size, and what is to be said of it.
public struct Edge: Sendable, CustomStringConvertible {
  public let name: String
  /// Answers the text of about so many bytes.
  private let answer: @Sendable (Int) -> String
  /// What the answer must be.
  private let expected: @Sendable (Int) -> [String]
  public var description: String { name }

  /// - Returns: what is answered.
  /// - Throws: when that is not what is expected.
  public func check(bytes: Int) throws(BrokenProperty) -> String {
    let said = answer(bytes)
    let wanted = expected(bytes)
    try require(wanted.contains(said), "\(name) of \(bytes) bytes: \(said), expected \(wanted.joined(separator: " or "))")
    return said
  }

  /// One piece, repeated up to the size.
  init(_ name: String, _ reader: Reader, _ start: String, _ unit: String, _ end: String, _ first: String) {
    self.init(name, reader, start, unit, end) { _ in first }
  }

  /// `first` makes the expected finding from the number of pieces.
  init(
    _ name: String, _ reader: Reader, _ start: String, _ unit: String, _ end: String, _ first: @escaping @Sendable (Int) -> String
  ) {
    self.name = "\(reader): \(name)"
    let count: @Sendable (Int) -> Int = { $0 / unit.utf8.count }
    answer = { reader.firstFinding(start + String(repeating: unit, count: count($0)) + end) }
    expected = { [first(count($0))] }
  }

  /// As many levels as there are bytes for fifty each: 100,000 in five megabytes.
  init(
    nested name: String, _ reader: Reader, _ start: String, _ open: String, _ core: String, _ close: String, _ end: String,
    _ first: String
  ) {
    self.init(nested: name, reader, start, open, core, close, end) { _ in first }
  }

  /// `first` makes the expected finding from the number of levels.
  init(
    nested name: String, _ reader: Reader, _ start: String, _ open: String, _ core: String, _ close: String, _ end: String,
    _ first: @escaping @Sendable (Int) -> String
  ) {
    self.name = "\(reader): \(name), nested"
    answer = {
      let depth = $0 / 50
      return reader.firstFinding(start + String(repeating: open, count: depth) + core + String(repeating: close, count: depth) + end)
    }
    expected = { [first($0 / 50)] }
  }

  /// A pattern that takes backtracking engines for ever, on a text of one letter.
  init(pattern: String) {
    name = "pattern: \(pattern) on a long text"
    answer = { bytes in
      do {
        return "\(try Pattern(pattern).matches(Array(repeating: UInt8(ascii: "a"), count: bytes)))"
      } catch {
        return "\(error)"
      }
    }
    expected = { _ in ["true", "false", "tooComplex"] }
  }
}
