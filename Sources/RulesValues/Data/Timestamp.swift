/// A point in time: seconds since 1970-01-01T00:00:00Z and nanoseconds 0 … 999,999,999 after them.
public struct Timestamp: Sendable, Hashable, Comparable {
  public var seconds: Int64
  public var nanos: Int32

  public init(seconds: Int64, nanos: Int32 = 0) {
    self.seconds = seconds
    self.nanos = nanos
  }

  public static func < (a: Timestamp, b: Timestamp) -> Bool { (a.seconds, a.nanos) < (b.seconds, b.nanos) }
}
