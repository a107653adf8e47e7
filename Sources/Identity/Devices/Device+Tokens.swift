import JSON

extension Device {
  /// The present ID token. One that is good for five minutes more is used again, unless a fresh one is forced.
  /// - Throws: `NO_CURRENT_USER`, and what a refresh is refused for; the four codes that end a session sign out.
  @discardableResult
  public func idToken(forcingRefresh: Bool = false) throws(IdentityError) -> String {
    guard let session = state.withLock({ $0.session }) else { throw Self.nobody }
    if !forcingRefresh, session.expires - seconds >= Self.refreshMargin { return session.idToken }
    do throws(IdentityError) {
      let server = server
      let tokens = try call { () throws(IdentityError) in try server.refresh(session.refreshToken) }
      var renewed = session
      renewed.idToken = tokens.idToken
      renewed.expires = try IDTokenResult(token: tokens.idToken).expirationDate
      change(renewed, [])
      return tokens.idToken
    } catch {
      // What a refresh token of a deleted account is refused with by the emulator ends the session too.
      if error.plainCode == "INVALID_REFRESH_TOKEN" {
        change(nil, [(.sessionEnded, error.plainCode)])
      } else {
        signOutIfInvalid(error)
      }
      throw error
    }
  }

  /// The present ID token and what is in it.
  public func idTokenResult(forcingRefresh: Bool = false) throws(IdentityError) -> IDTokenResult {
    try IDTokenResult(token: try idToken(forcingRefresh: forcingRefresh))
  }

  /// The ID token that the device holds, however old; nil when nobody is signed in.
  public var heldToken: String? { state.withLock { $0.session?.idToken } }

  /// The refresh token that the device holds. Whoever has it has the session.
  public var heldRefreshToken: String? { state.withLock { $0.session?.refreshToken } }

  /// `request.auth` of a request that this device makes now: null when nobody is signed in.
  /// - Throws: what a refresh is refused for, where one is due.
  public func requestAuth() throws(IdentityError) -> JSONValue {
    guard currentUser != nil else { return .null }
    return .object(ProviderClaims.requestAuth(of: try UnsignedToken.decode(try idToken())))
  }

  // MARK: In the background

  /// Whether the app is in front. Only then does it refresh its token by itself.
  public var isInForeground: Bool {
    get { state.withLock { $0.isInForeground } }
    set { state.withLock { $0.isInForeground = newValue } }
  }

  /// What the SDK does by itself when time has passed: it refreshes the token five minutes before its end. After a
  /// failure it tries again in 60 seconds, then in twice as many each time, up to 16 minutes.
  /// - Returns: whether it asked the server.
  @discardableResult
  public func autoRefresh() -> Bool {
    let now = seconds
    let isDue = state.withLock { state in
      guard state.isInForeground, let session = state.session else { return false }
      return now >= state.nextAutoRefresh ?? (session.expires - Self.refreshMargin)
    }
    guard isDue else { return false }
    if (try? idToken(forcingRefresh: true)) == nil {
      state.withLock { state in
        state.nextAutoRefresh = now + state.autoRefreshDelay
        state.autoRefreshDelay = min(state.autoRefreshDelay * 2, 960)
      }
    }
    return true
  }

  // MARK: The app's life

  /// Forgets the session. The server is not told: other devices stay signed in.
  public func signOut() {
    guard currentUser != nil else { return }
    change(nil, [(.signedOut, nil)])
  }

  /// The app is closed and opened again: the session is there, the listeners are not.
  public func relaunch() {
    state.withLock {
      $0.listeners = [:]
      $0.isLocked = $0.gate != nil
    }
    log(.relaunched, nil)
  }

  /// The app is deleted and installed again.
  /// - Parameter keepsKeychain: on iOS the keychain outlives the app, and with it the session, unless the app clears
  ///   it.
  public func reinstall(keepsKeychain: Bool = false) {
    state.withLock { $0.listeners = [:] }
    let session = keepsKeychain ? state.withLock { $0.session } : nil
    change(session, [(.reinstalled, nil)])
    state.withLock {
      $0.gate = nil
      $0.isLocked = false
    }
  }
}
