import Foundation
import LocalFirestore
import RulesValues
import Testing

@Suite struct CodingTests {
  struct Note: Codable, Equatable {
    enum State: String, Codable { case open, done }
    struct Place: Codable, Equatable {
      var name: String
      var at: DataValueBox
    }

    var title: String
    var stars = 0
    var weight = 1.5
    var isOpen = true
    var state = State.open
    var tags: [String] = []
    var scores: [String: Int] = [:]
    var due: Date?
    var made: Timestamp
    var picture = Data()
    var owner: ResourcePath?
    var place: Place?
    var series: [String: [Double?]] = [:]
  }

  /// Keeps any value as it is.
  struct DataValueBox: Codable, Equatable {
    var value: DataValue

    init(_ value: DataValue) { self.value = value }
    init(from decoder: any Decoder) throws { value = .string(try decoder.singleValueContainer().decode(String.self)) }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(value.stringValue ?? "")
    }
  }

  private static let path = ResourcePath(segments: ["users", "alice"])

  private static let note: Note = {
    var note = Note(title: "A", made: Timestamp(seconds: 7, nanos: 8000))
    note.stars = 3
    note.state = .done
    note.tags = ["x", "y"]
    note.scores = ["a": 1]
    note.due = Date(timeIntervalSince1970: 1_767_225_600.25)
    note.picture = Data([1, 2])
    note.place = Note.Place(name: "P", at: DataValueBox("here"))
    note.series = ["a": [1, nil], "b": []]
    note.owner = path
    return note
  }()

  private static let fields: Fields = [
    "title": "A", "stars": 3, "weight": 1.5, "isOpen": true, "state": "done", "tags": ["x", "y"], "scores": ["a": 1],
    "due": .timestamp(Timestamp(seconds: 1_767_225_600, nanos: 250_000_000)),
    "made": .timestamp(Timestamp(seconds: 7, nanos: 8000)), "picture": .bytes([1, 2]),
    "place": ["name": "P", "at": "here"], "series": ["a": [1.0, .null], "b": []],
    "owner": .reference(path),
  ]

  @Test func `types of an app become fields, and fields types`() throws {
    let fields = try FirestoreEncoder().encode(Self.note)
    #expect(fields == Self.fields)
    #expect(try FirestoreDecoder().decode(Note.self, from: fields) == Self.note)
  }

  @Test func `paths and timestamps survive other coders`() throws {
    struct Both: Codable, Equatable { var path: ResourcePath, time: Timestamp }
    let both = Both(path: ResourcePath(database: "d", segments: ["a", "b"]), time: Timestamp(seconds: -1, nanos: 5))
    #expect(try JSONDecoder().decode(Both.self, from: JSONEncoder().encode(both)) == both)
    let broken = Data("[\"a/b\"]".utf8)
    #expect(throws: DecodingError.self) { _ = try JSONDecoder().decode(Array<ResourcePath>.self, from: broken) }
  }

  @Test func `they go through a client`() async throws {
    let firestore = try LocalFirestore(rules: "service cloud.firestore { match /{x=**} { allow read, write; } }")
    let client = firestore.client(as: "alice")
    try await client.set("/notes/a", from: Self.note)
    #expect(try await client.get("/notes/a", as: Note.self) == Self.note)
    #expect(try await client.get("/notes/b", as: Note.self) == nil)
    let id = try await client.add(to: "notes", from: Self.note)
    #expect(id.utf8.count == 20)
    #expect(try await client.query(client.collection("notes"), as: Note.self) == [Self.note, Self.note])
    try await client.batch { $0.create("/batch/a", from: ["n": 1]); $0.set("/batch/b", from: ["n": 2], merge: true) }
    let batch = try client.collection("batch").where("n", .greaterThan, [1, 2][0]).where("n", .in, [1, 2])
    #expect(try await client.query(batch, as: [String: Int].self) == [["n": 2]])
    #expect(throws: FirestoreError.self) { try client.batch { $0.set("/batch/c", from: ["n": UInt64.max]) } }
    try await client.runTransaction { transaction in
      let known = try transaction.get("/batch/a", as: [String: Int].self)
      #expect(try transaction.query(batch, as: [String: Int].self).count == 1)
      try transaction.create("/batch/c", from: #require(known))
      try transaction.set("/batch/a", from: ["m": 3], merge: true)
    }
    #expect(try await client.get("/batch/a") == ["n": 1, "m": 3])
    #expect(try await client.get("/batch/c") == ["n": 1])
    try await client.create("/notes/c", from: ["title": "C"])
    try await client.set("/notes/c", from: ["n": 1], merge: true)
    #expect(try await client.get("/notes/c") == ["title": "C", "n": 1])
    var fields = try FieldValues(encoding: ["title": "D"])
    fields["at"] = .serverTimestamp
    try await client.set("/notes/d", fields)
    let document = try #require(try await client.document("/notes/d"))
    #expect(document.id == "d" && document["title"] == "D" && document["at"]?.timestampValue != nil)
    #expect(document["none"] == nil)
  }

  private func message(_ body: () throws -> Void) -> String {
    do {
      try body()
      return ""
    } catch DecodingError.typeMismatch(_, let context), DecodingError.keyNotFound(_, let context) {
      return context.codingPath.map(\.stringValue).joined(separator: ".") + ": " + context.debugDescription
    } catch EncodingError.invalidValue(_, let context) {
      return context.debugDescription
    } catch {
      return "\(error)"
    }
  }

  @Test func `what does not fit is named`() {
    let decoder = FirestoreDecoder()
    struct Outer: Decodable { var inner: [String: Int] }
    func decoding<Value: Decodable>(_ type: Value.Type, _ fields: Fields) -> String {
      message { _ = try decoder.decode(type, from: fields) }
    }
    #expect(decoding(Outer.self, ["inner": ["n": "1"]]) == "inner.n: Expected an integer that fits, found text.")
    #expect(decoding(Outer.self, [:]) == ": The document has no field 'inner'.")
    #expect(decoding(Outer.self, ["inner": 1]) == "inner: Expected a map, found an int.")
    #expect(decoding([String: Int8].self, ["n": 1000]) == "n: Expected an integer that fits, found an int.")
    #expect(decoding([String: Date].self, ["n": 1]) == "n: Expected a timestamp, found an int.")
    #expect(decoding([String: Int].self, ["n": 2.0]) == "")
    let encoder = FirestoreEncoder()
    #expect(message { _ = try encoder.encode([1]) } == "A document is a map of fields, made of a type with members.")
    #expect(message { _ = try encoder.encode(["n": UInt64.max]) } == "Firestore's integers have 64 bits with a sign.")
  }

  @Test(arguments: [-62_135_596_800, -0.5, 0, 1_767_225_600.123_456] as [Double])
  func `dates and timestamps are the same times`(_ seconds: Double) {
    let date = Date(timeIntervalSince1970: seconds)
    let timestamp = Timestamp(date)
    #expect(abs(Date(timestamp).timeIntervalSince1970 - seconds) < 0.000_001)
    #expect((0..<1_000_000_000).contains(timestamp.nanos))
  }
}
