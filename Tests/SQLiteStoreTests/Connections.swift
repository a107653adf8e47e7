import Foundation
import SQLiteStore
import Testing

@Suite struct ConnectionTests {
  private struct Stop: Error {}

  private static func file() -> String {
    FileManager.default.temporaryDirectory.appending(path: "rules-test-\(UUID().uuidString).sqlite").path()
  }

  private func rows(
    _ connection: SQLiteConnection, _ sql: String, _ parameters: [SQLiteConnection.Cell] = []
  ) throws(SQLiteError) -> [[SQLiteConnection.Cell]] {
    var rows: [[SQLiteConnection.Cell]] = []
    try connection.run(sql, parameters, failing: { $0 }) { (row) throws(SQLiteError) in
      rows.append(row)
      return true
    }
    return rows
  }

  private func kind(_ body: () throws -> Void) -> SQLiteError.Kind? {
    do {
      try body()
      return nil
    } catch {
      return (error as? SQLiteError)?.kind
    }
  }

  @Test func `what goes in comes out, texts as their bytes`() throws {
    let connection = try SQLiteConnection(file: ":memory:", access: .readWrite)
    _ = try rows(connection, "CREATE TABLE t (a, b, c, d, e, f)")
    _ = try rows(
      connection, "INSERT INTO t VALUES (?, ?, ?, ?, ?, ?)",
      [.blob([0, 255]), .blob([]), .text("a\0é"), .text(""), .int(.min), .null])
    #expect(
      try rows(connection, "SELECT * FROM t") == [
        [.blob([0, 255]), .blob([]), .blob(Array("a\0é".utf8)), .blob([]), .int(.min), .null]
      ])
    // A text is a text to SQLite, and a blob is none.
    #expect(
      try rows(connection, "SELECT typeof(b) = 'blob', typeof(c) = 'text', typeof(d) = 'text' FROM t")
        == [[.int(1), .int(1), .int(1)]])
  }

  @Test func `a statement can be used while it is in use, and ends when a row throws`() throws {
    let connection = try SQLiteConnection(file: ":memory:", access: .readWrite)
    _ = try rows(connection, "CREATE TABLE t (n)")
    for n in 0..<3 { _ = try rows(connection, "INSERT INTO t VALUES (?)", [.int(Int64(n))]) }
    var pairs = 0
    try connection.run("SELECT n FROM t", [], failing: { $0 }) { (_) throws(SQLiteError) in
      pairs += try rows(connection, "SELECT n FROM t").count
      return true
    }
    #expect(pairs == 9)
    #expect(throws: Stop.self) {
      try connection.run("SELECT n FROM t", [], failing: { _ in Stop() }) { (_) throws(Stop) in throw Stop() }
    }
    #expect(try rows(connection, "SELECT n FROM t").count == 3)
  }

  @Test func `errors say what kind they are`() throws {
    let file = Self.file()
    defer { for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file + end) } }
    #expect(kind { _ = try SQLiteConnection(file: "/nowhere/at/all.sqlite", access: .readWrite) } == .cannotOpen)
    #expect(kind { _ = try SQLiteConnection(file: file, access: .readOnly) } == .cannotOpen)
    #expect(kind { _ = try SQLiteConnection(file: ":memory:", access: .readWrite, disk: "none") } == .other)
    let connection = try SQLiteConnection(file: file, access: .readWrite)
    _ = try rows(connection, "CREATE TABLE t (n PRIMARY KEY)")
    _ = try rows(connection, "INSERT INTO t VALUES (1)")
    #expect(kind { _ = try rows(connection, "INSERT INTO t VALUES (1)") } == .conflict)
    #expect(kind { _ = try rows(connection, "INSERT INTO t VALUES (?)", [.int(1), .int(2)]) } == .other)
    #expect(kind { _ = try rows(connection, "SELEKT") } == .other)
    let reader = try SQLiteConnection(file: file, access: .readOnly)
    #expect(kind { _ = try rows(reader, "INSERT INTO t VALUES (2)") } == .readOnly)
    #expect(try rows(reader, "SELECT n FROM t") == [[.int(1)]])
    try Data(repeating: 65, count: 5000).write(to: URL(filePath: file))
    let broken = try SQLiteConnection(file: file, access: .readWrite)
    #expect(kind { _ = try rows(broken, "SELECT n FROM t") } == .notADatabase)
  }
}
