import RulesValues

/// Documents as bytes: for each value a mark and its content, lengths as variable numbers of 7 bits a byte.
enum DocumentCodec {
  private enum Mark: UInt8 {
    case null = 0, no, yes, int, double, timestamp, string, bytes, reference, geoPoint, array, map, vector
  }

  static func encode(_ document: StoredDocument) -> [UInt8] {
    var writer = Writer()
    writer.time(document.createTime)
    writer.time(document.updateTime)
    writer.path(document.path)
    writer.fields(document.fields)
    return writer.bytes
  }

  /// - Throws: DATA_LOSS for anything that `encode` does not make.
  static func decode(_ bytes: [UInt8]) throws(FirestoreError) -> StoredDocument {
    var reader = Reader(bytes: bytes)
    let createTime = try reader.time()
    let updateTime = try reader.time()
    let path = try reader.path()
    let fields = try reader.fields(depth: 0)
    guard reader.isAtEnd else { throw Reader.damaged }
    return StoredDocument(path: path, fields: fields, createTime: createTime, updateTime: updateTime)
  }

  private struct Writer {
    var bytes: [UInt8] = []

    mutating func number(_ number: UInt64) {
      var rest = number
      while rest >= 0x80 {
        bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
        rest >>= 7
      }
      bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    /// Small numbers of either sign are short.
    mutating func signed(_ number: Int64) { self.number(UInt64(bitPattern: number << 1 ^ number >> 63)) }

    mutating func double(_ number: Double) {
      for i in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: number.bitPattern >> UInt64(8 * i))) }
    }

    mutating func block(_ content: some Collection<UInt8>) {
      number(UInt64(content.count))
      bytes.append(contentsOf: content)
    }

    mutating func time(_ time: Timestamp) {
      signed(time.seconds)
      number(UInt64(UInt32(bitPattern: time.nanos)))
    }

    mutating func path(_ path: ResourcePath) {
      block(path.database.string.utf8)
      number(UInt64(path.segments.count))
      for id in path.segments { block(id.string.utf8) }
    }

    // Depth is bounded by the laws of data.
    mutating func fields(_ fields: Fields) {
      number(UInt64(fields.count))
      for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
        block(name.string.utf8)
        self.value(value)
      }
    }

    private mutating func mark(_ mark: Mark) { bytes.append(mark.rawValue) }

    private mutating func value(_ value: DataValue) {
      switch value {
      case .null: mark(.null)
      case .bool(let b): mark(b ? .yes : .no)
      case .int(let i):
        mark(.int)
        signed(i)
      case .double(let d):
        mark(.double)
        double(d)
      case .timestamp(let t):
        mark(.timestamp)
        time(t)
      case .string(let s):
        mark(.string)
        block(s.utf8)
      case .bytes(let b):
        mark(.bytes)
        block(b)
      case .reference(let path):
        mark(.reference)
        self.path(path)
      case .geoPoint(let latitude, let longitude):
        mark(.geoPoint)
        double(latitude)
        double(longitude)
      case .array(let items):
        mark(.array)
        number(UInt64(items.count))
        for item in items { self.value(item) }
      case .map(let inner):
        mark(.map)
        fields(inner)
      case .vector(let numbers):
        mark(.vector)
        number(UInt64(numbers.count))
        for number in numbers { double(number) }
      }
    }
  }

  private struct Reader {
    let bytes: [UInt8]
    var at = 0

    static let damaged = FirestoreError(.dataLoss, "A stored document is damaged.")
    private static let maximumDepth = Arena.maximumDataDepth

    var isAtEnd: Bool { at == bytes.count }

    mutating func byte() throws(FirestoreError) -> UInt8 {
      guard at < bytes.count else { throw Self.damaged }
      at += 1
      return bytes[at - 1]
    }

    mutating func number() throws(FirestoreError) -> UInt64 {
      var number: UInt64 = 0
      for shift in stride(from: UInt64(0), to: 64, by: 7) {
        let next = try byte()
        number |= UInt64(next & 0x7F) << shift
        if next < 0x80 { return number }
      }
      throw Self.damaged
    }

    mutating func signed() throws(FirestoreError) -> Int64 {
      let number = try number()
      return Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
    }

    mutating func double() throws(FirestoreError) -> Double {
      var bits: UInt64 = 0
      for i in 0..<8 { bits |= UInt64(try byte()) << UInt64(8 * i) }
      return Double(bitPattern: bits)
    }

    /// A count of things that take a byte each at least.
    mutating func count() throws(FirestoreError) -> Int {
      let count = try number()
      guard count <= UInt64(bytes.count - at) else { throw Self.damaged }
      return Int(count)
    }

    mutating func block() throws(FirestoreError) -> ArraySlice<UInt8> {
      let count = try count()
      at += count
      return bytes[(at - count)..<at]
    }

    mutating func string() throws(FirestoreError) -> String {
      guard let text = String(validating: try block(), as: UTF8.self) else { throw Self.damaged }
      return text
    }

    mutating func time() throws(FirestoreError) -> Timestamp {
      let seconds = try signed()
      return Timestamp(seconds: seconds, nanos: Int32(truncatingIfNeeded: try number()))
    }

    mutating func path() throws(FirestoreError) -> ResourcePath {
      let database = Text(try string())
      var segments: [Text] = []
      for _ in 0..<(try count()) { segments.append(Text(try string())) }
      return ResourcePath(database: database, segments: segments)
    }

    mutating func fields(depth: Int) throws(FirestoreError) -> Fields {
      guard depth <= Self.maximumDepth else { throw Self.damaged }
      var fields: Fields = [:]
      for _ in 0..<(try count()) {
        let name = Text(try string())
        fields[name] = try value(depth: depth + 1)
      }
      return fields
    }

    private mutating func value(depth: Int) throws(FirestoreError) -> DataValue {
      guard depth <= Self.maximumDepth, let mark = Mark(rawValue: try byte()) else { throw Self.damaged }
      switch mark {
      case .null: return .null
      case .no: return .bool(false)
      case .yes: return .bool(true)
      case .int: return .int(try signed())
      case .double: return .double(try double())
      case .timestamp: return .timestamp(try time())
      case .string: return .string(try string())
      case .bytes: return .bytes(Array(try block()))
      case .reference: return .reference(try path())
      case .geoPoint:
        let latitude = try double()
        return .geoPoint(latitude: latitude, longitude: try double())
      case .array:
        var items: [DataValue] = []
        for _ in 0..<(try count()) { items.append(try value(depth: depth + 1)) }
        return .array(items)
      case .map: return .map(try fields(depth: depth))
      case .vector:
        var numbers: [Double] = []
        for _ in 0..<(try count()) { numbers.append(try double()) }
        return .vector(numbers)
      }
    }
  }
}
