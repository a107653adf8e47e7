import Identity

/// How the Authentication server is set up.
public struct AuthOptions: Sendable {
  /// The project of calls that name none.
  public var project = "demo-project"
  public var settings = AuthOptions.standardSettings
  public var clock: any AuthClock = SystemAuthClock()
  /// With one, uids and codes are the same in every run: for tests.
  public var seed: UInt64?
  public var keys = SigningKeys()
  /// Whether tests may move the clock and empty the server; see `AuthTestHooks`.
  public var hasTestHooks = false
  /// Who calls blocking functions; without one they are not called, and their configuration is refused.
  public var functionCaller: (any FunctionCaller)?
  /// Where the accounts of a project, or of one of its tenants, are kept.
  public var storage: @Sendable (_ project: String, _ tenant: String?) throws(IdentityError) -> any IdentityStorage = {
    (_, _) throws(IdentityError) in MemoryIdentityStorage()
  }

  public init() {}

  /// What the official emulator does, and what it leaves out though apps need it: Apple's tokens are revoked, and
  /// authenticator apps can be a second factor.
  public static let standardSettings: AuthSettings = {
    var settings = AuthSettings.emulator
    settings.offersRevocation = true
    settings.offersTOTP = true
    settings.takesUnknownAppleCodes = true
    return settings
  }()
}

/// Sends an HTTP request to a function, and waits for the answer.
public protocol FunctionCaller: Sendable {
  /// A POST of JSON.
  /// - Parameters:
  ///   - url: `http`, on the loopback interface.
  ///   - body: what is sent.
  ///   - seconds: after which it gives up.
  /// - Returns: status and body; nil if there was no answer.
  func post(_ url: String, json body: [UInt8], timeout seconds: Int) -> (status: Int, body: [UInt8])?
}
