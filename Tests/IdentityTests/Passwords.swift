@testable import Identity
import Foundation
import Testing

@Suite("Passwords")
struct Passwords {
  /// RFC 7914, section 12.
  @Test("scrypt is that of RFC 7914", arguments: [
    ("", "", 4, 1, 1, "77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d3628cf35e20c38d18906"),
    ("password", "NaCl", 10, 8, 16, "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b3731622eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640"),
    ("pleaseletmein", "SodiumChloride", 14, 8, 1, "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887"),
  ] as [(String, String, Int, Int, Int, String)])
  func scrypt(password: String, salt: String, memoryCost: Int, rounds: Int, parallelism: Int, key: String) throws {
    let made = LibCrypto.scrypt(
      password: Array(password.utf8), salt: Array(salt.utf8), n: 1 << UInt64(memoryCost), r: UInt64(rounds),
      p: UInt64(parallelism), length: 64)
    #expect(Hexadecimal.encode(try #require(made)) == key)
  }

  /// The example of github.com/firebase/scrypt.
  static let example = ImportedPassword(
    hash: bytes("lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ=="),
    salt: bytes("42xEC+ixf3L2lw=="),
    parameters: FirebaseScrypt(
      signerKey: bytes("jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA=="),
      saltSeparator: bytes("Bw=="), rounds: 8, memoryCost: 14))

  static func bytes(_ base64: String) -> [UInt8] { Array(Data(base64Encoded: base64) ?? Data()) }

  @Test("Firebase's modified scrypt gives its published hash, and an imported account signs in with its password")
  func imported() throws {
    let example = Self.example
    #expect(PasswordHash.firebaseScrypt("user1password", salt: example.salt, example.parameters) == example.hash)
    let world = World()
    var account = NewAccount(uid: "imported", email: "user1@example.com")
    account.importedPassword = example
    try world.admin.create(account)
    let device = world.device()
    try device.signIn(email: "user1@example.com", password: "user1password")
    #expect(try device.uid == "imported")
    #expect(try device.signInProvider == "password")
    try expectRefusal("INVALID_PASSWORD") { try world.device().signIn(email: "user1@example.com", password: "user2password") }
  }

  @Test("costs that cannot be are refused, not tried", arguments: [
    ScryptCost(memoryCost: 0, rounds: 8), ScryptCost(memoryCost: 21, rounds: 8), ScryptCost(memoryCost: 14, rounds: 0),
    ScryptCost(memoryCost: 14, rounds: 33), ScryptCost(memoryCost: 14, rounds: 8, parallelism: 17),
    ScryptCost(memoryCost: .max, rounds: .min),
  ])
  func costs(cost: ScryptCost) throws {
    let world = World { $0.passwordCost = cost }
    world.server.settings.passwordCost = cost
    try expectRefusal("INTERNAL_ERROR") { try world.signedUp() }
    #expect(try world.admin.accountCount() == 0)
  }

  @Test("the same password has another hash each time, and long, empty and odd ones are told apart")
  func hashes() throws {
    var random = Randomness(seed: 1)
    // (A NUL at the end makes no difference to scrypt: HMAC fills its key up with them.)
    let passwords = ["secret", "secret\u{0}x", "Secret", "é", "e\u{301}", String(repeating: "x", count: 100_000)]
    for password in passwords {
      let hash = try PasswordHash(password, cost: .none, random: &random)
      #expect(try hash != PasswordHash(password, cost: .none, random: &random))
      for other in passwords { #expect(hash.matches(other) == other.utf8.elementsEqual(password.utf8)) }
    }
  }
}
