import RulesValues

/// Where a query's documents lie, as a path with gaps: `/t/{}` for a collection, `/{=**}/t/{}` for a collection
/// group, and a whole path where the query names one document. Gaps are captures without a name or a value: a rule
/// that asks for what stands there gets an error, never a guess.
enum QueryPath {
  static func make(_ request: ListRequest, _ arena: Arena) -> Value {
    let parent = request.parent.segments
    guard let row = arena.row(5 + parent.count + (request.allDescendants ? 1 : 0)) else { return .error(.memory) }
    arena.set(row, 0, arena.string("databases" as StaticString))
    arena.set(row, 1, arena.string(request.parent.database.string))
    arena.set(row, 2, arena.string("documents" as StaticString))
    var next = 3
    func put(_ value: Value) {
      arena.set(row, next, value)
      next += 1
    }
    func gap(glob: Bool) -> Value { arena.capture(name: arena.string("" as StaticString), glob: glob) }
    for segment in parent { put(arena.string(segment.string)) }
    if request.allDescendants { put(gap(glob: true)) }
    put(request.collectionID.map { arena.string($0.string) } ?? gap(glob: false))
    put(gap(glob: false))
    return arena.finish(row, as: .path)
  }

  /// Does a match cover the whole path? A capture takes a segment or the gap of one, a glob any run of segments and
  /// gaps, and a literal nothing but itself.
  static func matches(_ pattern: [PatternSegment], _ path: Value, globTakesNone: Bool, _ arena: Arena) -> Bool {
    let hasGlob = pattern.contains { if case .glob = $0 { true } else { false } }
    // One glob at most: what is left for it is what the others leave over.
    let rest = path.count - (pattern.count - (hasGlob ? 1 : 0))
    guard hasGlob ? rest >= (globTakesNone ? 0 : 1) : rest == 0 else { return false }
    var position = 0
    for segment in pattern {
      switch segment {
      case .glob: position += rest
      case .capture:
        let element = arena.element(path, position)
        if element.has(.capture), element.flags & Value.glob != 0 { return false }
        position += 1
      case .literal(let literal, _):
        let element = arena.element(path, position)
        guard element.has(.string), arena.sameBytes(element, literal) else { return false }
        position += 1
      }
    }
    return true
  }

  /// Binds the captures of a block that covers the path. What stands for a gap is an error when it is asked for.
  static func bind(_ block: Program.Block, to path: Value, _ arena: Arena) {
    block.captures.bind(to: path, arena)
    for slot in block.captures.plainSlots where arena.global(slot).has(.capture) {
      arena.setGlobal(slot, .error(.nullValue))
    }
  }
}
