/// What a user has whose test does not say: the same at every run, and different for every uid.
///
/// | field | default |
/// |---|---|
/// | e-mail of `password`, `emailLink`, `google`, which cannot be without | `<uid>@example.com` in lower case |
/// | number of `phone` | `+1555` and 7 digits |
/// | name, picture of `google`, whose token always has them | the uid; `https://example.com/<raw id>.png` |
/// | raw id of `apple` | `001.<uid>` |
/// | raw id of `google`, `facebook`, `twitter`, `github` | 21, 17, 19, 8 digits |
/// | raw id of `microsoft`, `yahoo` | 16 hexadecimal digits; 26 upper-case letters and digits |
/// | raw id of `oidc`, `saml` | 32 hexadecimal digits; the e-mail if there is one |
/// | id of a second factor | 28 letters and digits |
///
/// Digits and letters follow from the uid and the provider by a hash. Apart from Apple's (which is
/// meant to be read) none contains the uid, so that a rule which mistakes one for the other fails.
enum DefaultIdentity {
  static func email(uid: String) -> String? {
    let isPlain = uid.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "._+-".utf8.contains($0) }
    guard isPlain, !uid.hasPrefix("."), !uid.hasSuffix("."), !uid.contains(".."), uid.utf8.count <= 64 else {
      return nil
    }
    return uid.lowercased() + "@example.com"
  }

  static func phone(uid: String) -> String { "+1555" + characters(7, of: digits, from: "phone " + uid) }

  static func secondFactorID(uid: String) -> String {
    characters(28, of: hexadecimal + "ABCDEFGHIJKLMNOPQRSTUVWXYZghijklmnopqrstuvwxyz", from: "second factor " + uid)
  }

  /// The raw id; nil where a provider has none of its own.
  static func rawID(provider: Provider, uid: String, email: String?) -> String? {
    let seed = provider.signInProvider + " " + uid
    switch provider {
    case .password, .emailLink, .phone, .anonymous, .custom: return nil
    case .apple: return "001." + uid
    case .google: return "1" + characters(20, of: digits, from: seed)
    case .facebook: return "10" + characters(15, of: digits, from: seed)
    case .twitter: return "1" + characters(18, of: digits, from: seed)
    case .github: return "1" + characters(7, of: digits, from: seed)
    case .microsoft: return characters(16, of: hexadecimal, from: seed)
    case .yahoo: return characters(26, of: digits + "ABCDEFGHIJKLMNOPQRSTUVWXYZ", from: seed)
    case .oidc: return characters(32, of: hexadecimal, from: seed)
    case .saml: return email ?? characters(32, of: hexadecimal, from: seed)
    }
  }

  private static let digits = "0123456789"
  private static let hexadecimal = "0123456789abcdef"

  /// FNV-1a over the seed, drawn out with SplitMix64: no secret, only spread.
  private static func characters(_ count: Int, of alphabet: String, from seed: String) -> String {
    var state: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in seed.utf8 { state = (state ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    let alphabet = Array(alphabet.unicodeScalars)
    var text = ""
    for _ in 0..<count {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
      text.unicodeScalars.append(alphabet[Int((mixed ^ mixed >> 31) % UInt64(alphabet.count))])
    }
    return text
  }
}
