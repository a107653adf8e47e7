import LocalFirestore
import Testing

@Suite struct SharedListsTests {
  let backend: LocalBackend
  let alice, bob: LocalLists

  init() throws {
    backend = try LocalBackend()
    alice = try backend.app(signedUpAs: "alice@example.com")
    bob = try backend.app(signedUpAs: "bob@example.com")
  }

  @Test func `a list is its owner's until it is shared`() async throws {
    let list = try await alice.addList("Groceries")
    try await alice.add(Item(text: "Milk"), to: list)
    #expect(try await alice.lists().values.map(\.title) == ["Groceries"])
    #expect(try await bob.lists().isEmpty)
    await #expect(throws: FirestoreError.self) { try await bob.items(of: list) }

    try await alice.share(list, with: bob.uid)
    #expect(try await bob.lists().keys.map { $0 } == [list])
    try await bob.add(Item(text: "Bread", isDone: true), to: list)
    #expect(try await alice.items(of: list).map(\.text) == ["Bread", "Milk"])
  }

  @Test func `members can do all but what is the owner's`() async throws {
    let list = try await alice.addList("Groceries")
    try await alice.share(list, with: bob.uid)
    let path = "lists/\(list)"
    #expect(try bob.client.allows(.update(path, ["title": "Food"])))
    #expect(try !bob.client.allows(.update(path, ["owner": .of(bob.uid)])))
    #expect(try !bob.client.allows(.update(path, ["members": .of([bob.uid])])))
    #expect(try !bob.client.allows(.delete(path)))
    #expect(try alice.client.allows(.delete(path)))
  }

  @Test func `a denial says why, and what a query lacks`() async throws {
    let list = try await alice.addList("Groceries")
    let denial = try #require(try bob.client.denial(of: .delete("lists/\(list)")))
    #expect(denial.message == "evaluation error at L13:24 for 'delete' @ L13, false for 'delete' @ L13")
    #expect(denial.explanation.contains("`request.auth.uid == resource.data.owner` is false"))

    let all = try bob.client.collection("lists")
    let refused = try #require(try bob.client.denial(of: .list(all)))
    #expect(refused.suggestion == "where '\(try bob.uid)' in members")
    #expect(try bob.client.allows(.list(#require(refused.suggestedQuery))))
  }

  @Test func `who signs out sees nothing, and after signing in again everything`() async throws {
    let list = try await alice.addList("Groceries")
    alice.device.signOut()
    await #expect(throws: FirestoreError.self) { try await alice.items(of: list) }
    try alice.device.signIn(email: "alice@example.com", password: "correct horse")
    #expect(try await alice.lists().count == 1)
    // Weeks later the token has long been renewed.
    backend.clock.advance(seconds: 30 * 86_400)
    #expect(try await alice.lists().count == 1)
  }

  @Test func `a screen hears of what others change`() async throws {
    let list = try await alice.addList("Groceries")
    let items = try alice.client.collection("lists/\(list)/items").order(by: "text")
    var snapshots = try alice.client.listen(to: items).makeAsyncIterator()
    #expect(await snapshots.next()?.documents.count == 0)
    try await alice.share(list, with: bob.uid)
    try await bob.add(Item(text: "Bread"), to: list)
    #expect(await snapshots.next()?.documents.map { $0["text"] } == ["Bread"])
  }
}
