import JSON

/// What somebody shows to prove who they are.
public enum AuthCredential: Sendable, Equatable {
  case password(email: String, password: String)
  /// The address that was typed in, and the link, or the code alone, that came by mail.
  case emailLink(email: String, link: String)
  /// The id that `verifyPhoneNumber` gave, and the code that came by SMS.
  case phone(verificationID: String, code: String)
  /// What the server gives when a number could not be linked because another account has it.
  case phoneProof(phoneNumber: String, temporaryProof: String)
  /// What an identity provider gave.
  case provider(ProviderCredential)

  /// `password` for an e-mail link too.
  public var providerID: String {
    switch self {
    case .password, .emailLink: ProviderID.password
    case .phone, .phoneProof: ProviderID.phone
    case .provider(let credential): credential.providerID
    }
  }

  public static func apple(idToken: String, rawNonce: String?, fullName: String? = nil) -> AuthCredential {
    .provider(
      ProviderCredential(providerID: ProviderID.apple, idToken: idToken, rawNonce: rawNonce, fullName: fullName))
  }

  public static func google(idToken: String, accessToken: String? = nil) -> AuthCredential {
    .provider(ProviderCredential(providerID: ProviderID.google, idToken: idToken, accessToken: accessToken))
  }

  public static func facebook(accessToken: String) -> AuthCredential {
    .provider(ProviderCredential(providerID: ProviderID.facebook, accessToken: accessToken))
  }

  public static func twitter(token: String, secret: String) -> AuthCredential {
    .provider(ProviderCredential(providerID: ProviderID.twitter, accessToken: token, secret: secret))
  }

  public static func github(accessToken: String) -> AuthCredential {
    .provider(ProviderCredential(providerID: ProviderID.github, accessToken: accessToken))
  }

  /// Microsoft, Yahoo, and every provider of the project's own.
  public static func oauth(
    providerID: String, idToken: String? = nil, accessToken: String? = nil, rawNonce: String? = nil
  ) -> AuthCredential {
    .provider(
      ProviderCredential(providerID: providerID, idToken: idToken, accessToken: accessToken, rawNonce: rawNonce))
  }
}

/// What an identity provider gave to an app.
public struct ProviderCredential: Sendable, Equatable {
  public var providerID: String
  /// A JSON Web Token, or its payload as JSON. Nobody checks its signature here: it comes from a simulated provider.
  public var idToken: String?
  public var accessToken: String?
  /// OAuth 1 only.
  public var secret: String?
  /// What the nonce in the ID token is the hash of.
  public var rawNonce: String?
  /// Apple tells the app, once; its token never has it.
  public var fullName: String?
  /// What the server gave in place of the rest when it could not use it yet: good for one sign-in.
  public var pendingToken: String?

  public init(
    providerID: String, idToken: String? = nil, accessToken: String? = nil, secret: String? = nil,
    rawNonce: String? = nil,
    fullName: String? = nil
  ) {
    self.providerID = providerID
    self.idToken = idToken
    self.accessToken = accessToken
    self.secret = secret
    self.rawNonce = rawNonce
    self.fullName = fullName
  }
}
