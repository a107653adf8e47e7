import RulesEngine
import RulesValues

extension LocalFirestore {
  /// The message about several writes of which one is refused: the entries of the first pass of every document in the
  /// order of the writes, up to one that is refused for good; then those of the second pass of the documents that it
  /// left open, up to one that is refused. (Observed on the official emulator 1.19.9, which takes the second passes in
  /// an order of its own.)
  func denial(
    of judgements: [Judgement], access: Client.Access, _ reader: CommitReader
  ) throws(FirestoreError) -> Denial? {
    guard let refused = judgements.first(where: { !$0.isAllowed }) else { return nil }
    guard judgements.count > 1, let rules = rules(of: refused.request.path.database) else {
      return refused.decision.denial
    }
    let denial = rules.with { evaluator in
      var entries: [Denial.Entry] = []
      var open: [OfficialPasses] = []
      for judgement in judgements {
        let passes = evaluator.officialPasses(of: judgement.request, reader)
        entries += passes.first
        if !passes.isDecidedFirst { open.append(passes) }
        if passes.isDecidedFirst, !passes.isAllowed { return Denial(entries: entries) }
      }
      for passes in open {
        entries += passes.second
        if !passes.isAllowed { break }
      }
      return Denial(entries: entries)
    }
    if let failure = reader.failure { throw failure }
    return denial
  }

  // MARK: What can be told later

  func denial(of request: Request, _ official: Denial, access: Client.Access) -> CallDenial {
    CallDenial(official) { [self] in
      guard let snapshot = try? storage.snapshot(indexed: false) else { return nil }
      let reader = CommitReader(snapshot)
      let explanation = rules(of: request.path.database)?.with { $0.explain(request, reader) }
      guard reader.failure == nil else { return nil }
      let ruleset = ruleset(of: request.path.database)
      return DenialDetails(documents: [explanation].compactMap(\.self), ruleset, isStale: true)
    }
  }

  func denial(of writes: [Write], _ official: Denial, access: Client.Access) -> CallDenial {
    CallDenial(official) { [self] in
      guard let commit = try? judge(writes, access: access, explaining: true) else { return nil }
      return details(commit, isStale: true)
    }
  }

  func denial(of query: StructuredQuery, _ official: Denial, access: Client.Access) -> CallDenial {
    CallDenial(official) { [self] in
      guard let snapshot = try? storage.snapshot(indexed: false),
        let judgement = try? judge(query, access: access, on: snapshot, explaining: true)
      else { return nil }
      return details(judgement, query, isStale: true)
    }
  }

  // MARK: What is told at once

  func details(_ commit: CommitJudgement, isStale: Bool) -> DenialDetails {
    DenialDetails(
      documents: commit.judgements.compactMap(\.explanation),
      commit.judgements.first.flatMap { ruleset(of: $0.request.path.database) }, isStale: isStale)
  }

  func details(_ judgement: Judgement) -> DenialDetails {
    let ruleset = ruleset(of: judgement.request.path.database)
    return DenialDetails(documents: [judgement.explanation].compactMap(\.self), ruleset, isStale: false)
  }

  func details(_ judgement: QueryJudgement, _ query: StructuredQuery, isStale: Bool) -> DenialDetails {
    guard let explanation = judgement.explanation else { return DenialDetails(documents: [], nil, isStale: isStale) }
    return DenialDetails(explanation, query, ruleset(of: query.parent.database), isStale: isStale)
  }

  private func ruleset(of database: Text) -> Ruleset? { rules(of: database)?.ruleset }
}
