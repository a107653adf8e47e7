import JSON
import Synchronization

/// Sign in with Apple, as far as an app and its server see it: who may use the app, which name and address it was told,
/// and which authorizations were revoked. One service stands for one developer team.
public final class AppleService: Sendable {
  public enum Scope: Sendable { case fullName, email }

  /// What the system hands to an app.
  public struct Authorization: Sendable, Equatable {
    /// Apple's id of the person for this team: the same on every device, after every reinstall, for every app of the
    /// team.
    public let user: String
    public let idToken: String
    public let authorizationCode: String
    /// Only the first time, if asked for.
    public let fullName: String?
    /// Only the first time, if asked for. (The token has it every time.)
    public let email: String?
    /// Whether the person was asked whether the app may know them.
    public let askedForConsent: Bool
  }

  /// Somebody with an Apple ID.
  public struct Person: Sendable, Equatable {
    public var appleID: String
    public var fullName: String
    /// Whether apps get an address of Apple's that passes mail on.
    public var hidesEmail: Bool

    public init(appleID: String, fullName: String, hidesEmail: Bool = true) {
      self.appleID = appleID
      self.fullName = fullName
      self.hidesEmail = hidesEmail
    }
  }

  private struct Consent {
    let sharesEmail: Bool
  }

  private struct State {
    var consents: [String: Consent] = [:]
    var codes: [String: String] = [:]
    var revoked: [String] = []
    var serial = 0
  }

  public let team: String
  /// The app's bundle id, the `aud` of the tokens.
  public let clientID: String
  private let state = Mutex(State())

  public init(team: String = "TEAM123456", clientID: String = "com.example.app") {
    self.team = team
    self.clientID = clientID
  }

  /// What happens when somebody taps the button.
  /// - Parameters:
  ///   - person: who taps.
  ///   - scopes: what the app asks for.
  ///   - nonce: the SHA-256 of the app's raw nonce, see `AppleNonce.hash`.
  ///   - seconds: since 1970.
  public func authorize(_ person: Person, scopes: Set<Scope> = [], nonce: String?, at seconds: Int64) -> Authorization {
    let user = identifier(of: person.appleID)
    return state.withLock { state in
      let isFirst = state.consents[user] == nil
      if isFirst { state.consents[user] = Consent(sharesEmail: scopes.contains(.email)) }
      let address: String? = state.consents[user]?.sharesEmail == true ? self.address(of: person, user) : nil
      state.serial += 1
      let code =
        "c"
        + Hexadecimal.encode(
          Array(LibCrypto.digest(.sha256, Array("\(user) \(state.serial)".utf8)).prefix(16)))
      state.codes[code] = user
      var token: JSONObject = [
        "iss": "https://appleid.apple.com", "aud": .string(clientID), "exp": .int(seconds &+ 86_400),
        "iat": .int(seconds),
        "sub": .string(user),
      ]
      token["nonce"] = nonce.map(JSONValue.string)
      token["email"] = address.map(JSONValue.string)
      if address != nil {
        token["email_verified"] = true
        if person.hidesEmail { token["is_private_email"] = true }
      }
      token["auth_time"] = .int(seconds)
      token["nonce_supported"] = true
      return Authorization(
        user: user, idToken: UnsignedToken.encode(token), authorizationCode: code,
        fullName: isFirst && scopes.contains(.fullName) ? person.fullName : nil,
        email: isFirst ? address : nil, askedForConsent: isFirst)
    }
  }

  /// Ends what an authorization code gave; the next sign-in asks the person again.
  /// - Returns: whether the code was known and not revoked before.
  func revoke(_ code: String) -> Bool {
    state.withLock { state in
      guard let user = state.codes.removeValue(forKey: code) else { return false }
      state.consents[user] = nil
      state.revoked.append(code)
      return true
    }
  }

  /// The person takes the consent back, in the settings of their device.
  public func withdrawConsent(of person: Person) {
    let user = identifier(of: person.appleID)
    state.withLock { $0.consents[user] = nil }
  }

  /// The authorization codes that were revoked, in order.
  public var revokedCodes: [String] { state.withLock { $0.revoked } }

  public func hasConsent(of person: Person) -> Bool {
    let user = identifier(of: person.appleID)
    return state.withLock { $0.consents[user] != nil }
  }

  private func identifier(of appleID: String) -> String {
    let hash = Hexadecimal.encode(LibCrypto.digest(.sha256, Array((team + " " + appleID.lowercased()).utf8)))
    return "001\(hash.prefix(3)).\(hash.dropFirst(3).prefix(32)).0000"
  }

  private func address(of person: Person, _ user: String) -> String {
    person.hidesEmail
      ? Hexadecimal.encode(Array(LibCrypto.digest(.sha1, Array(user.utf8)).prefix(5))) + "@privaterelay.appleid.com"
      : person.appleID.lowercased()
  }
}
