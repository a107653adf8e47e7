import RulesValues

/// One segment of a whole match path, from the service down.
enum PatternSegment: Sendable, Equatable {
  case literal(Value, Text)
  case capture(slot: Int)
  case glob(slot: Int)

  static func == (a: PatternSegment, b: PatternSegment) -> Bool {
    switch (a, b) {
    case (.literal(_, let x), .literal(_, let y)): x == y
    case (.capture(let x), .capture(let y)), (.glob(let x), .glob(let y)): x == y
    default: false
    }
  }
}

/// The whole pattern of a match block, put together from those of the matches around it.
///
/// Patterns are joined, as documented, but for one thing that the official emulator does (observed on 1.19.9: 396
/// patterns with 90 paths each): below a match whose glob is not its last segment, matches are taken up right after
/// the glob, so that their first segments and those behind the glob must both fit the same part of the path. And they
/// must reach further than that: `match /{g=**}/a/{i} { match /{x}/{y}/{z} { … } }` covers `/p/q/a/i/z`, no shorter
/// one covers anything.
struct MatchPattern {
  private(set) var segments: [PatternSegment] = []
  /// Captures that share a segment with another: the segment's place in `segments`, and the slot.
  private(set) var shared: [(place: Int, slot: Int)] = []
  /// Where the next match goes on: before the end where what stands behind a glob is still to be shared.
  private var end = 0
  /// What the matches inside must reach beyond.
  private var reach = 0
  private(set) var isPossible = true

  /// Whether any path can be covered.
  var coversAnything: Bool { isPossible && end >= segments.count && (reach == 0 || segments.count > reach) }

  /// The pattern of a match inside this one.
  func appending(_ own: [PatternSegment]) -> MatchPattern {
    var pattern = self
    for segment in own { pattern.append(segment) }
    return pattern
  }

  /// The same as it stands around matches inside: what is behind a glob of the innermost match is shared.
  func opened(last own: [PatternSegment]) -> MatchPattern {
    guard let glob = own.lastIndex(where: { if case .glob = $0 { true } else { false } }), glob < own.count - 1 else {
      return self
    }
    var pattern = self
    pattern.reach = segments.count
    pattern.end = segments.count - (own.count - 1 - glob)
    return pattern
  }

  private mutating func append(_ segment: PatternSegment) {
    defer { end += 1 }
    guard end < segments.count else {
      segments.append(segment)
      return
    }
    switch (segments[end], segment) {
    case (.literal(_, let a), .literal(_, let b)): if a != b { isPossible = false }
    case (.capture(let slot), .literal):
      segments[end] = segment
      shared.append((end, slot))
    case (.literal, .capture(let slot)), (.capture, .capture(let slot)): shared.append((end, slot))
    // The compiler permits one glob only.
    case (.glob, _), (_, .glob): isPossible = false
    }
  }
}

