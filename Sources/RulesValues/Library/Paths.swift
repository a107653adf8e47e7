/// Paths: how they are made of segments and what lies in them. A path may hold captures, `{name}` and
/// `{name=**}`, that wait to be bound or are bound already.
public enum Paths {
  /// A path of a row of what its segments evaluate to, failures included: strings of literal segments, captures,
  /// and the values of `$(…)`. A path among these is spliced in; other values become the text that `string()`
  /// gives them, as one segment.
  public static func build(_ row: Arena.Row, _ arena: Arena) -> Value {
    var count = 0
    var plain = true
    for i in 0..<row.count {
      let v = arena.get(row, i)
      switch v.tag {
      case .string: count += 1
      case .capture:
        plain = false
        count += 1
      case .path:
        plain = false
        count += v.count
      case .unknown, .error, .exhausted: return arena.failure(v, in: row)
      default:
        guard let text = Conversions.text(of: v, arena) else {
          return arena.failure(arena.unsupported(.string, v), in: row)
        }
        if text.isFailure { return text }
        arena.set(row, i, text)
        count += 1
      }
    }
    return plain ? arena.finish(row, as: .path) : spliced(row, count, arena)
  }

  private static func spliced(_ row: Arena.Row, _ count: Int, _ arena: Arena) -> Value {
    guard let segments = arena.row(count) else { return .error(.memory) }
    var at = 0
    func append(_ segment: Value) -> Value? {
      if segment.has(.capture) {
        let name = arena.element(segment, 0)
        for i in 0..<at where isCapture(arena.get(segments, i), named: name, arena) { return duplicate(name, arena) }
      }
      arena.set(segments, at, segment)
      at += 1
      return nil
    }
    for i in 0..<row.count {
      let v = arena.get(row, i)
      if v.has(.path) {
        for j in 0..<v.count { if let failure = append(arena.element(v, j)) { return failure } }
      } else if let failure = append(v) {
        return failure
      }
    }
    return arena.finish(segments, as: .path)
  }

  static func duplicate(_ name: Value, _ arena: Arena) -> Value {
    arena.error(text: "Variable \(arena.text(name)) already exists in the PathTemplate.")
  }

  // MARK: Captures

  static func isCapture(_ segment: Value, named name: Value, _ arena: Arena) -> Bool {
    segment.has(.capture) && arena.sameBytes(arena.element(segment, 0), name)
  }

  static func capture(_ name: Value, of path: Value, _ arena: Arena) -> Value? {
    for i in 0..<path.count where isCapture(arena.element(path, i), named: name, arena) {
      return arena.element(path, i)
    }
    return nil
  }

  /// `path.name`, `path['name']`: what a capture is bound to, a string or for a glob a path.
  static func variable(_ name: Value, of path: Value, _ arena: Arena) -> Value {
    guard let capture = capture(name, of: path, arena) else { return arena.error(.undefinedProperty, name) }
    return capture.flags & Value.bound != 0 ? arena.element(capture, 1) : arena.error(.unboundVariable, name)
  }

  /// The error of using a path as a whole that has a capture which is not bound; `nil` when it has none.
  public static func unbound(in path: Value, _ arena: Arena) -> Value? {
    for i in 0..<path.count {
      let segment = arena.element(path, i)
      if segment.has(.capture), segment.flags & Value.bound == 0 {
        return arena.error(.unboundVariable, arena.element(segment, 0))
      }
    }
    return nil
  }

  // MARK: Segments

  /// Number of segments that a path without unbound captures comes to.
  private static func segmentCount(_ path: Value, _ arena: Arena) -> Int {
    var cursor = SegmentCursor(path, arena)
    var count = 0
    while cursor.next() != nil { count += 1 }
    return count
  }

  /// `path[i]`
  static func segment(_ index: Value, of path: Value, _ arena: Arena) -> Value {
    if let failure = unbound(in: path, arena) { return failure }
    if index.asInt >= 0 {
      var cursor = SegmentCursor(path, arena)
      var left = index.asInt
      while let segment = cursor.next() {
        if left == 0 { return segment }
        left -= 1
      }
    }
    return arena.error(.indexOutOfBounds, index, .int(Int64(segmentCount(path, arena))))
  }

  /// `path[lower:upper]`. Plain captures stay captures, globs fall apart into the segments of their paths.
  static func slice(_ path: Value, from lower: Value, to upper: Value, _ arena: Arena) -> Value {
    guard lower.has(.int) || lower.has(.null), upper.has(.int) || upper.has(.null) else {
      return arena.unsupported(.pathSlice, path, lower, upper)
    }
    if lower.has(.null), upper.has(.null) { return path }
    if let failure = unbound(in: path, arena) { return failure }
    let size = segmentCount(path, arena)
    switch SliceBounds.check(lower, upper, size: size, arena) {
    case .failure(let failure): return failure
    case .range(let from, let to):
      guard let row = arena.row(size) else { return .error(.memory) }
      var count = 0
      expandGlobs(path, into: row, &count, arena, depth: 0)
      return arena.slice(arena.finish(row, as: .path, count: count), from, to)
    }
  }

  private static func expandGlobs(_ path: Value, into row: Arena.Row, _ count: inout Int, _ arena: Arena, depth: Int) {
    for i in 0..<path.count {
      let segment = arena.element(path, i)
      let bound = segment.has(.capture) ? arena.element(segment, 1) : .null
      if bound.has(.path), depth < 1000 {
        expandGlobs(bound, into: row, &count, arena, depth: depth + 1)
      } else {
        arena.set(row, count, segment)
        count += 1
      }
    }
  }
}
