import Foundation
import RulesEngine
import RulesSemantics
import RulesValues
import Testing

@testable import Isolation

/// The formulas against the engine: for random rules, requests and databases every fact that proofs rely on is true, and
/// a request is allowed exactly when its formula says so.
struct AgreementTests {
  struct Random {
    var state: UInt64
    mutating func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % max(1, bound)
    }
    mutating func pick<T>(_ items: [T]) -> T { items[next(items.count)] }
  }

  // MARK: Random rules

  static func value(_ r: inout Random, _ depth: Int) -> String {
    if depth <= 0 || r.next(5) == 0 {
      return r.pick([
        "1", "2", "1.0", "0.5", "-1", "'a'", "'b'", "'u1'", "''", "true", "false", "null", "request.auth.uid", "id", "resource.data.a", "resource.data.b",
        "request.resource.data.a", "request.resource.data.n", "resource.data.n", "resource.data.l", "resource.data.m", "request.auth.token.admin",
        "request.time", "resource.id", "request.method", "9007199254740993", "9223372036854775807", "timestamp.date(2026, 1, 1)", "resource.data.s",
        "request.resource.data.s", "request.auth", "resource", "0.0", "-0.0",
      ])
    }
    switch r.next(17) {
    case 0: return "(\(value(&r, depth - 1)) + \(value(&r, depth - 1)))"
    case 1: return "(\(value(&r, depth - 1)) - \(value(&r, depth - 1)))"
    case 2: return "[\(value(&r, depth - 1)), \(value(&r, depth - 1))]"
    case 3: return "resource.data.m[\(r.pick(["'a'", "'b'", "request.auth.uid", "id", "resource.data.s"]))]"
    case 4: return "resource.data.get(\(r.pick(["'a'", "'zz'", "['m', 'a']", "['m', 'a', 'b']", "id"])), \(value(&r, depth - 1)))"
    case 5: return "(\(condition(&r, depth - 1)) ? \(value(&r, depth - 1)) : \(value(&r, depth - 1)))"
    case 6: return "\(r.pick(["resource.data.s", "resource.data.l", "resource.data.m", "id", "[1, 2]", "resource.data", "resource.data.keys()"])).size()"
    case 7: return "get(/databases/$(database)/documents/\(r.pick(["c", "d"]))/$(\(r.pick(["id", "request.auth.uid", "resource.data.s"])))).data.\(r.pick(["a", "n", "s"]))"
    case 8: return "resource.data.l[\(r.pick(["0", "1", "resource.data.n"]))]"
    case 9: return "{'a': \(value(&r, depth - 1))}"
    case 10: return "request.resource.data.diff(resource.data).affectedKeys().size()"
    case 11: return "request.auth.token.get('admin', \(value(&r, 0)))"
    case 12: return "f(\(value(&r, depth - 1)))"
    case 13: return "\(r.pick(["resource.data", "request.resource.data", "resource.data.m", "resource", "request"])).\(r.pick(["a", "b", "n", "data", "auth", "m"]))"
    default: return value(&r, 0)
    }
  }

  static func condition(_ r: inout Random, _ depth: Int) -> String {
    if depth <= 0 { return r.pick(["true", "false", "request.auth != null", "resource.data.t", "request.auth.token.admin", "isOwner()"]) }
    switch r.next(20) {
    case 0, 1, 2: return "(\(condition(&r, depth - 1)) && \(condition(&r, depth - 1)))"
    case 3, 4, 5: return "(\(condition(&r, depth - 1)) || \(condition(&r, depth - 1)))"
    case 6, 7: return "!\(condition(&r, depth - 1))"
    case 8, 9, 10: return "(\(value(&r, depth - 1)) \(r.pick(["==", "!=", "<", "<=", ">", ">="])) \(value(&r, depth - 1)))"
    case 11: return "(\(value(&r, depth - 1)) in \(r.pick(["resource.data.l", "resource.data.m", "[1, 'a', 'u1']", "resource.data.keys()", "resource.data", "[1.0, 0.0].toSet()", value(&r, depth - 1)])))"
    case 12: return "(\(value(&r, depth - 1)) is \(r.pick(["int", "float", "number", "string", "list", "map", "bool", "timestamp", "path", "bytes", "duration"])))"
    case 13: return "\(r.pick(["resource.data.keys()", "request.resource.data.keys()", "resource.data.l", "['a', 'b']", "request.resource.data.diff(resource.data).affectedKeys()", "request.resource.data.diff(resource.data).\(r.pick(["addedKeys", "removedKeys", "changedKeys", "unchangedKeys"]))()"])).\(r.pick(["hasAll", "hasAny", "hasOnly"]))(\(r.pick(["['a', 'b']", "['a']", "[]", "['a', 'n', 's', 'l', 'm', 't']", "[1, 'a']", "resource.data.l"])))"
    case 14: return "\(r.pick(["resource.data.s", "id", "request.auth.uid", value(&r, depth - 1)])).matches('\(r.pick(["a+", "[a-z]{1,3}", ".*b", "u[0-9]", "", "(?i)A.*", "."]))')"
    case 15: return "exists(/databases/$(database)/documents/\(r.pick(["c", "d"]))/$(\(r.pick(["id", "request.auth.uid", "resource.data.s", "resource.data.n"]))))"
    case 16: return "(\(condition(&r, depth - 1)) ? \(condition(&r, depth - 1)) : \(condition(&r, depth - 1)))"
    case 17: return "g(\(value(&r, depth - 1)))"
    case 18: return "(getAfter(/databases/$(database)/documents/c/$(id)).data.\(r.pick(["a", "n"])) == \(value(&r, depth - 1)))"
    default: return "(\(value(&r, depth - 1)) == null)"
    }
  }

  static func rules(_ r: inout Random) -> String {
    let path = r.pick(["/c/{id}", "/c/{id}", "/{c}/{id}", "/{x=**}/{id}", "/c/{id}/{rest=**}", "/c/a", "/{id=**}"])
    return """
      rules_version = '2';
      service cloud.firestore { match /databases/{database}/documents {
        function f(x) { let y = x; return y; }
        match \(path.contains("{id}") ? path : "/c/{id}") {
          function isOwner() { return request.auth.uid == id; }
          function g(x) { let o = resource.data.a; return o == x || isOwner(); }
          allow read, write: if \(condition(&r, 4));
        }
      } }
      """
  }

  // MARK: Random requests

  static func data(_ r: inout Random, _ depth: Int = 2) -> DataValue {
    switch r.next(depth > 0 ? 16 : 12) {
    case 0: return .null
    case 1: return .bool(r.next(2) == 0)
    case 2, 3: return .int(r.pick([0, 1, 2, -1, 9_007_199_254_740_993, .max, .min]))
    case 4, 5: return .double(r.pick([1, 0.5, .nan, .infinity, -.infinity, -0.0, 0, 2, 9_007_199_254_740_992]))
    case 6, 7, 8, 9: return .string(r.pick(["a", "b", "u1", "u2", "", "admin", "é", "😀"]))
    case 10: return .timestamp(Timestamp(seconds: r.pick([1_767_225_600, 1_800_000_000])))
    case 11: return .bytes([1, UInt8(r.next(3))])
    case 12, 13: return .array((0..<r.next(3)).map { _ in data(&r, depth - 1) })
    default: return .map(fields(&r, depth - 1))
    }
  }

  static func fields(_ r: inout Random, _ depth: Int = 2) -> Fields {
    var fields: Fields = [:]
    for name in ["a", "b", "n", "s", "l", "m", "t", "u1", "zzz"] as [Text] where r.next(3) > 0 {
      switch name {
      case "n" where r.next(3) > 0: fields[name] = .int(Int64(r.next(3)))
      case "s" where r.next(3) > 0: fields[name] = .string(r.pick(["a", "b", "u1", "xyz"]))
      case "l" where depth > 0 && r.next(3) > 0: fields[name] = .array((0..<r.next(3)).map { _ in data(&r, 0) })
      case "m" where depth > 0 && r.next(3) > 0: fields[name] = .map(self.fields(&r, depth - 1))
      case "t" where r.next(3) > 0: fields[name] = .bool(r.next(2) == 0)
      default: fields[name] = data(&r, depth)
      }
    }
    return fields
  }

  static func witness(_ r: inout Random, _ method: World.Method) -> Witness {
    let id: Text = r.pick(["a", "b", "u1", "u2"])
    let path = ResourcePath(segments: ["c", id])
    var documents: [ResourcePath: Fields] = [:]
    for c in ["c", "d"] as [Text] {
      for i in ["a", "b", "u1"] as [Text] where r.next(2) == 0 { documents[ResourcePath(segments: [c, i])] = fields(&r) }
    }
    if method == .update { documents[path] = fields(&r) }
    if method == .create { documents[path] = nil }
    var witness = Witness(
      documents: documents, auth: nil, time: Timestamp(seconds: r.pick([1_767_225_600, 1_780_000_000])),
      method: RequestMethod(rawValue: method.rawValue) ?? .get, path: path)
    if method == .create || method == .update { witness.data = method == .update && r.next(4) == 0 ? documents[path] : fields(&r) }
    if r.next(4) > 0 {
      let uid = r.pick(["u1", "u2", "a", "b"])
      var token: Fields = ["sub": .string(uid), "user_id": .string(uid)]
      if r.next(2) == 0 { token["admin"] = r.pick([.bool(true), .bool(false), .string("yes"), .null]) }
      witness.auth = Auth(uid: uid, token: token)
    }
    return witness
  }

  // MARK: The comparison

  struct Count {
    var decided = 0
    var allowed = 0
    var total = 0
    var facts = 0
  }

  static func compare(seed: Int, rulesets: Int, requests: Int) throws -> Count {
    var r = Random(state: UInt64(seed) &* 1_000_003 &+ 12_345)
    var count = Count()
    var made = 0
    while made < rulesets {
      let text = rules(&r)
      guard let ruleset = try? Ruleset(text) else { continue }
      made += 1
      let blocks = try #require(ruleset.checked.matchBlocks)
      let evaluator = ruleset.evaluator()
      for method in [World.Method.get, .create, .update, .delete] {
        let world = World(
          TermStore(), method: method, reading: .names, segments: ["c", nil], gap: nil, database: "(default)",
          names: ruleset.checked.fieldNames(of: blocks))
        let allowed = try Encoder(world, ruleset.checked).allowed(blocks)
        world.finish()
        for _ in 0..<requests {
          let witness = witness(&r, method)
          count.total += 1
          let model = FaithfulModel(world, witness)
          for fact in world.facts + world.details.map(\.fact) {
            if let holds = model.bool(fact) {
              count.facts += 1
              if !holds { Issue.record("a fact is not true: \(describe(fact, world))\n\(text)\n\(witness)") ; return count }
            }
          }
          guard let symbolic = model.bool(allowed) else { continue }
          count.decided += 1
          let request: Request
          switch method {
          case .get, .list: request = .get(witness.path, auth: witness.auth, time: witness.time)
          case .create: request = .create(witness.path, witness.data ?? [:], auth: witness.auth, time: witness.time)
          case .update: request = .update(witness.path, witness.data ?? [:], auth: witness.auth, time: witness.time)
          case .delete: request = .delete(witness.path, auth: witness.auth, time: witness.time)
          }
          let concrete = evaluator.allows(request, DocumentTable(witness.documents))
          if concrete { count.allowed += 1 }
          if concrete != symbolic {
            Issue.record("engine \(concrete), formula \(symbolic)\n\(text)\n\(witness)")
            return count
          }
        }
      }
    }
    return count
  }

  private static func describe(_ fact: Term, _ world: World) -> String {
    var writer = SMTWriter(world.store)
    writer.assert([fact])
    return writer.lines.suffix(6).joined(separator: "\n")
  }

  /// AGREEMENT_RULESETS=10000 for a long run.
  @Test(arguments: 1...4)
  func `Formulas and engine agree on random requests`(seed: Int) throws {
    let wanted = ProcessInfo.processInfo.environment["AGREEMENT_RULESETS"].flatMap { Int($0) } ?? 40
    let count = try Self.compare(seed: seed, rulesets: wanted, requests: 12)
    #expect(count.decided * 2 > count.total)
    #expect(count.allowed > 0 && count.allowed < count.decided)
    print("agreement, seed \(seed): \(count.total) requests, \(count.decided) decided, \(count.allowed) allowed, \(count.facts) facts")
  }
}
