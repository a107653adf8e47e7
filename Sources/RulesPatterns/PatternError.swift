/// A pattern the official implementations refuse.
public struct PatternError: Error, Sendable, Equatable {
  /// Why a pattern is refused. The official implementations word the limits differently from other mistakes.
  public enum Kind: Sendable, Hashable {
    case syntax
    /// More than 4,096 UTF-16 units.
    case tooLong
    /// More than 20 parentheses open at once.
    case tooNested
    /// More than 100 opening parentheses.
    case tooManyGroupings
  }

  public let kind: Kind
  /// What is wrong, in our words.
  public let message: String
  /// Where, in bytes from the start of the pattern.
  public let offset: Int

  public init(_ message: String, offset: Int) { self.init(.syntax, message, offset: offset) }

  public init(_ kind: Kind, _ message: String, offset: Int) {
    self.kind = kind
    self.message = message
    self.offset = offset
  }

  /// The official sentence that stands before ` Pattern: <pattern>.` (observed on the official
  /// emulator 1.19.9, at compile time for literal arguments of `matches` and `split`, at run time
  /// for everything else).
  public var officialMessage: String {
    switch kind {
    case .syntax: "Invalid regular expression pattern."
    case .tooLong: "Regular expression too long. Maximum allowed length: \(PatternLimits.length)"
    case .tooNested:
      "Regular expression too many nested groupings. Maximum allowed nested groupings: \(PatternLimits.nestedGroupings)"
    case .tooManyGroupings:
      "Regular expression too many groupings. Maximum allowed groupings: \(PatternLimits.groupings)"
    }
  }
}

/// A pattern that is valid, but whose question could not be answered.
public enum PatternFailure: Error, Sendable, Equatable {
  /// The bounds of the fallback were hit: the pattern unrolls to too many states, or pattern and
  /// text together take too many steps.
  case tooComplex
  /// The replacement text names a group that does not exist. The official emulator answers such a
  /// request with HTTP 500.
  case invalidReplacement
}

/// The bounds of this room. The first four are the official ones (observed on emulator 1.19.9).
enum PatternLimits {
  /// UTF-16 units of a pattern.
  static let length = 4096
  static let nestedGroupings = 20
  /// Also the deepest real nesting: the check before counts parentheses inside classes, too, so that
  /// `([)]` opens a group for good, but each group has an opening one. Trees are walked recursively.
  static let groupings = 100
  /// Largest count in `{n,m}`.
  static let repetition = 1000
  /// Instructions of the automaton. Counted repetitions are unrolled.
  static let instructions = 200_000
  /// Thread steps of one call that fell back to the automaton.
  static let steps = 20_000_000
  /// Bytes (or UTF-16 units) that replacing may make of a text.
  static let output = 64 << 20
  /// Backtracking steps PCRE2 may take before the automaton takes over.
  static let backtracking: UInt32 = 100_000
}
