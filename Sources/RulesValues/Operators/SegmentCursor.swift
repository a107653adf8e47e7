/// Walks the segments that a path comes to: a bound capture gives what it is bound to, a bound glob each segment of
/// its path, an unbound capture itself.
struct SegmentCursor {
  private let arena: Arena
  private var path: Value
  private var position = 0
  /// Where to go on after the paths of the globs being walked, the innermost last.
  private var outer: [(path: Value, position: Int)] = []

  init(_ path: Value, _ arena: Arena) {
    self.path = path
    self.arena = arena
  }

  /// The next segment: a string, or a capture that is not bound.
  mutating func next() -> Value? {
    while true {
      guard position < path.count else {
        guard let (path, position) = outer.popLast() else { return nil }
        self.path = path
        self.position = position
        continue
      }
      let segment = arena.element(path, position)
      position += 1
      guard segment.has(.capture), segment.flags & Value.bound != 0 else { return segment }
      let bound = arena.element(segment, 1)
      guard bound.has(.path) else { return bound }
      outer.append((path, position))
      path = bound
      position = 0
    }
  }
}
