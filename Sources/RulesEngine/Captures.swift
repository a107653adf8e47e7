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

/// Captures of the match in force: they lie at the bottom of the arena's stack, one slot each, counted along the
/// chain of nested matches from the outermost.
enum Captures {
  /// The official limit is 20 with `{database}`.
  static let limit = 24

  /// Binds the captures of a pattern that is known to match: plain ones to strings, a glob to a path.
  static func bind(_ pattern: [PatternSegment], to path: Value, _ arena: Arena) {
    var position = 0
    // One glob at most: what is left for it is what the others leave over.
    let rest = path.count - (pattern.count - 1)
    for segment in pattern {
      switch segment {
      case .literal: position += 1
      case .capture(let slot):
        arena.setGlobal(slot, arena.element(path, position))
        position += 1
      case .glob(let slot):
        arena.setGlobal(slot, arena.slice(path, position, position + max(0, rest)))
        position += max(0, rest)
      }
    }
  }
}
