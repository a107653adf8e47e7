import RulesSemantics
import RulesSyntax
import RulesValues

extension Evaluator {
  /// The smallest changes that make a denied request allowed, the nearest first: up to two of
  /// equally many. Empty for an allowed request, and when none was found. Each was decided and is allowed.
  ///
  /// Bounded: at most `FixSearch.trials` changed requests are decided.
  public func nearestFixes(of request: Request, _ documents: some DocumentReader) -> [NearestFix] {
    FixSearch(ruleset, dialect).fixes(of: FixedQuestion(request, documents))
  }
}

/// Searches for changes that flip a decision, step by step: each step mends something that the conditions then lack.
struct FixSearch {
  /// How many changed requests are decided.
  static let trials = 160
  /// How many steps are made together.
  static let depth = 5
  /// How many changed requests are looked at further, of each number of steps.
  static let breadth = 6

  let ruleset: Ruleset
  let dialect: Dialect

  init(_ ruleset: Ruleset, _ dialect: Dialect) {
    self.ruleset = ruleset
    self.dialect = dialect
  }

  func fixes(of question: FixedQuestion) -> [NearestFix] {
    let evaluator = ruleset.evaluator(dialect: dialect)
    guard !evaluator.decide(question.request, question.documents).isAllowed else { return [] }
    var found: [NearestFix] = []
    for edited in RuleEdits(ruleset, dialect).edits(of: question) where found.count < 2 {
      found.append(NearestFix(edited.steps, at: question.request.time))
    }
    var tried = 0
    var level = [question]
    var seen: [[NearestFix.Change]] = []
    for _ in 0..<Self.depth {
      var next: [FixedQuestion] = []
      for state in level {
        for changes in candidates(state, evaluator) where tried < Self.trials {
          guard let changed = state.applying(changes) else { continue }
          let fix = NearestFix(changed.steps, at: changed.request.time)
          guard !seen.contains(fix.changes) else { continue }
          seen.append(fix.changes)
          tried += 1
          if changed.isAllowed(by: evaluator) {
            if !found.contains(where: { $0.isSame(as: fix) }) { found.append(fix) }
          } else {
            next.append(changed)
          }
        }
      }
      if let nearest = found.min(by: Self.isNearer) {
        // A longer way beside a short one only confuses.
        return Array(found.filter { $0.changes.count == nearest.changes.count }.sorted(by: Self.isNearer).prefix(2))
      }
      level = Array(next.prefix(Self.breadth))
      if level.isEmpty { break }
    }
    return []
  }

  private static func isNearer(_ a: NearestFix, _ b: NearestFix) -> Bool {
    if a.changes.count != b.changes.count { return a.changes.count < b.changes.count }
    return a.changes.reduce(0) { $0 + $1.distance } < b.changes.reduce(0) { $0 + $1.distance }
  }

  /// What may help, the nearest first.
  private func candidates(_ state: FixedQuestion, _ evaluator: Evaluator) -> [[NearestFix.Change]] {
    let explanation = evaluator.explain(state.request, state.documents)
    var result: [[NearestFix.Change]] = []
    for match in explanation.matches {
      guard let chain = chain(of: match.declaration) else { continue }
      let places = FixPlaces(CheckedMatchChain(segments: chain), ruleset.checked, state.request)
      for allow in match.allows {
        guard let condition = allow.condition, allow.verdict != .allowed else { continue }
        var clues = FixClues(places, state)
        clues.want(condition, true, nil)
        result += clues.candidates
      }
    }
    if explanation.matches.isEmpty { result += paths(state.request).map { [.path($0)] } }
    return result.enumerated().sorted { a, b in
      let (x, y) = (a.element.reduce(0) { $0 + $1.distance }, b.element.reduce(0) { $0 + $1.distance })
      return x == y ? a.offset < b.offset : x < y
    }.map(\.element)
  }

  /// The segments of a match with those around it.
  private func chain(of declaration: MatchDeclaration) -> [MatchSegment]? {
    func find(_ matches: [CheckedMatch], _ outer: [MatchSegment]) -> [MatchSegment]? {
      for match in matches {
        let all = outer + match.segments
        if match.declaration === declaration { return all }
        if let found = find(match.children, all) { return found }
      }
      return nil
    }
    for service in ruleset.checked.services where service.kind == .firestore {
      if let found = find(service.matches, []) { return found }
    }
    return nil
  }

  /// Paths that differ in the name of one collection, of those that no match covers.
  private func paths(_ request: Request) -> [ResourcePath] {
    var names: Set<String> = []
    func collect(_ match: CheckedMatch) {
      for segment in match.segments { if case .literal(let name) = segment { names.insert(name) } }
      match.children.forEach(collect)
    }
    for service in ruleset.checked.services where service.kind == .firestore { service.matches.forEach(collect) }
    names.subtract(["databases", "documents"])
    var result: [ResourcePath] = []
    for (i, segment) in request.path.segments.enumerated() where i.isMultiple(of: 2) && !names.contains(segment.string)
    {
      for name in names.sorted() where isNear(name, segment.string) {
        var path = request.path
        path.segments[i] = Text(name)
        result.append(path)
      }
    }
    return result
  }

  /// One is the other with a letter or two more, less or otherwise.
  private func isNear(_ a: String, _ b: String) -> Bool {
    let (x, y) = (Array(a.lowercased().utf8), Array(b.lowercased().utf8))
    guard abs(x.count - y.count) <= 2, x.count <= 64, y.count <= 64 else { return false }
    var row = Array(0...y.count)
    for i in x.indices {
      var next = [i + 1]
      for j in y.indices { next.append(min(row[j + 1] + 1, next[j] + 1, row[j] + (x[i] == y[j] ? 0 : 1))) }
      row = next
    }
    return (row.last ?? 9) <= 2
  }
}
