import JSON
import RulesEngine
import RulesSyntax
import RulesTesting
import RulesValues

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// What is measured, by name. Everything up to the loop is preparation.
enum Measurement {
  static let all: [String: @Sendable (Int) throws -> Void] = [
    "floor": { try decide(blocks: 10, rule: "true", $0) },
    "decide": { try decide(blocks: 10, $0) },
    "decide-1": { try decide(blocks: 1, $0) },
    "decide-100": { try decide(blocks: 100, $0) },
    "decide-1000": { try decide(blocks: 1000, $0) },
    "load-and-decide": loadAndDecide,
    "request-text": requestText,
    "deny": deny,
    "lookups": lookups,
    "explain": explain,
    "compile-1000": { try compile(lines: 1000, $0) },
    "compile-10000": { try compile(lines: 10000, $0) },
    "parse-json": parseJSON,
    "suite-1000": suite,
    "sign": Tokens.sign,
    "verify": Tokens.verify,
    "accounts": Tokens.lookUp,
  ]

  /// A wrong answer would make the figure worthless.
  static func check(_ answer: Bool) {
    if !answer {
      print("rules-bench: the answer is wrong")
      exit(1)
    }
  }

  private static func decide(blocks: Int, rule: String = Cases.ownerRule, _ times: Int) throws {
    let evaluator = try Ruleset(Cases.rules(blocks: blocks, rule: rule)).evaluator()
    evaluator.load(Cases.create(uid: "alice"), DocumentTable())
    for _ in 0..<times { check(evaluator.allowsLoaded()) }
  }

  private static func loadAndDecide(_ times: Int) throws {
    let evaluator = try Ruleset(Cases.rules(blocks: 10)).evaluator()
    let request = Cases.create(uid: "alice")
    let documents = DocumentTable()
    for _ in 0..<times { check(evaluator.allows(request, documents)) }
  }

  private static func requestText(_ times: Int) throws {
    let evaluator = try Ruleset(Cases.rules(blocks: 10)).evaluator()
    let text = Array(Cases.requestText.utf8)
    let documents = DocumentTable()
    for _ in 0..<times {
      try evaluator.load(json: text, documents)
      check(evaluator.allowsLoaded())
    }
  }

  private static func deny(_ times: Int) throws {
    let evaluator = try Ruleset(Cases.rules(blocks: 10)).evaluator()
    evaluator.load(Cases.create(uid: "mallory"), DocumentTable())
    for _ in 0..<times { check(evaluator.decideLoaded().denial?.message.hasPrefix("false for") == true) }
  }

  private static func lookups(_ times: Int) throws {
    let rule = "exists(/databases/$(database)/documents/admins/$(request.auth.uid))"
    let evaluator = try Ruleset(Cases.rules(blocks: 10, rule: rule)).evaluator()
    let documents: DocumentTable = [ResourcePath(segments: ["admins", "alice"]): [:]]
    evaluator.load(Cases.create(uid: "alice"), documents)
    for _ in 0..<times { check(evaluator.allowsLoaded()) }
  }

  private static func explain(_ times: Int) throws {
    let evaluator = try Ruleset(Cases.rules(blocks: 10)).evaluator()
    let request = Cases.create(uid: "alice")
    for _ in 0..<times { check(evaluator.explain(request, DocumentTable()).decision.isAllowed) }
  }

  private static func compile(lines: Int, _ times: Int) throws {
    let text = Cases.rulesFile(lines: lines)
    for _ in 0..<times { check(Ruleset.compile(SourceFile(name: "firestore.rules", text: text)).ruleset != nil) }
  }

  private static func parseJSON(_ times: Int) throws {
    let text = Array(Cases.requestText.utf8)
    for _ in 0..<times { check(try JSONValue(parsing: text)["method"] == "create") }
  }

  private static func suite(_ times: Int) throws {
    let rules = SourceFile(name: "firestore.rules", text: Cases.rules(blocks: 10))
    let tests = SourceFile(name: "bench.test", text: Cases.suite(cases: 1000))
    for _ in 0..<times {
      let result = Runner().run(TestFile.load(tests), RulesFile(rules))
      check(result.tests.count == 1000 && result.tests.allSatisfy(\.hasPassed))
    }
  }
}
