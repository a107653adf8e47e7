/// Face ID or Touch ID in front of an app. It opens what is on the device; the server knows nothing of it, and no claim
/// tells of it: rules cannot ask for it.
public struct BiometricGate: Sendable {
  public enum Outcome: Sendable, Equatable { case recognized, notRecognized, cancelled, unavailable }

  /// Asks the person.
  public let ask: @Sendable () -> Outcome

  public init(ask: @escaping @Sendable () -> Outcome) { self.ask = ask }
}

extension Device {
  /// Puts a gate in front of the app, which is locked from now on; nil takes it away.
  public func setGate(_ gate: BiometricGate?) {
    state.withLock {
      $0.gate = gate
      $0.isLocked = gate != nil
    }
  }

  public var isLocked: Bool { state.withLock { $0.isLocked } }

  /// Locks the app, as when it goes to the background.
  public func lock() {
    guard state.withLock({ $0.gate }) != nil else { return }
    state.withLock { $0.isLocked = true }
    log(.locked, nil)
  }

  /// Asks the person.
  /// - Returns: whether the app is open now.
  public func unlock() -> Bool {
    guard let gate = state.withLock({ $0.gate }) else { return true }
    guard isLocked else { return true }
    guard gate.ask() == .recognized else { return false }
    state.withLock { $0.isLocked = false }
    log(.unlocked, nil)
    return true
  }
}
