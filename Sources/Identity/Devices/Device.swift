import JSON
import Synchronization

/// An app on a device: `Auth` of the iOS SDK. It holds the refresh token, and with it a session; without it the way
/// back into an account is to sign in again, and into an anonymous one there is none.
///
/// Listeners are called on the caller's thread, after the call that gave rise to them.
public final class Device: Sendable {
  /// To remove a listener by.
  public struct ListenerHandle: Sendable, Hashable { let number: Int }

  /// Seconds before its end at which a token counts as expired.
  public static let refreshMargin: Int64 = 300

  struct Session: Sendable {
    var user: User
    var idToken: String
    var refreshToken: String
    /// Seconds since 1970.
    var expires: Int64
  }

  struct State: Sendable {
    var session: Session?
    var listeners: [Int: Listener] = [:]
    var listenersMade = 0
    var events: [DeviceEvent] = []
    var isOffline = false
    var isInForeground = true
    var nextAutoRefresh: Int64?
    var autoRefreshDelay: Int64 = 60
    var gate: BiometricGate?
    var isLocked = false

    mutating func log(_ event: DeviceEvent) {
      if events.count >= Device.mostEvents { events.removeFirst(Device.mostEvents / 2) }
      events.append(event)
    }
  }

  struct Listener: Sendable {
    enum Kind: Sendable { case state, token }

    let kind: Kind
    let call: @Sendable (User?) -> Void
    /// What it was told last: a uid or a token, and nil for nobody.
    var last: String?
  }

  public let server: AuthServer
  public let tenant: String?
  let state = Mutex(State())

  public init(server: AuthServer, tenant: String? = nil) {
    self.server = server
    self.tenant = tenant
  }

  public var currentUser: User? { state.withLock { $0.session?.user } }

  /// How many events are kept: beyond it the older half goes.
  static let mostEvents = 10_000

  /// What happened, in order.
  public var events: [DeviceEvent] { state.withLock { $0.events } }

  /// Without a network, every call to the server is refused.
  public var isOffline: Bool {
    get { state.withLock { $0.isOffline } }
    set { state.withLock { $0.isOffline = newValue } }
  }

  var seconds: Int64 { AuthTime.seconds(milliseconds: server.clock.milliseconds) }

  // MARK: Listeners

  /// Calls `body` now, and then whenever another user, or nobody, is signed in; not for new tokens of the same user.
  @discardableResult
  public func addStateListener(_ body: @escaping @Sendable (User?) -> Void) -> ListenerHandle { add(.state, body) }

  /// Calls `body` now, and then whenever the ID token is another one.
  @discardableResult
  public func addTokenListener(_ body: @escaping @Sendable (User?) -> Void) -> ListenerHandle { add(.token, body) }

  public func removeListener(_ handle: ListenerHandle) { state.withLock { $0.listeners[handle.number] = nil } }

  private func add(_ kind: Listener.Kind, _ body: @escaping @Sendable (User?) -> Void) -> ListenerHandle {
    let (handle, user) = state.withLock { state in
      state.listenersMade += 1
      let last = kind == .state ? state.session?.user.uid : state.session?.idToken
      state.listeners[state.listenersMade] = Listener(kind: kind, call: body, last: last)
      return (ListenerHandle(number: state.listenersMade), state.session?.user)
    }
    body(user)
    return handle
  }

  /// Changes the session, logs what happened, and tells the listeners it concerns.
  func change(_ session: Session?, _ events: [(DeviceEvent.Name, String?)]) {
    let time = server.clock.milliseconds
    let (calls, user) = state.withLock { state in
      let before = state.session
      state.session = session
      let uid = session?.user.uid ?? before?.user.uid
      for (name, detail) in events {
        state.log(DeviceEvent(name: name, uid: uid, detail: detail, time: time))
      }
      if session?.idToken != before?.idToken {
        if session != nil { state.log(DeviceEvent(name: .idTokenChanged, uid: uid, detail: nil, time: time)) }
        state.nextAutoRefresh = nil
        state.autoRefreshDelay = 60
      }
      var calls: [@Sendable (User?) -> Void] = []
      for (number, listener) in state.listeners.sorted(by: { $0.key < $1.key }) {
        let present = listener.kind == .state ? session?.user.uid : session?.idToken
        guard present != listener.last else { continue }
        state.listeners[number]?.last = present
        calls.append(listener.call)
      }
      return (calls, session?.user)
    }
    for call in calls { call(user) }
  }

  func log(_ name: DeviceEvent.Name, _ detail: String?) {
    let time = server.clock.milliseconds
    state.withLock { $0.log(DeviceEvent(name: name, uid: $0.session?.user.uid, detail: detail, time: time)) }
  }

  // MARK: Calls to the server

  /// Does a call that needs no session; refusals are logged.
  func call<Answer>(_ body: () throws(IdentityError) -> Answer) throws(IdentityError) -> Answer {
    do throws(IdentityError) {
      guard !isOffline else { throw IdentityError(code: ClientOnly.networkError, message: "the device is offline") }
      return try body()
    } catch {
      log(.refused, error.plainCode)
      throw error
    }
  }

  /// Does a call for the signed-in user. Four refusals say that the session is no good: they sign out.
  func authenticatedCall<Answer>(
    _ body: (Session, String) throws(IdentityError) -> Answer
  ) throws(IdentityError) -> (answer: Answer, session: Session) {
    do throws(IdentityError) {
      let token = try idToken()
      guard let session = state.withLock({ $0.session }) else { throw Self.nobody }
      return (try call { () throws(IdentityError) in try body(session, token) }, session)
    } catch {
      signOutIfInvalid(error)
      throw error
    }
  }

  func signOutIfInvalid(_ error: IdentityError) {
    let codes: [AuthErrorCode] = [.userNotFound, .invalidUserToken, .userTokenExpired, .userDisabled]
    guard codes.contains(error.clientCode), currentUser != nil else { return }
    change(nil, [(.sessionEnded, error.plainCode)])
  }

  static let nobody = IdentityError(code: "NO_CURRENT_USER", message: "nobody is signed in on this device")

  /// Makes the session of new tokens the device's.
  func adopt(_ tokens: IssuedTokens, _ events: [(DeviceEvent.Name, String?)]) throws(IdentityError) -> User {
    let user = User(try server.lookup(idToken: tokens.idToken))
    change(
      Session(
        user: user, idToken: tokens.idToken, refreshToken: tokens.refreshToken,
        expires: try IDTokenResult(token: tokens.idToken).expirationDate),
      events)
    return user
  }
}
