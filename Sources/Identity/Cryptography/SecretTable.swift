/// Something that waits for whoever knows its secret.
protocol PendingRecord: Sendable {
  /// Milliseconds since 1970; nil for ever.
  var expiry: Int64? { get }
}

/// Records by a secret that a caller has to know: codes, pending sign-ins, nonces. The secret is looked for by its
/// hash, so that the time a search takes tells nothing about the secrets there are.
///
/// A table never holds more than its capacity, however many records are made: when it is full, those go whose time is
/// over, and if that is less than a quarter, the oldest of the others up to a quarter.
struct SecretTable<Record: PendingRecord>: Sendable {
  private struct Entry: Sendable {
    var record: Record
    let number: Int
  }

  private var entries: [[UInt8]: Entry] = [:]
  private var made = 0
  let capacity: Int

  /// - Parameter capacity: at least 4.
  init(capacity: Int = 10_000) { self.capacity = max(capacity, 4) }

  static func key(_ secret: String) -> [UInt8] { LibCrypto.digest(.sha256, Array(secret.utf8)) }

  subscript(secret: String) -> Record? { entries[Self.key(secret)]?.record }

  var values: [Record] { entries.values.map(\.record) }
  var count: Int { entries.count }

  func contains(key: [UInt8]) -> Bool { entries[key] != nil }

  /// - Parameter now: milliseconds since 1970.
  mutating func put(_ record: Record, for secret: String, at now: Int64) {
    put(record, key: Self.key(secret), at: now)
  }

  mutating func put(_ record: Record, key: [UInt8], at now: Int64) {
    if entries.count >= capacity, entries[key] == nil { makeRoom(at: now) }
    made += 1
    entries[key] = Entry(record: record, number: made)
  }

  /// Changes a record that is there; it grows no younger.
  mutating func change(_ secret: String, _ body: (inout Record) -> Void) {
    let key = Self.key(secret)
    guard var entry = entries[key] else { return }
    body(&entry.record)
    entries[key] = entry
  }

  mutating func remove(_ secret: String) { entries[Self.key(secret)] = nil }

  mutating func removeAll(where isGone: (Record) -> Bool) {
    for (key, entry) in entries where isGone(entry.record) { entries[key] = nil }
  }

  private mutating func makeRoom(at now: Int64) {
    removeAll { $0.expiry.map { $0 <= now } ?? false }
    let surplus = entries.count - (capacity - capacity / 4)
    guard surplus > 0 else { return }
    let oldest = entries.sorted { $0.value.number < $1.value.number }.prefix(surplus)
    for (key, _) in oldest { entries[key] = nil }
  }
}
