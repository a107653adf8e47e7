import JSON
import Synchronization

/// The people at Google, Facebook and the other identity providers, and the tokens by which they are known.
public final class ProviderDirectory: Sendable {
  private struct Entry: PendingRecord {
    let providerID: String
    let secret: String?
    let profile: JSONObject
    var expiry: Int64? { nil }
  }

  private struct State {
    /// The last ones.
    var tokens = SecretTable<Entry>(capacity: 100_000)
    var serial = 0
  }

  private let state = Mutex(State())

  public init() {}

  /// The credential that an app gets when somebody signs in at a provider: an ID token where the provider makes one,
  /// else an access token that the server asks about, and for Twitter a secret with it.
  /// - Parameters:
  ///   - providerID: `google.com` and its like.
  ///   - profile: what the provider says: `sub`, `email`, `email_verified`, `name`, `picture`, …
  ///   - rawNonce: the token carries its hash.
  public func credential(_ providerID: String, _ profile: JSONObject, rawNonce: String? = nil) -> ProviderCredential {
    var credential = ProviderCredential(providerID: providerID)
    let serial = state.withLock { state in
      state.serial += 1
      return state.serial
    }
    let accessToken = "\(providerID)-access-\(serial)"
    switch providerID {
    case ProviderID.facebook, ProviderID.twitter, ProviderID.github, ProviderID.playGames, ProviderID.gameCenter:
      let secret = providerID == ProviderID.twitter ? "\(providerID)-secret-\(serial)" : nil
      register(providerID, accessToken: accessToken, secret: secret, profile)
      credential.accessToken = accessToken
      credential.secret = secret
    default:
      var claims = profile
      claims["nonce"] = rawNonce.map { .string(AppleNonce.hash($0)) }
      credential.idToken = UnsignedToken.encode(claims)
      credential.rawNonce = rawNonce
      if providerID == ProviderID.google { credential.accessToken = accessToken }
    }
    return credential
  }

  /// Makes an access token known.
  public func register(_ providerID: String, accessToken: String, secret: String? = nil, _ profile: JSONObject) {
    let entry = Entry(providerID: providerID, secret: secret, profile: profile)
    state.withLock { $0.tokens.put(entry, for: accessToken, at: 0) }
  }

  func profile(_ providerID: String, accessToken: String, secret: String?) -> JSONObject? {
    state.withLock { state in
      guard let entry = state.tokens[accessToken], entry.providerID == providerID, entry.secret == secret else {
        return nil
      }
      return entry.profile
    }
  }
}
