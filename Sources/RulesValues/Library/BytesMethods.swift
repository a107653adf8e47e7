/// The methods of bytes.
public enum BytesMethods {
  @inlinable
  public static func size(_ receiver: Value, _ arguments: Arguments, _ arena: Arena) -> Value {
    guard arguments.count == 0 else { return arena.argumentCount(.bytesSize, arguments) }
    return .int(Int64(receiver.count))
  }

  /// With the alphabet that is safe in URLs, and padding.
  public static func toBase64(_ receiver: Value, _ arguments: Arguments, _ arena: Arena) -> Value {
    guard arguments.count == 0 else { return arena.argumentCount(.bytesToBase64, arguments) }
    return arena.string(Base64.encode(arena.copyBytes(receiver), alphabet: .urlSafe))
  }

  /// In capital letters.
  public static func toHexString(_ receiver: Value, _ arguments: Arguments, _ arena: Arena) -> Value {
    guard arguments.count == 0 else { return arena.argumentCount(.bytesToHexString, arguments) }
    var hex: [UInt8] = []
    hex.reserveCapacity(receiver.count * 2)
    for byte in arena.copyBytes(receiver) {
      for digit in [byte >> 4, byte & 15] { hex.append(digit < 10 ? 0x30 + digit : 0x37 + digit) }
    }
    return arena.string(hex)
  }
}
