import Foundation
import RulesValues
import Testing

@testable import RulesEngine

/// How a query is judged; every expectation was observed on the official emulator 1.19.9.
@Suite struct QueryTests {
  // MARK: What a filter says

  static let matrix: [[String]] = {
    let text = try? String(contentsOf: Corpus.root.appending(path: "constraint-matrix.tsv"), encoding: .utf8)
    return (text ?? "").split(separator: "\n").map { $0.split(separator: "\t").map { String($0) } }
  }()

  static func filter(_ name: String) -> QueryFilter? {
    func one(_ op: QueryOperator, _ value: DataValue) -> QueryFilter { field("n", op, value) }
    func test(_ test: QueryTest) -> QueryFilter { .unary(QueryField(["n"]), test) }
    switch name {
    case "n>1": return one(.greater, .int(1))
    case "n>=1": return one(.greaterOrEqual, .int(1))
    case "n<3": return one(.less, .int(3))
    case "n<=3": return one(.lessOrEqual, .int(3))
    case "n!=2": return one(.notEqual, .int(2))
    case "n!=0": return one(.notEqual, .int(0))
    case "notin[0,2]": return one(.isNotIn, .array([.int(0), .int(2)]))
    case "isnull": return test(.isNull)
    case "notnull": return test(.isNotNull)
    case "isnan": return test(.isNaN)
    case "notnan": return test(.isNotNaN)
    case "1<n<3": return .and([one(.greater, .int(1)), one(.less, .int(3))])
    case "1<=n<=1": return .and([one(.greaterOrEqual, .int(1)), one(.lessOrEqual, .int(1))])
    case "n>1&n!=5": return .and([one(.greater, .int(1)), one(.notEqual, .int(5))])
    case "ac2": return one(.arrayContains, .int(2))
    case "aca[1,2]": return one(.arrayContainsAny, .array([.int(1), .int(2)]))
    case "in[1,2]": return one(.isIn, .array([.int(1), .int(2)]))
    case "n>'a'": return one(.greater, .string("a"))
    case "n==2": return one(.equal, .int(2))
    case "n==2.0": return one(.equal, .double(2))
    case "n==[1,2]": return one(.equal, .array([.int(1), .int(2)]))
    case "n==2&n>1": return .and([one(.equal, .int(2)), one(.greater, .int(1))])
    default: return nil
    }
  }

  @Test func everyCellOfTheImplicationMatrixIsTheOfficialOne() throws {
    #expect(Self.matrix.count == 46)
    for row in Self.matrix.dropFirst() {
      let condition = row[0].replacing(/\bn\b/.wordBoundaryKind(.simple), with: "resource.data.n")
      let evaluator = try Query.ruleset("match /t/{id} { allow list: if \(condition); }").evaluator(dialect: .emulator1_19)
      for (name, official) in zip(Self.matrix[0], row).dropFirst() {
        let filter = try #require(Self.filter(name), "\(name)")
        let text = evaluator.decide(Query.list(filter), DocumentTable()).denial?.entries.last?.text
        let ours =
          switch text {
          case nil: "A"
          case "false": "F"
          case let text? where text.hasPrefix("evaluation error at "): "U"
          default: "T"
          }
        #expect(ours == official, "\(condition) under \(name): \(text ?? "allowed")")
      }
    }
  }

  typealias Shape = (filter: QueryFilter?, branches: [String])

  /// The branches of a filter, told by conditions that hold of each, and of no other.
  static let shapes: [(name: String, filter: QueryFilter, data: [String])] = [
    ("in", field("n", .isIn, .array([.int(3), .int(1), .int(3), .double(3)])), ["{'n': 3}", "{'n': 1}", "{'n': 3.0}"]),
    (
      "alternatives of alternatives",
      .and([
        .or([field("a", .equal, .int(1)), field("b", .equal, .int(2))]),
        .or([field("c", .equal, .int(3)), field("d", .equal, .int(4))]),
      ]), ["{'a': 1, 'c': 3}", "{'a': 1, 'd': 4}", "{'b': 2, 'c': 3}", "{'b': 2, 'd': 4}"]
    ),
    (
      "the first changes slowest",
      .and([field("b", .isIn, .array([.int(1), .int(2)])), field("a", .isIn, .array([.int(3), .int(4)]))]),
      ["{'a': 3, 'b': 1}", "{'a': 4, 'b': 1}", "{'a': 3, 'b': 2}", "{'a': 4, 'b': 2}"]
    ),
    (
      "the same in another order",
      .or([
        .and([field("a", .equal, .int(1)), field("b", .equal, .int(2))]),
        .and([field("b", .equal, .int(2)), field("a", .equal, .int(1))]),
      ]), ["{'a': 1, 'b': 2}"]
    ),
    (
      "nested fields", .and([field("a.b", .equal, .int(1)), field("a.c.d", .equal, .int(2))]),
      ["{'a': {'b': 1, 'c': {'d': 2}}}"]
    ),
    ("null in a list", field("m", .isIn, .array([.int(1), .null])), ["{'m': 1}"]),
    ("no filters", .and([]), ["{}"]),
  ]

  @Test(arguments: shapes.indices) func branchesComeInTheOfficialOrder(_ index: Int) throws {
    let (name, filter, data) = Self.shapes[index]
    // The branch that is refused ends the judgement: with the first n allowed, entry n + 1 is the last.
    for n in 0..<data.count {
      let conditions = data.prefix(n).map { "resource.data == \($0)" } + ["1 == 2"]
      let list = Query.list(filter)
      let evaluator = try Query.ruleset("match /t/{id} { allow list: if \(conditions.joined(separator: " || ")); }")
        .evaluator(dialect: .emulator1_19)
      let denial = try #require(evaluator.decide(list, DocumentTable()).denial, "\(name)")
      #expect(denial.entries.count == n + 1, "\(name): \(denial.message)")
    }
  }

  /// What may be said of a field that is compared with null or NaN: condition, filter, answer.
  static let oddities: [(condition: String, filter: QueryFilter, answer: String)] = [
    ("n != true", field("n", .notEqual, .double(.nan)), "U"), ("n != null", field("n", .notEqual, .double(.nan)), "A"),
    ("n != true", field("n", .isNotIn, .array([.double(.nan)])), "U"), ("n != true", field("n", .notEqual, .null), "A"),
    ("n == true", field("n", .notEqual, .null), "A"), ("n != 1", field("n", .notEqual, .null), "U"),
    ("n != false", field("n", .isNotIn, .array([.null])), "A"), ("n == true", field("n", .equal, .null), "A"),
    ("true != n", field("n", .equal, .double(.nan)), "A"), ("n == true", field("n", .greater, .double(.nan)), "A"),
    ("n == true", field("n", .isIn, .array([.double(.nan)])), "A"),
    ("[] in n", field("n", .arrayContains, .null), "A"), ("null in n", field("n", .arrayContains, .null), "U"),
    ("n == 1", .and([field("n", .equal, .int(1)), field("n", .greater, .bool(true))]), "A"),
    ("n + 1 == 2", .and([field("n", .equal, .int(1)), field("n", .greater, .bool(true))]), "T"),
    ("n > false", field("n", .greater, .bool(true)), "T"), ("n != false", field("n", .greater, .bool(true)), "U"),
  ]

  @Test(arguments: oddities.indices) func comparisonsWithNothingSayWhatTheyOfficiallySay(_ index: Int) throws {
    let (condition, filter, answer) = Self.oddities[index]
    let asked = condition.replacing(/\bn\b/.wordBoundaryKind(.simple), with: "resource.data.n")
    let ours = try Query.answer("match /t/{id} { allow list: if \(asked); }", Query.list(filter))
    let letter =
      ours == "ALLOW" ? "A" : ours.hasPrefix("false") ? "F" : ours.hasPrefix("evaluation error at L") ? "U" : "T"
    #expect(letter == answer, "\(condition): \(ours)")
  }

  // MARK: Which matches cover a query

  /// Of eight queries those that a match covers, A, or does not, -.
  static let coverage: [(pattern: String, version: Int, answers: String)] = [
    ("/t/{id}", 2, "A A A - - - - A"), ("/t/a", 2, "- A - - - - - A"), ("/{x}/{y}", 2, "A A A - - - - A"),
    ("/{p=**}", 2, "A A A A A A A A"), ("/t/{id}/{p=**}", 2, "A A A - - - - A"),
    ("/{p=**}/t/{id}", 2, "A A A A A A A A"), ("/{p=**}/{id}", 2, "A A A A A A A A"),
    ("/{p=**}/t/a", 2, "- A - - - - A A"), ("/{p=**}/{c}/{id}", 2, "A A A A A A A A"),
    ("/a/{x}/t/{id}", 2, "- - - A - - A -"), ("/a/{p=**}", 2, "- - - A - A A -"),
    ("/a/b/{p=**}/t/{id}", 2, "- - - A - A A -"), ("/{a}/{b}/{p=**}/t/{id}", 2, "- - - A - A A -"),
    ("/{p=**}/t/{id}/{r}", 2, "- - - - - - - -"), ("/t/{p=**}", 2, "A A A - - - - A"),
    ("/{p=**}/b/t/{id}", 2, "- - - A - - A -"), ("/{a}/{p=**}", 2, "A A A A - A A A"),
    ("/{a}/{b}/{c}/{p=**}", 2, "- - - A - - A -"), ("/{a}/{b}/{c}/{d}/{p=**}", 2, "- - - A - - A -"),
    ("/x/b/{p=**}/t/{id}", 2, "- - - - - - - -"), ("/t/{id}/{p=**}", 1, "- - - - - - - -"),
    ("/{p=**}", 1, "A A A A A A A A"), ("/{a}/{b}/{p=**}", 1, "- - - A - A A -"),
    ("/{a}/{b}/{c}/{d}/{p=**}", 1, "- - - - - - - -"), ("/a/b/{p=**}", 1, "- - - A - A A -"),
  ]

  @Test(arguments: coverage.indices) func matchesCoverTheQueriesTheyDo(_ index: Int) throws {
    let (pattern, version, answers) = Self.coverage[index]
    let queries = [
      Query.list(), Query.list(Query.named("/t/a")),
      Query.list(.compare(.documentName, .greater, .reference(Recorded.path("/t/a")))), Query.list(below: "/a/b"),
      Query.list(group: true), Query.list(below: "/a/b", group: true), Query.list(Query.named("/a/b/t/a"), group: true),
      Query.list(Query.named("/t/a"), group: true),
    ]
    let evaluator = try Query.ruleset("match \(pattern) { allow list: if true; }", version: version).evaluator()
    let ours = queries.map { evaluator.decide($0, DocumentTable()).denial?.message ?? "A" }
    #expect(ours.map { $0 == "No matching allow statements" ? "-" : $0 }.joined(separator: " ") == answers, "\(pattern)")
  }

  // MARK: What the rules see

  static let documents: DocumentTable = [
    Recorded.path("/t/a"): ["n": .int(5), "m": .int(1)], Recorded.path("/t/b"): ["n": .int(9)],
    Recorded.path("/p/good"): ["x": .int(1)], Recorded.path("/p/bad"): ["x": .int(2)],
  ]

  typealias Case = (condition: String, list: ListRequest, answer: String)
  static let unbound = "Variable  is not bound in path template. for 'list' @ L4"

  static let seen: [Case] = [
    ("id == 'a'", Query.list(), "Null value error. for 'list' @ L4"),
    ("id is string", Query.list(), "Null value error. for 'list' @ L4"),
    ("id == 'a'", Query.list(Query.named("/t/a")), "ALLOW"),
    ("resource == null", Query.list(), "false for 'list' @ L4"),
    ("resource.id == 'a'", Query.list(), "Property id is undefined on object. for 'list' @ L4"),
    ("resource.keys() == ['data']", Query.list(), "ALLOW"),
    ("resource.data.n == 5", Query.list(Query.named("/t/a")), "ALLOW"),
    ("resource.data.n == 5", Query.list(.and([Query.named("/t/a"), field("n", .equal, .int(1))])), "ALLOW"),
    (
      "resource.data.n == 5", Query.list(Query.named("/t/zz")),
      "evaluation error at L4:32 for 'list' @ L4, Variable read error. Variable: [resource]. for 'list' @ L4"
    ),
    (
      "resource.data.n == 5", Query.list(Query.named("/t/a", "/t/b")),
      """
      evaluation error at L4:32 for 'list' @ L4, evaluation error at L4:32 for 'list' @ L4, false for 'list' @ L4, \
      false for 'list' @ L4
      """
    ),
    // A named document is waited for whenever a condition fails, as in a read of it.
    (
      "'u2'", Query.list(Query.named("/t/a")),
      """
      Type error. Received: [string] Expected: [bool]. for 'list' @ L4, \
      Type error. Received: [string] Expected: [bool]. for 'list' @ L4
      """
    ),
    ("'u2'", Query.list(), "Type error. Received: [string] Expected: [bool]. for 'list' @ L4"),
    ("request.path == /databases/$(database)/documents/t", Query.list(), "ALLOW"),
    ("request.path == /databases/$(database)/documents/t/a", Query.list(Query.named("/t/a")), "ALLOW"),
    ("request.method == 'list'", Query.list(), "ALLOW"),
    (
      "request.keys() == ['auth', 'fields', 'headers', 'inTransaction', 'method', 'path', 'query', 'time']", Query.list(),
      "ALLOW"
    ),
    (
      """
      request.query == {'allDescendants': false, 'distinct': false, 'groupBy': {}, 'kind': 't', 'limit': 5, 'offset': 2, \
      'orderBy': {'n': 'DESC'}, 'parent': null, 'selectOnlyKeys': false}
      """,
      Query.list(orders: [ListRequest.Order(QueryField(["n"]), isDescending: true)], limit: 5, offset: 2), "ALLOW"
    ),
    ("request.query.limit == null && request.query.offset == 0 && request.query.orderBy == {}", Query.list(), "ALLOW"),
    (
      "request.query.limit <= 10", Query.list(),
      """
      Unsupported operation error. Received: null <= int. Expected: string <= string, bytes <= bytes, int <= int, \
      float <= float, duration <= duration, timestamp <= timestamp, constraint <= any, any <= constraint. for 'list' @ L4
      """
    ),
    (
      "getAfter(/databases/$(database)/documents/p/good).data.x == 1", Query.list(Query.named("/t/a")),
      "evaluation error at L4:32 for 'list' @ L4, evaluation error at L4:32 for 'list' @ L4"
    ),
    ("getAfter(/databases/$(database)/documents/p/good).data.x == 1", Query.list(), "ALLOW"),
    ("exists(1)", Query.list(), "Unsupported operation error. Received: exists(int). Expected: exists(path). for 'list' @ L4"),
    ("resource.__name__ != /databases/$(database)/documents/t/a", Query.list(.compare(.documentName, .notEqual, .reference(Recorded.path("/t/a")))), "ALLOW"),
    (
      "resource.__name__ != /databases/$(database)/documents/t/a",
      Query.list(.compare(.documentName, .greater, .reference(Recorded.path("/t/a")))),
      "evaluation error at L4:32 for 'list' @ L4"
    ),
  ]

  @Test(arguments: seen.indices) func rulesSeeOfAQueryWhatTheyOfficiallySee(_ index: Int) throws {
    let (condition, list, answer) = Self.seen[index]
    #expect(try Query.answer("match /t/{id} { allow list: if \(condition); }", list, Self.documents) == answer, "\(condition)")
  }

  static let groups: [(condition: String, root: String, below: String)] = [
    ("p[0] == 'a'", unbound, unbound), ("p[0:1] == /a", unbound, unbound),
    ("string(p) == '/'", "ALLOW", "false for 'list' @ L4"), ("string(p) == '/a/b/'", "false for 'list' @ L4", "ALLOW"),
    ("p != /a/b", "ALLOW", "ALLOW"), ("p is path", "ALLOW", "ALLOW"),
    ("exists(/databases/$(database)/documents/$(p)/x)", unbound, unbound),
    ("request.path == 1", "evaluation error at L4:39 for 'list' @ L4", "evaluation error at L4:39 for 'list' @ L4"),
    ("'path' in request", "ALLOW", "ALLOW"), ("request.query.ancestor == null", "ALLOW", "false for 'list' @ L4"),
    (
      "request.query.parent == null", "Property parent is undefined on object. for 'list' @ L4",
      "Property parent is undefined on object. for 'list' @ L4"
    ),
    (
      "resource.__name__ == 1", "Property __name__ is undefined on object. for 'list' @ L4",
      "evaluation error at L4:39 for 'list' @ L4"
    ),
  ]

  @Test(arguments: groups.indices) func rulesSeeOfACollectionGroupWhatTheyOfficiallySee(_ index: Int) throws {
    let (condition, root, below) = Self.groups[index]
    let rules = "match /{p=**}/t/{id} { allow list: if \(condition); }"
    #expect(try Query.answer(rules, Query.list(group: true)) == root, "\(condition)")
    #expect(try Query.answer(rules, Query.list(below: "/a/b", group: true)) == below, "\(condition)")
  }
}
