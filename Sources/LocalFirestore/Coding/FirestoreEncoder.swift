import RulesValues

#if canImport(FoundationEssentials)
  import FoundationEssentials
#elseif canImport(Foundation)
  import Foundation
#endif

/// Turns `Encodable` values into the fields of documents, as Firestore's client libraries do: numbers to ints and
/// doubles, `Date` to times, `Data` to bytes, what is nil left out.
public struct FirestoreEncoder: Sendable {
  public init() {}

  /// - Throws: `EncodingError` for what is no map, and for numbers beyond 64 bits.
  public func encode(_ value: some Encodable) throws -> Fields {
    guard case .map(let fields) = try EncodedNode.data(of: value, at: []) else {
      throw EncodingError.invalidValue(
        value, .init(codingPath: [], debugDescription: "A document is a map of fields, made of a type with members."))
    }
    return fields
  }
}

/// A value that is being encoded. Containers add to it until all are done.
final class EncodedNode {
  private enum Content {
    case none
    case value(DataValue)
    case list([EncodedNode])
    case map([(key: Text, node: EncodedNode)])
  }

  private var content = Content.none

  /// What a value becomes.
  static func data<Value: Encodable>(of value: Value, at path: [any CodingKey]) throws -> DataValue {
    if let known = known(value) { return known }
    let node = EncodedNode()
    try value.encode(to: NodeEncoder(node: node, codingPath: path))
    return node.data
  }

  /// Types of Firestore's own, and those that stand for one.
  private static func known(_ value: Any) -> DataValue? {
    switch value {
    case let data as DataValue: return data
    case let time as Timestamp: return .timestamp(time)
    case let path as ResourcePath: return .reference(path)
    default: break
    }
    #if canImport(FoundationEssentials) || canImport(Foundation)
      if let date = value as? Date { return .timestamp(Timestamp(date)) }
      if let bytes = value as? Data { return .bytes(Array(bytes)) }
    #endif
    return nil
  }

  var data: DataValue {
    switch content {
    // What encodes nothing is an empty map, as JSON's encoder has it.
    case .none: .map([:])
    case .value(let value): value
    case .list(let nodes): .array(nodes.map(\.data))
    case .map(let members): .map(Dictionary(members.map { ($0.key, $0.node.data) }, uniquingKeysWith: { $1 }))
    }
  }

  func set(_ value: DataValue) { content = .value(value) }

  func becomeMap() { if case .map = content {} else { content = .map([]) } }
  func becomeList() { if case .list = content {} else { content = .list([]) } }

  func member(_ key: Text) -> EncodedNode {
    let node = EncodedNode()
    if case .map(let members) = content { content = .map(members + [(key, node)]) }
    return node
  }

  func element() -> EncodedNode {
    let node = EncodedNode()
    if case .list(let nodes) = content { content = .list(nodes + [node]) }
    return node
  }

  var count: Int { if case .list(let nodes) = content { nodes.count } else { 0 } }
}

struct NodeEncoder: Encoder {
  let node: EncodedNode
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    node.becomeMap()
    return KeyedEncodingContainer(MapEncoding(node: node, codingPath: codingPath))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    node.becomeList()
    return ListEncoding(node: node, codingPath: codingPath)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { ValueEncoding(node: node, codingPath: codingPath) }
}

private struct MapEncoding<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let node: EncodedNode
  let codingPath: [any CodingKey]

  func encodeNil(forKey key: Key) { node.member(Text(key.stringValue)).set(.null) }

  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    node.member(Text(key.stringValue)).set(try EncodedNode.data(of: value, at: codingPath + [key]))
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> { encoder(key).container(keyedBy: type) }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { encoder(key).unkeyedContainer() }
  func superEncoder() -> any Encoder { NodeEncoder(node: node.member("super"), codingPath: codingPath) }
  func superEncoder(forKey key: Key) -> any Encoder { encoder(key) }

  private func encoder(_ key: Key) -> NodeEncoder {
    NodeEncoder(node: node.member(Text(key.stringValue)), codingPath: codingPath + [key])
  }
}

private struct ListEncoding: UnkeyedEncodingContainer {
  let node: EncodedNode
  let codingPath: [any CodingKey]
  var count: Int { node.count }

  func encodeNil() { node.element().set(.null) }
  func encode<Value: Encodable>(_ value: Value) throws {
    node.element().set(try EncodedNode.data(of: value, at: codingPath))
  }
  func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    NodeEncoder(node: node.element(), codingPath: codingPath).container(keyedBy: type)
  }
  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    NodeEncoder(node: node.element(), codingPath: codingPath).unkeyedContainer()
  }
  func superEncoder() -> any Encoder { NodeEncoder(node: node.element(), codingPath: codingPath) }
}

private struct ValueEncoding: SingleValueEncodingContainer {
  let node: EncodedNode
  let codingPath: [any CodingKey]

  func encodeNil() { node.set(.null) }
  func encode(_ value: Bool) { node.set(.bool(value)) }
  func encode(_ value: String) { node.set(.string(value)) }
  func encode(_ value: Double) { node.set(.double(value)) }
  func encode(_ value: Float) { node.set(.double(Double(value))) }
  func encode(_ value: Int) throws { try integer(value) }
  func encode(_ value: Int8) throws { try integer(value) }
  func encode(_ value: Int16) throws { try integer(value) }
  func encode(_ value: Int32) throws { try integer(value) }
  func encode(_ value: Int64) throws { try integer(value) }
  func encode(_ value: UInt) throws { try integer(value) }
  func encode(_ value: UInt8) throws { try integer(value) }
  func encode(_ value: UInt16) throws { try integer(value) }
  func encode(_ value: UInt32) throws { try integer(value) }
  func encode(_ value: UInt64) throws { try integer(value) }
  func encode<Value: Encodable>(_ value: Value) throws { node.set(try EncodedNode.data(of: value, at: codingPath)) }

  private func integer(_ value: some BinaryInteger) throws {
    guard let int = Int64(exactly: value) else {
      throw EncodingError.invalidValue(
        value, .init(codingPath: codingPath, debugDescription: "Firestore's integers have 64 bits with a sign."))
    }
    node.set(.int(int))
  }
}
