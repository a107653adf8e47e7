import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What time it is: for tokens, codes, and whether a login is recent.
public protocol AuthClock: Sendable {
  /// Milliseconds since 1970.
  var milliseconds: Int64 { get }
}

/// The time of the machine.
public struct SystemAuthClock: AuthClock {
  public init() {}

  public var milliseconds: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }
}

/// A clock that stands still until it is moved.
public final class ManualAuthClock: AuthClock {
  private let time: Mutex<Int64>

  /// - Parameter seconds: since 1970; by default the beginning of 2026.
  public init(seconds: Int64 = 1_767_225_600) { time = Mutex(AuthTime.milliseconds(seconds: seconds)) }

  public var milliseconds: Int64 { time.withLock { $0 } }

  /// Moves it on, or with a negative number back; it stays within the years 1 to 9999.
  public func advance(seconds: Int64) { advance(milliseconds: AuthTime.milliseconds(seconds: seconds)) }

  public func advance(milliseconds: Int64) {
    time.withLock {
      let (sum, overflow) = $0.addingReportingOverflow(milliseconds)
      $0 = AuthTime.clamped(overflow ? (milliseconds < 0 ? .min : .max) : sum)
    }
  }
}

enum AuthTime {
  /// Milliseconds since 1970 of the years 1 to 9999.
  private static let range: ClosedRange<Int64> = -62_135_596_800_000...253_402_300_799_999

  static func clamped(_ milliseconds: Int64) -> Int64 {
    min(max(milliseconds, range.lowerBound), range.upperBound)
  }

  static func milliseconds(seconds: Int64) -> Int64 {
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
    return clamped(overflow ? (seconds < 0 ? .min : .max) : product)
  }

  /// Whole seconds, rounded down, also before 1970.
  static func seconds(milliseconds: Int64) -> Int64 {
    let time = clamped(milliseconds)
    return time >= 0 ? time / 1000 : -((999 - time) / 1000)
  }
}
