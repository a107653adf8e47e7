import RulesValues

#if canImport(FoundationEssentials)
  import FoundationEssentials
#elseif canImport(Foundation)
  import Foundation
#endif

// Types of an app in place of fields.

extension StoredDocument {
  /// The document as a type of the app. What is called its id is no field: `id` says it.
  /// - Throws: `DecodingError`.
  public func data<Value: Decodable>(as type: Value.Type = Value.self) throws -> Value {
    try FirestoreDecoder().decode(type, from: fields)
  }
}

extension Client {
  /// A document as a type of the app; `nil` when there is none.
  /// - Throws: PERMISSION_DENIED, INVALID_ARGUMENT; `DecodingError`.
  public func get<Value: Decodable>(_ path: String, as type: Value.Type) throws -> Value? {
    try document(path)?.data(as: type)
  }

  /// The same, to be awaited.
  public func get<Value: Decodable>(_ path: String, as type: Value.Type) async throws -> Value? {
    try await document(path)?.data(as: type)
  }

  /// The results of a query as a type of the app, in order.
  /// - Throws: PERMISSION_DENIED, INVALID_ARGUMENT; `DecodingError`.
  public func query<Value: Decodable>(_ query: StructuredQuery, as type: Value.Type) throws -> [Value] {
    try self.query(query).map { try $0.data(as: type) }
  }

  /// The same, to be awaited.
  public func query<Value: Decodable>(_ query: StructuredQuery, as type: Value.Type) async throws -> [Value] {
    try await self.query(query).map { try $0.data(as: type) }
  }

  /// Makes a document of a value that is not there yet.
  /// - Throws: PERMISSION_DENIED, ALREADY_EXISTS, INVALID_ARGUMENT; `EncodingError`.
  public func create(_ path: String, from value: some Encodable) throws {
    try create(path, FieldValues(encoding: value))
  }

  /// The same, to be awaited.
  public func create(_ path: String, from value: some Encodable) async throws {
    try await create(path, FieldValues(encoding: value))
  }

  /// Writes a value as the whole document, or with `merge` its members only.
  /// - Throws: PERMISSION_DENIED, INVALID_ARGUMENT; `EncodingError`.
  public func set(_ path: String, from value: some Encodable, merge: Bool = false) throws {
    try set(path, FieldValues(encoding: value), merge: merge)
  }

  /// The same, to be awaited.
  public func set(_ path: String, from value: some Encodable, merge: Bool = false) async throws {
    try await set(path, FieldValues(encoding: value), merge: merge)
  }
}

/// What is written to a document: `FieldValues(encoding: note)`, to which `["at"] = .serverTimestamp` may be added.
public typealias FieldValues = [Text: FieldValue]

extension FieldValues {
  /// A value of the app as what is written, to which server timestamps and the like can be added.
  /// - Throws: `EncodingError`.
  public init(encoding value: some Encodable) throws {
    self = try FirestoreEncoder().encode(value).mapValues { .value($0) }
  }
}

extension Timestamp: Codable {
  private enum Keys: CodingKey { case seconds, nanoseconds }

  // Encoders of Firestore never get here; others have the two numbers.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Keys.self)
    self.init(
      seconds: try container.decode(Int64.self, forKey: .seconds),
      nanos: try container.decode(Int32.self, forKey: .nanoseconds))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Keys.self)
    try container.encode(seconds, forKey: .seconds)
    try container.encode(nanos, forKey: .nanoseconds)
  }
}

extension ResourcePath: Codable {
  // Encoders of Firestore never get here; others have `/databases/(default)/documents/users/alice`.
  public init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    let segments = text.split(separator: "/", omittingEmptySubsequences: false).map { Text(String($0)) }
    guard segments.count >= 4, segments[0] == "", segments[1] == "databases", segments[3] == "documents" else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "'\(text)' is no path of a document."))
    }
    self.init(database: segments[2], segments: Array(segments.dropFirst(4)))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

#if canImport(FoundationEssentials) || canImport(Foundation)
  extension Timestamp {
    /// To the microsecond, beyond which Firestore keeps nothing.
    public init(_ date: Date) {
      let microseconds = (date.timeIntervalSince1970 * 1_000_000).rounded()
      self.init(microseconds: Int64(exactly: microseconds) ?? (microseconds < 0 ? .min : .max))
    }
  }

  extension Date {
    public init(_ timestamp: Timestamp) {
      self.init(timeIntervalSince1970: Double(timestamp.seconds) + Double(timestamp.nanos) / 1_000_000_000)
    }
  }
#endif
