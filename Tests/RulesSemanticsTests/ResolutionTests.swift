import RulesSyntax
import Testing

@testable import RulesSemantics

/// What names and calls mean to the engine.
@Suite struct ResolutionTests {
  /// A ruleset whose functions are checked by their results and its statements by their conditions.
  private static func ruleset(_ body: String, service: String = "cloud.firestore") throws -> CheckedRuleset {
    let source = "rules_version = '2';\n\(body.contains("service") ? body : "service \(service) {\n\(body)\n}")"
    let check = Check.check(SourceFile(name: "test.rules", text: source))
    return try #require(check.ruleset, "\(OfficialReport.text(check.diagnostics))")
  }

  private static func conditions(_ ruleset: CheckedRuleset) -> [Expression] {
    func all(_ matches: [CheckedMatch]) -> [CheckedAllow] {
      matches.flatMap { $0.allows + all($0.children) }
    }
    return ruleset.services.flatMap { all($0.matches) }.compactMap(\.condition)
  }

  @Test func capturesAreNumberedAlongTheNestedMatches() throws {
    let ruleset = try Self.ruleset(
      "match /a/{x} { match /b/{y}/{z=**} { allow get: if [x, y, z, id, request, resource][0]; } }")
    let outer = try #require(ruleset.services.first?.matches.first)
    #expect(outer.segments == [.literal("a"), .capture(slot: 0, name: "x")])
    let inner = try #require(outer.children.first)
    #expect(inner.segments == [.literal("b"), .capture(slot: 1, name: "y"), .glob(slot: 2, name: "z")])
    guard case .index(let list, _)? = inner.allows.first?.condition?.kind, case .list(let items) = list.kind else {
      Issue.record("not a list")
      return
    }
    #expect(
      items.map(ruleset.resolution) == [
        .wildcard(0), .wildcard(1), .wildcard(2), .unknown, .request, .resource,
      ])
  }

  @Test func innerCapturesHideOuterOnesAndRequest() throws {
    let ruleset = try Self.ruleset("match /a/{id}/{request} { match /b/{id} { allow get: if id == request; } }")
    guard case .binary(_, let a, let b)? = Self.conditions(ruleset).first?.kind else { return }
    #expect(ruleset.resolution(of: a) == .wildcard(2))
    #expect(ruleset.resolution(of: b) == .wildcard(1))
  }

  @Test func parametersAndBindingsHideEverythingElse() throws {
    let ruleset = try Self.ruleset(
      """
      match /a/{id} {
        function f(id, resource) { let request = id; let b = request; return [id, resource, request, b, c]; }
        allow get: if f(1, 2);
      }
      """)
    let function = try #require(ruleset.functions.first)
    #expect(function.visibleCaptures == 1 && function.isReachable)
    #expect(ruleset.resolution(of: function.declaration.lets[0].value) == .parameter(0))
    #expect(ruleset.resolution(of: function.declaration.lets[1].value) == .letBinding(0))
    guard case .list(let items) = function.declaration.result.kind else { return }
    #expect(
      items.map(ruleset.resolution) == [.parameter(0), .parameter(1), .letBinding(0), .letBinding(1), .unknown])
  }

  @Test func aBindingIsNotVisibleInItsOwnValue() throws {
    let ruleset = try Self.ruleset(
      "match /a/{x} { function f() { let x = x; let y = z; let z = 1; return x; } allow get: if f(); }")
    let lets = try #require(ruleset.functions.first).declaration.lets
    #expect(ruleset.resolution(of: lets[0].value) == .wildcard(0))
    #expect(ruleset.resolution(of: lets[1].value) == .unknown)
  }

  @Test func aFunctionSeesWhatSurroundsItsDeclaration() throws {
    let ruleset = try Self.ruleset(
      """
      function outer() { return inner() && x; }
      function twice() { return 1; }
      match /a/{x} {
        function inner() { return x; }
        function twice() { return 2; }
        allow get: if inner() && twice();
      }
      """)
    let names = ruleset.functions.map(\.declaration.name.text)
    #expect(names == ["outer", "twice", "inner", "twice"])
    guard case .binary(_, let call, let x) = ruleset.functions[0].declaration.result.kind else { return }
    #expect(ruleset.callee(of: call) == .unknown("inner"))
    #expect(ruleset.resolution(of: x) == .unknown)
    guard case .binary(_, let inner, let twice)? = Self.conditions(ruleset).first?.kind else { return }
    #expect(ruleset.callee(of: inner) == .function(2))
    #expect(ruleset.callee(of: twice) == .function(3))
    #expect(ruleset.functions.map(\.isReachable) == [false, false, true, true])
  }

  @Test(arguments: [
    ("int(1)", Callee.builtin("int")), ("debug(1)", .builtin("debug")), ("path('a')", .builtin("path")),
    ("bool(1)", .unknown("bool")), ("get(/a/b)", .service("get")), ("existsAfter(/a/b)", .service("existsAfter")),
    ("math.abs(1)", .package("math", "abs")), ("math.nope()", .package("math", "nope")),
    ("x.abs(1)", .method("abs")), ("firestore.get(/a)", .method("get")), ("nope()", .unknown("nope")),
  ])
  func callsOfFirestoreRules(_ expression: String, _ expected: Callee) throws {
    let ruleset = try Self.ruleset("match /a/{x} { allow get: if \(expression); }")
    #expect(ruleset.callee(of: try #require(Self.conditions(ruleset).first)) == expected)
  }

  @Test(arguments: [
    ("firestore.get(/a/b)", Callee.service("firestore.get")), ("firestore.exists(/a)", .service("firestore.exists")),
    ("firestore.getAfter(/a)", .method("getAfter")), ("get(/a/b)", .unknown("get")), ("int(1)", .builtin("int")),
  ])
  func callsOfStorageRules(_ expression: String, _ expected: Callee) throws {
    let ruleset = try Self.ruleset("match /a/{x} { allow get: if \(expression); }", service: "firebase.storage")
    #expect(ruleset.callee(of: try #require(Self.conditions(ruleset).first)) == expected)
  }

  @Test func aFunctionOfTheFileHidesABuiltinOfItsName() throws {
    let ruleset = try Self.ruleset(
      "function get(a, b) { return a; } match /a/{x} { allow get: if get(1); }")
    #expect(ruleset.callee(of: try #require(Self.conditions(ruleset).first)) == .function(0))
  }

  @Test func readAndWriteAreExpandedAndMethodNamesHaveNoCase() throws {
    let ruleset = try Self.ruleset("match /a/{x} { allow Read; allow WRITE; allow get, foo, Create; allow foo; }")
    let allows = try #require(ruleset.services.first?.matches.first).allows
    #expect(allows.map(\.methods) == [[.get, .list], [.create, .update, .delete], [.get, .create], []])
    #expect(allows.map(\.index) == [0, 1, 2, 3])
  }

  @Test func servicesAreKnownByName() throws {
    let ruleset = try Self.ruleset(
      """
      service cloud.firestore { match /a { allow get; } }
      service firebase.storage { match /a { allow get; } }
      service other.one { match /a { allow get; } }
      """)
    #expect(ruleset.services.map(\.kind) == [.firestore, .storage, .other("other.one")])
    #expect(ruleset.services.last?.matches.first?.allows.first?.methods == [])
  }
}
