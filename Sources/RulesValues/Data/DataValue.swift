/// A Firestore value outside an arena: what documents, claims and fixtures are made of.
public indirect enum DataValue: Sendable, Equatable {
  case null
  case bool(Bool)
  case int(Int64)
  case double(Double)
  case string(String)
  case bytes([UInt8])
  case timestamp(Timestamp)
  case geoPoint(latitude: Double, longitude: Double)
  case reference(ResourcePath)
  case array([DataValue])
  case map([Text: DataValue])
  case vector([Double])

  /// Exact equality of stored values: `1` and `1.0` differ, texts by bytes, NaN equals itself.
  public static func == (a: DataValue, b: DataValue) -> Bool {
    switch (a, b) {
    case (.null, .null): true
    case (.bool(let x), .bool(let y)): x == y
    case (.int(let x), .int(let y)): x == y
    case (.double(let x), .double(let y)): x == y || (x.isNaN && y.isNaN)
    case (.string(let x), .string(let y)): Text(x) == Text(y)
    case (.bytes(let x), .bytes(let y)): x == y
    case (.timestamp(let x), .timestamp(let y)): x == y
    case (.geoPoint(let a, let b), .geoPoint(let x, let y)): a == x && b == y
    case (.reference(let x), .reference(let y)): x == y
    case (.array(let x), .array(let y)): x == y
    case (.map(let x), .map(let y)): x == y
    case (.vector(let x), .vector(let y)): x == y
    default: false
    }
  }
}

/// The fields of a document.
public typealias Fields = [Text: DataValue]

extension Arena {
  /// Depth beyond which data is refused. Firestore's own limit is 20; claims and mocks may be deeper.
  public static let maximumDataDepth = 100

  /// Copies a value into the arena.
  public func load(_ data: DataValue, depth: Int = 0) -> Value {
    guard depth <= Self.maximumDataDepth else { return .error(.memory) }
    switch data {
    case .null: return .null
    case .bool(let b): return .bool(b)
    case .int(let i): return .int(i)
    case .double(let d): return .float(d)
    case .string(let s): return string(s)
    case .bytes(let b): return bytes(b)
    case .timestamp(let t): return .timestamp(seconds: t.seconds, nanos: UInt32(clamping: t.nanos))
    case .geoPoint(let latitude, let longitude): return latlng(latitude: latitude, longitude: longitude)
    case .reference(let path): return self.path(path)
    case .array(let items):
      guard let row = row(items.count) else { return .error(.memory) }
      for (i, item) in items.enumerated() {
        let v = load(item, depth: depth + 1)
        if v.isFailure { return v }
        set(row, i, v)
      }
      return finish(row, as: .list)
    case .map(let fields): return load(fields, depth: depth)
    case .vector(let numbers):
      guard let row = row(numbers.count) else { return .error(.memory) }
      for (i, number) in numbers.enumerated() { set(row, i, .float(number)) }
      return finish(row, as: .vector)
    }
  }

  public func load(_ fields: Fields, depth: Int = 0) -> Value {
    guard let row = row(fields.count * 2) else { return .error(.memory) }
    for (i, (key, value)) in fields.enumerated() {
      let v = load(value, depth: depth + 1)
      if v.isFailure { return v }
      set(row, 2 * i, string(key.string))
      set(row, 2 * i + 1, v)
    }
    return map(row)
  }

  /// `/databases/(default)/documents/…` as a path value.
  public func path(_ path: ResourcePath) -> Value {
    guard let row = row(path.segments.count + 3) else { return .error(.memory) }
    set(row, 0, string("databases" as StaticString))
    set(row, 1, string(path.database.string))
    set(row, 2, string("documents" as StaticString))
    for (i, segment) in path.segments.enumerated() { set(row, i + 3, string(segment.string)) }
    return finish(row, as: .path)
  }
}

extension Arena {
  /// A value as stored data, or `nil` when it (or something in it) is none that a document can hold.
  public func data(_ v: Value, depth: Int = 0) -> DataValue? {
    guard depth <= Self.maximumDataDepth else { return nil }
    switch v.tag {
    case .null: return .null
    case .bool: return .bool(v.isTrue)
    case .int: return .int(v.asInt)
    case .float: return .double(v.asDouble)
    case .string: return .string(text(v))
    case .bytes: return .bytes(copyBytes(v))
    case .timestamp: return .timestamp(Timestamp(seconds: v.asInt, nanos: v.nanos))
    case .latlng: return .geoPoint(latitude: latitude(v), longitude: longitude(v))
    case .vector: return .vector((0..<v.count).map { element(v, $0).asDouble })
    case .list:
      var items: [DataValue] = []
      for i in 0..<v.count {
        guard let item = data(element(v, i), depth: depth + 1) else { return nil }
        items.append(item)
      }
      return .array(items)
    case .map:
      var fields: Fields = [:]
      for i in 0..<v.count {
        guard let value = data(value(v, i), depth: depth + 1) else { return nil }
        fields[Text(text(key(v, i)))] = value
      }
      return .map(fields)
    case .path: return reference(v).map { .reference($0) }
    case .duration, .set, .mapDiff, .constraint, .open, .capture, .unknown, .error, .exhausted: return nil
    }
  }

  /// A path of plain segments as a reference: `/databases/D/documents/…`, or relative to the default database.
  private func reference(_ v: Value) -> ResourcePath? {
    var segments: [Text] = []
    for i in 0..<v.count {
      let segment = element(v, i)
      guard segment.has(.string) else { return nil }
      segments.append(Text(text(segment)))
    }
    if segments.count > 3, segments[0] == "databases", segments[2] == "documents" {
      return ResourcePath(database: segments[1], segments: Array(segments[3...]))
    }
    return ResourcePath(segments: segments)
  }
}
