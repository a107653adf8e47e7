import RulesEngine
import RulesSemantics
import RulesSyntax
import RulesValues

/// Proves statements about rules, or finds requests that break them.
public final class Prover {
  /// What every proof takes for granted.
  public static let assumptions = [
    "uids and ids of documents have no slash in them, and uids at most 128 UTF-16 units",
    "the claims 'sub' and 'user_id' of a token are the uid; other claims are anything that JSON can hold",
    "request.time lies between 2020 and 2100, in whole milliseconds",
    "a query is judged as the official emulator judges it: by what its filters say",
  ]

  public let rules: Ruleset
  /// What is taken for granted of stored documents.
  var dataAssumptions: [DataAssumption] = []
  /// How many random requests are tried where nothing is proved and no leak found.
  public var fuzzTries = 2_000
  private lazy var fuzzed = FuzzedRules(rules)
  let solver: SolverSession
  let database: String

  public init(_ rules: Ruleset, solver: SolverSession, database: String = "(default)") {
    self.rules = rules
    self.solver = solver
    self.database = database
  }

  /// Why nothing more is asked, once the limit for all questions is reached.
  private var tooLate: UnknownReason? {
    guard let limit = solver.limit, limit.isOver else { return nil }
    return UnknownReason(text: limit.text, line: nil)
  }

  /// Decides one statement.
  /// - Throws: the compiler's findings when the statement's condition does not compile.
  public func prove(_ statement: Statement) throws(RulesError) -> StatementVerdict {
    if let tooLate { return .unknown([tooLate], tries: 0) }
    let other = try Ruleset(statement.text, name: "statement")
    return prove(other, sense: statement.sense, methods: statement.methods, pattern: other.checked.matchBlocks?.first)
  }

  /// Decides what rules seem to promise.
  /// - Throws: the compiler's findings when what was inferred does not compile.
  public func prove(_ inferred: InferredStatement) throws(RulesError) -> StatementVerdict {
    if let tooLate { return .unknown([tooLate], tries: 0) }
    guard inferred.kind == .listWiderThanGet else { return try prove(inferred.statement) }
    let block = try Ruleset(inferred.patternText, name: "statement").checked.matchBlocks?.first
    return prove(rules, sense: .mustAllow, methods: [.list], pattern: block, asksForGet: true)
  }

  /// Whether the rules may refuse a request of which the statement's condition is true.
  /// - Throws: the compiler's findings when the condition does not compile.
  func refuses(_ statement: Statement) throws(RulesError) -> Bool {
    let asking = try Ruleset(statement.text, name: "statement")
    let verdict = Prover(asking, solver: solver, database: database)
      .prove(
        rules, sense: .mustAllow, methods: statement.methods, pattern: asking.checked.matchBlocks?.first,
        isComparison: true)
    if case .proved = verdict { return false }
    return true
  }

  private func prove(
    _ other: Ruleset, sense: Question.Other, methods: [World.Method], pattern block: MatchBlock?,
    asksForGet: Bool = false, isComparison: Bool = false
  ) -> StatementVerdict {
    guard let all = rules.checked.matchBlocks, let allOthers = other.checked.matchBlocks,
      let pattern = block?.segments
    else {
      return .unknown(
        [UnknownReason(text: "a match stands inside one whose glob is not its last segment", line: nil)], tries: 0)
    }
    // Most of a large file is about other paths.
    let blocks = all.filter { !$0.isApart(from: pattern) }
    let otherBlocks = allOthers.filter { !$0.isApart(from: pattern) }
    var evidence = Evidence()
    var reasons: [UnknownReason] = []
    var isCovered = false
    for method in methods {
      for shape in Self.shapes(pattern: Array(pattern.dropFirst(3)), rules: blocks + otherBlocks) {
        for reading in Self.readings(of: method, blocks, rules.checked) {
          let question = Question(
            rules: rules.checked, blocks: blocks, other: other.checked, otherBlocks: otherBlocks,
            sense: sense, database: database, method: method, reading: reading, segments: shape.segments,
            gap: shape.gap, isComparison: isComparison, assumptions: dataAssumptions, asksForGet: asksForGet)
          var replay = Replay(rules: rules, other: other, sense: sense)
          replay.assumptions = dataAssumptions
          switch answer(question, reading == .hiddenID ? nil : replay, &evidence) {
          case .proved(let covered): isCovered = isCovered || covered
          case .leak(let leak): return .leak(leak)
          case .unknown(let found):
            isCovered = true
            for reason in found where !reasons.contains(reason) { reasons.append(reason) }
          }
        }
      }
    }
    if !reasons.isEmpty {
      guard !asksForGet, solver.limit?.isOver != true,
        let target = FuzzTarget(other, sense: sense, methods: methods, isComparison: isComparison)
      else {
        return .unknown(reasons, tries: 0)
      }
      let (leak, tries) = fuzz(target)
      return leak.map { .leak($0) } ?? .unknown(reasons, tries: tries)
    }
    return isCovered ? .proved(evidence) : .vacuous
  }

  /// What random requests tell where formulas do not.
  func fuzz(_ target: FuzzTarget) -> (leak: Leak?, tries: Int) {
    var fuzzer = Fuzzer(fuzzed, target, seed: 1, database: database, assumptions: dataAssumptions)
    let finding = fuzzer.run(tries: fuzzTries)
    return (finding?.leak, fuzzer.tries)
  }

  enum Answer {
    case proved(isCovered: Bool)
    case leak(Leak)
    case unknown([UnknownReason])
  }

  // MARK: Readings

  /// How the conditions of rules can see what a request is about.
  static func readings(
    of method: World.Method, _ blocks: [MatchBlock], _ rules: CheckedRuleset
  ) -> [World.Reading] {
    switch method {
    case .list: [.filters, .names]
    // An id that is not seen is an error, which allows nothing, wherever else it would be asked for.
    case .create: blocks.contains { rules.tellsHiddenID($0) } ? [.names, .hiddenID] : [.names]
    case .get, .update, .delete: [.names]
    }
  }

  // MARK: Shapes

  struct Shape: Equatable {
    let segments: [String?]
    let gap: Int?
  }

  /// The forms of paths that a pattern of documents can take: each number of segments up to where all patterns of the
  /// rules have ended, and one with a gap for everything deeper.
  static func shapes(pattern: [MatchSegment], rules: [MatchBlock]) -> [Shape] {
    func literal(_ segment: MatchSegment) -> String? { if case .literal(let text) = segment { text } else { nil } }
    guard let glob = pattern.firstIndex(where: { if case .glob = $0 { true } else { false } }) else {
      return pattern.count.isMultiple(of: 2) ? [Shape(segments: pattern.map(literal), gap: nil)] : []
    }
    let before = pattern[..<glob].map(literal)
    let behind = pattern[(glob + 1)...].map(literal)
    // How far patterns look from the start and from the end. Those of the rules count the database, too.
    var start = before.count
    var end = behind.count
    for block in rules {
      if let gap = block.gap {
        start = max(start, gap - 3)
        end = max(end, block.segments.count - gap - 1)
      } else {
        start = max(start, block.segments.count - 3)
      }
    }
    var shapes: [Shape] = []
    let least = before.count + behind.count
    for count in least...max(least, start + end) where count > 0 && count.isMultiple(of: 2) {
      let free = [String?](repeating: nil, count: count - least)
      shapes.append(Shape(segments: before + free + behind, gap: nil))
    }
    let free = [String?](repeating: nil, count: start - before.count)
    let freeEnd = [String?](repeating: nil, count: end - behind.count)
    shapes.append(Shape(segments: before + free + freeEnd + behind, gap: start))
    return shapes
  }

  // MARK: One question

  func answer(_ question: Question, _ replay: Replay?, _ evidence: inout Evidence) -> Answer {
    evidence.questions += 1
    let before = solver.opinions
    defer {
      evidence.agreed += solver.opinions.agreed - before.agreed
      evidence.undecided += solver.opinions.undecided - before.undecided
    }
    if let tooLate { return .unknown([tooLate]) }
    let encoded: EncodedQuestion
    do throws(Encoder.TooLarge) {
      encoded = try question.encode()
    } catch {
      return .unknown([UnknownReason(text: "the conditions are too large to be proved", line: nil)])
    }
    let world = encoded.world
    for one in world.approximations {
      let text = "\(one.what) (line \(one.line))"
      if !evidence.approximations.contains(text) { evidence.approximations.append(text) }
    }
    // What the other version allows by its conditions it may refuse for the official limits.
    let mayReachLimits = question.isComparison && (world.askedPaths.count > 10 || encoded.otherSteps * 2 > 1_000)
    let proved: Answer =
      mayReachLimits
      ? .unknown([UnknownReason(text: "the other version may come to the limits of lookups or expressions", line: nil)])
      : .proved(isCovered: encoded.isCovered)
    guard !encoded.isTrivial else {
      evidence.withoutSolver += 1
      return encoded.isCovered ? proved : .proved(isCovered: false)
    }
    let store = world.store
    let (facts, wish) = world.facts(for: encoded.goal)
    /// What a proof relies on must be possible by itself, or it would prove anything.
    func proof(by facts: [Term]) -> Answer {
      for wish in [wish, store.yes] where ask(facts + [wish], values: [], store).0 == .satisfiable { return proved }
      return .unknown([
        UnknownReason(text: "the facts that the proof relies on could not be shown to be possible", line: nil)
      ])
    }
    switch ask(facts + [encoded.goal], values: [], store).0 {
    case .unknown(let reason): return .unknown([UnknownReason(text: reason, line: nil)])
    case .unsatisfiable: return proof(by: facts)
    case .satisfiable: break
    }
    guard let replay else {
      let text = question.reading == .hiddenID ? "a document may be created under an id that the server chooses" : "not proved"
      return .unknown([UnknownReason(text: text, line: nil)])
    }
    // A request that writes one document, on the newest reading of the rules, with plain values, makes the plainer story.
    let plain = store.and(store.not(world.isBatch), world.missingIsNull)
    let plainest = store.and([plain, world.hasSmallNumbers, world.hasNoOddities])
    for assumption in [plainest, plain, store.not(world.isBatch), store.yes] {
      let terms = world.questions
      let (verdict, values) = ask(encoded.facts + [encoded.goal, assumption], values: terms, store)
      if verdict == .unsatisfiable, assumption == store.yes { return proof(by: encoded.facts) }
      guard verdict == .satisfiable else { continue }
      if let leak = leak(question, world, Model(terms, values), replay) { return .leak(leak) }
    }
    let reasons = world.approximations.map { UnknownReason(text: $0.what, line: $0.line) }
    return .unknown(
      reasons.isEmpty
        ? [UnknownReason(text: "what the solver found does not happen on the engine", line: nil)] : reasons)
  }

  private func ask(_ assertions: [Term], values terms: [Term], _ store: TermStore) -> (
    SolverSession.Answer, [SExpression]
  ) {
    var writer = SMTWriter(store)
    writer.assert(assertions)
    let references = terms.map { writer.reference($0) }
    return solver.ask(writer.lines, values: references)
  }

  /// What really happens of what the solver found.
  private func leak(_ question: Question, _ world: World, _ model: Model, _ replay: Replay) -> Leak? {
    for dialect in [Dialect.live, .emulator1_19] {
      var replay = replay
      replay.dialect = dialect
      guard let witness = witness(question, world, model, replay) else { continue }
      let small = replay.shrunk(witness)
      return Leak(witness: small, lines: replay.blame(small), dialect: dialect)
    }
    return nil
  }

  /// A request of a model that really breaks the statement.
  private func witness(_ question: Question, _ world: World, _ model: Model, _ replay: Replay) -> Witness? {
    for prefersNames in [true, false] {
      for othersDiffer in [false, true] {
        for segmentsInGap in 1...2 {
          var builder = WitnessBuilder(world, model, prefersNames: prefersNames, othersDiffer: othersDiffer)
          guard let witness = builder.build(segmentsInGap: segmentsInGap) else { continue }
          guard question.method == .list else {
            if replay.isBroken(witness), replay.happens(witness) { return witness }
            continue
          }
          for query in Queries.candidates(witness, fields: builder.filteredFields(), limit: builder.queryLimit) {
            var list = witness
            list.query = query
            if replay.isBroken(list), replay.happens(list) { return list }
          }
        }
      }
    }
    return nil
  }
}

extension Prover {
  /// Requests that random ones did not come upon: one that breaks the statement, and one for each `allow` that was never
  /// true.
  /// - Parameter reached: of `Fuzzer.reached`.
  func hints(_ target: FuzzTarget, unreached reached: Set<Int>) -> [Witness] {
    guard let blocks = rules.checked.matchBlocks else { return [] }
    let prover = Prover(rules, solver: solver, database: database)
    prover.fuzzTries = 0
    var hints: [Witness] = []
    if !target.isComparison,
      case .leak(let leak) = prover.prove(
        target.other, sense: target.sense, methods: target.methods, pattern: target.blocks.first)
    {
      hints.append(leak.witness)
    }
    for block in blocks {
      for allow in block.allows {
        guard let condition = allow.condition, !reached.contains(condition.id * 3) else { continue }
        let only = MatchBlock(segments: block.segments, allows: [allow])
        for method in target.methods where allow.methods.contains(where: { $0.rawValue == method.rawValue }) {
          var evidence = Evidence()
          for shape in Self.shapes(pattern: only.documents, rules: target.blocks + [block]) {
            let question = Question(
              rules: rules.checked, blocks: [only], other: rules.checked, otherBlocks: [only], sense: .mustNotAllow,
              database: database, method: method, reading: .names, segments: shape.segments, gap: shape.gap)
            let replay = Replay(rules: rules, other: rules, sense: .mustNotAllow)
            if case .leak(let leak) = prover.answer(question, replay, &evidence) {
              hints.append(leak.witness)
              break
            }
          }
        }
      }
    }
    return hints
  }
}
