/// How the server behaves where Firebase lets the project choose, or where production and the official emulator differ.
public struct AuthSettings: Sendable, Equatable {
  /// Answers do not tell whether an address has an account. On for production projects since September 2023.
  public var hidesEmails: Bool
  /// An address belongs to one account, whatever the provider.
  public var oneAccountPerEmail: Bool
  /// For how many seconds after it began a session may delete the account, change password or address and enrol second
  /// factors; nil for ever. Production does not document its threshold: five minutes is what is commonly reported.
  public var recentLogin: Int64?
  /// An Apple token must carry the SHA-256 of the raw nonce that comes with it, and each nonce is good once. Not
  /// checked by the emulator.
  public var checksNonce: Bool
  /// The name that comes beside an Apple token becomes the new account's. Ignored by the emulator.
  public var takesAppleName: Bool
  /// `auth_time` is the account's last sign-in, wherever that was, as in the emulator, not the session's own.
  public var authTimeIsLastLogin: Bool
  /// Refreshing a session that was revoked fails. The emulator refreshes it.
  public var refreshChecksRevocation: Bool
  /// An expired ID token is refused where the client's calls carry one. Not by the emulator.
  public var checksExpiry: Bool
  /// `oidc.*` and `saml.*` must be configured before they can be used. The emulator never asks.
  public var requiresProviderConfiguration: Bool
  /// The ID tokens of identity providers must be theirs, where they say whose they are, and not be expired. The
  /// emulator does not look.
  public var checksProviderTokens: Bool
  /// The providers whose `email_verified` is believed; nil for all, as the emulator does. Production trusts those that
  /// run the mailbox or check it.
  public var trustedEmailProviders: Set<String>?
  /// Tokens of Apple can be revoked, and TOTP be enrolled: the emulator answers 501 to both.
  public var offersRevocation: Bool
  public var offersTOTP: Bool
  /// A refresh for an account that was deleted fails with USER_NOT_FOUND, not with the emulator's
  /// INVALID_REFRESH_TOKEN.
  public var tellsDeletedFromUnknown: Bool
  /// Setting a new password by mail removes the other providers (observed on the emulator).
  public var resetUnlinksProviders: Bool
  /// A custom token may be plain JSON, as the emulator allows.
  public var takesPlainCustomTokens: Bool
  /// How long codes are good, in seconds; nil for ever, as in the emulator.
  public var codeLifetimes: CodeLifetimes?
  /// How many wrong codes spoil a right one; nil for none, as in the emulator. Production does not document its number.
  public var codeAttempts: Int?
  /// Sign-in methods that are switched off, by provider id (`password`, `emailLink`, `anonymous`, `phone`,
  /// `google.com`, …).
  public var disabledProviders: Set<String> = []
  /// What a password hash costs.
  public var passwordCost: ScryptCost = .standard
  /// Authorization codes of Apple that nobody here gave out are revoked too: those of a real device.
  public var takesUnknownAppleCodes = false
  /// UTF-16 units.
  public var shortestPassword = 6
  /// What else new passwords must have; nil for nothing.
  public var passwordPolicy: PasswordPolicy?
  /// Whether who has a second factor is asked for it.
  public var asksSecondFactors = true
  public var mostSecondFactors = 5
  public var tokens: TokenFormat

  public enum TokenFormat: Sendable, Equatable {
    /// As the emulators issue them: `alg` is `none`.
    case unsigned
    /// RS256, with a key pair that is made with the first token.
    case signed
  }

  public struct CodeLifetimes: Sendable, Equatable {
    public var passwordReset: Int64 = 3600
    public var verification: Int64 = 3 * 86_400
    public var emailLink: Int64 = 6 * 3600
    public var sms: Int64 = 600
    public var secondFactor: Int64 = 600
    /// Of a provider's answer that waits for the account's owner.
    public var pendingCredential: Int64 = 3600

    public init() {}
  }

  /// What a new production project does. Tokens are unsigned, so that emulators take them.
  public static let production = AuthSettings(
    hidesEmails: true, oneAccountPerEmail: true, recentLogin: 300, checksNonce: true, takesAppleName: true,
    authTimeIsLastLogin: false, refreshChecksRevocation: true, checksExpiry: true, requiresProviderConfiguration: true,
    checksProviderTokens: true,
    trustedEmailProviders: [ProviderID.apple, ProviderID.google], offersRevocation: true, offersTOTP: true,
    tellsDeletedFromUnknown: true, resetUnlinksProviders: true, takesPlainCustomTokens: false,
    codeLifetimes: CodeLifetimes(), codeAttempts: 5, tokens: .unsigned)

  /// What the official Authentication emulator does.
  public static let emulator = AuthSettings(
    hidesEmails: false, oneAccountPerEmail: true, recentLogin: nil, checksNonce: false, takesAppleName: false,
    authTimeIsLastLogin: true, refreshChecksRevocation: false, checksExpiry: false,
    requiresProviderConfiguration: false, checksProviderTokens: false,
    trustedEmailProviders: nil, offersRevocation: false, offersTOTP: false, tellsDeletedFromUnknown: false,
    resetUnlinksProviders: true, takesPlainCustomTokens: true, codeLifetimes: nil, tokens: .unsigned)

  /// Production, but with answers that tell what is wrong: what the articles' code was written for.
  public static let articles: AuthSettings = {
    var settings = AuthSettings.production
    settings.hidesEmails = false
    return settings
  }()
}
