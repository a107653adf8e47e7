import RulesEngine
import RulesValues

/// What the rules say to a call about one document.
public struct Judgement: Sendable {
  public let request: Request
  public let decision: Decision
  /// Where it was asked for, and there are rules.
  public let explanation: Explanation?
  /// What it takes of the official limits, where that was asked for, and there are rules.
  public let budget: RequestBudget?
  /// The stored document before the call.
  public let document: Fields?
  /// Of a write: the document afterwards; `nil` when it is gone.
  public let after: Fields?
  /// The documents that the rules looked at.
  public let documentsRead: Set<ResourcePath>

  public var isAllowed: Bool { decision.isAllowed }
}

/// What the rules say to several writes that are made together.
public struct CommitJudgement: Sendable {
  /// One for each document, in the order in which they are first written.
  public let judgements: [Judgement]
  /// The official refusal of all of it; `nil`: everything is allowed.
  public let denial: Denial?
  /// What stands against it, rules apart: NOT_FOUND, ALREADY_EXISTS, FAILED_PRECONDITION. The rules come first.
  public let obstacle: FirestoreError?
  /// Of several documents: what the rules looked up for all of them together.
  public let lookups: CommitLookups?

  public var isAllowed: Bool { judgements.allSatisfy(\.isAllowed) }
}

/// How many different documents the rules look up for several writes together, each of 20: what one write takes has a
/// limit of its own. The two are counted apart (observed on the official emulator 1.19.9).
public struct CommitLookups: Sendable, Equatable {
  /// By `get` and `exists`.
  public let before: RequestBudget.Use
  /// By `getAfter` and `existsAfter`.
  public let after: RequestBudget.Use
}

/// What the rules say to a query.
public struct QueryJudgement: Sendable {
  public let request: ListRequest
  public let decision: Decision
  /// Where an allowed query can return documents that its condition seems to forbid.
  public var warnings: [QueryWarning] = []
  /// The documents that the rules looked at.
  public var documentsRead: Set<ResourcePath> = []
  /// Where it was asked for, and there are rules.
  public var explanation: QueryExplanation?
  /// What it takes of the official limits, where that was asked for, and there are rules.
  public var budget: RequestBudget?

  public var isAllowed: Bool { decision.isAllowed }
}

extension LocalFirestore {
  /// Asks the rules about one document.
  func judge(
    _ request: Request, access: Client.Access, explaining: Bool, fixing: Bool = false, measuring: Bool = false,
    _ reader: CommitReader
  ) throws(FirestoreError) -> RulesVerdict {
    guard case .rules = access else { return RulesVerdict(decision: .allowed) }
    guard let rules = rules(of: request.path.database) else {
      let decision = Decision.denied(Denial(entries: []))
      if !explaining { observer?.judged(JudgedCall(kind: .document(request, nil), decision: decision, ruleset: nil)) }
      return RulesVerdict(decision: decision)
    }
    let verdict = rules.with { evaluator in
      var verdict = RulesVerdict(decision: evaluator.decide(request, reader))
      if explaining {
        var explanation = evaluator.explain(request, reader)
        if fixing {
          // What a search for fixes reads was not read by the rules.
          let paths = reader.takePaths()
          explanation.fixes = evaluator.nearestFixes(of: request, reader)
          reader.give(back: paths)
        }
        verdict.explanation = explanation
      }
      if measuring { verdict.budget = verdict.explanation?.budget ?? evaluator.budget(of: request, reader) }
      return verdict
    }
    // What is asked again for an explanation is the same request.
    if !explaining {
      rules.recorder?.record(request, reader, dialect: dialect)
      if let observer {
        let isWanted = observer.wantsExplanation(of: verdict.decision)
        let explanation = isWanted ? rules.with { $0.explain(request, reader) } : nil
        observer.judged(
          JudgedCall(kind: .document(request, explanation), decision: verdict.decision, ruleset: rules.ruleset))
      }
    }
    if let failure = reader.failure { throw failure }
    return verdict
  }

  /// Reads one document as somebody.
  func read(
    _ path: ResourcePath, access: Client.Access, explaining: Bool = false, fixing: Bool = false, measuring: Bool = false
  ) throws(FirestoreError) -> Reading {
    let snapshot = try storage.snapshot(indexed: false)
    return try read(path, access: access, explaining: explaining, fixing: fixing, measuring: measuring, on: snapshot)
  }

  /// - Parameter inTransaction: one that may write.
  func read(
    _ path: ResourcePath, access: Client.Access, explaining: Bool = false, fixing: Bool = false,
    measuring: Bool = false,
    on snapshot: any StorageSnapshot, inTransaction: Bool = false
  ) throws(FirestoreError) -> Reading {
    try DataLaws.check(path)
    var request = Request.get(path, auth: access.auth, time: requestTime)
    request.inTransaction = inTransaction
    let reader = CommitReader(snapshot)
    let verdict = try judge(
      request, access: access, explaining: explaining, fixing: fixing, measuring: measuring, reader)
    let document = try snapshot.document(at: path)
    return Reading(
      document: document,
      judgement: Judgement(request, verdict, document: document?.fields, after: nil, documentsRead: reader.takePaths()),
      denial: verdict.decision.denial.map { denial(of: request, $0, access: access) })
  }
}

/// What the rules say to a request.
struct RulesVerdict: Sendable {
  var decision: Decision
  var explanation: Explanation?
  var budget: RequestBudget?
}

extension Judgement {
  init(
    _ request: Request, _ verdict: RulesVerdict, document: Fields?, after: Fields?, documentsRead: Set<ResourcePath>
  ) {
    self.init(
      request: request, decision: verdict.decision, explanation: verdict.explanation, budget: verdict.budget,
      document: document, after: after, documentsRead: documentsRead)
  }
}

/// A document as somebody asks for it.
struct Reading: Sendable {
  let document: StoredDocument?
  let judgement: Judgement
  let denial: CallDenial?

  /// - Throws: PERMISSION_DENIED.
  func allowed() throws(FirestoreError) -> StoredDocument? {
    if let denial { throw FirestoreError(denial) }
    return document
  }
}
