import RulesValues
import Testing

@testable import LocalFirestore

/// Numbers that look random, the same in each run.
private struct Source: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state ^ state >> 29
  }
}

/// Values of which many are equal, and some are cut in the index.
private let values: [DataValue] = [
  .null, .double(.nan), 0, 1, 2, 1.0, 1.5, "a", "b", ["a", 1], [2, .null], ["k": 1], ["k": 2, "l": "x"], true,
  .string(String(repeating: "x", count: 1600)), .string(String(repeating: "x", count: 1600) + "y"),
]

@Suite struct SourceTests {
  private static let fields: [FieldPath] = ["x", "y", "z", "m.k"]

  private func filter(_ source: inout Source, depth: Int = 0) -> Filter {
    let field = Self.fields.randomElement(using: &source) ?? "x"
    let value = values[..<14].randomElement(using: &source) ?? 1
    switch Int.random(in: 0..<12, using: &source) {
    case 0 where depth < 2, 1 where depth < 2: return .and((0..<2).map { _ in filter(&source, depth: depth + 1) })
    case 2 where depth < 2: return .or((0..<2).map { _ in filter(&source, depth: depth + 1) })
    case 3: return .unary(field, [.isNull, .isNotNull, .isNaN, .isNotNaN].randomElement(using: &source) ?? .isNull)
    case 4: return .compare(field, .arrayContains, value)
    case 5: return .compare(field, .in, .array([value, 1]))
    case 6, 7:
      return .compare(
        field, [.lessThan, .greaterThanOrEqual, .greaterThan].randomElement(using: &source) ?? .lessThan, value)
    case 8: return .compare(field, .notEqual, value)
    default: return .compare(field, .equal, value)
    }
  }

  private func query(_ source: inout Source) -> StructuredQuery {
    var query = StructuredQuery(collection: "q", allDescendants: Int.random(in: 0..<5, using: &source) == 0)
    if Bool.random(using: &source) { query.filter = filter(&source) }
    if Bool.random(using: &source) {
      query.orders = Self.fields.shuffled(using: &source).prefix(Int.random(in: 1...2, using: &source)).map {
        StructuredQuery.Order($0, isDescending: Bool.random(using: &source))
      }
      if Bool.random(using: &source) {
        query.start = .init([values.randomElement(using: &source) ?? 1], isBefore: Bool.random(using: &source))
      }
      if Int.random(in: 0..<4, using: &source) == 0 {
        query.end = .init([values.randomElement(using: &source) ?? 1], isBefore: Bool.random(using: &source))
      }
      query.isLimitedToLast = Int.random(in: 0..<5, using: &source) == 0
    }
    if Bool.random(using: &source) { query.limit = Int.random(in: 1...7, using: &source) }
    if Int.random(in: 0..<4, using: &source) == 0 { query.offset = 2 }
    return query
  }

  /// What a query finds when all documents are looked at, one by one.
  private func plainly(_ query: StructuredQuery, _ documents: [StoredDocument]) -> [ResourcePath] {
    let asked = query.isLimitedToLast ? query.turnedAround : query
    let order = QueryOrder(asked)
    var found: [([UInt8], ResourcePath)] = []
    for document in documents
    where document.path.segments[document.path.segments.count - 2] == "q"
      && (query.allDescendants || document.path.segments.count == 2)
    {
      guard asked.filter?.matches(document) ?? true, let key = order.key(document), order.place(key) == .within else {
        continue
      }
      found.append((key, document.path))
    }
    found.sort { [UInt8].compare($0.0, $1.0) < 0 }
    let rest = found.dropFirst(query.offset).map(\.1)
    let limited = query.limit.map { Array(rest.prefix($0)) } ?? rest
    return query.isLimitedToLast ? limited.reversed() : limited
  }

  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func `what the index finds is what looking at every document finds`(_ seed: UInt64) throws {
    var source = Source(state: seed)
    let file = try TemporaryFile()
    defer { withExtendedLifetime(file) {} }
    let stores = [LocalFirestore(), LocalFirestore(storage: try SQLiteStorage(path: file.path))]
    var documents: [ResourcePath: Fields] = [:]
    for step in 0..<120 {
      let id = Text("d\(Int.random(in: 0..<70, using: &source))")
      let other = Text("p\(Int.random(in: 0..<3, using: &source))")
      let parent: [Text] = step % 4 == 0 ? ["p", other, "q"] : [step % 9 == 0 ? "r" : "q"]
      let path = ResourcePath(segments: parent + [id])
      var fields: Fields = [:]
      for field in Self.fields where Int.random(in: 0..<4, using: &source) > 0 {
        fields.set(values.randomElement(using: &source) ?? 1, at: field)
      }
      let isDeleted = Int.random(in: 0..<6, using: &source) == 0
      documents[path] = isDeleted ? nil : fields
      for store in stores {
        if isDeleted { try store.admin().delete(path.relative) } else { try store.seed(path, fields) }
      }
    }
    let stored = documents.map {
      StoredDocument(path: $0, fields: $1, createTime: Timestamp(seconds: 0), updateTime: Timestamp(seconds: 0))
    }
    var asked = 0
    while asked < 250 {
      let query = query(&source)
      guard (try? QueryLaws.check(query)) != nil else { continue }
      asked += 1
      let expected = plainly(query, stored)
      for store in stores { #expect(try store.admin().query(query).map(\.path) == expected, "\(query)") }
    }
  }

  @Test func `the index is what the documents make it, whatever happened to them`() throws {
    let file = try TemporaryFile()
    defer { withExtendedLifetime(file) {} }
    let storage = try SQLiteStorage(path: file.path)
    let admin = LocalFirestore(storage: storage).admin()
    try admin.set("q/a", ["x": 1, "m": .value(["k": [1, 2, 2]]), "l": .value([["a": 1]])])
    try admin.update("q/a", ["m.k": .arrayUnion([3]), "x": .delete])
    try admin.set("q/a", ["y": 1.0])
    try admin.set("q/b", [:])
    try storage.checkIntegrity()
    try admin.delete("q/a")
    try storage.checkIntegrity()
  }
}

/// How many keys and documents a query has looked at.
private final class Counting: DocumentStorage {
  let storage = MemoryStorage()
  let looked = Counter()

  final class Counter: Sendable {
    private let lock = ManualClock(Timestamp(seconds: 0))
    var count: Int64 { lock.now.seconds }
    func add() { lock.now = Timestamp(seconds: lock.now.seconds + 1) }
    func reset() { lock.now = Timestamp(seconds: 0) }
  }

  func snapshot(indexed: Bool) throws(FirestoreError) -> any StorageSnapshot {
    Snapshot(inner: storage.snapshot(indexed: indexed), looked: looked)
  }
  func commit(_ changes: [StorageChange], time: Timestamp) throws(FirestoreError) {
    storage.commit(changes, time: time)
  }
  func clear(database: Text?) throws(FirestoreError) { storage.clear(database: database) }
  func lastCommitTime() throws(FirestoreError) -> Timestamp? { storage.lastCommitTime() }

  private struct Snapshot: StorageSnapshot {
    let inner: any StorageSnapshot
    let looked: Counter

    func document(at path: ResourcePath) throws(FirestoreError) -> StoredDocument? { try inner.document(at: path) }
    func document(key: [UInt8]) throws(FirestoreError) -> StoredDocument? { try inner.document(key: key) }
    func documents(
      _ range: KeyRange, descending: Bool, _ body: (StoredDocument) throws(FirestoreError) -> Bool
    ) throws(FirestoreError) {
      try inner.documents(range, descending: descending) { (document) throws(FirestoreError) in
        looked.add()
        return try body(document)
      }
    }
    func entries(
      _ range: KeyRange, descending: Bool, _ body: ([UInt8]) throws(FirestoreError) -> Bool
    ) throws(FirestoreError) {
      try inner.entries(range, descending: descending) { (key) throws(FirestoreError) in
        looked.add()
        return try body(key)
      }
    }
  }
}

@Suite struct QueryCostTests {
  private static let collection = StructuredQuery(collection: "q")

  @Test(arguments: [
    collection.limit(5), collection.where("n", .equal, 7), collection.where("n", .greaterThan, 2990),
    collection.order(by: "n").limit(5), collection.order(by: "n", descending: true).limit(5),
    collection.order(by: "n").start(at: 2990), collection.where("n", .in, [1, 2, 3]),
    collection.where("tags", .arrayContains, "t7"),
    collection.where("kind", .equal, "rare").where("n", .greaterThan, 1),
    collection.where(.or([.compare("n", .equal, 3), .compare("n", .equal, 4)])),
    collection.where("all", .equal, "same").limit(5),
    collection.where("all", .equal, "same").where("n", .greaterThan, 2990),
    collection.where("all", .equal, "same").order(by: "n", descending: true).limit(5),
    collection.where("all", .equal, "same").where("kind", .equal, "rare"),
    collection.where("kind", .equal, "common").where("tags", .arrayContains, "t7"),
    collection.where("n", .lessThan, 9).where("all", .greaterThan, "a"),
    collection.order(by: "n").order(by: "kind").limit(5),
    collection.order(by: "n", descending: true).order(by: "kind").limit(5),
    collection.where("all", .greaterThan, "a").order(by: "n").order(by: "kind", descending: true).limit(5),
    collection.order(by: "n").order(by: "kind").limitToLast(5),
  ])
  func `a query looks at little more than it finds`(_ query: StructuredQuery) throws {
    let storage = Counting()
    let firestore = LocalFirestore(storage: storage)
    for n in 0..<3000 {
      try firestore.seed(
        ResourcePath(segments: ["q", Text("d\(n)")]),
        ["n": .int(Int64(n)), "tags": [.string("t\(n)")], "kind": n % 500 == 0 ? "rare" : "common", "all": "same"])
    }
    storage.looked.reset()
    let found = try firestore.admin().query(query).count
    #expect(found > 0 && found <= 10)
    #expect(storage.looked.count <= 250, "\(storage.looked.count) for \(found)")
  }
}
