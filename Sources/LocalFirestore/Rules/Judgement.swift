import RulesEngine
import RulesValues

/// What the rules say to a call about one document.
public struct Judgement: Sendable {
  public let request: Request
  public let decision: Decision
  /// Where it was asked for, and there are rules.
  public let explanation: Explanation?
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
  /// What stands against it, rules apart: NOT_FOUND, ALREADY_EXISTS, FAILED_PRECONDITION. The rules come first.
  public let obstacle: FirestoreError?

  public var isAllowed: Bool { judgements.allSatisfy(\.isAllowed) }

  /// All that was refused, together; `nil`: nothing was.
  public var denial: Denial? {
    let denials = judgements.compactMap(\.decision.denial)
    return denials.isEmpty ? nil : Denial(entries: denials.flatMap(\.entries))
  }
}

/// What the rules say to a query.
public struct QueryJudgement: Sendable {
  public let request: ListRequest
  public let decision: Decision
  /// Where an allowed query can return documents that its condition seems to forbid.
  public var warnings: [QueryWarning] = []
  /// The documents that the rules looked at.
  public var documentsRead: Set<ResourcePath> = []

  public var isAllowed: Bool { decision.isAllowed }

  /// - Throws: PERMISSION_DENIED.
  func check() throws(FirestoreError) {
    if let denial = decision.denial { throw FirestoreError(denial) }
  }
}

extension LocalFirestore {
  /// Asks the rules about one document.
  func judge(
    _ request: Request, access: Client.Access, explaining: Bool, _ reader: CommitReader
  ) throws(FirestoreError) -> (decision: Decision, explanation: Explanation?) {
    guard case .rules = access else { return (.allowed, nil) }
    guard let rules = rules(of: request.path.database) else { return (.denied(Denial(entries: [])), nil) }
    let verdict = rules.with { evaluator in
      (decision: evaluator.decide(request, reader), explanation: explaining ? evaluator.explain(request, reader) : nil)
    }
    if let failure = reader.failure { throw failure }
    return verdict
  }

  /// Reads one document as somebody.
  func read(_ path: ResourcePath, access: Client.Access, explaining: Bool = false) throws(FirestoreError) -> Reading {
    try read(path, access: access, explaining: explaining, on: storage.snapshot(indexed: false))
  }

  func read(
    _ path: ResourcePath, access: Client.Access, explaining: Bool = false, on snapshot: any StorageSnapshot
  ) throws(FirestoreError) -> Reading {
    try DataLaws.check(path)
    let request = Request.get(path, auth: access.auth, time: requestTime)
    let reader = CommitReader(snapshot)
    let verdict = try judge(request, access: access, explaining: explaining, reader)
    let document = try snapshot.document(at: path)
    return Reading(
      document: document,
      judgement: Judgement(
        request: request, decision: verdict.decision, explanation: verdict.explanation, document: document?.fields,
        after: nil, documentsRead: reader.takePaths()))
  }
}

/// A document as somebody asks for it.
struct Reading: Sendable {
  let document: StoredDocument?
  let judgement: Judgement

  /// - Throws: PERMISSION_DENIED.
  func allowed() throws(FirestoreError) -> StoredDocument? {
    if let denial = judgement.decision.denial { throw FirestoreError(denial) }
    return document
  }
}
