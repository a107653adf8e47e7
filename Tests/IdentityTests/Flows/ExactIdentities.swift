import Identity
import Testing

/// Swift takes `é` in one scalar and in two for equal; to rules and to Firebase they are two texts, and two users.
@Suite("Exact identities")
struct ExactIdentities {
  static let composed = "\u{E9}"
  static let decomposed = "e\u{301}"

  @Test("uids that look alike are two accounts")
  func uids() throws {
    #expect(Self.composed == Self.decomposed)
    for storage in [MemoryIdentityStorage() as any IdentityStorage, try SQLiteIdentityStorage(path: ":memory:")] {
      let world = World(storage: storage)
      let (first, second) = (world.device(), world.device())
      try first.signIn(customToken: CustomToken.make(uid: Self.composed, at: world.now))
      #expect(try second.signIn(customToken: CustomToken.make(uid: Self.decomposed, at: world.now)).isNewUser)
      #expect(try world.admin.accountCount() == 2)
      #expect(try Array(#require(first.payload["sub"]?.stringValue).utf8) == Array(Self.composed.utf8))
      #expect(try Array(#require(second.payload["sub"]?.stringValue).utf8) == Array(Self.decomposed.utf8))
      try second.deleteUser()
      try first.reload()
      #expect(try AccountAudit.findings(world.server) == [])
    }
  }

  @Test("a link for one address does not sign in to one that looks alike, and both may have accounts")
  func emails() throws {
    let world = World()
    let (first, second) = ("\(Self.composed)@b.c", "\(Self.decomposed)@b.c")
    let owner = try world.signedUp(first)
    let device = world.device()
    try device.sendSignInLink(to: second)
    #expect(throws: IdentityError.self) { try device.signIn(with: .emailLink(email: first, link: world.lastLink())) }
    try device.signIn(with: .emailLink(email: second, link: world.lastLink()))
    #expect(try device.uid != owner.uid)
    #expect(try world.admin.accountCount() == 2)
    // Nor can one take the other's address.
    try owner.updateEmail(to: "free@b.c")
    try expectRefusal("EMAIL_EXISTS") { try owner.updateEmail(to: second) }
    #expect(try AccountAudit.findings(world.server) == [])
  }

  @Test("addresses are compared in lower case, for every script")
  func lowerCase() throws {
    let world = World()
    let uid = try world.signedUp("ÄÖÜ@Example.COM").uid
    let device = world.device()
    try device.signIn(email: "äöü@example.com", password: "secret1")
    #expect(try device.uid == uid)
    try expectRefusal("EMAIL_EXISTS") { try world.device().createUser(email: "ÄÖü@EXAMPLE.com", password: "secret1") }
  }
}
