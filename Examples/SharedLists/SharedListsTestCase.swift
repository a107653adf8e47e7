import LocalFirestore
import XCTest

/// The same with XCTest.
final class SharedListsTestCase: XCTestCase {
  func testAListIsItsOwnersUntilItIsShared() async throws {
    let backend = try LocalBackend()
    let alice = try backend.app(signedUpAs: "alice@example.com")
    let bob = try backend.app(signedUpAs: "bob@example.com")
    let list = try await alice.addList("Groceries")
    XCTAssertTrue(try alice.client.allows(.get("lists/\(list)")))
    XCTAssertFalse(try bob.client.allows(.get("lists/\(list)")))

    try await alice.share(list, with: bob.uid)
    try await bob.add(Item(text: "Bread"), to: list)
    let items = try await alice.items(of: list)
    XCTAssertEqual(items, [Item(text: "Bread")])
  }

  func testARefusedCallThrows() async throws {
    let backend = try LocalBackend()
    let alice = try backend.app(signedUpAs: "alice@example.com")
    let list = try await alice.addList("Groceries")
    do {
      try await backend.app().delete(list)
      XCTFail("Somebody who is signed out has deleted a list.")
    } catch let error as FirestoreError {
      XCTAssertEqual(error.code, .permissionDenied)
      XCTAssertNotNil(error.denial?.explanation)
    }
  }
}
