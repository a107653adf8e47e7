import Foundation
import Identity
import LocalFirestore

/// All that the app talks to, in the process: accounts, and a database that keeps the rules.
struct LocalBackend: Sendable {
  let clock = ManualAuthClock()
  let accounts: AuthServer
  let firestore: LocalFirestore

  init() throws {
    let rules = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "firestore.rules")
    accounts = AuthServer(clock: clock, seed: 1)
    firestore = try LocalFirestore(rules: String(contentsOf: rules, encoding: .utf8), clock: clock)
  }

  /// An app on a device of its own, on which nobody is signed in.
  func app() -> LocalLists {
    let device = accounts.device()
    return LocalLists(device: device, client: firestore.client(as: device))
  }

  /// An app with a new account signed in.
  func app(signedUpAs email: String) throws -> LocalLists {
    let app = app()
    try app.device.createUser(email: email, password: "correct horse")
    return app
  }
}

/// The app's backend on one device.
struct LocalLists: ListsBackend {
  let device: Device
  /// Makes every call as whoever is signed in on the device at the time.
  let client: Client

  struct SignedOut: Error {}

  var uid: String {
    get throws {
      guard let user = device.currentUser else { throw SignedOut() }
      return user.uid
    }
  }

  func lists() async throws -> [String: SharedList] {
    let mine = try client.collection("lists").where("members", .arrayContains, uid).order(by: "title")
    let documents = try await client.query(mine)
    return try Dictionary(uniqueKeysWithValues: documents.map { ($0.id, try $0.data(as: SharedList.self)) })
  }

  func addList(_ title: String) async throws -> String {
    var fields = try FieldValues(encoding: SharedList(title: title, owner: uid, members: [uid]))
    fields["created"] = .serverTimestamp
    return try await client.add(to: "lists", fields)
  }

  func share(_ list: String, with member: String) async throws {
    try await client.update("lists/\(list)", ["members": .arrayUnion([.string(member)])])
  }

  func items(of list: String) async throws -> [Item] {
    try await client.query(client.collection("lists/\(list)/items").order(by: "text"), as: Item.self)
  }

  func add(_ item: Item, to list: String) async throws {
    try await client.add(to: "lists/\(list)/items", from: item)
  }

  func delete(_ list: String) async throws {
    let items = try await client.query(client.collection("lists/\(list)/items"))
    try await client.batch { batch in
      for item in items { batch.delete("lists/\(list)/items/\(item.id)") }
      batch.delete("lists/\(list)")
    }
  }
}
