/// Codes that change with the time (RFC 6238), over HMAC-SHA-1.
public enum TOTP {
  /// Seconds for which a code is shown.
  public static let period: Int64 = 30
  public static let digits = 6

  /// The code at a time.
  /// - Parameters:
  ///   - secret: as bytes, not in Base32.
  ///   - seconds: since 1970; before that as at 0.
  ///   - digits: 1 to 9.
  public static func code(secret: [UInt8], at seconds: Int64, digits: Int = digits) -> String {
    code(secret: secret, step: step(at: seconds), digits: digits)
  }

  static func step(at seconds: Int64) -> Int64 { max(seconds, 0) / period }

  static func code(secret: [UInt8], step: Int64, digits: Int = digits) -> String {
    let counter = (0..<8).map { UInt8(truncatingIfNeeded: step >> (56 - 8 * Int64($0))) }
    let hash = LibCrypto.hmac(.sha1, key: secret, counter)
    guard hash.count == 20 else { return "" }
    let offset = Int(hash[19] & 15)
    let number = hash[offset..<offset + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
    let count = min(max(digits, 1), 9)
    let modulus = (0..<count).reduce(UInt32(1)) { power, _ in power * 10 }
    let text = String(number % modulus)
    return String(repeating: "0", count: count - text.count) + text
  }

  /// The time step of which this is the code: the present one, or one before or after, for clocks differ.
  static func step(of code: String, secret: [UInt8], at seconds: Int64) -> Int64? {
    let present = step(at: seconds)
    var found: Int64?
    for step in [present - 1, present, present + 1] where step >= 0 {
      // All are compared, so that the time tells nothing.
      if LibCrypto.areEqual(Array(self.code(secret: secret, step: step).utf8), Array(code.utf8)) { found = step }
    }
    return found
  }
}

/// What an authenticator app needs.
public struct TOTPSecret: Sendable, Equatable {
  /// In base 32 (RFC 4648), without padding.
  public let sharedSecretKey: String
  public let sessionInfo: String
  public let verificationCodeLength = TOTP.digits
  public let hashingAlgorithm = "SHA1"
  public let periodSeconds = TOTP.period
  /// Milliseconds since 1970 by which it has to be confirmed; nil for never.
  public let finalizeEnrollmentTime: Int64?

  /// The text of the QR code.
  public func qrCodeURL(account: String, issuer: String) -> String {
    let label = FormEncoding.encode(issuer) + ":" + FormEncoding.encode(account)
    return "otpauth://totp/\(label)?secret=\(sharedSecretKey)&issuer=\(FormEncoding.encode(issuer))"
      + "&algorithm=SHA1&digits=\(TOTP.digits)&period=\(TOTP.period)"
  }
}

/// Base 32 (RFC 4648, section 6).
public enum Base32 {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".unicodeScalars)

  /// Without padding.
  public static func encode(_ bytes: [UInt8]) -> String {
    var text = ""
    var bits: UInt32 = 0
    var count: UInt32 = 0
    for byte in bytes {
      bits = (bits << 8 | UInt32(byte)) & 0xFFFF
      count += 8
      while count >= 5 {
        count -= 5
        text.unicodeScalars.append(alphabet[Int(bits >> count & 31)])
      }
    }
    if count > 0 { text.unicodeScalars.append(alphabet[Int(bits << (5 - count) & 31)]) }
    return text
  }

  /// In upper or lower case, with or without padding; nil for anything else.
  public static func decode(_ text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    var bits: UInt32 = 0
    var count: UInt32 = 0
    var rest = text.utf8[...]
    while rest.last == UInt8(ascii: "=") { rest = rest.dropLast() }
    for character in rest {
      let digit: UInt32
      switch character {
      case 0x41...0x5A: digit = UInt32(character) - 0x41
      case 0x61...0x7A: digit = UInt32(character) - 0x61
      case 0x32...0x37: digit = UInt32(character) - 0x32 + 26
      default: return nil
      }
      bits = (bits << 5 | digit) & 0xFFFF
      count += 5
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> count))
      }
    }
    return bytes
  }
}
