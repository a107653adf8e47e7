import RulesValues

#if canImport(FoundationEssentials)
  import FoundationEssentials
#elseif canImport(Foundation)
  import Foundation
#endif

/// Turns the fields of documents into `Decodable` values: what `FirestoreEncoder` makes of them, back. An int may be
/// read as a floating-point number, and a double without a fraction as an integer.
public struct FirestoreDecoder: Sendable {
  public init() {}

  /// - Throws: `DecodingError`, which names the field.
  public func decode<Value: Decodable>(_ type: Value.Type = Value.self, from fields: Fields) throws -> Value {
    try DataDecoder.value(type, .map(fields), at: [])
  }
}

struct DataDecoder: Decoder {
  let data: DataValue
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  static func value<Value: Decodable>(
    _ type: Value.Type, _ data: DataValue, at path: [any CodingKey]
  ) throws -> Value {
    func wanted(_ value: Any?, _ what: String) throws -> Value {
      guard let value = value as? Value else { throw mismatch(type, data, what, path) }
      return value
    }
    if type == DataValue.self { return try wanted(data, "a value") }
    if type == Timestamp.self { return try wanted(data.timestampValue, "a timestamp") }
    if type == ResourcePath.self { return try wanted(data.referenceValue, "a reference") }
    #if canImport(FoundationEssentials) || canImport(Foundation)
      if type == Date.self { return try wanted(data.timestampValue.map { Date($0) }, "a timestamp") }
      if type == Data.self { return try wanted(data.bytesValue.map { Data($0) }, "bytes") }
    #endif
    return try Value(from: DataDecoder(data: data, codingPath: path))
  }

  static func mismatch(
    _ type: Any.Type, _ data: DataValue, _ what: String, _ path: [any CodingKey]
  ) -> DecodingError {
    .typeMismatch(type, .init(codingPath: path, debugDescription: "Expected \(what), found \(data.kind)."))
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard case .map(let fields) = data else { throw Self.mismatch([String: Any].self, data, "a map", codingPath) }
    return KeyedDecodingContainer(MapDecoding(fields: fields, codingPath: codingPath))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .array(let items) = data else { throw Self.mismatch([Any].self, data, "an array", codingPath) }
    return ListDecoding(items: items, codingPath: codingPath)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { ValueDecoding(data: data, codingPath: codingPath) }
}

private struct MapDecoding<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let fields: Fields
  let codingPath: [any CodingKey]
  var allKeys: [Key] { fields.keys.sorted().compactMap { Key(stringValue: $0.string) } }

  func contains(_ key: Key) -> Bool { fields[Text(key.stringValue)] != nil }
  func decodeNil(forKey key: Key) -> Bool { fields[Text(key.stringValue)] == .null }

  private func data(_ key: Key) throws -> DataValue {
    guard let data = fields[Text(key.stringValue)] else {
      throw DecodingError.keyNotFound(
        key, .init(codingPath: codingPath, debugDescription: "The document has no field '\(key.stringValue)'."))
    }
    return data
  }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try DataDecoder.value(type, data(key), at: codingPath + [key])
  }

  private func decoder(_ key: Key) throws -> DataDecoder {
    DataDecoder(data: try data(key), codingPath: codingPath + [key])
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> { try decoder(key).container(keyedBy: type) }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try decoder(key).unkeyedContainer()
  }
  func superDecoder() -> any Decoder { DataDecoder(data: fields["super"] ?? .null, codingPath: codingPath) }
  func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }
}

private struct ListDecoding: UnkeyedDecodingContainer {
  let items: [DataValue]
  let codingPath: [any CodingKey]
  var currentIndex = 0

  init(items: [DataValue], codingPath: [any CodingKey]) {
    self.items = items
    self.codingPath = codingPath
  }

  var count: Int? { items.count }
  var isAtEnd: Bool { currentIndex >= items.count }

  private func current() throws -> DataValue {
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(
        Any.self, .init(codingPath: codingPath, debugDescription: "The array has \(items.count) elements only."))
    }
    return items[currentIndex]
  }

  mutating func decodeNil() throws -> Bool {
    guard try current() == .null else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let value = try DataDecoder.value(type, current(), at: codingPath)
    currentIndex += 1
    return value
  }

  mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    let container = try DataDecoder(data: current(), codingPath: codingPath).container(keyedBy: type)
    currentIndex += 1
    return container
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let container = try DataDecoder(data: current(), codingPath: codingPath).unkeyedContainer()
    currentIndex += 1
    return container
  }

  mutating func superDecoder() throws -> any Decoder {
    let decoder = DataDecoder(data: try current(), codingPath: codingPath)
    currentIndex += 1
    return decoder
  }
}

private struct ValueDecoding: SingleValueDecodingContainer {
  let data: DataValue
  let codingPath: [any CodingKey]

  func decodeNil() -> Bool { data == .null }
  func decode(_ type: Bool.Type) throws -> Bool { try wanted(data.boolValue, type, "a bool") }
  func decode(_ type: String.Type) throws -> String { try wanted(data.stringValue, type, "text") }
  func decode(_ type: Double.Type) throws -> Double { try wanted(data.doubleValue, type, "a number") }
  func decode(_ type: Float.Type) throws -> Float { Float(try wanted(data.doubleValue, type, "a number")) }
  func decode(_ type: Int.Type) throws -> Int { try integer() }
  func decode(_ type: Int8.Type) throws -> Int8 { try integer() }
  func decode(_ type: Int16.Type) throws -> Int16 { try integer() }
  func decode(_ type: Int32.Type) throws -> Int32 { try integer() }
  func decode(_ type: Int64.Type) throws -> Int64 { try integer() }
  func decode(_ type: UInt.Type) throws -> UInt { try integer() }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try integer() }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try integer() }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try integer() }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try integer() }
  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try DataDecoder.value(type, data, at: codingPath)
  }

  private func wanted<Value>(_ value: Value?, _ type: Any.Type, _ what: String) throws -> Value {
    guard let value else { throw DataDecoder.mismatch(type, data, what, codingPath) }
    return value
  }

  private func integer<Integer: FixedWidthInteger>() throws -> Integer {
    let value: Integer? =
      switch data {
      case .int(let i): Integer(exactly: i)
      case .double(let d): Integer(exactly: d)
      default: nil
      }
    return try wanted(value, Integer.self, "an integer that fits")
  }
}
