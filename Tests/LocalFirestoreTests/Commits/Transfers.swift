import Foundation
import LocalFirestore
import RulesEngine
import RulesValues
import Testing

/// A bank: eight tasks move money between accounts, read, query and listen, all at once. Money is neither made nor
/// lost, and nobody sees a state in between. `make races` runs it for minutes under the thread sanitizer.
@Suite struct TransferTests {
  private static let seconds = Double(ProcessInfo.processInfo.environment["TRANSFER_SECONDS"] ?? "")
  /// Of each task, when no time is given.
  private static let steps = 40
  private static let tasks = 8
  private static let accounts = 10
  private static let total: Int64 = 1000

  private static let rules = """
    rules_version = '2';
    service cloud.firestore {
      match /databases/{d}/documents {
        match /accounts/{id} {
          allow read: if request.auth != null;
          allow write: if request.resource.data.n is int && exists(/databases/$(d)/documents/bank/open);
        }
      }
    }
    """

  private func balance(_ fields: Fields?) -> Int64 {
    if case .int(let n)? = fields?["n"] { n } else { 0 }
  }

  private func transfer(_ client: Client, _ random: inout Randomness) async throws {
    let from = Int.random(in: 0..<Self.accounts, using: &random)
    let to = (from + Int.random(in: 1..<Self.accounts, using: &random)) % Self.accounts
    let amount = Int64.random(in: 1...9, using: &random)
    try await client.runTransaction(attempts: 1000) { transaction in
      let a = balance(try transaction.get("accounts/\(from)"))
      let b = balance(try transaction.get("accounts/\(to)"))
      await Task.yield()
      try transaction.set("accounts/\(from)", ["n": .value(.int(a - amount))])
      try transaction.update("accounts/\(to)", ["n": .value(.int(b + amount))])
    }
  }

  /// One step of a task: mostly transfers; else something that looks at all accounts.
  private func step(_ client: Client, _ random: inout Randomness) async throws {
    let accounts = try client.collection("accounts")
    switch Int.random(in: 0..<10, using: &random) {
    case 0:
      let found = try await client.query(accounts.order(by: "n", descending: true))
      #expect(found.reduce(0) { $0 + balance($1.fields) } == Self.total)
    case 1:
      let sum = try await client.aggregate([Aggregation(.sum(FieldPath("n")), as: "sum")], over: accounts)
      #expect(sum["sum"] == .int(Self.total))
    case 2:
      let seen = try await client.runTransaction(readOnly: true) { transaction in
        try (0..<Self.accounts).reduce(Int64(0)) { $0 + balance(try transaction.get("accounts/\($1)")) }
      }
      #expect(seen == Self.total)
    case 3:
      try await client.batch { (batch) throws(FirestoreError) in
        batch.update("accounts/0", ["n": .increment(-1)])
        batch.update("accounts/1", ["n": .increment(1)])
      }
    case 4: await #expect(throws: FirestoreError.self) { try await client.delete("bank/open") }
    default: try await transfer(client, &random)
    }
  }

  private func run(_ firestore: LocalFirestore) async throws {
    let admin = firestore.admin()
    for n in 0..<Self.accounts { try await admin.set("accounts/\(n)", ["n": .value(.int(Self.total / Int64(Self.accounts)))]) }
    try await admin.set("bank/open", [:])
    let snapshots = try firestore.client(as: "listener").listen(to: admin.collection("accounts"))
    let listener = Task {
      for await snapshot in snapshots {
        #expect(snapshot.documents.reduce(0) { $0 + balance($1.fields) } == Self.total)
      }
    }
    let end = Self.seconds.map { ContinuousClock.now + .seconds($0) }
    let steps = try await withThrowingTaskGroup(of: Int.self) { group in
      for task in 0..<Self.tasks {
        group.addTask {
          var random = Randomness(seed: UInt64(task))
          let client = firestore.client(as: "user\(task)")
          var steps = 0
          while end.map({ ContinuousClock.now < $0 }) ?? (steps < Self.steps) {
            try await step(client, &random)
            steps += 1
          }
          return steps
        }
      }
      return try await group.reduce(0, +)
    }
    listener.cancel()
    let total = try await admin.query(admin.collection("accounts")).reduce(0) { $0 + balance($1.fields) }
    #expect(total == Self.total)
    if Self.seconds != nil { print("\(steps) steps of \(Self.tasks) tasks, the sum holds") }
  }

  @Test func `transfers of eight tasks at once keep the sum, in memory`() async throws {
    try await run(LocalFirestore(rules: Self.rules))
  }

  @Test func `transfers of eight tasks at once keep the sum, in a file`() async throws {
    let file = try TemporaryFile()
    try await run(LocalFirestore(rules: Self.rules, storage: SQLiteStorage(path: file.path)))
    try SQLiteStorage(path: file.path).checkIntegrity()
    withExtendedLifetime(file) {}
  }
}
