import RulesValues
import Testing

@testable import RulesEngine

/// Leaks that only a query shows.
@Suite struct ListLeakTests {
  /// Ids that cannot be guessed need not be guessed when `read` lets anybody list them.
  @Test func idsThatNobodyCanGuessAreListed() throws {
    let leaky = "match /shares/{token} { allow read: if true; }"
    let safe = "match /shares/{token} { allow get: if true; }"
    let documents: DocumentTable = [Recorded.path("/shares/k9Zp"): ["doc": .string("x")]]
    let list = Query.list(nil, "shares", auth: nil)
    #expect(try Query.answer(leaky, list, documents) == "ALLOW")
    #expect(try Query.answer(safe, list, documents) == "No matching allow statements")
    let get = Request.get(Recorded.path("/shares/k9Zp"), auth: nil, time: Query.time)
    for rules in [leaky, safe] { #expect(try Query.ruleset(rules).decide(get, documents).isAllowed) }
  }

  /// A match that is written for collection groups covers every collection of the name.
  @Test func aGroupReachesEveryCollectionOfItsName() throws {
    let leaky = "match /{path=**}/notes/{n} { allow read: if request.auth != null; }"
    let safe = "match /{path=**}/notes/{n} { allow read: if request.auth.uid == resource.data.owner; }"
    for list in [Query.list(nil, "notes", group: true), Query.list(nil, "notes", below: "/users/alice")] {
      #expect(try Query.answer(leaky, list) == "ALLOW")
      #expect(try Query.answer(safe, list) == "Property owner is undefined on object. for 'list' @ L4")
    }
    let mine = Query.list(field("owner", .equal, .string("u1")), "notes", group: true)
    #expect(try Query.answer(safe, mine) == "ALLOW")
  }
}
