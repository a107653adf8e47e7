import LocalFirestore
import RulesEngine
import RulesValues
import Testing

private let open = "rules_version = '2'; service cloud.firestore { match /{x=**} { allow read, write; } }"

@Suite struct TransactionTests {
  private func stores() throws -> [(LocalFirestore, TemporaryFile?)] {
    let file = try TemporaryFile()
    return [
      (try LocalFirestore(rules: open), nil),
      (try LocalFirestore(rules: open, storage: SQLiteStorage(path: file.path)), file),
    ]
  }

  @Test func `a transaction is tried again when what it has read was changed`() throws {
    let firestore = try LocalFirestore(rules: open)
    let admin = firestore.admin()
    for change in ["create", "update", "delete", "query"] {
      try firestore.clear()
      if change != "create" { try admin.set("a/x", ["n": 1]) }
      var tries = 0
      try firestore.client(as: "u").runTransaction { transaction in
        tries += 1
        if change == "query" {
          _ = try transaction.query(StructuredQuery(collection: "a"))
        } else {
          _ = try transaction.get("a/x")
        }
        if tries == 1 {
          switch change {
          case "delete": try admin.delete("a/x")
          case "query": try admin.set("a/y", [:])
          default: try admin.set("a/x", ["n": 2])
          }
        }
        try transaction.set("a/z", ["done": true])
      }
      #expect(tries == 2, "\(change)")
      #expect(try admin.get("a/z") != nil)
    }
  }

  @Test func `after the last attempt a transaction is aborted`() throws {
    let firestore = try LocalFirestore(rules: open)
    let admin = firestore.admin()
    var tries = 0
    #expect {
      try firestore.client(as: "u").runTransaction(attempts: 3) { transaction in
        tries += 1
        _ = try transaction.get("a/x")
        try admin.set("a/x", ["n": .increment(1)], merge: true)
        try transaction.set("a/x", [:])
      }
    } throws: { ($0 as? FirestoreError)?.code == .aborted }
    #expect(tries == 3)
    #expect(try admin.get("a/x") == ["n": 3])
  }

  @Test func `a transaction that may write sees the newest state until it has read something`() throws {
    for (firestore, file) in try stores() {
      let admin = firestore.admin()
      for id in ["x", "y"] { try admin.set("a/\(id)", ["n": 1]) }
      var tries = 0
      let seen = try firestore.client(as: "u").runTransaction { transaction in
        tries += 1
        // Nothing was read, or nothing of what was changed: as if those who change it had been first.
        if tries == 1 { try admin.set("a/x", ["n": 2]) }
        let x = try transaction.get("a/x")
        if tries == 1 { try admin.set("a/y", ["n": 2]) }
        let y = try transaction.get("a/y")
        try transaction.set("a/z", [:])
        return [x, y]
      }
      #expect(seen == [["n": 2], ["n": 2]])
      #expect(tries == 1)
      // What was read was changed: until the end all reads agree with each other.
      tries = 0
      var all: [[Fields?]] = []
      try firestore.client(as: "u").runTransaction { transaction in
        tries += 1
        let x = try transaction.get("a/x")
        if tries == 1 { for id in ["x", "y"] { try admin.set("a/\(id)", ["n": 3]) } }
        all.append([x, try transaction.get("a/y")])
        try transaction.set("a/z", [:])
      }
      #expect(all == [[["n": 2], ["n": 2]], [["n": 3], ["n": 3]]])
      withExtendedLifetime(file) {}
    }
  }

  @Test func `a transaction sees one state`() throws {
    for (firestore, file) in try stores() {
      let admin = firestore.admin()
      try admin.set("a/x", ["n": 1])
      let seen = try firestore.client(as: "u").runTransaction(readOnly: true) { transaction in
        try admin.set("a/x", ["n": 2])
        try admin.set("a/y", ["n": 2])
        #expect(throws: FirestoreError.self) { try transaction.set("a/z", [:]) }
        return (
          try transaction.get("a/x"), try transaction.get("a/y"),
          try transaction.query(StructuredQuery(collection: "a")).count
        )
      }
      #expect(seen.0 == ["n": 1])
      #expect(seen.1 == nil)
      #expect(seen.2 == 1)
      withExtendedLifetime(file) {}
    }
  }

  @Test func `all reads come before all writes, and an error writes nothing`() throws {
    struct Own: Error {}
    let firestore = try LocalFirestore(rules: open)
    let client = firestore.client(as: "u")
    #expect(throws: FirestoreError.self) {
      try client.runTransaction { transaction in
        try transaction.set("a/x", [:])
        _ = try transaction.get("a/x")
      }
    }
    #expect(throws: Own.self) {
      try client.runTransaction { transaction in
        try transaction.set("a/x", [:])
        throw Own()
      }
    }
    #expect(try firestore.admin().get("a/x") == nil)
    var escaped: Transaction?
    try client.runTransaction { escaped = $0 }
    #expect(throws: FirestoreError.self) { try escaped?.set("a/x", [:]) }
    #expect(throws: FirestoreError.self) { try escaped?.get("a/x") }
  }

  @Test func `reads of a transaction are judged as they are made, its writes in the end`() throws {
    let firestore = LocalFirestore(
      rules: try Ruleset(
        """
        rules_version = '2'; service cloud.firestore { match /databases/{d}/documents {
          match /a/{x} { allow get: if x == 'mine'; allow create: if existsAfter(/databases/$(d)/documents/a/log); } } }
        """))
    let client = firestore.client(as: "u")
    #expect(throws: FirestoreError.self) { try client.runTransaction { _ = try $0.get("a/other") } }
    #expect(throws: FirestoreError.self) { try client.runTransaction { try $0.set("a/x", [:]) } }
    #expect(throws: FirestoreError.self) {
      try client.runTransaction { _ = try $0.query(StructuredQuery(collection: "a")) }
    }
    try client.runTransaction {
      _ = try $0.get("a/mine")
      try $0.set("a/x", [:])
      try $0.create("a/log", ["at": .serverTimestamp])
    }
    #expect(try firestore.admin().get("a/x") == [:])
  }
}
