/// Records by a secret that a caller has to know: codes, refresh tokens, pending sign-ins. The secret is looked for by
/// its hash, so that the time a search takes tells nothing about the secrets there are.
struct SecretTable<Record: Sendable>: Sendable {
  private var records: [[UInt8]: Record] = [:]

  static func key(_ secret: String) -> [UInt8] { LibCrypto.digest(.sha256, Array(secret.utf8)) }

  subscript(secret: String) -> Record? {
    get { records[Self.key(secret)] }
    set { records[Self.key(secret)] = newValue }
  }

  var values: Dictionary<[UInt8], Record>.Values { records.values }
  var count: Int { records.count }

  mutating func removeAll(where isGone: (Record) -> Bool) {
    for (key, record) in records where isGone(record) { records[key] = nil }
  }
}
