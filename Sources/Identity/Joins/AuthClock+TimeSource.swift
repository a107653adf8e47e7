import LocalFirestore
import RulesValues

// One clock for accounts and documents.

extension TimeSource where Self: AuthClock {
  public var now: Timestamp {
    let time = milliseconds
    let seconds = AuthTime.seconds(milliseconds: time)
    return Timestamp(seconds: seconds, nanos: Int32(truncatingIfNeeded: (time - seconds * 1000) * 1_000_000))
  }
}

extension ManualAuthClock: TimeSource {}
extension SystemAuthClock: TimeSource {}
