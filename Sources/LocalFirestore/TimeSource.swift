import RulesValues
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What time it is, for `request.time` and server timestamps.
public protocol TimeSource: Sendable {
  var now: Timestamp { get }
}

/// The time of the machine.
public struct SystemClock: TimeSource {
  public init() {}

  public var now: Timestamp {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(seconds: Int64(time.tv_sec), nanos: Int32(truncatingIfNeeded: time.tv_nsec))
  }
}

/// A clock that stands still until it is moved.
public final class ManualClock: TimeSource {
  private let time: Mutex<Timestamp>

  public init(_ time: Timestamp) { self.time = Mutex(time) }

  public var now: Timestamp {
    get { time.withLock { $0 } }
    set { time.withLock { $0 = newValue } }
  }
}

extension Timestamp {
  /// Firestore's `request.time` has milliseconds.
  var wholeMilliseconds: Timestamp { Timestamp(seconds: seconds, nanos: nanos / 1_000_000 * 1_000_000) }
}
