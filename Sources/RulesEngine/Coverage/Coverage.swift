import JSON
import RulesSemantics
import RulesSyntax

/// What requests made of the conditions of one rules file: how often each `match` and `allow` was come to, and how often
/// each expression was true, false, something else, or an error. Adds up over requests, tests and runs.
public struct Coverage: Sendable, Equatable {
  /// What an expression came to.
  public struct Counts: Sendable, Equatable {
    public var isTrue: Int
    public var isFalse: Int
    public var error: Int
    /// A value that is no bool.
    public var other: Int

    public init(isTrue: Int = 0, isFalse: Int = 0, error: Int = 0, other: Int = 0) {
      self.isTrue = isTrue
      self.isFalse = isFalse
      self.error = error
      self.other = other
    }

    public var total: Int { isTrue + isFalse + error + other }

    static func + (a: Counts, b: Counts) -> Counts {
      Counts(
        isTrue: Coverage.sum(a.isTrue, b.isTrue), isFalse: Coverage.sum(a.isFalse, b.isFalse),
        error: Coverage.sum(a.error, b.error), other: Coverage.sum(a.other, b.other))
    }
  }

  /// What an `allow` came to.
  public struct AllowCounts: Sendable, Equatable {
    public var allowed: Int
    public var refused: Int
    public var error: Int

    public init(allowed: Int = 0, refused: Int = 0, error: Int = 0) {
      self.allowed = allowed
      self.refused = refused
      self.error = error
    }

    public var total: Int { allowed + refused + error }
  }

  /// A value that an expression took, as the emulator writes it, and how often.
  public struct Value: Sendable, Equatable {
    public let json: JSONValue
    public internal(set) var count: Int
    /// By which equal values are known.
    fileprivate let text: String
  }

  /// Different values that are kept of an expression; of more only the counts go on.
  public static let maximumValues = 1_000

  /// Counts end here: far beyond what happens, and small enough to be added up.
  private static let maximumCount = 1 << 60

  static func sum(_ a: Int, _ b: Int) -> Int {
    min(min(max(a, 0), maximumCount) + min(max(b, 0), maximumCount), maximumCount)
  }

  /// By `Expression.id`; those that were never evaluated have no entry.
  public private(set) var expressions: [Int: Counts] = [:]
  /// By the offset in bytes at which the statement starts.
  public private(set) var allows: [Int: AllowCounts] = [:]
  /// Requests that came to a `match`, by the offset in bytes at which it starts.
  public private(set) var matches: [Int: Int] = [:]
  /// By `Expression.id`, in the order in which they were first seen, as the emulator's report has them: skipped operands
  /// among them, and the passes that know no document.
  public private(set) var values: [Int: [Value]] = [:]
  /// Where a value stands in the list of its expression, by its text.
  private var places: [Int: [String: Int]] = [:]

  public init() {}

  public func counts(of e: Expression) -> Counts { expressions[e.id] ?? Counts() }
  public func counts(of allow: AllowStatement) -> AllowCounts { allows[allow.range.start.byte] ?? AllowCounts() }
  public func count(of match: MatchDeclaration) -> Int { matches[match.range.start.byte] ?? 0 }

  /// Adds what another run of the same text saw.
  public mutating func merge(_ other: Coverage) {
    for (id, counts) in other.expressions { add(counts, to: id) }
    for (byte, counts) in other.allows { add(counts, toAllow: byte) }
    for (byte, count) in other.matches { add(requests: count, toMatch: byte) }
    for (id, values) in other.values {
      for value in values { note(value, of: id) }
    }
  }

  /// Adds to an expression, by its id.
  public mutating func add(_ counts: Counts, to expression: Int) {
    expressions[expression] = (expressions[expression] ?? Counts()) + counts
  }

  /// Adds to an `allow`, by the offset in bytes at which it starts.
  public mutating func add(_ counts: AllowCounts, toAllow byte: Int) {
    var sum = allows[byte] ?? AllowCounts()
    sum.allowed = Self.sum(sum.allowed, counts.allowed)
    sum.refused = Self.sum(sum.refused, counts.refused)
    sum.error = Self.sum(sum.error, counts.error)
    allows[byte] = sum
  }

  /// Adds to a `match`, by the offset in bytes at which it starts.
  public mutating func add(requests: Int, toMatch byte: Int) { matches[byte] = Self.sum(matches[byte] ?? 0, requests) }

  mutating func note(_ json: JSONValue, of expression: Int) {
    note(Value(json: json, count: 1, text: json.serialized()), of: expression)
  }

  private mutating func note(_ value: Value, of expression: Int) {
    if let i = places[expression]?[value.text] {
      values[expression]?[i].count &+= value.count
    } else if let count = values[expression]?.count {
      guard count < Self.maximumValues else { return }
      values[expression]?.append(value)
      places[expression]?[value.text] = count
    } else {
      values[expression] = [value]
      places[expression] = [value.text: 0]
    }
  }
}
