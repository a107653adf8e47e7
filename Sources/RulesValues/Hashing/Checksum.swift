/// The cyclic redundancy checks CRC-32 (of Ethernet and zip) and CRC-32C (Castagnoli), bit-reflected.
struct Checksum: Sendable {
  static let crc32 = Checksum(polynomial: 0xEDB8_8320)
  static let crc32c = Checksum(polynomial: 0x82F6_3B78)

  private let table: [UInt32]

  private init(polynomial: UInt32) {
    table = (0..<256).map { byte in
      (0..<8).reduce(UInt32(byte)) { rest, _ in rest & 1 == 1 ? rest >> 1 ^ polynomial : rest >> 1 }
    }
  }

  func of(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(~0 as UInt32) { rest, byte in rest >> 8 ^ table[Int(UInt8(truncatingIfNeeded: rest) ^ byte)] }
  }
}
