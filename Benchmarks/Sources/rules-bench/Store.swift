import LocalFirestore
import RulesEngine
import RulesValues

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A Firestore in the process: what a judged get, write and query cost, and that a query costs what it finds. The work
/// is that of `Benchmarks/firestore`, which gives it to the official emulator, too.
enum Store {
  static let measurements: [String: @Sendable (Int) throws -> Void] = [
    "store-get": { try gets(on: store(1000), $0) },
    "store-write": { try writes(on: store(1000), $0) },
    "store-equal-1000": { try queries(.equal, on: store(1000), $0) },
    "store-equal-100000": { try queries(.equal, on: store(100_000), $0) },
    "store-range-1000": { try queries(.range, on: store(1000), $0) },
    "store-range-100000": { try queries(.range, on: store(100_000), $0) },
    "store-element-1000": { try queries(.element, on: store(1000), $0) },
    "store-element-100000": { try queries(.element, on: store(100_000), $0) },
    "store-order-1000": { try queries(.order, on: store(1000), $0) },
    "store-order-100000": { try queries(.order, on: store(100_000), $0) },
  ]

  private static let rules = """
    rules_version = '2';
    service cloud.firestore {
      match /databases/{database}/documents {
        match /notes/{id} {
          allow read: if request.auth != null && resource.data.shared == true;
          allow write: if request.auth.uid == request.resource.data.owner
            && request.resource.data.keys().hasOnly(['owner', 'title', 'n', 'shared', 'tags'])
            && request.resource.data.title is string && request.resource.data.title.size() < 100;
        }
      }
    }
    """

  /// Of every question.
  private static let results = 20

  private static func owner(_ i: Int) -> String { "user\(i / results)" }

  private static func data(_ i: Int, title: String = "A note") -> [Text: FieldValue] {
    [
      "owner": .value(.string(owner(i))), "title": .value(.string(title)), "n": .value(.int(Int64(i))), "shared": true,
      "tags": .value(.array([.string("all"), .string("tag\(i / results)")])),
    ]
  }

  private static func store(
    _ count: Int, storage: any DocumentStorage = MemoryStorage()
  ) throws -> LocalFirestore {
    let firestore = try LocalFirestore(rules: rules, storage: storage)
    let admin = firestore.admin()
    for start in stride(from: 0, to: count, by: 500) {
      try admin.batch { (batch) throws(FirestoreError) in
        for i in start..<min(start + 500, count) { batch.set("notes/\(i)", data(i)) }
      }
    }
    // Makes the index.
    Measurement.check(try admin.query(admin.collection("notes").where("n", .equal, 0)).count == 1)
    return firestore
  }

  private static func gets(on firestore: LocalFirestore, _ times: Int) throws {
    let client = firestore.client(as: "reader")
    for i in 0..<times { Measurement.check(try client.get("notes/\(i % 1000)") != nil) }
  }

  private static func writes(on firestore: LocalFirestore, _ times: Int) throws {
    for i in 0..<times {
      try firestore.client(as: owner(i % 1000)).set("notes/\(i % 1000)", data(i % 1000, title: "Title \(i)"))
    }
  }

  private enum Kind: CaseIterable { case equal, range, element, order }

  private static func query(_ kind: Kind, _ i: Int, _ client: Client) throws -> StructuredQuery {
    let all = try client.collection("notes").where("shared", .equal, true)
    switch kind {
    case .equal: return all.where("owner", .equal, .string("user\(i % 40)"))
    case .range: return all.where("n", .greaterThanOrEqual, .int(Int64(i % 900))).order(by: "n").limit(results)
    case .element: return all.where("tags", .arrayContains, .string("tag\(i % 40)"))
    case .order:
      return try client.collection("notes").where("n", .lessThan, 900).order(by: "n", descending: true).limit(results)
    }
  }

  private static func queries(_ kind: Kind, on firestore: LocalFirestore, _ times: Int) throws {
    let client = kind == .order ? firestore.admin() : firestore.client(as: "reader")
    for i in 0..<times { Measurement.check(try client.query(query(kind, i, client)).count == results) }
  }

  // MARK: By the clock

  /// Seconds of as many judged gets, writes and, a tenth of them, queries over 10,000 documents; kilobytes after each.
  static func clocked(_ times: Int) throws {
    let clock = ContinuousClock()
    let firestore = try store(10_000)
    func line(_ name: String, _ count: Int, _ body: () throws -> Void) rethrows {
      let seconds = try clock.measure(body) / .seconds(1)
      print("\(name) \(count) \(seconds) \(residentKilobytes)")
    }
    try line("gets", times) {
      let client = firestore.client(as: "reader")
      for i in 0..<times { Measurement.check(try client.get("notes/\(i * 7 % 10_000)") != nil) }
    }
    try line("writes", times) {
      for i in 0..<times {
        let n = i * 7 % 10_000
        try firestore.client(as: owner(n)).set("notes/\(n)", data(n, title: "Title \(i)"))
      }
    }
    try line("queries", times / 10) {
      let client = firestore.client(as: "reader")
      for i in 0..<(times / 10) {
        Measurement.check(try client.query(query([.equal, .range, .element][i % 3], i, client)).count == results)
      }
    }
  }

  /// Makes a file of so many documents, unless it is there, and opens it: seconds until the first document is read, and
  /// of a query.
  static func opened(_ count: Int, path: String) throws {
    let clock = ContinuousClock()
    if access(path, F_OK) != 0 {
      let seconds = try clock.measure { _ = try store(count, storage: SQLiteStorage(path: path)) } / .seconds(1)
      print("made \(count) \(seconds) \(residentKilobytes)")
    }
    var firestore: LocalFirestore?
    let opening = try clock.measure {
      let opened = try LocalFirestore(rules: rules, storage: SQLiteStorage(path: path))
      Measurement.check(try opened.client(as: "reader").get("notes/\(count / 2)") != nil)
      firestore = opened
    }
    print("opened \(count) \(opening / .seconds(1)) \(residentKilobytes)")
    guard let firestore else { return }
    for kind in Kind.allCases {
      let seconds = try clock.measure { try queries(kind, on: firestore, 1) } / .seconds(1)
      print("\(kind) \(count) \(seconds) \(residentKilobytes)")
    }
  }

  /// What the process holds in memory.
  private static var residentKilobytes: Int {
    guard let file = fopen("/proc/self/statm", "r") else { return 0 }
    defer { fclose(file) }
    var text = [CChar](repeating: 0, count: 200)
    guard fgets(&text, 200, file) != nil else { return 0 }
    let line = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let numbers = line.split(separator: " ")
    return numbers.count > 1 ? (Int(numbers[1]) ?? 0) * (Int(sysconf(Int32(_SC_PAGESIZE))) / 1024) : 0
  }
}
