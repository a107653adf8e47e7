import RulesSyntax
import RulesValues

extension Evaluator {
  /// What would have to change for a denied query to be allowed, found by trying the comparisons of the rules as
  /// filters. `nil` for a query that is allowed.
  public func advise(
    _ list: ListRequest, _ documents: some DocumentReader, mode: QueryMode = .official
  ) -> QueryAdvice? {
    guard !decide(list, documents, mode: mode).isAllowed else { return nil }
    return QueryAdvisor(self, list, documents).advice()
  }
}

/// Searches for filters that make a denied query allowed.
private struct QueryAdvisor<Documents: DocumentReader> {
  /// A change to the query.
  enum Change: Equatable {
    case filter(QueryFilter)
    case limit(Int64)
  }

  /// How many changed queries are judged.
  static var trials: Int { 120 }
  /// How many changes are made together.
  static var depth: Int { 3 }

  let evaluator: Evaluator
  let list: ListRequest
  let documents: Documents

  init(_ evaluator: Evaluator, _ list: ListRequest, _ documents: Documents) {
    self.evaluator = evaluator
    self.list = list
    self.documents = documents
  }

  func advice() -> QueryAdvice {
    let first = look(at: list)
    var advice = QueryAdvice(missing: first.missing, filters: [])
    var tried = 0
    var level: [[Change]] = [[]]
    for depth in 0..<Self.depth {
      var next: [[Change]] = []
      for changes in level {
        let candidates = depth == 0 ? first.candidates : look(at: changed(changes)).candidates
        for candidate in candidates where fits(candidate, changes) {
          guard tried < Self.trials else { return advice }
          tried += 1
          let together = changes + [candidate]
          // The proof must not lean on what the query leaves out.
          guard evaluator.decide(changed(together), documents, mode: .productionStrict).isAllowed else {
            next.append(together)
            continue
          }
          for change in together {
            switch change {
            case .filter(let filter): advice.filters.append(filter)
            case .limit(let limit): advice.limit = limit
            }
          }
          return advice
        }
      }
      level = next
    }
    return advice
  }

  private func changed(_ changes: [Change]) -> ListRequest {
    var list = list
    var filters = list.filter.map { [$0] } ?? []
    for change in changes {
      switch change {
      case .filter(let filter): filters.append(filter)
      case .limit(let limit): list.limit = limit
      }
    }
    if !filters.isEmpty { list.filter = filters.count == 1 ? filters[0] : .and(filters) }
    return list
  }

  /// May the change be made to the query beside these others? What Firestore would refuse, and what contradicts the
  /// query, is no help.
  private func fits(_ change: Change, _ others: [Change]) -> Bool {
    guard !others.contains(change) else { return false }
    guard case .filter(let filter) = change else {
      return !others.contains { if case .limit = $0 { true } else { false } }
    }
    let leaves = (changed(others).filter?.leaves ?? [])
    guard let leaf = filter.leaves.first, !leaves.contains(filter) else { return false }
    for other in leaves where other.field == leaf.field {
      if other.isEquality || leaf.isEquality { return false }
    }
    if leaf.excludes, leaves.contains(where: { $0.excludes || $0.hasAlternatives }) { return false }
    if leaf.hasAlternatives, leaves.contains(where: \.excludes) { return false }
    return !(leaf.looksIntoArrays && leaves.contains(where: \.looksIntoArrays))
  }

  // MARK: Looking at a denied query

  private func look(at list: ListRequest) -> (candidates: [Change], missing: [String]) {
    guard let branches = QueryBranches(list.filter)?.branches else { return ([], []) }
    let program = evaluator.ruleset.tracingProgram
    let machine = Machine(tracing: evaluator.ruleset, dialect: evaluator.dialect)
    defer { machine.clear() }
    machine.begin(list, pass: .data, reader: documents)
    for branch in branches {
      func turn() { machine.turn(to: QueryDocument(branch, of: list, isOpen: true, machine.arena), of: list) }
      turn()
      let allows = program.allows(forQueryAt: machine.loaded.path, machine.arena)
      var clues = QueryClues(evaluator.ruleset)
      if allows.isEmpty { clues.noteNoStatement(list) }
      var isAllowed = false
      for (block, allow) in allows {
        turn()
        QueryPath.bind(block, to: machine.loaded.path, machine.arena)
        machine.trace.clear()
        let value = machine.run(allow)
        if value.isTrue {
          isAllowed = true
          break
        }
        clues.collect(block, allow, value, machine)
      }
      // The first branch that is not allowed tells most.
      if !isAllowed { return (clues.changes.map { $0.limit.map { .limit($0) } ?? .filter($0.filter) }, clues.missing) }
    }
    return ([], [])
  }
}

extension QueryFilter {
  /// The comparisons in it.
  var leaves: [QueryFilter] {
    switch self {
    case .and(let filters), .or(let filters): filters.flatMap(\.leaves)
    case .compare, .unary: [self]
    }
  }

  var field: QueryField? {
    switch self {
    case .compare(let field, _, _), .unary(let field, _): field
    case .and, .or: nil
    }
  }

  var isEquality: Bool {
    switch self {
    case .compare(_, .equal, _), .compare(_, .isIn, _), .unary(_, .isNull), .unary(_, .isNaN): true
    default: false
    }
  }

  var hasAlternatives: Bool {
    switch self {
    case .compare(_, .isIn, _), .compare(_, .arrayContainsAny, _): true
    default: false
    }
  }

  /// One such filter is all that a query may have.
  var excludes: Bool {
    switch self {
    case .compare(_, .notEqual, _), .compare(_, .isNotIn, _), .unary(_, .isNotNull), .unary(_, .isNotNaN): true
    default: false
    }
  }

  var looksIntoArrays: Bool {
    switch self {
    case .compare(_, .arrayContains, _), .compare(_, .arrayContainsAny, _): true
    default: false
    }
  }
}
