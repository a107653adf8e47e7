// What the app has anyway: its types, and what it asks of its backend. In production a type over the Firebase SDK
// does this.

struct SharedList: Codable, Equatable, Sendable {
  var title: String
  var owner: String
  var members: [String]
}

struct Item: Codable, Equatable, Sendable {
  var text: String
  var isDone = false
}

protocol ListsBackend: Sendable {
  /// The lists of whoever is signed in, by their ids.
  func lists() async throws -> [String: SharedList]
  /// - Returns: the id of the new list.
  func addList(_ title: String) async throws -> String
  func share(_ list: String, with member: String) async throws
  func items(of list: String) async throws -> [Item]
  func add(_ item: Item, to list: String) async throws
  /// Everything in it goes, too.
  func delete(_ list: String) async throws
}
