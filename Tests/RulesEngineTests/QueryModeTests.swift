import RulesValues
import Testing

@testable import RulesEngine

/// Queries that the official emulator allows although they can return documents that the rule seems to forbid.
@Suite struct QueryModeTests {
  static let more = field("n", .greater, .int(1))
  static let mine = field("owner", .equal, .string("u1"))

  typealias Doubt = (condition: String, filter: QueryFilter?, warning: String)
  static let absent = "is false to the emulator, because the query does not filter on"

  static let doubts: [Doubt] = [
    (
      "!(resource.data.n in [5])", more,
      "`resource.data.n in [5]` is false to the emulator, because the query only limits the field."
    ),
    (
      "resource.data.get('owner', request.auth.uid) == request.auth.uid", nil,
      """
      `resource.data.get('owner', request.auth.uid)` is its default to the emulator, because the query does not filter \
      on the field.
      """
    ),
    ("!('secret' in resource.data)", nil, "`'secret' in resource.data` \(absent) secret."),
    ("!('secret' in resource.data)", mine, "`'secret' in resource.data` \(absent) secret."),
    (
      "resource.data.keys().hasOnly(['owner'])", mine,
      "`resource.data.keys().hasOnly(['owner'])` sees only the fields that the query filters on."
    ),
    ("resource.data.size() == 0", nil, "`resource.data.size()` sees only the fields that the query filters on."),
    ("!resource.data.keys().hasAll(['a'])", nil, "`resource.data.keys().hasAll(['a'])` sees only the fields that the query filters on."),
    ("!resource.data.tags.hasAny(['x'])", field("tags", .arrayContains, .string("y")), "`resource.data.tags.hasAny(['x'])` is false to the emulator, because the query does not tell."),
    ("!(resource.data.n is string)", more, "`resource.data.n is string` is false to the emulator, because the query only limits the field."),
    ("!('b' in resource.data.m)", field("m.a", .equal, .int(1)), "`'b' in resource.data.m` \(absent) b."),
    ("resource.data == {'owner': 'u1'}", mine, "`resource.data == {'owner': 'u1'}` does not follow from what the query filters on."),
    ("resource.data != {'owner': 'u2'}", mine, "`resource.data != {'owner': 'u2'}` does not follow from what the query filters on."),
    (
      "resource.data.diff({}).affectedKeys().size() == 0", nil,
      "`resource.data.diff({})` sees only the fields that the query filters on."
    ),
    ("!('id' in resource)", nil, "`'id' in resource` \(absent) id."),
    (
      "resource.data.n > 7", .and([.unary(QueryField(["n"]), .isNaN), field("n", .notEqual, .int(1))]),
      "`resource.data.n > 7` does not follow from what the query filters on."
    ),
    ("[resource.data.n] != [5]", more, "`[resource.data.n]` does not follow from what the query filters on."),
  ]

  @Test(arguments: doubts.indices) func whatTheEmulatorLetsThroughIsDoubtedOrDenied(_ index: Int) throws {
    let (condition, filter, warning) = Self.doubts[index]
    let evaluator = try Query.ruleset("match /t/{id} { allow list: if \(condition); }").evaluator()
    let official = evaluator.decide(Query.list(filter), DocumentTable())
    #expect(official.isAllowed, "\(condition): \(official.denial?.message ?? "")")
    #expect(official.warnings.map(\.text) == [warning], "\(condition)")
    #expect(official.warnings.first?.line == 4)
    let strict = evaluator.decide(Query.list(filter), DocumentTable(), mode: .productionStrict)
    #expect(strict.denial?.message == "Denied in the mode production-strict: \(warning) (line 4)", "\(condition)")
  }

  static let proven: [(condition: String, filter: QueryFilter?)] = [
    ("true", nil), ("request.auth != null", nil), ("resource.data.owner == request.auth.uid", mine),
    ("resource.data.n > 0", more), ("resource.data.n != 1", more), ("'owner' in resource.data", mine),
    ("resource.data.keys().hasAll(['owner'])", mine), ("resource.data.keys().hasAny(['a', 'owner'])", mine),
    ("resource.data.get('owner', '') == 'u1'", mine), ("resource.data.get(['m', 'a'], 0) == 1", field("m.a", .equal, .int(1))),
    ("request.auth.uid in resource.data.tags", field("tags", .arrayContains, .string("u1"))),
    ("resource.data.tags.hasAny(['u1'])", field("tags", .arrayContains, .string("u1"))),
    ("resource.data.owner in ['u1', 'u2']", mine), ("!(resource.data.owner in ['u2'])", mine),
    ("resource != null && resource.data != null", nil), ("resource.data.n != null", more),
    ("resource.data.m == {'a': 1}", field("m", .equal, .map(["a": .int(1)]))),
    ("!('b' in resource.data.m)", field("m", .equal, .map(["a": .int(1)]))),
    ("resource.data.n != 5", field("n", .notEqual, .int(5))),
    ("!('secret' in resource.data) || true", nil),
    ("resource.data.get('owner', '') == 'u2' || resource.data.owner == 'u1'", mine),
    ("!('n' in resource.data) || resource.data.n == 5", Query.named("/t/a")),
  ]

  @Test(arguments: proven.indices) func whatFollowsFromTheFiltersIsNotDoubted(_ index: Int) throws {
    let (condition, filter) = Self.proven[index]
    let evaluator = try Query.ruleset("match /t/{id} { allow list: if \(condition); }").evaluator()
    let decision = evaluator.decide(Query.list(filter), QueryTests.documents, mode: .productionStrict)
    #expect(decision.isAllowed, "\(condition): \(decision.denial?.message ?? "")")
    #expect(decision.warnings.isEmpty)
  }

  @Test func anotherStatementSettlesADoubt() throws {
    let evaluator = try Query.ruleset(
      "match /t/{id} { allow list: if !('a' in resource.data); allow list: if resource.data.n > 1; }"
    ).evaluator()
    #expect(evaluator.decide(Query.list(Self.more), DocumentTable(), mode: .productionStrict).isAllowed)
    #expect(evaluator.decide(Query.list(Self.more), DocumentTable()).warnings.isEmpty)
    #expect(!evaluator.decide(Query.list(), DocumentTable(), mode: .productionStrict).isAllowed)
  }

  @Test func everyBranchMustBeProven() throws {
    let evaluator = try Query.ruleset(
      "match /t/{id} { allow list: if !('a' in resource.data) || resource.data.a == 1; }"
    ).evaluator()
    let filter = QueryFilter.or([field("a", .equal, .int(1)), field("b", .equal, .int(2))])
    #expect(evaluator.decide(Query.list(filter), DocumentTable()).warnings.count == 1)
    #expect(!evaluator.decide(Query.list(filter), DocumentTable(), mode: .productionStrict).isAllowed)
    let one = QueryFilter.or([field("a", .equal, .int(1)), field("a", .equal, .int(1))])
    #expect(evaluator.decide(Query.list(one), DocumentTable(), mode: .productionStrict).isAllowed)
  }
}
