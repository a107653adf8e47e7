/// The meaning of a parsed pattern. Flags are resolved while parsing: case folding has become sets,
/// `(?s)` and `(?m)` have chosen the set or the assertion, `(?U)` has swapped greedy and lazy. So a
/// tree can be read without knowing where a flag was in force.
public indirect enum PatternNode: Sendable, Equatable {
  /// The empty text.
  case empty
  /// One code point. May be a surrogate, which then means a surrogate without its partner.
  case literal(UInt32)
  /// Any one code point of a set. The empty set matches nothing.
  case set(CodePointSet)
  /// A condition on a position; consumes nothing.
  case assertion(Assertion)
  /// One after another; two or more.
  case sequence([PatternNode])
  /// One of several, the first preferred; two or more.
  case choice([PatternNode])
  /// `minimum` to `maximum` (`nil`: any number of) times.
  case repetition(PatternNode, minimum: Int, maximum: Int?, greedy: Bool)
  /// A capturing group. Groups are numbered from 1 by their opening parenthesis.
  case group(index: Int, name: String?, PatternNode)

  public enum Assertion: Sendable, Hashable {
    /// `^` or `\A`: the start of the text.
    case textStart
    /// `$` or `\z`: the very end of the text; a line feed before it does not count.
    case textEnd
    /// `^` under `(?m)`.
    case lineStart
    /// `$` under `(?m)`.
    case lineEnd
    /// `\b`, between an ASCII word character and something else.
    case wordBoundary
    /// `\B`
    case noWordBoundary
  }

  /// Whether the node can match without consuming anything (assertions count as if they held).
  var isNullable: Bool {
    switch self {
    case .empty, .assertion: true
    case .literal, .set: false
    case .sequence(let items): items.allSatisfy(\.isNullable)
    case .choice(let items): items.contains(where: \.isNullable)
    case .repetition(let body, let minimum, let maximum, _): minimum == 0 || maximum == 0 || body.isNullable
    case .group(_, _, let body): body.isNullable
    }
  }

  /// Whether a repetition repeats something that can be empty. Perl and RE2 then agree on what
  /// matches, but not on which groups took part or which match is preferred.
  var repeatsEmptyBody: Bool {
    switch self {
    case .empty, .literal, .set, .assertion: false
    case .sequence(let items), .choice(let items): items.contains(where: \.repeatsEmptyBody)
    case .repetition(let body, _, _, _): body.isNullable || body.repeatsEmptyBody
    case .group(_, _, let body): body.repeatsEmptyBody
    }
  }
}
