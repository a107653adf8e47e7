import JSON
import Synchronization

/// A key pair that signs ID tokens, and the certificate with which others check them.
public struct SigningKey: Sendable {
  /// Which of the certificates belongs to a token: its header says it as `kid`.
  public let keyID: String
  /// x509 in PEM.
  public let certificatePEM: String
  private let key: RSAKey
  /// The first part of every token, with its dot.
  private let header: String

  /// A new pair of 2048 bits, with a certificate that it signs itself.
  /// - Parameter validity: seconds since 1970 between which the certificate is valid.
  /// - Throws: `INTERNAL_ERROR` if libcrypto cannot make one.
  public init(validity: ClosedRange<Int64>) throws(IdentityError) {
    guard let key = RSAKey.generate() else { throw Self.failure("libcrypto cannot make a key pair") }
    try self.init(key, keyID: nil, validity: validity)
  }

  /// A pair that is there already.
  /// - Parameters:
  ///   - privatePEM: an RSA key in PKCS #1 or PKCS #8, not encrypted.
  ///   - keyID: left nil, the hash of the certificate.
  ///   - validity: of the certificate, in seconds since 1970.
  /// - Throws: `INTERNAL_ERROR` for any other text.
  public init(privatePEM: String, keyID: String? = nil, validity: ClosedRange<Int64>) throws(IdentityError) {
    guard let key = RSAKey(privatePEM: privatePEM), key.isRSA else {
      throw Self.failure("the text is no private RSA key in PEM")
    }
    try self.init(key, keyID: keyID, validity: validity)
  }

  private init(_ key: RSAKey, keyID: String?, validity: ClosedRange<Int64>) throws(IdentityError) {
    self.key = key
    let certificate = Certificate.selfSigned(key, commonName: "securetoken.local", serial: 1, validity: validity)
    guard let pem = certificate?.pem else { throw Self.failure("libcrypto cannot make a certificate") }
    certificatePEM = pem
    let id = keyID ?? Hexadecimal.encode(LibCrypto.digest(.sha1, Array(pem.utf8)))
    self.keyID = id
    let header: JSONObject = ["alg": "RS256", "kid": .string(id), "typ": "JWT"]
    self.header = Base64URL.encode(header.serialized().utf8) + "."
  }

  /// The token with this payload, signed with RS256.
  /// - Throws: `INTERNAL_ERROR` if libcrypto cannot sign.
  public func sign(_ payload: JSONObject) throws(IdentityError) -> String {
    let text = header + Base64URL.encode(payload.serialized().utf8)
    guard let signature = key.sign(Array(text.utf8)) else { throw Self.failure("libcrypto cannot sign") }
    return text + "." + Base64URL.encode(signature)
  }

  /// The private half in PEM, to keep it.
  public var privatePEM: String? { key.privatePEM }

  private static func failure(_ message: String) -> IdentityError {
    IdentityError(code: "INTERNAL_ERROR", message: message)
  }
}

/// The keys of a project: one that signs, made with the first signed token, and those that signed before.
public final class SigningKeys: Sendable {
  private let keys: Mutex<[SigningKey]>

  /// - Parameter keys: the last one signs.
  public init(_ keys: [SigningKey] = []) { self.keys = Mutex(keys) }

  /// - Throws: `INTERNAL_ERROR` if libcrypto fails.
  public func sign(_ payload: JSONObject, at seconds: Int64) throws(IdentityError) -> String {
    try current(at: seconds).sign(payload)
  }

  /// Signs from now on with a new key; what the old ones signed stays valid.
  /// - Throws: `INTERNAL_ERROR` if libcrypto fails.
  public func rotate(at seconds: Int64) throws(IdentityError) {
    let key = try Self.newKey(at: seconds)
    keys.withLock { $0.append(key) }
  }

  /// As Google publishes them: `{ kid: certificate in PEM }`.
  public var certificates: JSONObject {
    var object = JSONObject()
    for key in keys.withLock({ $0 }) { object[key.keyID] = .string(key.certificatePEM) }
    return object
  }

  private func current(at seconds: Int64) throws(IdentityError) -> SigningKey {
    if let key = keys.withLock({ $0.last }) { return key }
    let new = try Self.newKey(at: seconds)
    return keys.withLock { keys in
      // Another thread may have been first.
      if let key = keys.last { return key }
      keys.append(new)
      return new
    }
  }

  /// Valid from a day before, so that clocks may differ, for ten years.
  private static func newKey(at seconds: Int64) throws(IdentityError) -> SigningKey {
    let seconds = AuthTime.seconds(milliseconds: AuthTime.milliseconds(seconds: seconds))
    return try SigningKey(validity: seconds - 86_400...seconds + 3650 * 86_400)
  }
}

enum Hexadecimal {
  private static let digits = Array("0123456789abcdef".unicodeScalars)

  /// In lower case.
  static func encode(_ bytes: [UInt8]) -> String {
    var text = ""
    for byte in bytes {
      text.unicodeScalars.append(digits[Int(byte >> 4)])
      text.unicodeScalars.append(digits[Int(byte & 15)])
    }
    return text
  }
}
