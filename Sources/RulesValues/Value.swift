/// A value of the rules language in 16 trivial bytes: copying one costs nothing and counts no reference.
///
/// Scalars lie in the value itself. Strings, lists, maps and the like lie in an `Arena`; the value holds region,
/// offset and length, never an address, and is only meaningful together with the arena that made it (or, for
/// constants, with any arena that was given the same constants). Debug builds check a generation number on access.
///
///     meta  bits 0–7 tag · 8–15 flags · 16–31 generation · 32–63 length
///     bits  the payload
@frozen
public struct Value: Sendable {
  public var meta: UInt64
  public var bits: UInt64

  @inlinable @inline(__always)
  public init(meta: UInt64, bits: UInt64) {
    self.meta = meta
    self.bits = bits
  }

  @inlinable @inline(__always)
  public init(_ tag: Tag, flags: UInt8 = 0, length: UInt32 = 0, bits: UInt64 = 0) {
    meta = UInt64(tag.rawValue) | UInt64(flags) << 8 | UInt64(length) << 32
    self.bits = bits
  }

  @frozen
  public enum Tag: UInt8, Sendable, CaseIterable {
    case null, bool, int, float, string, bytes, timestamp, duration, latlng, path
    case list, set, map, mapDiff, vector, constraint
    /// Something of which there may be more than is known: a document of which only a query's filters tell.
    case open
    /// Only inside paths: `/{name}` with or without its bound value.
    case capture
    /// Not known yet: in the official evaluation's first pass, what would need a document; and a comparison with
    /// a query constraint that does not follow from it. Behaves as an error without a cause.
    case unknown
    /// An evaluation error; flows and is absorbed as the language says.
    case error
    /// The budget of 1,000 expressions ran out. No operator absorbs it.
    case exhausted
  }

  @inlinable @inline(__always)
  public var tag: Tag {
    // Every value is made through `init(_:…)`, so the low byte is always a tag. Written out because the initializer
    // that the compiler makes is a call.
    switch UInt8(truncatingIfNeeded: meta) {
    case 0: .null
    case 1: .bool
    case 2: .int
    case 3: .float
    case 4: .string
    case 5: .bytes
    case 6: .timestamp
    case 7: .duration
    case 8: .latlng
    case 9: .path
    case 10: .list
    case 11: .set
    case 12: .map
    case 13: .mapDiff
    case 14: .vector
    case 15: .constraint
    case 16: .open
    case 17: .capture
    case 18: .unknown
    case 20: .exhausted
    default: .error
    }
  }

  @inlinable @inline(__always)
  public func has(_ tag: Tag) -> Bool { UInt8(truncatingIfNeeded: meta) == tag.rawValue }

  @inlinable @inline(__always)
  public var flags: UInt8 { UInt8(truncatingIfNeeded: meta >> 8) }

  @inlinable @inline(__always)
  public var length: UInt32 { UInt32(truncatingIfNeeded: meta >> 32) }

  @inlinable @inline(__always)
  public var generation: UInt16 { UInt16(truncatingIfNeeded: meta >> 16) }

  /// An error, an unknown or an exhausted budget: what operators pass on instead of computing with it.
  @inlinable @inline(__always)
  public var isFailure: Bool { UInt8(truncatingIfNeeded: meta) >= Tag.unknown.rawValue }

  // MARK: Flags of values that lie in memory

  /// The payload lies in the program's constants rather than in the request's memory.
  public static let inConstants: UInt8 = 1
  /// A string whose bytes are all ASCII, so that bytes and UTF-16 units are one.
  public static let ascii: UInt8 = 2
  /// A string that holds an unpaired surrogate.
  public static let loneSurrogate: UInt8 = 4
  /// A capture that takes a whole rest (`{name=**}`).
  public static let glob: UInt8 = 8
  /// A map that knows an order of its own besides that of its keys.
  public static let ordered: UInt8 = 32
  /// A capture that is bound.
  public static let bound: UInt8 = 16

  // MARK: Scalars

  // Computed, since a global constant is reached by a call from other modules.
  @inlinable @inline(__always)
  public static var null: Value { Value(.null) }
  @inlinable @inline(__always)
  public static var `true`: Value { Value(.bool, bits: 1) }
  @inlinable @inline(__always)
  public static var `false`: Value { Value(.bool, bits: 0) }
  @inlinable @inline(__always)
  public static var unknown: Value { Value(.unknown) }
  @inlinable @inline(__always)
  public static var exhausted: Value { Value(.exhausted) }

  @inlinable @inline(__always)
  public static func bool(_ b: Bool) -> Value { Value(.bool, bits: b ? 1 : 0) }

  @inlinable @inline(__always)
  public static func int(_ i: Int64) -> Value { Value(.int, bits: UInt64(bitPattern: i)) }

  @inlinable @inline(__always)
  public static func float(_ d: Double) -> Value { Value(.float, bits: d.bitPattern) }

  /// `nanos` in 0 … 999,999,999.
  @inlinable @inline(__always)
  public static func timestamp(seconds: Int64, nanos: UInt32) -> Value {
    Value(.timestamp, length: nanos, bits: UInt64(bitPattern: seconds))
  }

  /// `nanos` has the sign of `seconds`, magnitude below 1,000,000,000.
  @inlinable @inline(__always)
  public static func duration(seconds: Int64, nanos: Int32) -> Value {
    Value(.duration, length: UInt32(bitPattern: nanos), bits: UInt64(bitPattern: seconds))
  }

  @inlinable @inline(__always)
  public var isTrue: Bool { has(.bool) && bits == 1 }

  @inlinable @inline(__always)
  public var isFalse: Bool { has(.bool) && bits == 0 }

  /// The payload of an int (of a timestamp or duration: its seconds).
  @inlinable @inline(__always)
  public var asInt: Int64 { Int64(bitPattern: bits) }

  @inlinable @inline(__always)
  public var asDouble: Double { Double(bitPattern: bits) }

  /// The nanoseconds of a timestamp or duration.
  @inlinable @inline(__always)
  public var nanos: Int32 { Int32(bitPattern: length) }

  // MARK: Values that lie in memory

  /// Offset of the payload in its region, in bytes.
  @inlinable @inline(__always)
  public var offset: Int { Int(UInt32(truncatingIfNeeded: bits)) }

  /// Number of elements, entries or segments; of a string or bytes: number of bytes.
  @inlinable @inline(__always)
  public var count: Int { Int(length) }

  /// Length of a string in UTF-16 units, which is what the language calls its size.
  @inlinable @inline(__always)
  public var utf16Count: Int { Int(bits >> 32) }

  @inlinable @inline(__always)
  public var isASCII: Bool { flags & Value.ascii != 0 }

  @inlinable @inline(__always)
  public var hasLoneSurrogate: Bool { flags & Value.loneSurrogate != 0 }

  @inlinable @inline(__always)
  public var isConstant: Bool { flags & Value.inConstants != 0 }
}

extension Value.Tag {
  /// The name under which error texts and `is` know the type.
  public var typeName: String {
    switch self {
    case .null: "null"
    case .bool: "bool"
    case .int: "int"
    case .float: "float"
    case .string: "string"
    case .bytes: "bytes"
    case .timestamp: "timestamp"
    case .duration: "duration"
    case .latlng: "latlng"
    case .path: "path"
    case .list: "list"
    case .set: "set"
    case .map: "map"
    case .mapDiff: "map_diff"
    case .vector: "vector"
    case .constraint: "constraint"
    case .open: "open"
    case .capture: "capture"
    case .unknown, .error, .exhausted: "undefined"
    }
  }
}
