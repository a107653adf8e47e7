import Foundation
import RulesEngine
import RulesValues
import Testing

@testable import Isolation

/// Each lint rule finds what it is for, at its place, and is silent when that is mended.
struct LintTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let id: String
    /// Inside `match /databases/{database}/documents`; the place that is found stands between `«` and `»`.
    let found: String
    let mended: String
    var version: String? = "rules_version = '2';"
    var testDescription: String { id + ": " + found.prefix(60) }
  }

  static let cases: [Case] = [
    Case(
      id: "test-mode", found: "match /{all=**} { allow read, write: if «request.time < timestamp.date(2026, 3, 1»); }",
      mended: "match /a/{b} { allow read: if request.time < timestamp.date(2026, 3, 1) && request.auth.uid == b; }"),
    Case(
      id: "test-mode", found: "match /{all=**} { allow read: if «timestamp.date(2020, 3, 1) > request.time»; }",
      mended: "match /{all=**} { allow read: if false; }"),
    Case(
      id: "open-to-everybody", found: "match /a/{b} { allow read; allow write: if «true»; }",
      mended: "match /a/{b} { allow read; allow write: if request.auth.uid == b; }"),
    Case(
      id: "open-to-everybody", found: "match /{all=**} { allow read: if «true»; }",
      mended: "match /a/{b} { allow read: if true; }"),
    Case(
      id: "always-false", found: "match /a/{b} { allow get: if «request.auth == null && request.auth.uid == b»; }",
      mended: "match /a/{b} { allow get: if request.auth != null && request.auth.uid == b; }"),
    Case(
      id: "always-false", found: "match /a/{b} { allow get: if «resource.data.n > 3 && resource.data.n < 2»; }",
      mended: "match /a/{b} { allow get: if resource.data.n > 3 && resource.data.n < 5; }"),
    Case(
      id: "always-true", found: "match /a/{b} { allow get: if «b == b»; }",
      mended: "match /a/{b} { allow get: if b == 'c'; }"),
    Case(
      id: "always-true", found: "match /a/{b} { allow get: if «request.auth != null || request.auth == null»; }",
      mended: "match /a/{b} { allow get: if request.auth != null; }"),
    Case(
      id: "redundant-allow",
      found:
        "match /a/{b} { allow get: if request.auth != null; «allow get: if request.auth != null && request.auth.uid == b;» }",
      mended: "match /a/{b} { allow get: if request.auth != null; allow delete: if request.auth.uid == b; }"),
    Case(
      id: "closed-here-open-there",
      found: "match /a/{b} { «allow get: if false;» }\n match /{c}/{d} { allow get: if request.auth != null; }",
      mended: "match /a/{b} { allow get: if false; } match /c/{d} { allow get: if request.auth != null; }"),
    Case(
      id: "shadowed-function",
      found:
        "function f() { return request.auth.uid == 'x'; } match /a/{b} { function «f»() { return request.auth != null; } allow get: if f(); } match /c/{d} { allow get: if f(); }",
      mended:
        "match /a/{b} { function f() { return request.auth != null; } allow get: if f(); } match /c/{d} { function f() { return request.auth.uid == 'x'; } allow get: if f(); }"
    ),
    Case(
      id: "write-includes-delete", found: "match /a/{b} { allow «write»: if request.auth != null; }",
      mended: "match /a/{b} { allow write: if request.auth.uid == b; }"),
    Case(
      id: "unbounded-text",
      found:
        "match /a/{b} { allow create: if request.resource.data.t is string && request.resource.data.t.size() < 9 && «request.resource.data.u is string»; }",
      mended:
        "match /a/{b} { allow create: if request.resource.data.t is string && request.resource.data.u is string; }"),
    Case(
      id: "denied-names",
      found: "match /names/{n} { allow create: if «!(n in ['admin', 'root'»]) && request.auth != null; }",
      mended: "match /names/{n} { allow create: if !(n.lower() in ['admin', 'root']) && request.auth != null; }"),
    Case(
      id: "unescaped-dot", found: "match /a/{b} { allow get: if b.matches(«'.*@acme.com'»); }",
      mended:
        "match /a/{b} { allow get: if b.matches('.*@acme[.]com') || b.matches('.*@acme\\\\.com') || b.matches('a.*b'); }"
    ),
    Case(
      id: "negated-whole-text",
      found: "match /a/{b} { allow create: if !request.resource.data.n.matches(«'admin'») && request.auth.uid == b; }",
      mended:
        "match /a/{b} { allow create: if !request.resource.data.n.matches('.*admin.*') && request.auth.uid == b; }"),
    Case(
      id: "claim-presence", found: "match /a/{b} { allow get: if «'admin' in request.auth.token»; }",
      mended: "match /a/{b} { allow get: if 'admin' in request.auth.token && request.auth.token.admin == true; }"),
    Case(
      id: "unverified-address", found: "match /a/{b} { allow get: if «request.auth.token.email == b»; }",
      mended:
        "match /a/{b} { allow get: if request.auth.token.email == b && request.auth.token.email_verified == true; }"),
    Case(
      id: "mixed-and-or",
      found: "match /a/{b} { allow get: if request.auth != null && b == 'x' || «resource.data.open == true»; }",
      mended: "match /a/{b} { allow get: if request.auth != null && (b == 'x' || resource.data.open == true); }"),
    Case(
      id: "keys-of-old-document",
      found: "match /a/{b} { allow update: if «request.auth.uid == b && resource.data.keys().hasOnly(['n'»]); }",
      mended: "match /a/{b} { allow update: if request.auth.uid == b && request.resource.data.keys().hasOnly(['n']); }"),
    Case(
      id: "missing-version", found: "match /a/{b} { allow get: if request.auth.uid == b; }",
      mended: "match /a/{b} { allow get: if request.auth.uid == b; }", version: nil),
  ]

  private static func findings(_ body: String, _ version: String?, solver: SolverSession) throws -> [(
    id: String, text: String
  )] {
    let text = "\(version ?? "")service cloud.firestore { match /databases/{database}/documents { \(body) } }"
    let rules = try Ruleset(text)
    return Lint.findings(
      rules, prover: Prover(rules, solver: solver), now: Timestamp(seconds: 1_767_225_600, nanos: 0)
    ).map { ($0.id, $0.range.map { rules.file.text($0) } ?? "") }
  }

  @Test(.enabled(if: solverIsThere), arguments: cases)
  func `Found, and not when it is mended`(one: Case) throws {
    let solver = SolverSession()
    let plain = one.found.replacing("«", with: "").replacing("»", with: "")
    let found = try Self.findings(plain, one.version, solver: solver).filter { $0.id == one.id }
    #expect(found.count == 1)
    if let open = one.found.range(of: "«"), let close = one.found.range(of: "»") {
      let place = String(one.found[open.upperBound..<close.lowerBound])
      #expect(found.first?.text == place)
    }
    let mended = try Self.findings(one.mended, "rules_version = '2';", solver: solver)
    #expect(!mended.contains { $0.id == one.id }, "\(mended)")
  }

  @Test func `Each rule has a case, and a line of docs`() throws {
    let ids = Set(Lint.ids)
    #expect(ids.count == Lint.ids.count)
    #expect(Set(Self.cases.map(\.id)) == ids)
    let docs = try String(
      contentsOf: URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/lint.md"),
      encoding: .utf8)
    for id in ids { #expect(docs.contains("`\(id)`"), "\(id)") }
  }

  /// Rules that show good practice: those of this project, and the patterns that Google's guides teach.
  @Test(.enabled(if: solverIsThere)) func `Silent on good rules`() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
    let solver = SolverSession()
    var files = 0
    for folder in ["rules", "Corpus/guides"] {
      guard let walk = FileManager.default.enumerator(at: root.appending(path: folder), includingPropertiesForKeys: nil)
      else { continue }
      for case let file as URL in walk
      where file.pathExtension == "rules" && !file.lastPathComponent.hasSuffix("_test.rules") {
        files += 1
        let rules = try Ruleset(String(contentsOf: file, encoding: .utf8))
        let found = Lint.findings(
          rules, prover: Prover(rules, solver: solver), now: Timestamp(seconds: 1_767_225_600, nanos: 0))
        for one in found { Issue.record("\(file.lastPathComponent):\(one.range?.start.line ?? 0): \(one.message)") }
      }
    }
    #expect(files >= 9)
  }
}
