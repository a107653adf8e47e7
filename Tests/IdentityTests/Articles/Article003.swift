import Identity
import JSON
import Synchronization
import Testing

/// Article 003: a SwiftUI login with address and password.
@Suite("Article 003: address and password")
struct Article003 {
  /// The article's view model: what the screen shows follows the state listener.
  final class ViewModel: Sendable {
    let shown = Mutex<[String]>([])

    init(_ device: Device) {
      device.addStateListener { user in
        self.shown.withLock { $0.append(user.map { $0.email ?? $0.uid } ?? "login") }
      }
    }

    var screens: [String] { shown.withLock { $0 } }
  }

  @Test("scene 1: the app starts at the login, signs up, and is inside")
  func signUp() throws {
    let world = World()
    let device = world.device()
    let model = ViewModel(device)
    #expect(model.screens == ["login"])
    try device.createUser(email: "alice@example.com", password: "secret1")
    #expect(model.screens == ["login", "alice@example.com"])
    #expect(try device.payload["email_verified"] == false)
  }

  @Test("scene 2: a wrong password leaves the login on the screen")
  func wrongPassword() throws {
    let world = World()
    _ = try world.signedUp()
    let device = world.device()
    let model = ViewModel(device)
    #expect(
      try expectRefusal("INVALID_PASSWORD") { try device.signIn(email: "alice@example.com", password: "wrong1") }.clientCode == .wrongPassword)
    #expect(
      try expectRefusal("EMAIL_NOT_FOUND") { try device.signIn(email: "bob@example.com", password: "wrong1") }.clientCode == .userNotFound)
    #expect(model.screens == ["login"])
    try device.signIn(email: "alice@example.com", password: "secret1")
    #expect(model.screens == ["login", "alice@example.com"])
  }

  @Test("scene 3: the app is started again, and is inside at once")
  func relaunch() throws {
    let world = World()
    let device = try world.signedUp()
    device.relaunch()
    #expect(ViewModel(device).screens == ["alice@example.com"])
  }

  @Test("scene 4: the reset mail goes to existing accounts only")
  func reset() throws {
    let world = World()
    let device = world.device()
    try expectRefusal("EMAIL_NOT_FOUND") { try device.sendPasswordReset(to: "alice@example.com") }
    #expect(world.server.emailCodes.isEmpty)
    _ = try world.signedUp()
    try device.sendPasswordReset(to: "alice@example.com")
    try device.confirmPasswordReset(code: world.lastCode(.passwordReset), newPassword: "secret2")
    try device.signIn(email: "alice@example.com", password: "secret2")
    #expect(try device.payload["email_verified"] == true)
  }

  @Test("scene 5: signing out shows the login again, on this device alone")
  func signOut() throws {
    let world = World()
    let device = try world.signedUp()
    let other = world.device()
    try other.signIn(email: "alice@example.com", password: "secret1")
    let (model, otherModel) = (ViewModel(device), ViewModel(other))
    device.signOut()
    #expect(model.screens == ["alice@example.com", "login"])
    #expect(otherModel.screens == ["alice@example.com"])
  }
}
