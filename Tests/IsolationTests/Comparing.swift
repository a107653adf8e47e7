import Foundation
import RulesEngine
import Testing

@testable import Isolation

struct ComparisonTests {
  struct Change: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let old: String
    let new: String
    /// Methods that the newer rules open and close.
    let opens: [String]
    let closes: [String]
  }

  private static func rules(_ allows: String) -> String {
    "rules_version = '2'; service cloud.firestore { match /databases/{database}/documents { match /a/{id} { \(allows) } } }"
  }

  static let changes: [Change] = [
    Change(testDescription: "nothing", old: "allow read: if request.auth != null;", new: "allow read: if request.auth != null;", opens: [], closes: []),
    Change(testDescription: "the same in other words", old: "allow get: if request.auth.uid == id || false;", new: "allow get: if !(id != request.auth.uid);", opens: [], closes: []),
    Change(testDescription: "a condition less", old: "allow get: if request.auth.uid == id && resource.data.x == 1;", new: "allow get: if request.auth.uid == id;", opens: ["get"], closes: []),
    Change(testDescription: "a condition more", old: "allow delete: if request.auth.uid == id;", new: "allow delete: if request.auth.uid == id && resource.data.x == 1;", opens: [], closes: ["delete"]),
    Change(testDescription: "an error that was absorbed", old: "allow get: if resource.data.a == 1 || request.auth != null;", new: "allow get: if request.auth != null || resource.data.a == 1;", opens: [], closes: []),
    Change(testDescription: "a negation that errors", old: "allow get: if !(resource.data.a == 1);", new: "allow get: if resource.data.a != 1;", opens: [], closes: []),
    Change(testDescription: "a guard for absence", old: "allow get: if resource.data.a != 1;", new: "allow get: if !('a' in resource.data) || resource.data.a != 1;", opens: ["get"], closes: []),
    Change(testDescription: "a list by another filter", old: "allow list: if resource.data.o == request.auth.uid;", new: "allow list: if request.auth != null;", opens: ["list"], closes: []),
    Change(testDescription: "a function that a list does not call", old: "function f() { return id; } function g() { return true; } allow list: if f() == 'x' || request.auth != null; allow get: if g();", new: "function f() { return id; } function g() { return 1 == 1; } allow list: if f() == 'x' || request.auth != null; allow get: if g();", opens: [], closes: []),
    Change(testDescription: "another method", old: "allow create: if true;", new: "allow write: if true;", opens: ["update", "delete"], closes: []),
  ]

  @Test(.enabled(if: solverIsThere), arguments: changes)
  func `What a change opens and closes is found, and only that`(change: Change) throws {
    let comparison = Comparison.compare(
      old: try Ruleset(Self.rules(change.old)), new: try Ruleset(Self.rules(change.new)), solver: SolverSession())
    #expect(Set(comparison.opened.map(\.method)) == Set(change.opens))
    #expect(Set(comparison.closed.map(\.method)) == Set(change.closes))
    #expect(comparison.opensNothing == change.opens.isEmpty)
  }

  /// Regexes made of the uid (51) are not modelled; that two commits can do together what none can (71) is not looked for.
  static let notFound: Set<String> = ["51-string-prefix-document-id", "71-batch-bypasses-counter"]

  @Test(.enabled(if: solverIsThere), arguments: (try? FileManager.default.contentsOfDirectory(atPath: LeakPairTests.folder.path))?.sorted() ?? [])
  func `From safe to leaky there is new access`(name: String) throws {
    let folder = LeakPairTests.folder.appending(path: name)
    let safe = try Ruleset(String(contentsOf: folder.appending(path: "safe.rules"), encoding: .utf8))
    let leaky = try Ruleset(String(contentsOf: folder.appending(path: "leaky.rules"), encoding: .utf8))
    let solver = SolverSession()
    let comparison = Comparison.compare(old: safe, new: leaky, solver: solver)
    if Self.notFound.contains(name) {
      #expect(!comparison.opensNothing)
    } else {
      #expect(!comparison.opened.isEmpty)
    }
    let same = Comparison.compare(old: safe, new: safe, solver: solver)
    #expect(same.opened.isEmpty)
  }
}
