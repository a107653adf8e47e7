import Identity
import Synchronization

/// A clock that tests can set and move on; until they do, it is the one below it.
final class DrivenClock: AuthClock {
  /// The time of one request, in milliseconds since 1970.
  @TaskLocal static var instant: Int64?

  private let base: any AuthClock
  private struct State {
    var offset: Int64 = 0
    /// Where it stands still.
    var frozen: Int64?
  }
  private let state = Mutex(State())

  init(_ base: any AuthClock) { self.base = base }

  var milliseconds: Int64 {
    if let instant = Self.instant { return instant }
    let now = base.milliseconds
    return state.withLock { Self.clamped($0.frozen ?? Self.sum(now, $0.offset)) }
  }

  /// Milliseconds since 1970.
  func set(_ time: Int64) {
    let now = base.milliseconds
    state.withLock { state in
      if state.frozen != nil { state.frozen = Self.clamped(time) } else { state.offset = Self.clamped(time) - now }
    }
  }

  func advance(_ milliseconds: Int64) {
    state.withLock { state in
      if let frozen = state.frozen {
        state.frozen = Self.clamped(Self.sum(frozen, milliseconds))
      } else {
        state.offset = Self.sum(state.offset, milliseconds)
      }
    }
  }

  /// Whether it stands still from now on.
  func freeze(_ stands: Bool) {
    let now = milliseconds
    let base = base.milliseconds
    state.withLock { state in
      state.offset = now - base
      state.frozen = stands ? now : nil
    }
  }

  func reset() { state.withLock { $0 = State() } }

  private static func sum(_ a: Int64, _ b: Int64) -> Int64 {
    let (sum, overflow) = a.addingReportingOverflow(b)
    return overflow ? (b < 0 ? .min : .max) : sum
  }

  /// Within the years 1970 to 9999.
  static func clamped(_ milliseconds: Int64) -> Int64 { min(max(milliseconds, 0), 253_402_300_799_999) }
}
