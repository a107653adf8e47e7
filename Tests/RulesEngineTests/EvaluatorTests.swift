import RulesSyntax
import RulesValues
import Testing

@testable import RulesEngine

@Suite struct EvaluatorTests {
  private static let time = Timestamp(seconds: 1_767_225_600)

  private func ruleset(_ body: String) throws -> Ruleset {
    try Ruleset(
      """
      rules_version = '2';
      service cloud.firestore {
        match /databases/{database}/documents {
          \(body)
        }
      }
      """)
  }

  private let alice = ResourcePath(segments: ["users", "alice"])

  @Test func anEvaluatorForgetsOneRequestBeforeTheNext() throws {
    let evaluator = try ruleset("match /users/{uid} { allow get: if resource.data.owner == request.auth.uid; }").evaluator()
    let documents: DocumentTable = [alice: ["owner": .string("alice")]]
    for uid in ["alice", "mallory", "alice", "mallory"] {
      let request = Request.get(alice, auth: Auth(uid: uid), time: Self.time)
      #expect(evaluator.decide(request, documents).isAllowed == (uid == "alice"))
      #expect(evaluator.allows(request, documents) == (uid == "alice"))
    }
  }

  @Test func threadsShareARuleset() async throws {
    let ruleset = try ruleset("match /users/{uid} { allow get: if request.auth.uid == uid && uid.size() == 5; }")
    let path = alice
    await withTaskGroup(of: Int.self) { group in
      for _ in 0..<4 {
        group.addTask {
          let evaluator = ruleset.evaluator()
          return (0..<500).filter { i in
            let auth = Auth(uid: i.isMultiple(of: 2) ? "alice" : "bob")
            return evaluator.decide(.get(path, auth: auth, time: Self.time), DocumentTable()).isAllowed
          }.count
        }
      }
      for await allowed in group { #expect(allowed == 250) }
    }
  }

  @Test func dialectsDifferOnMissingDocuments() throws {
    let ruleset = try ruleset(
      "match /users/{uid} { allow get: if get(/databases/$(database)/documents/users/nobody) == null; }")
    let request = Request.get(alice, auth: nil, time: Self.time)
    #expect(ruleset.evaluator(dialect: .live).decide(request, DocumentTable()).isAllowed)
    #expect(!ruleset.evaluator(dialect: .emulator1_19).decide(request, DocumentTable()).isAllowed)
  }

  @Test(arguments: [false, true]) func aReadKnowsWhetherItsTransactionMayWrite(inTransaction: Bool) throws {
    let evaluator = try ruleset("match /users/{uid} { allow get: if request.inTransaction; }").evaluator()
    var request = Request.get(alice, auth: nil, time: Self.time)
    request.inTransaction = inTransaction
    #expect(evaluator.decide(request, DocumentTable()).isAllowed == inTransaction)
  }

  @Test func theTwoOfficialPassesAreToldApart() throws {
    let ruleset = try ruleset(
      "match /users/{uid} { allow write: if resource.data.n == 2; }\nmatch /users/alice { allow delete: if uid() == 1; }")
    let documents: DocumentTable = [alice: ["n": .int(1)]]
    let passes = ruleset.evaluator().officialPasses(of: .delete(alice, auth: nil, time: Self.time), documents)
    #expect(passes.first.map(\.line) == [4, 5])
    #expect(passes.second.map(\.text) == ["false", "Function not found error: Name: [uid]."])
    #expect(!passes.isDecidedFirst && !passes.isAllowed)
  }

  @Test func aRulesetWithoutFirestoreServiceAllowsNothing() throws {
    let storage = try Ruleset(
      "rules_version = '2'; service firebase.storage { match /{d=**} { allow read, write; } }")
    let request = Request.get(alice, auth: nil, time: Self.time)
    #expect(storage.decide(request).denial?.message == "No matching allow statements")
  }

  @Test func idsThatAreCanonicallyEquivalentAreDifferent() throws {
    let ruleset = try ruleset("match /users/{uid} { allow get: if request.auth.uid == uid; }")
    let path = ResourcePath(segments: ["users", "caf\u{E9}"])
    #expect(!ruleset.decide(.get(path, auth: Auth(uid: "cafe\u{301}"), time: Self.time)).isAllowed)
    #expect(ruleset.decide(.get(path, auth: Auth(uid: "caf\u{E9}"), time: Self.time)).isAllowed)
  }

  @Test func aDocumentInAnotherDatabaseCannotBeReached() throws {
    let ruleset = try ruleset("match /users/{uid} { allow get: if exists(/databases/other/documents/users/alice); }")
    let other = ResourcePath(database: "other", segments: ["users", "alice"])
    #expect(!ruleset.decide(.get(alice, auth: nil, time: Self.time), [other: [:]] as DocumentTable).isAllowed)
  }

  @Test func requestTimeIsCutToMilliseconds() throws {
    let ruleset = try ruleset("match /users/{uid} { allow get: if request.time.nanos() == 123000000; }")
    let time = Timestamp(seconds: 1_767_225_600, nanos: 123_456_789)
    #expect(ruleset.decide(.get(alice, auth: nil, time: time)).isAllowed)
  }

  @Test func dataBeyondTheMemoryLimitIsAnErrorAndNoCrash() throws {
    var deep = DataValue.int(1)
    for _ in 0..<200 { deep = .array([deep]) }
    let ruleset = try ruleset("match /users/{uid} { allow get: if resource.data.x == 1 || true; }")
    let decision = ruleset.decide(.get(alice, auth: nil, time: Self.time), [alice: ["x": deep]] as DocumentTable)
    #expect(decision.isAllowed)
  }

  @Test func aTextThatDoesNotCompileThrowsItsDiagnostics() {
    #expect(throws: RulesError.self) { try Ruleset("service cloud.firestore {") }
    do {
      _ = try Ruleset("service cloud.firestore {\n}")
    } catch {
      #expect(
        error.description == "Error compiling rules:\nL2:1 The 'service' body must contain at least one declaration.")
    }
  }
}
