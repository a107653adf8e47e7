import Testing

@testable import RulesValues

struct HashingTests {
  /// RFC 1321, appendix A.5.
  @Test(
    "MD5 of the vectors of RFC 1321",
    arguments: [
      ("", "d41d8cd98f00b204e9800998ecf8427e"),
      ("a", "0cc175b9c0f1b6a831c399e269772661"),
      ("abc", "900150983cd24fb0d6963f7d28e17f72"),
      ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
      ("abcdefghijklmnopqrstuvwxyz", "c3fcd3d76192e4007dfb496cca67e13b"),
      (
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
        "d174ab98d277d9f5a5611c2c9f419d9f"
      ),
    ])
  func md5(message: String, digest: String) {
    #expect(Digest.md5.of(Array(message.utf8)).map(hex) == digest)
  }

  /// FIPS 180-2, appendix B.
  @Test(
    "SHA-256 of the vectors of FIPS 180-2",
    arguments: [
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ])
  func sha256(message: String, digest: String) {
    #expect(Digest.sha256.of(Array(message.utf8)).map(hex) == digest)
  }

  @Test("The check values of the CRC catalogue")
  func checksums() {
    let check = Array("123456789".utf8)
    #expect(Checksum.crc32.of(check) == 0xCBF4_3926)
    #expect(Checksum.crc32c.of(check) == 0xE306_9283)
  }

  /// RFC 3720, appendix B.4, where the sums are given in the order of their bytes.
  @Test(
    "CRC-32C of the vectors of RFC 3720",
    arguments: [
      ([UInt8](repeating: 0, count: 32), "aa36918a"),
      ([UInt8](repeating: 0xFF, count: 32), "43aba862"),
      ((0..<32).map { UInt8($0) }, "4e79dd46"),
      ((0..<32).reversed().map { UInt8($0) }, "5cdb3f11"),
    ])
  func crc32c(bytes: [UInt8], sum: String) {
    let owner = ArenaOwner()
    defer { withExtendedLifetime(owner) {} }
    let result = HashingFunctions.crc32c(Arguments(owner.arena.bytes(bytes)), owner.arena)
    #expect(hex(owner.arena.copyBytes(result)) == sum)
  }

  /// RFC 4648, section 10.
  @Test(
    "Base64 of the vectors of RFC 4648",
    arguments: [
      ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
      ("foobar", "Zm9vYmFy"),
    ])
  func base64(plain: String, coded: String) {
    #expect(String(decoding: Base64.encode(Array(plain.utf8)), as: UTF8.self) == coded)
    #expect(Base64.decode(coded) == Array(plain.utf8))
    #expect(Base64.decode(String(coded.filter { $0 != "=" })) == Array(plain.utf8))
  }

  @Test("Text that is no base64", arguments: ["A", "AA=A", "AAA==", "A===", "Zg=", "Z g=", "Zm9v!", "====", "é"])
  func notBase64(text: String) {
    #expect(Base64.decode(text) == nil)
  }

  @Test("Both alphabets are read")
  func alphabets() {
    #expect(Base64.decode("-_-_") == Base64.decode("+/+/"))
    #expect(Base64.encode([0xFF, 0xFE], alphabet: .urlSafe) == Array("__4=".utf8))
  }

  private func hex(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
