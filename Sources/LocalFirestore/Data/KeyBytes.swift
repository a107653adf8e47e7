import RulesValues

/// Bytes whose order is Firestore's order: of values of all types, and of documents. Whatever is sorted, compared or
/// looked up in an index is compared by these bytes, so that there is one meaning of order. Orders as observed on the
/// official emulator 1.19.9: null, booleans, NaN, numbers, timestamps, strings, bytes, references, geo points, arrays,
/// vectors (the shorter first), maps (entry by entry in the order of keys).
///
/// No encoding of a part is the beginning of another, so that parts may follow one another in one key.
struct KeyBytes: Sendable {
  private(set) var bytes: [UInt8] = []

  /// What a value's bytes begin with. Types that one range filter spans have one mark.
  enum Mark: UInt8 {
    case end = 0x01
    case null = 0x10
    case bool = 0x18
    case nan = 0x20
    case number = 0x21
    case timestamp = 0x28
    case string = 0x30
    case bytes = 0x38
    case reference = 0x40
    case geoPoint = 0x48
    case array = 0x50
    case vector = 0x58
    case map = 0x60
  }

  init() {}
  init(_ value: DataValue) { append(value) }

  mutating func append(mark: Mark) { bytes.append(mark.rawValue) }
  mutating func append(byte: UInt8) { bytes.append(byte) }
  mutating func append(contentsOf other: [UInt8]) { bytes.append(contentsOf: other) }

  /// Depth is bounded by the laws of data for what is stored, by the readers of queries for what is asked.
  mutating func append(_ value: DataValue) {
    switch value {
    case .null: append(mark: .null)
    case .bool(let b):
      append(mark: .bool)
      bytes.append(b ? 1 : 0)
    case .int(let i): append(number: i)
    case .double(let d): append(number: d)
    case .timestamp(let t):
      append(mark: .timestamp)
      append(signed: t.seconds)
      append(UInt64(UInt32(bitPattern: t.nanos)), bytes: 4)
    case .string(let s):
      append(mark: .string)
      append(escaped: s.utf8)
    case .bytes(let b):
      append(mark: .bytes)
      append(escaped: b)
    case .reference(let path):
      append(mark: .reference)
      append(escaped: path.database.string.utf8)
      for segment in path.segments { append(id: segment) }
      append(mark: .end)
    case .geoPoint(let latitude, let longitude):
      append(mark: .geoPoint)
      append(ordered: latitude)
      append(ordered: longitude)
    case .array(let items):
      append(mark: .array)
      for item in items { append(item) }
      append(mark: .end)
    case .vector(let numbers):
      append(mark: .vector)
      append(UInt64(numbers.count), bytes: 4)
      for number in numbers { append(ordered: number) }
    case .map(let fields):
      append(mark: .map)
      for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
        bytes.append(0x02)
        append(escaped: name.string.utf8)
        append(value)
      }
      append(mark: .end)
    }
  }

  /// An id of a collection or document: `__id7__` counts as a number, and numbers precede texts.
  mutating func append(id: Text) {
    if let number = DataLaws.numericID(id.string) {
      bytes.append(0x03)
      append(signed: number)
    } else {
      bytes.append(0x04)
      append(escaped: id.string.utf8)
    }
  }

  /// Any bytes; what follows cannot be taken for more of them.
  mutating func append(escaped text: some Sequence<UInt8>) {
    for byte in text {
      bytes.append(byte)
      if byte == 0 { bytes.append(0xFF) }
    }
    bytes.append(0)
    bytes.append(1)
  }

  // MARK: Numbers

  /// A whole number: the double at or below it, and what is left.
  private mutating func append(number: Int64) {
    append(mark: .number)
    var below = Double(number)
    // Rounding up to 2^63 leaves nothing to convert back.
    if below >= 0x1p63 || Int64(below) > number { below = below.nextDown }
    append(ordered: below)
    append(UInt64(bitPattern: number &- Int64(below)), bytes: 2)
  }

  private mutating func append(number: Double) {
    guard !number.isNaN else { return append(mark: .nan) }
    append(mark: .number)
    append(ordered: number)
    append(0, bytes: 2)
  }

  /// A double by size; both zeros are one, as are all NaNs, which come first.
  private mutating func append(ordered number: Double) {
    let bits = number.isNaN ? UInt64.max : (number == 0 ? 0.0 : number).bitPattern
    append(bits >> 63 == 1 ? ~bits : bits | 1 << 63, bytes: 8)
  }

  private mutating func append(signed number: Int64) { append(UInt64(bitPattern: number) ^ 1 << 63, bytes: 8) }

  private mutating func append(_ number: UInt64, bytes count: Int) {
    for i in (0..<count).reversed() { bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(8 * i))) }
  }
}

extension [UInt8] {
  /// Negative, zero or positive, as one sorts before, with or after the other.
  static func compare(_ a: [UInt8], _ b: [UInt8]) -> Int {
    let count = Swift.min(a.count, b.count)
    var i = 0
    while i < count {
      let x = a[i]
      let y = b[i]
      if x != y { return x < y ? -1 : 1 }
      i += 1
    }
    return a.count - b.count
  }

  /// The first bytes that sort behind everything that begins with these; `nil`: there are none.
  var afterPrefix: [UInt8]? {
    var end = self
    while let last = end.popLast() {
      if last < 0xFF {
        end.append(last + 1)
        return end
      }
    }
    return nil
  }
}
