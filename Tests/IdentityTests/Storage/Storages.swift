@testable import Identity
import Foundation
import JSON
import Testing

@Suite("Storage")
struct Storages {
  static func file() -> String {
    FileManager.default.temporaryDirectory.appending(path: "identity-\(UUID().uuidString).sqlite").path
  }

  /// An account with everything that can be stored.
  static var full: Account {
    get throws {
      var account = Account(uid: "ü'\"\u{0}x", tenant: "t-1", at: -5)
      account.setEmail("a@b.c", verified: true)
      var random = Randomness(seed: 1)
      account.setPassword(try PasswordHash("secret", cost: .none, random: &random))
      account.allowEmailLink()
      account.link(LinkedProvider(id: "google.com", rawID: "1", email: "g@b.c", displayName: "G", photoURL: "p"))
      account.link(LinkedProvider(id: "phone", rawID: "+15555550100"))
      account.displayName = "日本 😀"
      account.photoURL = "https://p"
      account.customClaims = ["n": 1, "d": 1.5, "list": [nil, ["x": true]]]
      account.isDisabled = true
      account.isCustomAuth = true
      account.lastLoginAt = .max
      var phone = EnrolledFactor(id: "F1", displayName: "my phone", method: .phone("+15555550101"), enrolledAt: 3)
      phone.lastStep = 7
      account.secondFactors = [
        phone, EnrolledFactor(id: "F2", displayName: nil, method: .totp([0, 255, 3]), enrolledAt: 4),
      ]
      return account
    }
  }

  @Test("an account and a session come back as they were stored")
  func roundTrip() throws {
    let file = Self.file()
    defer { try? FileManager.default.removeItem(atPath: file) }
    let account = try Self.full
    var session = AuthSession(uid: account.uid, tenant: "t-1", signInProvider: "saml.x", authTime: 9)
    session.claims = ["role": "r"]
    session.attributes = ["dept": ["a"]]
    session.secondFactor = SecondFactor(.totp, identifier: "F2")
    var storage = try SQLiteIdentityStorage(path: file)
    try storage.put(account, replacing: nil)
    try storage.putSession(session, key: [1, 0, 2])
    // Another connection reads what the first has written.
    let again = try SQLiteIdentityStorage(path: file)
    #expect(try again.account(account.uid) == account)
    #expect(try again.session([1, 0, 2]) == session)
    #expect(try again.session([1]) == nil)
    #expect(try again.account("nobody") == nil)
    for key in account.keys { #expect(try again.uid(for: key) == account.uid) }
    #expect(try again.uid(for: .email("a@b.c")) == nil)
    #expect(try again.accountCount == 1)

    var imported = Account(uid: "i", tenant: nil, at: 0)
    imported.setEmail("i@b.c", verified: false)
    imported.setPassword(
      .firebase(hash: Passwords.example.hash, salt: Passwords.example.salt, Passwords.example.parameters))
    try storage.put(imported, replacing: nil)
    #expect(try again.account("i") == imported)
  }

  @Test("an identity that another account has is refused, and nothing is changed", arguments: [true, false])
  func taken(inMemory: Bool) throws {
    var storage: any IdentityStorage = inMemory ? MemoryIdentityStorage() : try SQLiteIdentityStorage(path: ":memory:")
    var first = Account(uid: "1", tenant: nil, at: 0)
    first.setEmail("a@b.c", verified: false)
    try storage.put(first, replacing: nil)
    let before = Account(uid: "2", tenant: nil, at: 0)
    try storage.put(before, replacing: nil)
    var after = before
    after.link(LinkedProvider(id: "github.com", rawID: "9"))
    after.setEmail("a@b.c", verified: false)
    #expect(throws: IdentityError.self) { try storage.put(after, replacing: before) }
    #expect(try storage.account("2") == before)
    #expect(try storage.uid(for: .provider("github.com", "9")) == nil)
    #expect(try storage.uid(for: .email("a@b.c")) == "1")
    // The same identity in a tenant is another one.
    var tenant = Account(uid: "3", tenant: "t", at: 0)
    tenant.setEmail("a@b.c", verified: false)
    try storage.put(tenant, replacing: nil)
    #expect(try storage.uids(after: "1", limit: 10) == ["2", "3"])
    #expect(try storage.uids(after: nil, limit: 1) == ["1"])
    #expect(try storage.remove(first) == [])
    #expect(try storage.uid(for: .email("a@b.c")) == nil)
  }

  @Test("a server on a file goes on where the last one ended")
  func restart() throws {
    let file = Self.file()
    defer { try? FileManager.default.removeItem(atPath: file) }
    let world = World(storage: try SQLiteIdentityStorage(path: file))
    let device = try world.verified()
    try device.link(with: world.googleCredential())
    let (uid, refreshToken) = (try device.uid, try #require(device.heldRefreshToken))
    let again = World(storage: try SQLiteIdentityStorage(path: file))
    #expect(try again.server.refresh(refreshToken).uid == uid)
    let other = again.device()
    try other.signIn(email: "alice@example.com", password: "secret1")
    #expect(try other.uid == uid)
    try other.signIn(with: again.googleCredential())
    #expect(try other.uid == uid)
    #expect(try AccountAudit.findings(again.server) == [])
    try other.deleteUser()
    #expect(try AccountAudit.findings(again.server) == [])
    #expect(throws: IdentityError.self) { try again.server.refresh(refreshToken) }
  }

  @Test("SQLite searches by key, and never scans")
  func plans() throws {
    let plans = try SQLiteIdentityStorage(path: ":memory:").plans()
    #expect(plans.count == 8)
    for plan in plans { #expect(plan.hasPrefix("SEARCH "), "\(plan)") }
  }

  @Test("a file that is no database, and a record that is damaged, are errors")
  func damaged() throws {
    #expect(throws: IdentityError.self) { try SQLiteIdentityStorage(path: "/nowhere/at/all.sqlite") }
    let file = Self.file()
    defer { try? FileManager.default.removeItem(atPath: file) }
    try Data(repeating: 65, count: 5000).write(to: URL(filePath: file))
    #expect(throws: IdentityError.self) { try SQLiteIdentityStorage(path: file) }
    for text in ["", "[]", "{}", "{\"uid\":1}", "{\"uid\":\"u\",\"createdAt\":1.5}"] {
      #expect(throws: IdentityError.self) { try Account(stored: Array(text.utf8)) }
      #expect(throws: IdentityError.self) { try AuthSession(stored: Array(text.utf8)) }
    }
  }
}
