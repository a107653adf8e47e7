import Foundation
import JSON
import RulesValues
import Testing

@testable import LocalFirestore
import SQLiteStore

@Suite struct FileTests {
  private func code(_ body: () throws -> Void) -> FirestoreError.Code? {
    do {
      try body()
      return nil
    } catch {
      return (error as? FirestoreError)?.code
    }
  }

  @Test func `what was committed is there when the file is opened again`() throws {
    let file = try TemporaryFile()
    let everything: Fields = [
      "null": .null, "bool": true, "int": .int(.min), "double": .double(.nan), "text": "\0é😀",
      "bytes": .bytes([0, 255]),
      "time": .timestamp(Timestamp(seconds: -5, nanos: 123_456_000)),
      "point": .geoPoint(latitude: 1.5, longitude: -180),
      "reference": .reference(ResourcePath(database: "d", segments: ["a", "b"])), "array": [1, ["k": [:]]],
      "map": ["a.b": ["c": []]], "vector": .vector([1, -2.5]),
    ]
    var time: Timestamp?
    do {
      let firestore = LocalFirestore(
        storage: try SQLiteStorage(path: file.path), clock: ManualClock(Timestamp(seconds: 7)))
      try firestore.seed(ResourcePath(segments: ["a", "b"]), everything)
      time = try firestore.admin().document("a/b")?.updateTime
    }
    let storage = try SQLiteStorage(path: file.path)
    let firestore = LocalFirestore(storage: storage, clock: ManualClock(Timestamp(seconds: 7)))
    #expect(try firestore.admin().get("a/b") == everything)
    #expect(try firestore.admin().document("a/b")?.updateTime == time)
    // Time does not run back over a restart.
    try firestore.admin().set("a/c", [:])
    #expect(try firestore.admin().document("a/c")?.updateTime == Timestamp(seconds: 7, nanos: 1000))
    try storage.checkIntegrity()
  }

  @Test func `a damaged document is no document`() throws {
    let stored = StoredDocument(
      path: ResourcePath(segments: ["a", "b"]), fields: ["x": [1, "y", ["z": .vector([1])]]],
      createTime: Timestamp(seconds: 1), updateTime: Timestamp(seconds: 2))
    let bytes = DocumentCodec.encode(stored)
    #expect(try DocumentCodec.decode(bytes) == stored)
    for count in bytes.indices {
      #expect(throws: FirestoreError.self) { try DocumentCodec.decode(Array(bytes[..<count])) }
    }
    for at in bytes.indices {
      for bit in 0..<8 {
        var broken = bytes
        broken[at] ^= 1 << bit
        // Either it is noticed or it is a document.
        _ = try? DocumentCodec.decode(broken)
      }
    }
    #expect(throws: FirestoreError.self) { try DocumentCodec.decode([UInt8](repeating: 0xFF, count: 100)) }
  }

  @Test func `what is no database of ours is refused and stays as it is`() throws {
    let file = try TemporaryFile()
    let text = Data("This is a text, and long enough to be looked at as a database would be.".utf8)
    try text.write(to: URL(fileURLWithPath: file.path))
    #expect(code { _ = try SQLiteStorage(path: file.path) } == .dataLoss)
    #expect(try Data(contentsOf: URL(fileURLWithPath: file.path)) == text)
    let other = try TemporaryFile()
    let connection = try SQLiteConnection(path: other.path, access: .readWrite)
    try connection.run("CREATE TABLE t (x)")
    #expect(code { _ = try SQLiteStorage(path: other.path) } == .failedPrecondition)
    #expect(code { _ = try SQLiteStorage(path: other.path + "/none/x") } == .failedPrecondition)
  }

  @Test func `a file of a newer version is refused by name`() throws {
    let file = try TemporaryFile()
    do { _ = try SQLiteStorage(path: file.path) }
    try SQLiteConnection(path: file.path, access: .readWrite).run("PRAGMA user_version = 99")
    #expect { _ = try SQLiteStorage(path: file.path) } throws: {
      ($0 as? FirestoreError)?.message.contains("newer version of this program (layout 99; this one knows 1)") == true
    }
  }

  @Test func `a full disk and a file that may only be read lose nothing`() throws {
    let file = try TemporaryFile()
    let storage = try SQLiteStorage(path: file.path)
    let admin = LocalFirestore(storage: storage).admin()
    try admin.set("a/first", ["x": 1])
    try storage.limit(pages: 30)
    let large = FieldValue.value(.string(String(repeating: "x", count: 300_000)))
    #expect(
      code {
        try admin.batch { batch in
          batch.set("a/second", ["x": 2])
          batch.set("a/large", ["x": large])
        }
      } == .resourceExhausted)
    #expect(try admin.get("a/second") == nil)
    #expect(try admin.get("a/first") == ["x": 1])
    try admin.set("a/third", ["x": 3])
    try storage.checkIntegrity()

    try storage.forbidWriting()
    #expect(code { try admin.set("a/fourth", [:]) } == .failedPrecondition)
    #expect(try admin.get("a/third") == ["x": 3])
    #expect(try admin.get("a/fourth") == nil)
  }

  @Test func `clearing one database leaves the others`() throws {
    let file = try TemporaryFile()
    defer { withExtendedLifetime(file) {} }
    for storage in try [MemoryStorage(), SQLiteStorage(path: file.path)] as [any DocumentStorage] {
      let firestore = LocalFirestore(storage: storage)
      for database in ["(default)", "b"] as [Text] { try firestore.admin(database: database).set("a/x", ["n": 1]) }
      #expect(try firestore.admin().query(StructuredQuery(collection: "a").where("n", .equal, 1)).count == 1)
      try firestore.clear(database: "(default)")
      #expect(try firestore.admin().get("a/x") == nil)
      #expect(try firestore.admin().query(StructuredQuery(collection: "a").where("n", .equal, 1)).isEmpty)
      #expect(try firestore.admin(database: "b").get("a/x") == ["n": 1])
      try firestore.clear()
      #expect(try firestore.admin(database: "b").get("a/x") == nil)
    }
  }
}
