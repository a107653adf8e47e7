import LocalFirestore
import RulesEngine
import RulesSemantics
import RulesSyntax
import RulesValues

/// What a fuzzer has to know of rules, worked out once.
struct FuzzedRules {
  let rules: Ruleset
  let blocks: [MatchBlock]
  let claims: [String]
  let dictionary: FuzzDictionary

  init(_ rules: Ruleset) {
    self.rules = rules
    blocks = rules.checked.matchBlocks ?? []
    claims = rules.customClaims
    dictionary = FuzzDictionary([rules.checked])
  }
}

/// Looks for requests that break a statement, without a solver: requests are steered towards what conditions ask for,
/// changed at random, and kept when they reach something new.
public struct Fuzzer {
  public struct Finding: Sendable {
    public let leak: Leak
    /// How many requests it took.
    public let tries: Int
  }

  private let rules: Ruleset
  private let target: FuzzTarget
  private let replay: Replay
  private let blocks: [MatchBlock]
  private let dictionary: FuzzDictionary
  private let claims: [String]
  private let database: Text
  private var random: SeededRandom
  private let allowing: Evaluator
  private let judging: Evaluator

  /// Requests that reached something new, in the order in which they were found.
  public private(set) var corpus: [Witness] = []
  /// What was reached: sub-expressions by what they were.
  public private(set) var reached: Set<Int> = []
  public private(set) var tries = 0
  /// How many of them the rules allowed.
  public private(set) var allowed = 0

  /// - Parameters:
  ///   - rules: what decides.
  ///   - target: what may not happen.
  ///   - seed: the same seed makes the same requests.
  ///   - database: the id of the database.
  public init(_ rules: Ruleset, _ target: FuzzTarget, seed: UInt64, database: String = "(default)") {
    self.init(FuzzedRules(rules), target, seed: seed, database: database)
  }

  init(
    _ known: FuzzedRules, _ target: FuzzTarget, seed: UInt64, database: String = "(default)",
    assumptions: [DataAssumption] = []
  ) {
    let rules = known.rules
    self.database = Text(database)
    self.rules = rules
    self.target = target
    var replay = Replay(
      rules: rules, other: target.other, sense: target.sense, comparesQueries: target.isComparison)
    replay.assumptions = assumptions
    self.replay = replay
    let about = target.isComparison ? nil : target.blocks.first?.segments
    blocks = known.blocks.compactMap { block in
      if let about, block.isApart(from: about) { return nil }
      let allows = block.allows.filter { allow in
        target.methods.contains { method in allow.methods.contains { $0.rawValue == method.rawValue } }
          && (target.line == nil || allow.statement.range.start.line == target.line)
      }
      return allows.isEmpty ? nil : MatchBlock(segments: block.segments, allows: allows)
    }
    dictionary = FuzzDictionary(known.dictionary, and: FuzzDictionary([target.other.checked]))
    claims = known.claims
    random = SeededRandom(seed: seed)
    allowing = rules.evaluator()
    judging = target.other.evaluator()
  }

  /// Whether anything can be allowed at all of what the statement speaks of.
  public var hasAllows: Bool { !blocks.isEmpty }

  /// Tries so many requests.
  public mutating func run(tries count: Int) -> Finding? {
    guard hasAllows else { return nil }
    for _ in 0..<count {
      tries += 1
      guard let draft = draft() else { continue }
      if let broken = judge(draft) { return finding(broken) }
    }
    return nil
  }

  /// Puts requests that were found elsewhere.
  public mutating func replay(_ witnesses: [Witness]) -> Finding? {
    for witness in witnesses {
      tries += 1
      if let broken = judge(witness, isKept: true) { return finding(broken) }
    }
    return nil
  }

  private func finding(_ witness: Witness) -> Finding {
    let small = replay.shrunk(witness)
    return Finding(leak: Leak(witness: small, lines: replay.blame(small), dialect: .live), tries: tries)
  }

  // MARK: Judging

  /// The request, or a query that returns its document, if it breaks the statement.
  /// - Parameter isKept: look what it reaches, although that takes longer than to judge it.
  private mutating func judge(_ draft: Witness, isKept: Bool = false) -> Witness? {
    guard target.speaks(of: draft) else { return nil }
    let documents = DocumentTable(draft.documents)
    guard draft.method == .list else {
      guard let request = draft.request(method: draft.method) else { return nil }
      let isAllowed = allowing.allows(request, documents)
      if isAllowed { allowed += 1 }
      if isAllowed || isKept || random.once(in: 6) { keepIfNew(draft, request, documents) }
      guard isAllowed, judging.allows(request, documents) == target.wanted, replay.isBroken(draft),
        replay.happens(draft)
      else { return nil }
      return draft
    }
    if !target.isComparison {
      guard let request = draft.request(method: .get), judging.allows(request, documents) == target.wanted else {
        return nil
      }
    }
    for query in queries(draft) {
      guard allowing.decide(query, documents).isAllowed else { continue }
      allowed += 1
      var list = draft
      list.query = query
      if replay.isBroken(list), replay.happens(list) { return list }
    }
    return nil
  }

  private mutating func queries(_ draft: Witness) -> [ListRequest] {
    let fields = (draft.documents[draft.path] ?? [:]).keys.sorted().prefix(5).map { [$0] }
    let limit: Int64? = random.once(in: 3) ? random.pick(dictionary.numbers.filter { $0 > 0 }) : nil
    return Queries.candidates(draft, fields: fields, limit: limit)
  }

  private mutating func keepIfNew(_ draft: Witness, _ request: Request, _ documents: DocumentTable) {
    var isNew = false
    func visit(_ node: Explanation.Node) {
      let state =
        switch node.outcome {
        case .error: 2
        case .value(let text, _): text == "false" ? 1 : 0
        }
      if reached.insert(node.expression.id * 3 + state).inserted { isNew = true }
      node.children.forEach(visit)
    }
    for match in allowing.explain(request, documents).matches {
      for allow in match.allows { if let condition = allow.condition { visit(condition) } }
    }
    if isNew, corpus.count < 2_000 { corpus.append(draft) }
  }

  // MARK: Drafts

  private mutating func draft() -> Witness? {
    var witness: Witness
    let block: MatchBlock
    if !corpus.isEmpty, random.once(in: 3), let kept = random.pick(corpus),
      let chosen = random.pick(blocks.filter { $0.captures(count: kept.path.segments.count) != nil })
    {
      witness = kept
      block = chosen
    } else {
      guard let chosen = random.pick(blocks), let fresh = fresh(chosen) else { return nil }
      witness = fresh
      block = chosen
    }
    for _ in 0..<random.below(3) { disturb(&witness) }
    let count = witness.path.segments.count
    guard let captures = block.captures(count: count), target.covers(count: count) else { return nil }
    let allows = block.allows.filter { allow in allow.methods.contains { $0.rawValue == witness.method.rawValue } }
    let condition = random.pick(allows).flatMap(\.condition)
    let steersStatement = !random.once(in: 4)
    let startsWithRules = random.once(in: 2)
    for round in 0..<4 {
      if (round % 2 == 0) == startsWithRules {
        if let condition { steer(&witness, rules, condition, to: true, captures) }
      } else if steersStatement {
        for block in target.blocks {
          guard let captures = block.captures(count: count) else { continue }
          for allow in block.allows where allow.methods.contains(where: { $0.rawValue == witness.method.rawValue }) {
            if let condition = allow.condition { steer(&witness, target.other, condition, to: target.wanted, captures) }
          }
        }
      }
    }
    if random.once(in: 3) { disturb(&witness) }
    return witness
  }

  private mutating func steer(
    _ witness: inout Witness, _ ruleset: Ruleset, _ condition: Expression, to wanted: Bool, _ captures: [String: Place]
  ) {
    var steering = Steering(witness, ruleset.checked, dictionary, random)
    steering.steer(condition, to: wanted, Steering.Names(captures: captures))
    witness = steering.witness
    random = steering.random
  }

  /// A request on a path that both the block and the statement cover.
  private mutating func fresh(_ block: MatchBlock) -> Witness? {
    let method = random.pick(
      target.methods.filter { method in block.allows.contains { $0.methods.contains { $0.rawValue == method.rawValue } }
      })
    guard let method, let kind = RequestMethod(rawValue: method.rawValue) else { return nil }
    let counts = (1...6).map { $0 * 2 }.filter { block.captures(count: $0) != nil && target.covers(count: $0) }
    guard let count = random.pick(Array(counts.prefix(3))), var ids = block.literals(count: count) else { return nil }
    // A statement says which paths it is about.
    if !target.isComparison, let others = target.blocks.first?.literals(count: count) {
      for (place, text) in others {
        if let known = ids[place], known != text { return nil }
        ids[place] = text
      }
    }
    let segments = (0..<count).map { place -> Text in
      if let fixed = ids[place] { return fixed }
      if place % 2 == 0 { return random.pick(dictionary.collections) ?? "things" }
      let text = random.pick(dictionary.texts.filter { !$0.isEmpty && !$0.contains("/") && $0.utf8.count < 100 })
      return Text(text ?? "alice")
    }
    let path = ResourcePath(database: database, segments: segments)
    guard path.isDocument else { return nil }
    var witness = Witness(
      documents: [:], auth: identity(), time: Timestamp(seconds: 1_767_225_600, nanos: 0), method: kind, path: path,
      data: nil)
    if kind != .create { witness.documents[path] = fields() }
    if kind == .create { witness.data = fields() }
    if kind == .update { witness.data = random.once(in: 2) ? witness.documents[path] : fields() }
    return witness
  }

  private mutating func fields() -> Fields {
    var fields: Fields = [:]
    for _ in 0..<random.below(4) { fields[random.pick(dictionary.names) ?? "a"] = dictionary.value(&random) }
    return fields
  }

  private mutating func identity() -> Auth? {
    if random.once(in: 5) { return nil }
    let uid = random.pick(["mallory", "mallory", "alice", "al", ".*"]) ?? "mallory"
    let provider = random.once(in: 4) ? "anonymous" : "password"
    var token: Fields = [
      "sub": .string(uid), "user_id": .string(uid), "firebase": .map(["sign_in_provider": .string(provider)]),
    ]
    if random.once(in: 2) {
      token["email"] = .string("\(uid)@example.com")
      token["email_verified"] = .bool(random.once(in: 2))
    }
    for claim in claims where random.once(in: 4) { token[Text(claim)] = dictionary.value(&random) }
    return Auth(uid: uid, token: token)
  }

  /// A change somewhere, whatever conditions ask for.
  private mutating func disturb(_ witness: inout Witness) {
    func field(of fields: Fields?) -> Text? {
      random.pick((fields ?? [:]).keys.sorted()) ?? random.pick(dictionary.names)
    }
    switch random.below(9) {
    case 0: witness.auth = identity()
    case 1:
      if let name = field(of: witness.documents[witness.path]) { witness[.stored([name])] = dictionary.value(&random) }
    case 2: if let name = field(of: witness.documents[witness.path]) { witness[.stored([name])] = nil }
    case 3, 4: if let name = field(of: witness.data) { witness[.written([name])] = dictionary.value(&random) }
    case 5: if let name = field(of: witness.data) { witness[.written([name])] = nil }
    case 6: if witness.method == .update { witness.data = witness.documents[witness.path] }
    case 7:
      let others = witness.documents.keys.filter { $0 != witness.path }.sorted { $0.relative < $1.relative }
      if let path = random.pick(others) {
        if random.once(in: 3) {
          witness.documents[path] = nil
        } else if let name = field(of: witness.documents[path]) {
          witness[.fields(path, [name])] = dictionary.value(&random)
        }
      }
    default:
      let count = witness.path.segments.count
      let place = random.below(count / 2) * 2 + 1
      if target.isComparison || target.blocks.first?.literals(count: count)?[place] == nil {
        witness[.segment(place)] = .string(random.pick(dictionary.texts) ?? "x")
      }
    }
  }
}
