/// The package `hashing`: of bytes, or of a string's UTF-8 (in which an unpaired surrogate is `?`).
public enum HashingFunctions {
  public static func crc32(_ arguments: Arguments, _ arena: Arena) -> Value {
    hash(.hashingCrc32, arguments, arena) { littleEndian(Checksum.crc32.of($0)) }
  }

  public static func crc32c(_ arguments: Arguments, _ arena: Arena) -> Value {
    hash(.hashingCrc32c, arguments, arena) { littleEndian(Checksum.crc32c.of($0)) }
  }

  public static func md5(_ arguments: Arguments, _ arena: Arena) -> Value {
    hash(.hashingMd5, arguments, arena) { Digest.md5.of($0) }
  }

  public static func sha256(_ arguments: Arguments, _ arena: Arena) -> Value {
    hash(.hashingSha256, arguments, arena) { Digest.sha256.of($0) }
  }

  private static func littleEndian(_ sum: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: sum >> UInt32(8 * $0)) }
  }

  private static func hash(
    _ operation: Operation, _ arguments: Arguments, _ arena: Arena, _ body: ([UInt8]) -> [UInt8]?
  ) -> Value {
    guard arguments.count == 1 else { return arena.argumentCount(operation, arguments) }
    let v = arguments.a
    let bytes: [UInt8]
    switch v.tag {
    case .bytes: bytes = arena.copyBytes(v)
    case .string: bytes = WTF8.encoded(arena.copyBytes(v))
    default: return arena.unsupported(operation, v)
    }
    guard let hash = body(bytes) else {
      return arena.error(text: "This machine's cryptographic library does not offer the hash function.")
    }
    return arena.bytes(hash)
  }
}
