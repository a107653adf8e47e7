import Identity
import JSON
import LocalFirestore
import RulesEngine
import RulesValues
import Testing

/// What the lifetime of a uid means for the data that rules guard by it.
@Suite("The lifetime of a uid under rules")
struct LifetimeOfUID {
  /// Article 002's rules, word for word, but for the writes, which it leaves to its server.
  static let rules = """
    rules_version = '2';
    service cloud.firestore {
      match /databases/{database}/documents {
        match /users/{uid}/lists/{id} {
          allow read: if request.auth != null && request.auth.uid == uid;
          allow write: if request.auth != null && request.auth.uid == uid;
        }
        match /verified/{id} { allow read: if request.auth.token.email_verified; }
        match /strong/{id} { allow read: if request.auth.token.firebase.sign_in_second_factor == 'totp'; }
        match /admins/{id} { allow read: if request.auth.token.admin == true; }
        match /{document=**} { allow read, write: if false; }
      }
    }
    """

  struct Scene {
    let world: World
    let firestore: LocalFirestore

    init(_ change: (inout AuthSettings) -> Void = { _ in }) throws {
      world = World(.articles, change)
      firestore = LocalFirestore(rules: try Ruleset(LifetimeOfUID.rules))
    }

    func reads(_ device: Device, _ path: String) throws -> Bool {
      let client = firestore.client(as: device)
      do throws(FirestoreError) {
        _ = try client.get(path)
        return true
      } catch {
        #expect(error.code == .permissionDenied)
        return false
      }
    }

    func writes(_ device: Device, _ path: String) throws {
      try firestore.client(as: device).set(path, ["title": .value(.string("Groceries"))])
    }
  }

  @Test(
    "Alice writes her list, and reads it after a reinstall; Bob never, nobody never; after deletion the new uid sees nothing")
  func story() throws {
    let scene = try Scene()
    let (alice, bob) = (scene.world.device(), scene.world.device())
    try alice.signIn(with: scene.world.appleCredential())
    try bob.signIn(with: scene.world.appleCredential(World.bob))
    let list = "/users/\(try alice.uid)/lists/groceries"
    try scene.writes(alice, list)
    #expect(try scene.reads(alice, list))
    #expect(try !scene.reads(bob, list))
    alice.reinstall()
    #expect(try !scene.reads(alice, list))
    try alice.signIn(with: scene.world.appleCredential())
    #expect(try scene.reads(alice, list))
    try alice.deleteUser()
    #expect(try !scene.reads(alice, list))
    try alice.signIn(with: scene.world.appleCredential())
    #expect(try !scene.reads(alice, list))
    #expect(try scene.reads(alice, "/users/\(try alice.uid)/lists/groceries"))
  }

  @Test("a guest loses the list with a reinstall, and keeps it with an upgrade")
  func guest() throws {
    let scene = try Scene()
    let guest = scene.world.device()
    try guest.signInAnonymously()
    let lost = "/users/\(try guest.uid)/lists/l"
    try scene.writes(guest, lost)
    guest.reinstall()
    try guest.signInAnonymously()
    #expect(try !scene.reads(guest, lost))
    let kept = "/users/\(try guest.uid)/lists/l"
    try scene.writes(guest, kept)
    try guest.link(with: scene.world.appleCredential())
    #expect(try scene.reads(guest, kept))
    guest.reinstall()
    try guest.signIn(with: scene.world.appleCredential())
    #expect(try scene.reads(guest, kept))
  }

  @Test(
    "a disabled, deleted or revoked account's token passes rules until it is to be renewed",
    arguments: ["disabled", "deleted", "revoked"])
  func ended(how: String) throws {
    let scene = try Scene()
    let device = try scene.world.signedUp()
    let uid = try device.uid
    let list = "/users/\(uid)/lists/l"
    scene.world.clock.advance(seconds: 10)
    switch how {
    case "disabled": try scene.world.admin.setDisabled(true, uid)
    case "deleted": try scene.world.admin.delete(uid)
    default: try scene.world.admin.revokeRefreshTokens(of: uid)
    }
    #expect(try scene.reads(device, list))
    scene.world.clock.advance(seconds: 3291)
    let client = scene.firestore.client(as: device)
    #expect { try client.get(list) } throws: { ($0 as? FirestoreError)?.code == .unauthenticated }
    #expect(device.currentUser == nil)
    #expect(try !scene.reads(device, list))
  }

  @Test("a client that is kept calls as whoever is signed in on its device at the time")
  func sameClient() throws {
    let scene = try Scene()
    let device = scene.world.device()
    let client = scene.firestore.client(as: device)
    #expect(try !client.allows(.get("/verified/x")))
    try device.signIn(with: scene.world.appleCredential())
    let list = "/users/\(try device.uid)/lists/l"
    #expect(try client.allows(.get(list)))
    scene.world.clock.advance(seconds: 100_000)
    #expect(try client.allows(.get(list)))
    device.signOut()
    #expect(try !client.allows(.get(list)))
    try device.signIn(with: scene.world.appleCredential(World.bob))
    #expect(try !client.allows(.get(list)))
    #expect(try client.allows(.get("/users/\(try device.uid)/lists/l")))
  }

  @Test("what an account has become shows with the next token: verified address, claims, second factor")
  func nextToken() throws {
    let scene = try Scene()
    let device = try scene.world.signedUp()
    #expect(try !scene.reads(device, "/verified/x"))
    try device.sendEmailVerification()
    try device.applyActionCode(scene.world.lastCode(.verifyEmail))
    try scene.world.admin.setCustomClaims(["admin": true], of: device.uid)
    #expect(try !scene.reads(device, "/verified/x"))
    #expect(try !scene.reads(device, "/admins/x"))
    try device.idToken(forcingRefresh: true)
    #expect(try scene.reads(device, "/verified/x"))
    #expect(try scene.reads(device, "/admins/x"))
    #expect(try !scene.reads(device, "/strong/x"))
    let secret = try device.startTOTPEnrolment()
    let key = try #require(Base32.decode(secret.sharedSecretKey))
    try device.finishEnrolment(sessionInfo: secret.sessionInfo, code: TOTP.code(secret: key, at: scene.world.now))
    #expect(try scene.reads(device, "/strong/x"))
    // Deny all stays deny all.
    #expect(try !scene.reads(device, "/anything/x"))
    #expect(try !scene.reads(scene.world.device(), "/verified/x"))
  }

  @Test("signed tokens say the same to rules, and texts that are no tokens are refused")
  func signed() throws {
    let scene = try Scene { $0.tokens = .signed }
    let device = try scene.world.signedUp()
    #expect(try scene.reads(device, "/users/\(try device.uid)/lists/l"))
    #expect(throws: IdentityError.self) { try scene.firestore.client(withToken: "x") }
    #expect(throws: IdentityError.self) { try scene.firestore.client(withToken: UnsignedToken.encode(["user_id": "u"])) }
  }
}
