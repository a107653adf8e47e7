import RulesValues

extension Evaluator {
  /// Decides whether a query may run, with the official reasons when it may not.
  ///
  /// Every branch of the query's filter must be allowed. As for other requests there are two passes: the first knows
  /// no stored document, and whatever it leaves open is judged again with those that the rules ask for. The first
  /// branch that is refused for good ends the pass (all observed on emulator 1.19.9).
  ///
  /// An allowed query carries warnings where it is allowed only because the query leaves something out; in the mode
  /// `productionStrict` it is denied instead.
  public func decide(
    _ list: ListRequest, _ documents: some DocumentReader, mode: QueryMode = .official
  ) -> QueryDecision {
    defer { machine.clear() }
    guard let branches = QueryBranches(list.filter)?.branches, list.collectionID != nil || list.allDescendants else {
      return QueryDecision(.denied(Denial(reason: "The query is too complex to be judged.")))
    }
    let decision = judge(list, branches, documents)
    guard decision.isAllowed, !isProven(list, branches, documents) else { return QueryDecision(decision) }
    let warnings = QueryDoubts(self, list, documents).warnings(branches)
    guard mode == .productionStrict else { return QueryDecision(decision, warnings: warnings) }
    let reasons = warnings.map { "\($0.text) (line \($0.line))" }
    return QueryDecision(.denied(Denial(reason: "Denied in the mode production-strict: " + reasons.joined(separator: " "))))
  }

  /// Is the query allowed whatever else the documents hold?
  private func isProven(_ list: ListRequest, _ branches: [QueryBranch], _ documents: some DocumentReader) -> Bool {
    machine.begin(list, pass: .data, reader: documents)
    return branches.allSatisfy { branch in
      machine.turn(to: QueryDocument(branch, of: list, isOpen: true, machine.arena), of: list)
      return passOverQuery().isAllowed
    }
  }

  private func judge(_ list: ListRequest, _ branches: [QueryBranch], _ documents: some DocumentReader) -> Decision {
    var entries: [Denial.Entry] = []
    var undecided: [QueryBranch] = []
    machine.begin(list, pass: .withoutData, reader: documents)
    for branch in branches {
      let document = QueryDocument(branch, of: list, machine.arena)
      machine.turn(to: document, of: list)
      let outcome = passOverQuery()
      if outcome.isAllowed {
        entries += outcome.entries
        continue
      }
      if outcome.failed, case .unclear(let outer, let inner) = document {
        return .denied(
          Denial(reason: "A query that filters on \(outer) and on \(inner), one within the other, cannot be judged."))
      }
      entries += outcome.entries
      guard isLeftOpen(outcome) else { return .denied(Denial(entries: entries)) }
      undecided.append(branch)
    }
    if undecided.isEmpty { return .allowed }
    machine.begin(list, pass: .data, reader: documents)
    for branch in undecided {
      machine.turn(to: QueryDocument(branch, of: list, machine.arena), of: list)
      let outcome = passOverQuery()
      entries += outcome.entries
      if !outcome.isAllowed { return .denied(Denial(entries: entries)) }
    }
    return .allowed
  }

  /// Of a branch that the first pass has refused: may the documents change that? One that is asked for by its name is
  /// waited for as in a read of it: whenever a condition fails.
  func isLeftOpen(_ outcome: Outcome) -> Bool {
    machine.named != nil ? outcome.isUndecided : outcome.failed && outcome.needsData
  }

  func passOverQuery() -> Outcome {
    var outcome = Outcome()
    for (block, allow) in ruleset.program.allows(forQueryAt: machine.loaded.path, machine.arena) {
      QueryPath.bind(block, to: machine.loaded.path, machine.arena)
      if tries(allow, .list, &outcome) { break }
    }
    outcome.needsData = machine.needsData
    return outcome
  }
}

extension Program {
  /// The statements that may allow a query, in the order in which they are tried.
  func allows(forQueryAt path: Value, _ arena: Arena) -> [(block: Block, allow: Allow)] {
    blocks.filter { block in
      block.allows.contains { $0.covers(.list) }
        && QueryPath.matches(block.pattern, path, globTakesNone: globTakesNone, arena)
    }.flatMap { block in block.allows.filter { $0.covers(.list) }.map { (block, $0) } }
  }
}
