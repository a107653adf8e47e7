import Synchronization

/// Tokens by which programs act for a user, without the user's session: bound to the uid, so good after a reinstall,
/// and dead with the account. The server keeps only their hashes.
public final class AgentTokens: Sendable {
  public struct Entry: PendingRecord, Equatable {
    public let id: String
    public let uid: String
    public let name: String
    /// Milliseconds since 1970.
    public let createdAt: Int64
    /// Of the account: another one with the same uid, made later, does not inherit the token.
    let accountCreatedAt: Int64
    var expiry: Int64? { nil }
  }

  private struct State {
    var entries = SecretTable<Entry>(capacity: .max)
    var random: Randomness
  }

  /// What every token begins with, so that it is told from an ID token, and found by those who look for leaked secrets.
  public static let prefix = "agent_"

  /// How many tokens a user can have.
  public static let most = 100

  private let auth: AuthServer
  private let state: Mutex<State>

  public init(auth: AuthServer, seed: UInt64? = nil) {
    self.auth = auth
    state = Mutex(State(random: Randomness(seed: seed)))
  }

  /// - Returns: the token, which cannot be shown again.
  /// - Throws: `USER_NOT_FOUND`; `TOO_MANY_AGENTS`, until one is withdrawn.
  public func make(for uid: String, name: String) throws(IdentityError) -> String {
    let account = try auth.admin.account(uid)
    let now = auth.clock.milliseconds
    guard entries(of: uid).count < Self.most else {
      throw IdentityError(code: "TOO_MANY_AGENTS", message: "a user has at most \(Self.most) tokens for agents")
    }
    return state.withLock { state in
      let token = Self.prefix + state.random.letters(43)
      let id = state.random.letters(12)
      let entry = Entry(id: id, uid: uid, name: name, createdAt: now, accountCreatedAt: account.createdAt)
      state.entries.put(entry, for: token, at: now)
      return token
    }
  }

  /// For whom a token speaks; nil if it is unknown, was withdrawn, or its account is gone or disabled.
  public func uid(of token: String) -> String? {
    guard token.hasPrefix(Self.prefix), let entry = state.withLock({ $0.entries[token] }) else { return nil }
    guard let account = try? auth.admin.account(entry.uid), !account.isDisabled,
      account.createdAt == entry.accountCreatedAt
    else {
      return nil
    }
    return entry.uid
  }

  public func entries(of uid: String) -> [Entry] {
    state.withLock { $0.entries.values.filter { $0.uid.isExactly(uid) } }
      .sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
  }

  /// - Returns: whether the user had such a token.
  public func withdraw(_ id: String, of uid: String) -> Bool {
    state.withLock { state in
      let before = state.entries.count
      state.entries.removeAll { $0.id == id && $0.uid.isExactly(uid) }
      return state.entries.count < before
    }
  }

  func removeAll(of uid: String) { state.withLock { $0.entries.removeAll { $0.uid.isExactly(uid) } } }
}
