/// The methods of strings.
public enum StringMethods {
  /// In UTF-16 units.
  @inlinable
  public static func size(_ receiver: Value, _ arguments: Arguments, _ arena: Arena) -> Value {
    guard arguments.count == 0 else { return arena.argumentCount(.stringSize, arguments) }
    return .int(Int64(receiver.utf16Count))
  }

  /// ASCII letters only.
  public static func lower(_ receiver: Value, _ arguments: Arguments, _ arena: Arena) -> Value {
    guard arguments.count == 0 else { return arena.argumentCount(.stringLower, arguments) }
    return arena.changingCase(receiver, of: UInt8(ascii: "A")...UInt8(ascii: "Z"))
  }

  /// ASCII letters only.
  public static func upper(_ receiver: Value, _ arguments: Arguments, _ arena: Arena) -> Value {
    guard arguments.count == 0 else { return arena.argumentCount(.stringUpper, arguments) }
    return arena.changingCase(receiver, of: UInt8(ascii: "a")...UInt8(ascii: "z"))
  }

  /// Without the blanks and control characters (up to U+0020) at both ends; other white space stays.
  public static func trim(_ receiver: Value, _ arguments: Arguments, _ arena: Arena) -> Value {
    guard arguments.count == 0 else { return arena.argumentCount(.stringTrim, arguments) }
    var start = 0
    var end = receiver.count
    while start < end, arena.byte(receiver, start) <= 0x20 { start += 1 }
    while end > start, arena.byte(receiver, end - 1) <= 0x20 { end -= 1 }
    return start == 0 && end == receiver.count ? receiver : arena.substring(receiver, start, end)
  }

  /// The string in UTF-8, an unpaired surrogate as `?`.
  public static func toUtf8(_ receiver: Value, _ arguments: Arguments, _ arena: Arena) -> Value {
    guard arguments.count == 0 else { return arena.argumentCount(.stringToUtf8, arguments) }
    return receiver.hasLoneSurrogate
      ? arena.bytes(WTF8.encoded(arena.copyBytes(receiver))) : arena.sharedUTF8(receiver)
  }
}
