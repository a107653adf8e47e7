/// What a scrypt hash costs (RFC 7914).
public struct ScryptCost: Sendable, Equatable {
  /// The logarithm to base 2 of N, 1 to 20.
  public var memoryCost: Int
  /// r, 1 to 32.
  public var rounds: Int
  /// p, 1 to 16.
  public var parallelism: Int

  public init(memoryCost: Int, rounds: Int, parallelism: Int = 1) {
    self.memoryCost = memoryCost
    self.rounds = rounds
    self.parallelism = parallelism
  }

  /// As Firebase hashes: N 16384, r 8.
  public static let standard = ScryptCost(memoryCost: 14, rounds: 8)
  /// Next to nothing. For tests in which no password is worth protecting.
  public static let none = ScryptCost(memoryCost: 1, rounds: 1)

  var isPossible: Bool {
    (1...20).contains(memoryCost) && (1...32).contains(rounds) && (1...16).contains(parallelism)
  }
}

/// The project's parameters of Firebase's modified scrypt, as the console shows them.
public struct FirebaseScrypt: Sendable, Equatable {
  public var signerKey: [UInt8]
  public var saltSeparator: [UInt8]
  public var cost: ScryptCost

  public init(signerKey: [UInt8], saltSeparator: [UInt8], rounds: Int, memoryCost: Int) {
    self.signerKey = signerKey
    self.saltSeparator = saltSeparator
    cost = ScryptCost(memoryCost: memoryCost, rounds: rounds)
  }
}

/// A password that only somebody who knows it can check.
enum PasswordHash: Sendable, Equatable {
  case scrypt(key: [UInt8], salt: [UInt8], ScryptCost)
  /// Imported from a Firebase project.
  case firebase(hash: [UInt8], salt: [UInt8], FirebaseScrypt)

  /// - Throws: `INTERNAL_ERROR` for a cost that is not possible.
  init(_ password: String, cost: ScryptCost, random: inout Randomness) throws(IdentityError) {
    let salt = random.bytes(16)
    guard let key = Self.scrypt(password, salt: salt, cost) else {
      throw IdentityError(code: "INTERNAL_ERROR", message: "scrypt is not possible with \(cost)")
    }
    self = .scrypt(key: key, salt: salt, cost)
  }

  func matches(_ password: String) -> Bool {
    switch self {
    case .scrypt(let key, let salt, let cost):
      return Self.scrypt(password, salt: salt, cost).map { LibCrypto.areEqual($0, key) } ?? false
    case .firebase(let hash, let salt, let parameters):
      return Self.firebaseScrypt(password, salt: salt, parameters).map { LibCrypto.areEqual($0, hash) } ?? false
    }
  }

  /// Takes the time that checking a password takes, so that it does not tell whether there is one.
  static func waste(_ password: String, _ cost: ScryptCost) { _ = scrypt(password, salt: [], cost) }

  private static func scrypt(_ password: String, salt: [UInt8], _ cost: ScryptCost) -> [UInt8]? {
    guard cost.isPossible else { return nil }
    return LibCrypto.scrypt(
      password: Array(password.utf8), salt: salt, n: 1 << UInt64(cost.memoryCost), r: UInt64(cost.rounds),
      p: UInt64(cost.parallelism), length: 64)
  }

  /// The project's signer key, encrypted with what scrypt makes of the password, is the hash.
  static func firebaseScrypt(_ password: String, salt: [UInt8], _ parameters: FirebaseScrypt) -> [UInt8]? {
    guard let derived = scrypt(password, salt: salt + parameters.saltSeparator, parameters.cost) else { return nil }
    return LibCrypto.aes256CTR(
      key: Array(derived.prefix(32)), counter: [UInt8](repeating: 0, count: 16), parameters.signerKey)
  }
}
