import Identity
import JSON
import Synchronization
import Testing

/// Table 1b of the specification, row by row: sessions, listeners and devices.
@Suite("1b. Sessions and listeners")
struct SessionsTable {
  final class Calls: Sendable {
    private let list = Mutex<[String?]>([])
    func add(_ user: User?) { list.withLock { $0.append(user?.uid) } }
    var all: [String?] { list.withLock { $0 } }
  }

  @Test("addStateDidChangeListener: once when added, then when the uid changes")
  func stateListener() throws {
    let world = World()
    let device = world.device()
    let calls = Calls()
    let handle = device.addStateListener { calls.add($0) }
    #expect(calls.all == [nil])
    try device.signInAnonymously()
    let guest = try device.uid
    #expect(calls.all == [nil, guest])
    try device.idToken(forcingRefresh: true)
    world.clock.advance(seconds: 1)
    try device.idToken(forcingRefresh: true)
    try device.link(with: .password(email: "a@b.c", password: "secret1"))
    #expect(calls.all == [nil, guest])
    try device.signIn(with: world.googleCredential())
    let google = try device.uid
    device.signOut()
    #expect(calls.all == [nil, guest, google, nil])
    device.signOut()
    device.removeListener(handle)
    try device.signIn(with: world.googleCredential())
    #expect(calls.all == [nil, guest, google, nil])
    let late = Calls()
    device.addStateListener { late.add($0) }
    #expect(late.all == [google])
  }

  @Test("addIDTokenDidChangeListener: once when added, then with each other token, and at sign-out")
  func tokenListener() throws {
    let world = World()
    let device = world.device()
    let calls = Calls()
    device.addTokenListener { calls.add($0) }
    #expect(calls.all == [nil])
    try device.signInAnonymously()
    #expect(calls.all.count == 2)
    // The same second, the same token.
    try device.idToken(forcingRefresh: true)
    #expect(calls.all.count == 2)
    world.clock.advance(seconds: 1)
    try device.idToken(forcingRefresh: true)
    #expect(calls.all.count == 3)
    try device.link(with: .password(email: "a@b.c", password: "secret1"))
    #expect(calls.all.count == 4)
    try device.updateProfile(displayName: "A")
    #expect(calls.all.count == 4)
    device.signOut()
    #expect(calls.all.count == 5)
    #expect(calls.all.last == .some(nil))
  }

  @Test(
    "the session persists when the app is started again; on iOS it outlives the app's deletion, unless it is cleared")
  func persistence() throws {
    let world = World()
    let device = try world.signedUp()
    let uid = try device.uid
    device.relaunch()
    #expect(try device.uid == uid)
    device.reinstall(keepsKeychain: true)
    #expect(try device.uid == uid)
    try device.idToken(forcingRefresh: true)
    device.reinstall()
    #expect(device.currentUser == nil)
    #expect(device.heldToken == nil)
    #expect(try device.requestAuth() == .null)
  }

  @Test("reinstall, and another iPhone with the same Apple ID: the same uid")
  func sameAppleID() throws {
    let world = World()
    let phone = world.device()
    try phone.signIn(with: world.appleCredential())
    let uid = try phone.uid
    phone.reinstall()
    #expect(try !phone.signIn(with: world.appleCredential()).isNewUser)
    #expect(try phone.uid == uid)
    let tablet = world.device()
    try tablet.signIn(with: world.appleCredential())
    #expect(try tablet.uid == uid)
    let bob = world.device()
    try bob.signIn(with: world.appleCredential(World.bob))
    #expect(try bob.uid != uid)
    #expect(try world.admin.accountCount() == 2)
  }

  @Test("after the account's deletion the same Apple ID is a new uid")
  func afterDeletion() throws {
    let world = World()
    let device = world.device()
    try device.signIn(with: world.appleCredential())
    let uid = try device.uid
    let sub = try #require(device.currentUser?.providerData.first).rawID
    try device.deleteUser()
    #expect(device.currentUser == nil)
    #expect(try device.signIn(with: world.appleCredential()).isNewUser)
    #expect(try device.uid != uid)
    #expect(device.currentUser?.providerData.first?.rawID == sub)
  }

  @Test("an anonymous user after a wipe, or on another device, is a new uid; the old one is orphaned")
  func anonymousWipe() throws {
    let world = World()
    let device = world.device()
    try device.signInAnonymously()
    let uid = try device.uid
    device.reinstall()
    try device.signInAnonymously()
    #expect(try device.uid != uid)
    #expect(try world.admin.account(uid).isAnonymous)
    #expect(try world.admin.accountCount() == 2)
  }

  @Test("signOut is the client's alone: other devices and the server's session are not touched")
  func signOut() throws {
    let world = World()
    let phone = try world.signedUp()
    let refreshToken = try #require(phone.heldRefreshToken)
    let tablet = world.device()
    try tablet.signIn(email: "alice@example.com", password: "secret1")
    phone.signOut()
    #expect(try phone.requestAuth() == .null)
    #expect(try tablet.idToken(forcingRefresh: true) == tablet.heldToken)
    #expect(try world.server.refresh(refreshToken).uid == tablet.uid)
  }

  @Test(
    "getIDToken: the cached one while it has five minutes left; in front it is renewed by itself, with growing pauses")
  func idToken() throws {
    let world = World()
    let device = try world.signedUp()
    let first = try device.idToken()
    world.clock.advance(seconds: 3300)
    #expect(try device.idToken() == first)
    world.clock.advance(seconds: 1)
    let second = try device.idToken()
    #expect(second != first)
    #expect(try device.payload["auth_time"] == 1_767_225_600)
    #expect(try device.payload["iat"] == 1_767_228_901)
    world.clock.advance(seconds: 1)
    #expect(try device.idToken() == second)
    #expect(try device.idToken(forcingRefresh: true) != second)
    // By itself.
    world.clock.advance(seconds: 3299)
    #expect(!device.autoRefresh())
    world.clock.advance(seconds: 1)
    device.isInForeground = false
    #expect(!device.autoRefresh())
    device.isInForeground = true
    device.isOffline = true
    #expect(device.autoRefresh())
    for pause in [60, 120, 240, 480, 960, 960] as [Int64] {
      world.clock.advance(seconds: pause - 1)
      #expect(!device.autoRefresh())
      world.clock.advance(seconds: 1)
      #expect(device.autoRefresh())
    }
    device.isOffline = false
    world.clock.advance(seconds: 960)
    #expect(device.autoRefresh())
    #expect(try device.payload["iat"] == .int(world.now))
    #expect(!device.autoRefresh())
  }

  @Test("getIDTokenResult: claims, dates, provider, second factor, read from the token")
  func idTokenResult() throws {
    let world = World()
    let device = try world.signedUp()
    try world.admin.setCustomClaims(["admin": true], of: device.uid)
    world.clock.advance(seconds: 100)
    let result = try device.idTokenResult(forcingRefresh: true)
    #expect(result.claims["admin"] == true)
    #expect(result.authDate == 1_767_225_600)
    #expect(result.issuedAtDate == 1_767_225_700)
    #expect(result.expirationDate == 1_767_229_300)
    #expect(result.signInProvider == "password")
    #expect(result.signInSecondFactor == nil)
    #expect(result.token == device.heldToken)
    for text in ["", "a.b.c", UnsignedToken.encode([:]), UnsignedToken.encode(["auth_time": 0, "iat": 0, "exp": 1])] {
      #expect(try expectRefusal("MALFORMED_JWT") { try IDTokenResult(token: text) }.clientCode == .malformedJWT)
    }
  }

  @Test("profile changes and reload: name and picture with the next token, cleared too")
  func profile() throws {
    let world = World()
    let device = try world.signedUp()
    try device.updateProfile(displayName: "Alice", photoURL: "https://p")
    #expect(device.currentUser?.displayName == "Alice")
    #expect(try device.payload["name"] == nil)
    try device.idToken(forcingRefresh: true)
    #expect(try device.payload["name"] == "Alice")
    #expect(try device.payload["picture"] == "https://p")
    try device.updateProfile(displayName: .some(nil), photoURL: .some(nil))
    #expect(device.currentUser?.displayName == nil)
    try device.idToken(forcingRefresh: true)
    #expect(try device.payload["name"] == nil)
    #expect(try device.payload["picture"] == nil)
    try world.admin.setEmailVerified(true, device.uid)
    #expect(device.currentUser?.isEmailVerified == false)
    try device.reload()
    #expect(device.currentUser?.isEmailVerified == true)
  }

  @Test("the event log tells of sign-ins, tokens, links and refusals, with their times")
  func events() throws {
    let world = World()
    let device = world.device()
    try device.signInAnonymously()
    world.clock.advance(seconds: 5)
    try device.link(with: world.googleCredential())
    try? device.unlink("github.com")
    _ = try? device.signIn(email: "x@y.z", password: "secret")
    device.signOut()
    let events = device.events
    #expect(
      events.map(\.name.rawValue) == [
        "signed_in", "id_token_changed", "linked", "id_token_changed", "refused", "signed_out",
      ])
    #expect(events.map(\.detail) == ["anonymous", nil, "google.com", nil, "EMAIL_NOT_FOUND", nil])
    #expect(events[2].time == (World.start + 5) * 1000)
    #expect(Set(events.map(\.uid)).count == 1)
  }
}
