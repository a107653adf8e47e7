import RulesValues

extension Evaluator {
  /// Decides whether a query may run, with the official reasons when it may not.
  ///
  /// Every branch of the query's filter must be allowed. As for other requests there are two passes: the first knows
  /// no stored document, and whatever it leaves open is judged again with those that the rules ask for. The first
  /// branch that is refused for good ends the pass (all observed on emulator 1.19.9).
  public func decide(_ list: ListRequest, _ documents: some DocumentReader) -> QueryDecision {
    defer { machine.end() }
    guard let branches = QueryBranches(list.filter)?.branches, list.collectionID != nil || list.allDescendants else {
      return QueryDecision(.denied(Denial(reason: "The query is too complex to be judged.")))
    }
    return QueryDecision(judge(list, branches, documents))
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
      guard outcome.failed, machine.needsData else { return .denied(Denial(entries: entries)) }
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

  private func passOverQuery() -> Outcome {
    let program = ruleset.program
    let globTakesNone = ruleset.checked.version == .two
    var outcome = Outcome()
    search: for block in program.blocks {
      guard block.allows.contains(where: { $0.covers(.list) }),
        QueryPath.matches(block.pattern, machine.requestPath, globTakesNone: globTakesNone, machine.arena)
      else { continue }
      for allow in block.allows where allow.covers(.list) {
        QueryPath.bind(block.pattern, to: machine.requestPath, machine.arena)
        if tries(allow, .list, &outcome) { break search }
      }
    }
    return outcome
  }
}
