/// Where accounts, the index of their identities, and sessions are kept. One server uses it, one call at a time.
public protocol IdentityStorage: Sendable {
  func account(_ uid: String) throws(IdentityError) -> Account?
  /// Whose identity this is.
  func uid(for key: AccountKey) throws(IdentityError) -> String?
  /// All uids, in the order of their bytes, beginning after one.
  func uids(after uid: String?, limit: Int) throws(IdentityError) -> [String]
  var accountCount: Int { get throws(IdentityError) }

  /// Stores a new account, or another state of one, and its index entries.
  /// - Throws: `INTERNAL_ERROR` if another account has one of the entries; nothing is changed then.
  mutating func put(_ account: Account, replacing old: Account?) throws(IdentityError)
  /// Removes an account, its index entries and its sessions.
  /// - Returns: the keys of the sessions.
  mutating func remove(_ account: Account) throws(IdentityError) -> [[UInt8]]

  /// - Parameter key: the hash of the refresh token.
  func session(_ key: [UInt8]) throws(IdentityError) -> AuthSession?
  mutating func putSession(_ session: AuthSession, key: [UInt8]) throws(IdentityError)

  // For checking, and for tools.
  var indexEntries: [AccountKey: String] { get throws(IdentityError) }
  var sessions: [AuthSession] { get throws(IdentityError) }
}

/// Accounts in memory.
public struct MemoryIdentityStorage: IdentityStorage {
  private var accounts: [ExactText: Account] = [:]
  private var index: [AccountKey: String] = [:]
  private var sessionsByKey: [[UInt8]: AuthSession] = [:]
  private var sessionKeys: [ExactText: [[UInt8]]] = [:]

  public init() {}

  public func account(_ uid: String) -> Account? { accounts[ExactText(uid)] }
  public func uid(for key: AccountKey) -> String? { index[key] }
  public var accountCount: Int { accounts.count }

  public func uids(after uid: String?, limit: Int) -> [String] {
    let sorted = accounts.keys.map(\.text).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    guard let uid else { return Array(sorted.prefix(max(limit, 0))) }
    return Array(sorted.lazy.filter { uid.utf8.lexicographicallyPrecedes($0.utf8) }.prefix(max(limit, 0)))
  }

  public mutating func put(_ account: Account, replacing old: Account?) throws(IdentityError) {
    let keys = account.keys
    for key in keys {
      if let owner = index[key], !owner.isExactly(account.uid) {
        throw IdentityError(
          code: "INTERNAL_ERROR", message: "\(key.kind) '\(key.value)' belongs to the account \(owner)")
      }
    }
    for key in old?.keys ?? [] { index[key] = nil }
    for key in keys { index[key] = account.uid }
    accounts[ExactText(account.uid)] = account
  }

  public mutating func remove(_ account: Account) -> [[UInt8]] {
    for key in account.keys { index[key] = nil }
    accounts[ExactText(account.uid)] = nil
    let keys = sessionKeys.removeValue(forKey: ExactText(account.uid)) ?? []
    for key in keys { sessionsByKey[key] = nil }
    return keys
  }

  public func session(_ key: [UInt8]) -> AuthSession? { sessionsByKey[key] }

  public mutating func putSession(_ session: AuthSession, key: [UInt8]) {
    sessionsByKey[key] = session
    sessionKeys[ExactText(session.uid), default: []].append(key)
  }

  public var indexEntries: [AccountKey: String] { index }
  public var sessions: [AuthSession] { Array(sessionsByKey.values) }
}
