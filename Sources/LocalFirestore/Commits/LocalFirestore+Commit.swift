import RulesEngine
import RulesValues

/// What a commit came to.
public struct CommitResult: Sendable, Equatable {
  public let time: Timestamp
  /// One for each write.
  public let writes: [WriteResult]
}

extension LocalFirestore {
  /// Judges writes on the state as it is, without making them.
  /// - Throws: INVALID_ARGUMENT.
  func judge(
    _ writes: [Write], access: Client.Access, explaining: Bool = false, fixing: Bool = false, measuring: Bool = false
  ) throws(FirestoreError) -> CommitJudgement {
    let snapshot = try storage.snapshot(indexed: false)
    return try prepare(
      writes, access: access, explaining: explaining, fixing: fixing, measuring: measuring, on: snapshot,
      time: requestTime
    ).judgement
  }

  /// Makes all writes, or none.
  /// - Parameter reads: what a transaction has read, which must be unchanged.
  /// - Throws: INVALID_ARGUMENT, PERMISSION_DENIED, NOT_FOUND, ALREADY_EXISTS, FAILED_PRECONDITION, ABORTED.
  @discardableResult
  func commit(
    _ writes: [Write], access: Client.Access, reads: TransactionReads? = nil
  ) throws(FirestoreError) -> CommitResult {
    let result = try writing { (writer) throws(FirestoreError) in
      let snapshot = try storage.snapshot(indexed: reads?.needsIndex ?? false)
      try reads?.check(against: snapshot)
      let (plan, judgement) = try prepare(writes, access: access, explaining: false, on: snapshot, time: requestTime)
      if let official = judgement.denial { throw FirestoreError(denial(of: writes, official, access: access)) }
      if let obstacle = judgement.obstacle { throw obstacle }
      let time = try nextCommitTime(&writer)
      let outcome = plan.outcome(at: time)
      if !outcome.changes.isEmpty { try storage.commit(outcome.changes, time: time) }
      return CommitResult(time: time, writes: outcome.results)
    }
    listeners.notify(on: storage)
    return result
  }

  private func prepare(
    _ writes: [Write], access: Client.Access, explaining: Bool, fixing: Bool = false, measuring: Bool = false,
    on snapshot: any StorageSnapshot, time: Timestamp
  ) throws(FirestoreError) -> (plan: CommitPlan, judgement: CommitJudgement) {
    let plan = try CommitPlan(writes, on: snapshot, time: time, words: words)
    var after: [ResourcePath: Fields?] = [:]
    for change in plan.changes where !change.isVerification { after[change.path] = .some(change.after) }
    let reader = CommitReader(snapshot, changes: after, isSingle: plan.changes.count == 1)
    var judgements: [Judgement] = []
    for change in plan.changes {
      let request = change.request(auth: access.auth, time: time)
      var verdict = try judge(
        request, access: access, explaining: explaining, fixing: fixing, measuring: measuring, reader)
      verdict.explanation?.fixesArePartial = plan.changes.count > 1
      judgements.append(
        Judgement(
          request, verdict, document: change.before?.fields, after: change.after, documentsRead: reader.takePaths()))
    }
    let lookups = reader.lookups
    let judgement = CommitJudgement(
      judgements: judgements, denial: try denial(of: judgements, access: access, reader),
      obstacle: plan.obstacle(words), lookups: lookups)
    return (plan, judgement)
  }
}
