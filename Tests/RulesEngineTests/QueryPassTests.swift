import RulesValues
import Testing

@testable import RulesEngine

/// The two passes over a query's branches, lookups and the budget; observed on the official emulator 1.19.9.
@Suite struct QueryPassTests {
  static func exists(_ range: Range<Int>) -> String {
    range.map { "!exists(/databases/$(database)/documents/p/d\($0))" }.joined(separator: " && ")
  }
  static let good = "get(/databases/$(database)/documents/p/$(resource.data.k)).data.x == 1"
  static let unknown = "evaluation error at L4:32 for 'list' @ L4"

  static func k(_ values: String...) -> QueryFilter { field("k", .isIn, .array(values.map { .string($0) })) }

  typealias Case = (rules: String, filter: QueryFilter, answer: String)
  static let passes: [Case] = [
    ("allow list: if \(good);", k("good"), "ALLOW"),
    (
      "allow list: if \(good);", k("good", "bad"),
      "\(unknown), \(unknown), false for 'list' @ L4, false for 'list' @ L4"
    ),
    ("allow list: if \(good);", k("bad", "good"), "\(unknown), \(unknown), false for 'list' @ L4"),
    (
      "allow list: if \(good);", .or([k("good"), field("z", .equal, .int(1))]),
      "\(unknown), Property k is undefined on object. for 'list' @ L4"
    ),
    (
      "allow list: if \(good); allow list: if resource.data.z == 1;\nallow list: if false;",
      .or([field("z", .equal, .int(1)), k("bad")]),
      """
      Property k is undefined on object. for 'list' @ L4, false for 'list' @ L4, \(unknown), \
      Property z is undefined on object. for 'list' @ L4, false for 'list' @ L5, false for 'list' @ L4, \
      Property z is undefined on object. for 'list' @ L4, false for 'list' @ L5
      """
    ),
    (
      "allow list: if \(good); allow list: if resource.data.z == 1;\nallow list: if false;",
      .or([field("z", .equal, .int(1)), k("good"), field("z", .equal, .int(2))]),
      """
      Property k is undefined on object. for 'list' @ L4, false for 'list' @ L4, \(unknown), \
      Property z is undefined on object. for 'list' @ L4, false for 'list' @ L5, \
      Property k is undefined on object. for 'list' @ L4, false for 'list' @ L4, false for 'list' @ L5
      """
    ),
  ]

  @Test(arguments: passes.indices) func branchesArePutOffUntilTheirDocumentsAreThere(_ index: Int) throws {
    let (rules, filter, answer) = Self.passes[index]
    let ours = try Query.answer("match /t/{id} { \(rules) }", Query.list(filter), QueryTests.documents)
    #expect(ours == answer, "\(rules)")
  }

  static let get = "get(/databases/$(database)/documents/p/good).data.x == 1"
  static let isThere = "exists(/databases/$(database)/documents/p/good)"
  static let a = "(/databases/$(database)/documents/t/a)"

  /// Conditions with the document whose lookup was one too many; nil: allowed.
  static let lookups: [(condition: String, filter: QueryFilter?, refused: String?)] = [
    (exists(0..<20), nil, nil), (exists(0..<21), nil, "d20"),
    ("\(get) && \(isThere) && \(exists(0..<19))", nil, "d18"),
    ("\(isThere) && \(get) && \(exists(0..<18))", nil, nil),
    ("\(get) && \(get.replacing("get(", with: "getAfter(")) && \(exists(0..<19))", nil, nil),
    ("\(isThere) && \(isThere.replacing("exists(", with: "existsAfter(")) && \(exists(0..<19))", nil, nil),
    ("resource.data.n == 5 && \(exists(0..<20))", Query.named("/t/a"), "d19"),
    ("get\(a).data.n == 5 && resource.data.n == 5 && \(exists(0..<19))", Query.named("/t/a"), nil),
    ("exists\(a) && resource.data.n == 5 && \(exists(0..<19))", Query.named("/t/a"), "d18"),
    (
      (0..<7).map { "!exists(/databases/$(database)/documents/p/$(resource.data.k + '\($0)'))" }.joined(separator: " && "),
      k("a", "b"), nil
    ),
    (
      (0..<7).map { "!exists(/databases/$(database)/documents/p/$(resource.data.k + '\($0)'))" }.joined(separator: " && "),
      k("a", "b", "c"), "c6"
    ),
    (exists(0..<7), field("k", .isIn, .array((0..<25).map { .int($0) })), nil),
  ]

  @Test(arguments: lookups.indices) func aQueryMayLookUpTwentyDocumentsInAll(_ index: Int) throws {
    let (condition, filter, refused) = Self.lookups[index]
    let answer = try Query.answer("match /t/{id} { allow list: if \(condition); }", Query.list(filter), QueryTests.documents)
    if let refused {
      #expect(answer.contains("simple: \"\(refused)\"\n  }\n}\n]. for 'list' @ L4"), "\(condition): \(answer)")
    } else {
      #expect(answer == "ALLOW", "\(condition)")
    }
  }

  @Test func beyondItsLookupsTheNamedDocumentIsNotToBeHad() throws {
    let answer = try Query.answer(
      "match /t/{id} { allow list: if \(Self.exists(0..<20)) && resource.data.n == 5; }",
      Query.list(Query.named("/t/a")), QueryTests.documents)
    #expect(answer == "\(Self.unknown), Variable read error. Variable: [resource]. for 'list' @ L4")
  }

  @Test func theBudgetIsThatOfABranch() throws {
    let long = Array(repeating: "resource.data.k > 0", count: 90).joined(separator: " && ")
    let rules = "match /t/{id} { allow list: if \(long); allow list: if \(long) && true; }"
    #expect(try Query.answer(rules, Query.list(field("k", .isIn, .array([.int(1), .int(2)])))) == "ALLOW")
    let exhausted =
      "Unable to evaluate the expression as the maximum of 1000 expressions to evaluate has been reached. for 'list' @ L4"
    #expect(
      try Query.answer(rules, Query.list()) == "Property k is undefined on object. for 'list' @ L4, \(exhausted)")
  }

  // MARK: What is not judged

  static let refused: [QueryFilter] = [
    .and([field("m", .equal, .map(["z": .int(1)])), field("m.a", .equal, .int(1))]),
    .and([field("m.a", .equal, .int(1)), field("m", .notEqual, .null)]),
    .and(Array(repeating: field("n", .isIn, .array((0..<10).map { .int($0) })), count: 3)),
    (0..<200).reduce(field("n", .equal, .int(1))) { filter, _ in .and([filter]) },
  ]

  @Test(arguments: refused.indices) func whatCannotBeJudgedIsRefused(_ index: Int) throws {
    let evaluator = try Query.ruleset("match /t/{id} { allow list: if resource.data.n == 1 || resource.data.m != 0; }")
      .evaluator()
    let decision = evaluator.decide(Query.list(Self.refused[index]), DocumentTable())
    #expect(decision.denial?.reason?.hasSuffix("judged.") == true, "\(decision)")
  }

  @Test func ofEveryCollectionOnlyAGroupIsJudged() throws {
    let evaluator = try Query.ruleset("match /{p=**} { allow list: if true; }").evaluator()
    #expect(evaluator.decide(ListRequest(nil, allDescendants: true, auth: nil, time: Query.time), DocumentTable()).isAllowed)
    #expect(!evaluator.decide(ListRequest(nil, auth: nil, time: Query.time), DocumentTable()).isAllowed)
  }
}
