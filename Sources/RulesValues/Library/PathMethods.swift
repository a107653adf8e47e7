/// The methods of paths.
public enum PathMethods {
  /// The path with its captures bound to the map's values: a plain one to the text of a value, a glob to a path.
  /// Captures that get no value vanish, also those that are bound (observed on the official emulator 1.19.9).
  public static func bind(_ receiver: Value, _ arguments: Arguments, _ arena: Arena) -> Value {
    guard arguments.count == 1 else { return arena.argumentCount(.pathBind, arguments) }
    let values = arguments.a
    guard values.has(.map) else { return arena.unsupported(.pathBind, values) }
    guard let row = arena.row(receiver.count) else { return .error(.memory) }
    var count = 0
    for i in 0..<receiver.count {
      var segment = arena.element(receiver, i)
      if segment.has(.capture) {
        let name = arena.element(segment, 0)
        guard let value = arena.lookup(values, name) else { continue }
        if segment.flags & Value.bound != 0 {
          return arena.error(text: "Variable \(arena.text(name)) is already bound.")
        }
        segment = bound(segment, name, to: value, arena)
        if segment.isFailure { return segment }
      }
      arena.set(row, count, segment)
      count += 1
    }
    return unknownNames(values, receiver, arena) ?? arena.finish(row, as: .path, count: count)
  }

  private static func bound(_ capture: Value, _ name: Value, to value: Value, _ arena: Arena) -> Value {
    if capture.flags & Value.glob != 0 {
      guard value.has(.path) else { return arena.typeError(value, .path) }
      return Paths.unbound(in: value, arena) ?? arena.capture(name: name, glob: true, bound: value)
    }
    guard let text = Conversions.text(of: value, arena) else { return arena.unsupported(.string, value) }
    if text.isFailure { return text }
    guard text.count > 0 else {
      return arena.error(text: "Cannot bind empty value to path template variable \(arena.text(name)).")
    }
    return arena.capture(name: name, glob: false, bound: text)
  }

  /// An error that tells the names for which the path has no capture; `nil` when there are none.
  private static func unknownNames(_ values: Value, _ path: Value, _ arena: Arena) -> Value? {
    var names: [Value] = []
    for i in 0..<values.count where Paths.capture(arena.key(values, i), of: path, arena) == nil {
      names.append(arena.key(values, i))
    }
    guard !names.isEmpty else { return nil }
    let list = HashOrder.sorted(names, arena).map { arena.text($0) }.joined(separator: ",")
    return arena.error(text: "Variable(s) \(list) do not exist in the path template.")
  }
}

/// The order in which the official implementation lists a set of names: by the buckets of a hash table.
enum HashOrder {
  static func sorted(_ names: [Value], _ arena: Arena) -> [Value] {
    var buckets = 16
    while names.count * 4 > buckets * 3 { buckets *= 2 }
    let keyed = names.enumerated().map { i, name -> (bucket: Int, index: Int, name: Value) in
      var hash: UInt32 = 0
      for unit in WTF8.utf16(arena.copyBytes(name)) { hash = hash &* 31 &+ UInt32(unit) }
      return (Int(hash ^ hash >> 16) & (buckets - 1), i, name)
    }
    return keyed.sorted { ($0.bucket, $0.index) < ($1.bucket, $1.index) }.map(\.name)
  }
}
