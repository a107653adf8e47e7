/// How a user signed in.
public enum Provider: Sendable, Hashable {
  case password, emailLink, phone, anonymous
  case apple, google, facebook, twitter, github, microsoft, yahoo
  /// An OpenID Connect provider of the project's own; its id starts with `oidc.`.
  case oidc(String)
  /// A SAML provider of the project's own; its id starts with `saml.`.
  case saml(String)
  /// A token that the project's own server signed.
  case custom

  /// The claim `firebase.sign_in_provider`. A user who came by e-mail link is a `password` user there,
  /// in the emulator and in production.
  public var signInProvider: String {
    switch self {
    case .password, .emailLink: "password"
    case .phone: "phone"
    case .anonymous: "anonymous"
    case .apple: "apple.com"
    case .google: "google.com"
    case .facebook: "facebook.com"
    case .twitter: "twitter.com"
    case .github: "github.com"
    case .microsoft: "microsoft.com"
    case .yahoo: "yahoo.com"
    case .oidc(let id), .saml(let id): id
    case .custom: "custom"
    }
  }

  /// What `firebase.sign_in_provider` can be, apart from `oidc.…` and `saml.…`.
  public static let signInProviders =
    ["password", "phone", "anonymous", "custom"] + ProviderID.federated.sorted() + ["passkey"]

  /// Whether a token can have this `firebase.sign_in_provider`.
  public static func isSignInProvider(_ id: String) -> Bool {
    signInProviders.contains(id) || (id.hasPrefix("oidc.") || id.hasPrefix("saml.")) && id.utf8.count > 5
  }

  /// The word for it in the test language.
  public var word: String {
    switch self {
    case .password: "password"
    case .emailLink: "emailLink"
    case .phone: "phone"
    case .anonymous: "anonymous"
    case .apple: "apple"
    case .google: "google"
    case .facebook: "facebook"
    case .twitter: "twitter"
    case .github: "github"
    case .microsoft: "microsoft"
    case .yahoo: "yahoo"
    case .oidc: "oidc"
    case .saml: "saml"
    case .custom: "custom"
    }
  }

  /// The words of the test language, in the order in which they are listed.
  public static let words = withoutID.map(\.word) + ["oidc", "saml"]

  private static let withoutID: [Provider] = [
    .password, .emailLink, .phone, .anonymous, .apple, .google, .facebook, .twitter, .github, .microsoft, .yahoo,
    .custom,
  ]

  /// The provider that the test language calls `word`; `oidc` and `saml` need an id.
  /// - Throws: `INVALID_PROVIDER_ID` for an unknown word, and for an id that is missing, out of place
  ///   or not of its kind.
  public init(word: String, id: String? = nil) throws(IdentityError) {
    if let plain = Self.withoutID.first(where: { $0.word == word }) {
      if let id {
        throw Self.invalid("\(word) takes no provider id, found '\(id)'; only oidc and saml do")
      }
      self = plain
      return
    }
    guard word == "oidc" || word == "saml" else {
      throw Self.invalid("there is no provider '\(word)'; write one of \(Self.words.joined(separator: ", "))")
    }
    guard let id else { throw Self.invalid("\(word) needs the provider's id, as in \(word)('\(word).example')") }
    self = word == "oidc" ? .oidc(id) : .saml(id)
    try check()
  }

  /// - Throws: `INVALID_PROVIDER_ID` if the id of an OIDC or SAML provider does not start with its kind.
  package func check() throws(IdentityError) {
    let (kind, id): (String, String)
    switch self {
    case .oidc(let name): (kind, id) = ("oidc", name)
    case .saml(let name): (kind, id) = ("saml", name)
    default: return
    }
    let rest = id.utf8.dropFirst(kind.utf8.count + 1)
    guard id.hasPrefix(kind + "."), !rest.isEmpty, rest.allSatisfy(\.isProviderIDByte) else {
      throw Self.invalid(
        "'\(id)' is no id of an \(kind == "oidc" ? "OpenID Connect" : "SAML") provider: "
          + "write '\(kind).' and letters, digits, '.', '-' or '_'")
    }
  }

  private static func invalid(_ message: String) -> IdentityError {
    IdentityError(code: "INVALID_PROVIDER_ID", message: message)
  }
}

extension UInt8 {
  var isASCIIDigit: Bool { (0x30...0x39).contains(self) }
  var isASCIILetter: Bool { (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self) }
  fileprivate var isProviderIDByte: Bool {
    isASCIILetter || isASCIIDigit || self == UInt8(ascii: ".") || self == UInt8(ascii: "-") || self == UInt8(ascii: "_")
  }
}
