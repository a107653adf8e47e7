import RulesValues
import Testing

@testable import RulesEngine

/// What a denied query lacks. Every proposal is put to the judgement again.
@Suite struct QueryAdviceTests {
  typealias Case = (rules: String, list: ListRequest, proposal: String?, missing: [String])

  static func allow(_ condition: String) -> String { "match /t/{id} { allow list: if \(condition); }" }
  static func lacks(_ field: String) -> [String] { ["Line 4 asks for `\(field)`, which the query does not filter on."] }

  static let cases: [Case] = [
    (allow("resource.data.owner == request.auth.uid"), Query.list(), "where owner == 'u1'", lacks("owner")),
    (allow("request.auth != null && request.auth.uid == resource.data.owner"), Query.list(), "where owner == 'u1'", lacks("owner")),
    (allow("request.auth.uid in resource.data.members"), Query.list(), "where 'u1' in members", lacks("members")),
    (allow("resource.data.tags.hasAny(['a', 'b'])"), Query.list(), "where tags.hasAny(['a', 'b'])", lacks("tags")),
    (allow("resource.data.state in ['open', 'done']"), Query.list(), "where state in ['open', 'done']", lacks("state")),
    (allow("resource.data.public"), Query.list(), nil, lacks("public")),
    (allow("resource.data.public == true"), Query.list(), "where public == true", lacks("public")),
    (allow("resource.data.public || resource.data.owner == request.auth.uid"), Query.list(), "where public == true", lacks("public")),
    (allow("!resource.data.hidden"), Query.list(), "where hidden == false", lacks("hidden")),
    // Nothing but an equality proves a negation to the emulator.
    (allow("!(resource.data.n > 10)"), Query.list(), nil, lacks("n")),
    (allow("!(resource.data.n == 10)"), Query.list(), nil, lacks("n")),
    (allow("resource.data.address.city == 'Rome'"), Query.list(), "where address.city == 'Rome'", lacks("address")),
    (
      allow("resource.data.owner == request.auth.uid && resource.data.open == true"), Query.list(),
      "where owner == 'u1' && open == true", lacks("owner")
    ),
    (
      allow("resource.data.owner == request.auth.uid && resource.data.open == true"),
      Query.list(field("owner", .equal, .string("u1"))), "where open == true", lacks("open")
    ),
    (
      allow("resource.data.n > 4"), Query.list(field("n", .greater, .int(1))), "where n > 4",
      ["Line 4: `resource.data.n > 4` does not follow from what the query filters on."]
    ),
    (
      allow("resource.data.owner == request.auth.uid && request.query.limit <= 20"), Query.list(),
      "where owner == 'u1' limit 20", lacks("owner")
    ),
    (
      allow("request.query.limit <= 20"), Query.list(limit: 100), "limit 20",
      ["The condition of line 4 is false for this query and user."]
    ),
    (
      "function mine(data) { let me = request.auth.uid; return data.owner == me; }\nmatch /t/{id} { allow list: if mine(resource.data); }",
      Query.list(), "where owner == 'u1'", lacks("owner")
    ),
    (
      "function isMine() { let d = resource.data; return d['owner'] == request.auth.uid; }\nmatch /t/{id} { allow list: if isMine(); }",
      Query.list(), "where owner == 'u1'", lacks("owner")
    ),
    (
      allow("id == request.auth.uid"), Query.list(), nil,
      ["Line 4 asks for the document's id `id`, which a query does not know."]
    ),
    (
      allow("resource.data.owner == request.auth.uid"), Query.list(field("owner", .equal, .string("u2"))), nil,
      ["The condition of line 4 is false for this query and user."]
    ),
    (allow("resource.data.owner == request.auth.uid"), Query.list(auth: nil), nil, lacks("owner")),
    (
      allow("request.auth.uid == resource.data.owner"), Query.list(auth: nil), nil,
      ["Line 4, `request.auth.uid`: Null value error."]
    ),
    (allow("false"), Query.list(), nil, ["Line 4 allows nobody."]),
    (
      "match /u/{id} { allow list: if true; }", Query.list(), nil, ["No `allow list` or `allow read` covers /t."]
    ),
    (
      "match /t/{id} { allow list: if true; }", Query.list(group: true), nil,
      [
        """
        No `allow list` or `allow read` covers every collection `t`: that takes a match like /{path=**}/t/{document}.
        """
      ]
    ),
    (
      allow("resource.data.a == 1"), Query.list(.or([field("a", .equal, .int(1)), field("b", .equal, .int(2))])), nil,
      lacks("a")
    ),
  ]

  @Test(arguments: cases.indices) func theProposalIsAllowedAndTheLackIsNamed(_ index: Int) throws {
    let (rules, list, proposal, missing) = Self.cases[index]
    let evaluator = try Query.ruleset(rules).evaluator()
    let advice = try #require(evaluator.advise(list, QueryTests.documents), "\(rules)")
    #expect(advice.proposal == proposal, "\(rules)")
    #expect(advice.missing == missing, "\(rules)")
    guard proposal != nil else { return }
    var changed = list
    changed.filter = .and((list.filter.map { [$0] } ?? []) + advice.filters)
    if let limit = advice.limit { changed.limit = limit }
    #expect(evaluator.decide(changed, QueryTests.documents, mode: .productionStrict).isAllowed, "\(rules)")
  }

  @Test func anAllowedQueryNeedsNoAdvice() throws {
    let evaluator = try Query.ruleset("match /t/{id} { allow list: if !('a' in resource.data); }").evaluator()
    #expect(evaluator.advise(Query.list(), DocumentTable()) == nil)
    let strict = evaluator.advise(Query.list(), DocumentTable(), mode: .productionStrict)
    #expect(strict?.filters.isEmpty == true)
  }

  @Test func anExplanationShowsEachBranchWithTheValuesItTook() throws {
    let evaluator = try Query.ruleset(
      "match /t/{id} { allow list: if resource.data.a > 3; allow get: if true; allow read: if id == 'x'; }"
    ).evaluator()
    let filter = QueryFilter.or([field("a", .greater, .int(5)), field("a", .equal, .int(2))])
    let explanation = evaluator.explain(Query.list(filter), DocumentTable())
    #expect(!explanation.decision.isAllowed)
    #expect(explanation.branches.map(\.isAllowed) == [true, false])
    #expect(explanation.branches.map(\.filters) == [["a > 5"], ["a == 2"]])
    let matches = explanation.branches.map { $0.matches.first }
    #expect(matches.map { $0?.pattern } == Array(repeating: "/databases/{database}/documents/t/{id}", count: 2))
    #expect(matches[0]?.bindings.map(\.value) == ["'(default)'", "unknown"])
    #expect(matches[0]?.allows.map(\.verdict) == [.allowed, .otherMethod, .notReached])
    #expect(matches[1]?.allows.map(\.verdict) == [.refused, .otherMethod, .error("Null value error.")])
    let shown = matches.compactMap { $0?.allows.first?.condition?.children.first?.outcome }
    #expect(shown.map { if case .value(let text, _) = $0 { text } else { "" } } == ["constraint(> 5)", "2"])
    #expect(explanation.advice != nil)
    #expect(evaluator.explain(Query.list(field("a", .greater, .int(5))), DocumentTable()).advice == nil)
  }

  @Test func filtersAreWrittenAsTheTestLanguageHasThem() {
    let a = field("a b", .equal, .int(1))
    #expect(a.written == "'a b' == 1")
    #expect(QueryFilter.or([a, .unary(QueryField(["m", "c"]), .isNotNull)]).written == "('a b' == 1 || m.c != null)")
    #expect(field("t", .arrayContains, .string("x")).written == "'x' in t")
    #expect(field("t", .isNotIn, .array([.int(1)])).written == "t not in [1]")
  }
}
