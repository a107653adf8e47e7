/// The methods of maps.
public enum MapMethods {
  @inlinable
  public static func size(_ receiver: Value, _ arguments: Arguments, _ arena: Arena) -> Value {
    guard arguments.count == 0 else { return arena.argumentCount(.mapSize, arguments) }
    return .int(Int64(receiver.count))
  }

  /// The keys by code point.
  public static func keys(_ receiver: Value, _ arguments: Arguments, _ arena: Arena) -> Value {
    guard arguments.count == 0 else { return arena.argumentCount(.mapKeys, arguments) }
    guard let row = arena.row(receiver.count) else { return .error(.memory) }
    var ascii = true
    for i in 0..<receiver.count {
      let key = arena.key(receiver, i)
      ascii = ascii && key.isASCII
      arena.set(row, i, key)
    }
    // Maps are kept in UTF-16 order, which is another one only where there are characters beyond the basic plane.
    if !ascii {
      let sorted = (0..<receiver.count).map { arena.get(row, $0) }.sorted { arena.compareBytes($0, $1) < 0 }
      for (i, key) in sorted.enumerated() { arena.set(row, i, key) }
    }
    return arena.finish(row, as: .list)
  }

  /// `map.keys().hasOnly(list)`, without the list of keys; `nil` when there is so much to compare that it might come
  /// to the limit on comparisons.
  @inlinable
  public static func hasOnlyKeys(_ map: Value, _ list: Value, _ arena: Arena) -> Bool? {
    guard map.count &* list.count <= keysToCompare else { return nil }
    return arena.containsKeys(of: map, list)
  }

  /// The same where the strings of the list are known in the order of keys.
  @inlinable
  public static func hasOnlyKeys(_ map: Value, _ list: Value, sorted: Value, _ arena: Arena) -> Bool? {
    guard map.count &* list.count <= keysToCompare else { return nil }
    return arena.containsKeys(of: map, sorted: sorted)
  }

  /// `map.keys().hasAll(list)`, likewise.
  public static func hasAllKeys(_ map: Value, _ list: Value, _ arena: Arena) -> Bool? {
    guard map.count &* list.count <= keysToCompare else { return nil }
    for i in 0..<list.count {
      let key = arena.element(list, i)
      guard key.has(.string), arena.lookup(map, key) != nil else { return false }
    }
    return true
  }

  @inlinable
  static var keysToCompare: Int { 4096 }

  /// The values, of a map that the rules write down in the order written.
  public static func values(_ receiver: Value, _ arguments: Arguments, _ arena: Arena) -> Value {
    guard arguments.count == 0 else { return arena.argumentCount(.mapValues, arguments) }
    guard let row = arena.row(receiver.count) else { return .error(.memory) }
    for i in 0..<receiver.count { arena.set(row, i, arena.value(receiver, arena.entry(receiver, at: i))) }
    return arena.finish(row, as: .list)
  }

  /// What lies under a key, or at the end of a way of keys; the default where a step is missing or leads into
  /// something that is no map. No keys at all lead to the map itself.
  public static func get(_ receiver: Value, _ arguments: Arguments, _ arena: Arena) -> Value {
    guard arguments.count == 2 else { return arena.argumentCount(.mapGet, arguments) }
    switch arguments.a.tag {
    case .string:
      return arena.lookup(receiver, arguments.a) ?? arguments.b
    case .list:
      let way = arguments.a
      for i in 0..<way.count {
        let key = arena.element(way, i)
        guard key.has(.string) else { return arena.typeError(key, .string) }
      }
      var value = receiver
      for i in 0..<way.count {
        guard value.has(.map), let next = arena.lookup(value, arena.element(way, i)) else { return arguments.b }
        value = next
      }
      return value
    default:
      return arena.unsupported(.mapGet, arguments)
    }
  }

  /// What became of each key on the way from the argument to the receiver: first the argument's keys, then those
  /// that only the receiver has, each in the order of its map.
  public static func diff(_ receiver: Value, _ arguments: Arguments, _ arena: Arena) -> Value {
    guard arguments.count == 1 else { return arena.argumentCount(.mapDiff, arguments) }
    let old = arguments.a
    guard old.has(.map) else { return arena.unsupported(.mapDiff, old) }
    guard let row = arena.row(2 * (receiver.count + old.count)) else { return .error(.memory) }
    var comparison = Comparison(arena)
    var count = 0
    func append(_ key: Value, _ status: DiffStatus) {
      arena.set(row, 2 * count, key)
      arena.set(row, 2 * count + 1, .int(status.rawValue))
      count += 1
    }
    for place in 0..<old.count {
      let i = arena.entry(old, at: place)
      let key = arena.key(old, i)
      if let new = arena.lookup(receiver, key) {
        append(key, comparison.alike(new, arena.value(old, i)) ? .unchanged : .changed)
      } else {
        append(key, .removed)
      }
    }
    for place in 0..<receiver.count {
      let key = arena.key(receiver, arena.entry(receiver, at: place))
      if arena.lookup(old, key) == nil { append(key, .added) }
    }
    return comparison.failure ?? arena.entries(row, as: .mapDiff, count: count)
  }
}
