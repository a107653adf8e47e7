import RulesSyntax
import Testing

@testable import RulesTesting

private func parse(_ text: String) -> (TestFileSyntax, String) {
  let file = SourceFile(name: "a_test.rules", text: text)
  let result = TestParser.parse(file)
  return (result.syntax, draw(result.diagnostics, in: file))
}

private func describe(_ request: StepRequest) -> String {
  switch request {
  case .document(let request): "\(request.operation.rawValue) \(describe(request.path))"
  case .batch(let batch):
    "\(batch.kind.rawValue): " + batch.requests.map { describe(.document($0)) }.joined(separator: ", ")
  case .query(let query):
    (query.aggregates.isEmpty ? ["list"] : query.aggregates.map(\.kind.rawValue)).joined(separator: ", ")
      + " \(describe(query.path))" + (query.filter.map { " where \(describe($0))" } ?? "")
      + query.orders.map { " by\($0.isDescending ? " falling" : "")" }.joined()
      + (query.limit == nil ? "" : " limit") + (query.offset == nil ? "" : " offset")
  }
}

/// With parentheses around every series.
private func describe(_ filter: FilterSyntax) -> String {
  switch filter {
  case .all(let parts): "(" + parts.map(describe).joined(separator: " and ") + ")"
  case .any(let parts): "(" + parts.map(describe).joined(separator: " or ") + ")"
  case .comparison(let comparison): comparison.operator.rawValue
  }
}

private func describe(_ path: PathSyntax) -> String {
  path.segments.map { segment in
    switch segment.kind {
    case .literal(let text): "/\(text)"
    case .capture(let name): "/{\(name.text)}"
    case .glob(let name): "/{\(name.text)=**}"
    case .interpolation: "/$()"
    }
  }.joined()
}

@Suite struct TestParserTests {
  @Test func `every statement is read`() throws {
    let (file, diagnostics) = parse(
      """
      rules 'x.rules';
      database 'archive';
      now timestamp.date(2026, 1, 1);
      user alice = password({ email: 'a@b.c', email_verified: true, claims: { in: [1], match: 'x' } });
      user line = oidc('oidc.line', { uid: "l" });
      function day(n) { return timestamp.date(2026, 1, n); }
      given /users/alice/lists/a-b.c%20d { title: 'T', 'x.y': day(3), (alice.uid): /users/alice };
      test 'one' {
        given /a/b {};
        allow get /users/$(alice.uid)/lists/x as alice;
        at day(2);
        deny create /c/d{ n: increment(1), service: null } as line, nobody because "false for";
        allow set /c/d { } as alice;
        deny update /c/d { 'a.b': deleteField() } as alice;
        deny delete /c/d as alice;
      }
      never get, list, write /users/{uid}/{rest=**} unless request.auth != null && request.auth.uid == uid;
      never update /orders/{o} if resource.data.a == 'x';
      isolate /posts/{p} by resource.data.owner;
      private /secrets/{rest=**};
      public read /articles/{a};
      readonly /config/{c=*};
      immutable /posts/{p} fields owner, 'a.b';
      tenant /orgs/{org} by request.auth.token.org;
      server /users/{uid} fields role;
      allows get /articles/{a} as nobody;
      assume /users/{uid} if resource.data.role in ['user', 'admin'];
      """)
    #expect(diagnostics == "")
    #expect(file.rules?.text == "x.rules")
    #expect(file.database?.text == "archive")
    #expect(file.now != nil)
    #expect(file.users.map(\.name.text) == ["alice", "line"])
    #expect(file.users.map(\.provider.text) == ["password", "oidc"])
    #expect(file.users.map(\.arguments.count) == [1, 2])
    #expect(file.functions.map(\.name.text) == ["day"])
    #expect(file.fixtures.map { describe($0.path) } == ["/users/alice/lists/a-b.c d"])
    let test = try #require(file.tests.first)
    #expect(test.name.text == "one")
    #expect(test.statements.count == 7)
    #expect(test.steps.map { describe($0.request) } == [
      "get /users/$()/lists/x", "create /c/d", "set /c/d", "update /c/d", "delete /c/d",
    ])
    #expect(test.steps.map(\.expectation) == [.allow, .deny, .allow, .deny, .deny])
    #expect(test.steps[1].users.map(\.text) == ["line", "nobody"])
    #expect(test.steps[1].because?.text == "false for")
    #expect(file.invariants.map(\.form) == [
      .never, .never, .isolate, .private, .public, .readonly, .immutable, .tenant, .server, .allows, .assume,
    ])
    #expect(file.invariants[0].methods.map(\.text) == ["get", "list", "write"])
    #expect(describe(file.invariants[0].path) == "/users/{uid}/{rest=**}")
    #expect(file.invariants[6].fields.map(\.text) == ["owner", "a.b"])
  }

  @Test func `a path ends before white space and before a brace, and keeps its dots`() {
    let (file, diagnostics) = parse(
      """
      test 't' {
        allow get /posts/p1.owner as nobody;
        allow get /phones/+15555550100 as nobody;
        allow create /posts/p2{ a: 1 } as nobody;
        allow get /posts/a'b as nobody;
        allow get /*x*/ /posts/p3 as nobody;
      }
      """)
    #expect(diagnostics == "")
    #expect(file.tests[0].steps.map { describe($0.request) } == [
      "get /posts/p1.owner", "get /phones/+15555550100", "create /posts/p2", "get /posts/a'b", "get /posts/p3",
    ])
  }

  @Test func `queries, batches and transactions are read`() {
    let (file, diagnostics) = parse(
      """
      user alice = anonymous();
      test 't' {
        allow list /users/$(alice.uid)/lists as alice;
        allow list /{any=**}/lists where owner == alice.uid order by title desc, 'a.b' limit 20 offset 1 as alice;
        deny list /users/alice/{any=**}/lists where (a.b < 1 || ('x' in tags && c != 2)) && d not in [1] as alice;
        deny list /a where (a == 1) || ((b >= 2)) || n > (1 + 2) * 3 && tags.hasAny(['x', 'y']) as alice;
        allow count, sum(items), avg('a.b') /a where role in ['x'] limit 1 + 1 as alice;
        allow batch { create /a/b { x: { y: 1 } }; update /c/d { n: increment(1) }; delete /e/f } as alice;
        deny transaction { get /a/b; set /a/b { get: 1 }; } as alice because 'x';
      }
      """)
    #expect(diagnostics == "")
    #expect(file.tests.first?.steps.map { describe($0.request) } == [
      "list /users/$()/lists",
      "list /{any=**}/lists where == by falling by limit offset",
      "list /users/alice/{any=**}/lists where ((< or (in and !=)) and not in)",
      "list /a where (== or >= or (> and hasAny))",
      "count, sum, avg /a where in limit",
      "batch: create /a/b, update /c/d, delete /e/f",
      "transaction: get /a/b, set /a/b",
    ])
  }

  @Test(arguments: parserMistakes) func `a mistake is marked, with what would be right`(_ mistake: Mistake) {
    let (_, diagnostics) = parse(mistake.source)
    #expect(diagnostics == mistake.expected)
  }

  @Test func `reading goes on after a mistake`() {
    let (file, diagnostics) = parse(
      """
      usr alice = anonymous();
      user bob = anonymous();
      test 'a' {
        allow gt /a/b as bob;
        allow create /a/b { x: ] } as bob;
        deny get /a/b as bob;
      }
      test 'b' {
        deny get /a/b as bob
      }
      test c { deny get /a/b as bob; }
      test 'd' {
        deny get /a/b as bob;

      test 'e' { deny get /a/b as bob; }
      never reed /a/{b} if true;
      private /a/{b};
      """)
    #expect(file.users.map(\.name.text) == ["bob"])
    #expect(file.tests.map(\.name.text) == ["a", "b", "e"])
    #expect(file.tests.map(\.steps.count) == [1, 1, 1])
    #expect(file.invariants.map(\.form) == [.private])
    #expect(
      diagnostics == """
        1:1 error: Unknown statement 'usr'. Did you mean 'user'?
        | usr alice = anonymous();
        | ^^^
        4:9 error: Unknown operation 'gt'. Did you mean 'get'?
        |   allow gt /a/b as bob;
        |         ^^
        5:26 error: Unexpected ']'.
        |   allow create /a/b { x: ] } as bob;
        |                          ^
        9:23 error: Expected ';' after this step.
        |   deny get /a/b as bob
        |                       ^
        fix: Add ';'. [;]
        11:6 error: Expected the name of the test in quotes, found 'c'.
        | test c { deny get /a/b as bob; }
        |      ^
        12:6 error: The test 'd' is not closed: expected '}'.
        | test 'd' {
        |      ^^^
        16:7 error: Unknown method 'reed'. Did you mean 'read'?
        | never reed /a/{b} if true;
        |       ^^^^
        """)
  }

  @Test func `any text at all is read without a crash`() {
    let source = """
      user a = oidc('x', { uid: 'y' }); given /a/$(a.uid) { (a): [1] }; test 't' { at now; deny get /a/b as a; }
      never get /a/{b=**} unless x; immutable /a/{b} fields c, 'd';
      """
    let bytes = Array(source.utf8)
    for i in bytes.indices {
      _ = TestParser.parse(SourceFile(name: "x", utf8: Array(bytes[..<i])))
      _ = TestParser.parse(SourceFile(name: "x", utf8: Array(bytes[i...])))
      for c in ["{", "}", ";", "/", "'", "(", "*", "/**", "\n"] {
        _ = TestParser.parse(SourceFile(name: "x", utf8: bytes[..<i] + Array(c.utf8) + bytes[i...]))
      }
    }
  }
}
