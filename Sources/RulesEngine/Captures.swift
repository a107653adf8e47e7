import RulesValues

/// What a pattern captures of the paths that it covers: plain captures to strings, a glob to a path.
///
/// The captures of the match in force lie at the bottom of the arena's stack, one slot each, counted along the chain
/// of nested matches from the outermost.
struct Captures: Sendable {
  /// The official limit is 20 with `{database}`.
  static let limit = 24

  private struct Capture: Sendable {
    let slot: Int
    /// Position in the path.
    let position: Int
    let isGlob: Bool
    /// Of what stands behind the glob: the position counts from where the glob would take no segment.
    let isBehindGlob: Bool
  }

  private let captures: [Capture]
  private let patternCount: Int
  /// In version 1 of the language a glob takes one segment at least.
  private let globTakesNone: Bool

  init(of pattern: MatchPattern, globTakesNone: Bool) {
    var captures: [Capture] = []
    var position = 0
    var isBehindGlob = false
    for (place, segment) in pattern.segments.enumerated() {
      func add(_ slot: Int) {
        captures.append(Capture(slot: slot, position: position, isGlob: false, isBehindGlob: isBehindGlob))
      }
      for shared in pattern.shared where shared.place == place { add(shared.slot) }
      switch segment {
      case .literal: position += 1
      case .capture(let slot):
        add(slot)
        position += 1
      case .glob(let slot):
        captures.append(Capture(slot: slot, position: position, isGlob: true, isBehindGlob: false))
        isBehindGlob = true
      }
    }
    self.captures = captures
    patternCount = pattern.segments.count
    self.globTakesNone = globTakesNone
  }

  private init(_ captures: [Capture], patternCount: Int, globTakesNone: Bool) {
    self.captures = captures
    self.patternCount = patternCount
    self.globTakesNone = globTakesNone
  }

  /// Those of some slots only.
  func only(_ slots: Set<Int>) -> Captures {
    Captures(captures.filter { slots.contains($0.slot) }, patternCount: patternCount, globTakesNone: globTakesNone)
  }

  /// The slots of captures that take one segment.
  var plainSlots: some Sequence<Int> { captures.lazy.filter { !$0.isGlob }.map(\.slot) }

  /// Binds the captures to the parts of a path that the pattern is known to cover.
  func bind(to path: Value, _ arena: Arena) {
    for i in captures.indices {
      let capture = captures[i]
      guard capture.isGlob || capture.isBehindGlob else {
        arena.setGlobal(capture.slot, arena.element(path, capture.position))
        continue
      }
      // One glob at most: what is left for it is what the others leave over.
      let rest = max(0, path.count &- (patternCount &- 1))
      let position = capture.isBehindGlob ? capture.position &+ rest : capture.position
      arena.setGlobal(
        capture.slot,
        capture.isGlob ? arena.slice(path, position, position &+ rest) : arena.element(path, position))
    }
  }

  /// After `bind`, where the last segment of the path is the id that rules do not see.
  func hideID(_ arena: Arena) {
    for capture in captures {
      let value = arena.global(capture.slot)
      // A glob of version 1 stands last, and ends with the id.
      if value.has(.capture) || capture.isGlob && !globTakesNone { arena.setGlobal(capture.slot, .error(.nullValue)) }
    }
  }
}
