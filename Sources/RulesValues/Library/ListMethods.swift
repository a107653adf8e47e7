/// The methods of lists. Elements are found by type and value: 1 is not 1.0 here.
public enum ListMethods {
  @inlinable
  public static func size(_ receiver: Value, _ arguments: Arguments, _ arena: Arena) -> Value {
    guard arguments.count == 0 else { return arena.argumentCount(.listSize, arguments) }
    return .int(Int64(receiver.count))
  }

  /// The texts of the elements, as `string()` gives them, with the separator between them.
  public static func join(_ receiver: Value, _ arguments: Arguments, _ arena: Arena) -> Value {
    guard arguments.count == 1 else { return arena.argumentCount(.listJoin, arguments) }
    guard arguments.a.has(.string) else { return arena.unsupported(.listJoin, arguments.a) }
    let separator = arena.copyBytes(arguments.a)
    var bytes: [UInt8] = []
    var lone = arguments.a.hasLoneSurrogate
    for i in 0..<receiver.count {
      let element = arena.element(receiver, i)
      guard let text = Conversions.text(of: element, arena) else { return arena.unsupported(.string, element) }
      if text.isFailure || bytes.count > Arena.maximumTextLength { return .error(.memory) }
      lone = lone || text.hasLoneSurrogate
      if i > 0 { bytes += separator }
      bytes += arena.copyBytes(text)
    }
    // Surrogates that meet at a seam become the character they make.
    return arena.string(lone ? WTF8.bytes(utf16: WTF8.utf16(bytes)) : bytes)
  }

  public static func concat(_ receiver: Value, _ arguments: Arguments, _ arena: Arena) -> Value {
    guard arguments.count == 1 else { return arena.argumentCount(.listConcat, arguments) }
    let other = arguments.a
    guard other.has(.list) else { return arena.unsupported(.listConcat, other) }
    guard let row = arena.row(receiver.count + other.count) else { return .error(.memory) }
    for i in 0..<receiver.count { arena.set(row, i, arena.element(receiver, i)) }
    for i in 0..<other.count { arena.set(row, receiver.count + i, arena.element(other, i)) }
    return arena.finish(row, as: .list)
  }

  /// Is every element of the argument in the list?
  public static func hasAll(_ receiver: Value, _ arguments: Arguments, _ arena: Arena) -> Value {
    guard arguments.count == 1 else { return arena.argumentCount(.listHasAll, arguments) }
    guard arguments.a.has(.list) else { return arena.unsupported(.listHasAll, arguments.a) }
    return every(arguments.a, isIn: receiver, arena)
  }

  /// Is an element of the argument in the list?
  public static func hasAny(_ receiver: Value, _ arguments: Arguments, _ arena: Arena) -> Value {
    guard arguments.count == 1 else { return arena.argumentCount(.listHasAny, arguments) }
    guard arguments.a.has(.list) else { return arena.unsupported(.listHasAny, arguments.a) }
    var comparison = Comparison(arena)
    let members = MemberIndex(receiver, arena)
    for i in 0..<arguments.a.count
    where members.contains(arena.element(arguments.a, i), where: { comparison.equalOfOneType($0, $1) }) {
      return comparison.result(true)
    }
    return comparison.result(false)
  }

  /// Is every element of the list in the argument?
  public static func hasOnly(_ receiver: Value, _ arguments: Arguments, _ arena: Arena) -> Value {
    guard arguments.count == 1 else { return arena.argumentCount(.listHasOnly, arguments) }
    guard arguments.a.has(.list) else { return arena.unsupported(.listHasOnly, arguments.a) }
    return every(receiver, isIn: arguments.a, arena)
  }

  /// The list without any element of the argument.
  public static func removeAll(_ receiver: Value, _ arguments: Arguments, _ arena: Arena) -> Value {
    guard arguments.count == 1 else { return arena.argumentCount(.listRemoveAll, arguments) }
    guard arguments.a.has(.list) else { return arena.unsupported(.listRemoveAll, arguments.a) }
    guard let row = arena.row(receiver.count) else { return .error(.memory) }
    var comparison = Comparison(arena)
    let members = MemberIndex(arguments.a, arena)
    var kept = 0
    for i in 0..<receiver.count {
      let element = arena.element(receiver, i)
      if members.contains(element, where: { comparison.equalOfOneType($0, $1) }) { continue }
      arena.set(row, kept, element)
      kept += 1
    }
    return comparison.failure ?? arena.finish(row, as: .list, count: kept)
  }

  public static func toSet(_ receiver: Value, _ arguments: Arguments, _ arena: Arena) -> Value {
    guard arguments.count == 0 else { return arena.argumentCount(.listToSet, arguments) }
    guard var members = SetBuilder(capacity: receiver.count, arena) else { return .error(.memory) }
    for i in 0..<receiver.count where !members.insert(arena.element(receiver, i)) { break }
    return members.finish()
  }

  private static func every(_ elements: Value, isIn list: Value, _ arena: Arena) -> Value {
    var comparison = Comparison(arena)
    let members = MemberIndex(list, arena)
    for i in 0..<elements.count
    where !members.contains(arena.element(elements, i), where: { comparison.equalOfOneType($0, $1) }) {
      return comparison.result(false)
    }
    return comparison.result(true)
  }
}

extension Arena {
  /// Longest text that a `join` may make, in bytes. Ours; far beyond a document's 1 MiB.
  static let maximumTextLength = 64 << 20
}
