import RulesEngine
import RulesSemantics
import RulesSyntax
import RulesValues

/// Looks for attacks of up to two writes and the request that they make possible: from a request that is allowed back to
/// a database in which it is not, by what the attacker may write himself.
///
/// That nothing is found proves nothing. What is found is replayed.
public struct AttackSearch {
  private let rules: Ruleset
  private let known: FuzzedRules
  private let noClaims: String
  private var tries = 0
  /// After so many requests the rest of a large file is left.
  private static let mostTries = 60_000
  private let database: Text
  private let evaluator: Evaluator
  private let dictionary: FuzzDictionary
  private let blocks: [MatchBlock]
  private var random: SeededRandom
  private static let attacker = "mallory"
  private static let accomplice = "eve"

  public init(_ rules: Ruleset, seed: UInt64 = 1, database: String = "(default)") {
    self.rules = rules
    self.database = Text(database)
    evaluator = rules.evaluator()
    known = FuzzedRules(rules)
    dictionary = known.dictionary
    blocks = known.blocks
    noClaims = known.claims.map { " && !('\($0)' in request.auth.token)" }.joined()
    random = SeededRandom(seed: seed)
  }

  /// One attack at most for each `allow` and method that it opens.
  /// - Parameters:
  ///   - part: which of the match blocks are looked at: each `parts`-th, from this one. For several workers.
  ///   - parts: how many workers there are.
  ///   - limit: after which no further block is looked at.
  public mutating func run(part: Int = 0, of parts: Int = 1, limit: TimeLimit? = nil) -> [Attack] {
    var attacks: [Attack] = []
    for (number, block) in blocks.enumerated() where number % parts == part && limit?.isOver != true {
      for allow in block.allows {
        for method in World.Method.allCases where method != .list {
          guard allow.methods.contains(where: { $0.rawValue == method.rawValue }) else { continue }
          if let attack = attack(on: block, allow, method) {
            // What the same writes open is told once.
            let isKnown = attacks.contains { known in
              known.steps.map(\.line) == attack.steps.map(\.line) && known.target.line == attack.target.line
            }
            if !isKnown { attacks.append(attack) }
          }
        }
      }
    }
    return attacks
  }

  private mutating func attack(on block: MatchBlock, _ allow: CheckedAllow, _ method: World.Method) -> Attack? {
    let statement = Statement(
      never: [method.rawValue], Inference.text(block.documents),
      .if("request.auth != null && request.auth.uid == '\(Self.attacker)'" + noClaims))
    guard
      let target = (try? FuzzTarget(statement)).flatMap({ $0 })?.asking(
        [method], line: allow.statement.range.start.line)
    else { return nil }
    var seen: Set<String> = []
    for seed in 1...4 {
      guard tries < Self.mostTries else { return nil }
      var fuzzer = Fuzzer(known, target, seed: UInt64(seed), database: database.string)
      defer { tries += fuzzer.tries }
      guard let goal = fuzzer.run(tries: 80)?.leak.witness else { continue }
      guard seen.insert(goal.json.serialized()).inserted else { continue }
      if let attack = attack(reaching: goal) { return attack }
    }
    return nil
  }

  // MARK: Backwards

  /// - Parameter goal: a request that is allowed, on a database with no more in it than it takes.
  private mutating func attack(reaching goal: Witness) -> Attack? {
    let recorder = Recorder(goal.documents)
    guard let request = goal.request(method: goal.method), evaluator.allows(request, recorder) else { return nil }
    var earlier: [(place: ResourcePath, documents: [ResourcePath: Fields])] = []
    for (path, fields) in goal.documents.sorted(by: { $0.key.relative < $1.key.relative }) {
      // Documents go from state to state by the writes that rules let through: that is what they are for.
      guard path != goal.path || goal.method == .get else { continue }
      func add(_ fields: Fields?) {
        var documents = goal.documents
        documents[path] = fields
        earlier.append((path, documents))
      }
      if path != goal.path { add(nil) }
      for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
        for other in Self.others(value) {
          var changed = fields
          changed[name] = other
          add(changed)
        }
        var less = fields
        less[name] = nil
        add(less)
      }
    }
    // What must not be there could have been there.
    for path in recorder.missing.sorted(by: { $0.relative < $1.relative }) where path != goal.path {
      var documents = goal.documents
      documents[path] = [:]
      earlier.append((path, documents))
    }
    for (place, documents) in earlier {
      guard Self.areStrangers(to: documents), !isAllowed(goal.target, documents, goal.time) else { continue }
      let after = goal.documents[place]
      for uid in [Self.attacker, Self.accomplice] {
        let auth =
          uid == Self.attacker ? goal.auth : Auth(uid: uid, token: ["sub": .string(uid), "user_id": .string(uid)])
        for steps in chains(place, documents, to: after, auth, goal) {
          var attack = Attack(documents: documents, time: goal.time, steps: steps, target: goal.target)
          guard attack.happens(under: rules) else { continue }
          blame(&attack)
          return attack
        }
      }
    }
    return nil
  }

  /// Ways in which one document can become another.
  private mutating func chains(
    _ path: ResourcePath, _ documents: [ResourcePath: Fields], to after: Fields?, _ auth: Auth?, _ goal: Witness
  ) -> [[Attack.Step]] {
    let before = documents[path]
    guard before != after else { return [] }
    let delete = Attack.Step(auth: auth, method: .delete, path: path, data: nil)
    guard let after else { return isAllowed(delete, documents, goal.time) ? [[delete]] : [] }
    if before == nil {
      // Who makes a document of his own where there was none signs up.
      guard !path.segments.contains(Text(auth?.uid ?? "")) else { return [] }
      return writes(.create, path, documents, after, auth, goal).map { [$0] }
    }
    let updates = writes(.update, path, documents, after, auth, goal).map { [$0] }
    if !updates.isEmpty { return updates }
    guard path != goal.path, isAllowed(delete, documents, goal.time) else { return [] }
    let without = delete.applied(to: documents)
    return writes(.create, path, without, after, auth, goal).map { [delete, $0] }
  }

  /// Allowed writes that leave the document so that the goal may be reached: as it must be, or with what the rules ask
  /// for beside.
  private mutating func writes(
    _ method: RequestMethod, _ path: ResourcePath, _ documents: [ResourcePath: Fields], _ after: Fields, _ auth: Auth?,
    _ goal: Witness
  ) -> [Attack.Step] {
    var found: [Attack.Step] = []
    func offer(_ data: Fields) {
      let step = Attack.Step(auth: auth, method: method, path: path, data: data)
      if isAllowed(step, documents, goal.time) { found.append(step) }
    }
    offer(after)
    if let before = documents[path] { offer(before.merging(after) { $1 }) }
    guard found.isEmpty else { return found }
    for block in blocks {
      guard let captures = block.captures(count: path.segments.count) else { continue }
      for allow in block.allows where allow.methods.contains(where: { $0.rawValue == method.rawValue }) {
        guard let condition = allow.condition else { continue }
        for _ in 0..<6 {
          let draft = Witness(
            documents: documents, auth: auth, time: goal.time, method: method, path: path, data: after)
          var steering = Steering(draft, rules.checked, dictionary, random)
          steering.steer(condition, to: true, Steering.Names(captures: captures))
          random = steering.random
          if let data = steering.witness.data { offer(data) }
        }
      }
    }
    return found
  }

  private func isAllowed(_ step: Attack.Step, _ documents: [ResourcePath: Fields], _ time: Timestamp) -> Bool {
    guard let request = step.witness(documents, time).request(method: step.method) else { return false }
    return evaluator.allows(request, DocumentTable(documents))
  }

  private func blame(_ attack: inout Attack) {
    var documents = attack.documents
    func line(_ step: Attack.Step) -> Int? {
      guard let request = step.witness(documents, attack.time).request(method: step.method) else { return nil }
      return evaluator.explain(request, DocumentTable(documents)).deciding?.statement.range.start.line
    }
    for i in attack.steps.indices {
      attack.steps[i].line = line(attack.steps[i])
      documents = attack.steps[i].applied(to: documents)
    }
    attack.target.line = line(attack.target)
  }

  // MARK: Values

  private static func others(_ value: DataValue) -> [DataValue] {
    switch value {
    case .bool(let b): [.bool(!b)]
    case .array(let items): items.isEmpty ? [] : [.array([])]
    case .map(let fields): fields.isEmpty ? [] : [.map([:])]
    case .string: [.string("other")]
    case .int: [.int(0), .int(1_000_000)]
    default: [.null]
    }
  }

  /// Whether nobody who attacks stands in a document yet: a member who invites somebody does what members do.
  private static func areStrangers(to documents: [ResourcePath: Fields]) -> Bool {
    func holds(_ value: DataValue) -> Bool {
      switch value {
      case .string(let text): text == attacker || text == accomplice
      case .array(let items): items.contains(where: holds)
      case .map(let fields): fields.contains { holds(.string($0.key.string)) || holds($0.value) }
      default: false
      }
    }
    return !documents.values.contains { holds(.map($0)) }
  }

  /// Notes which documents were asked for and are not there.
  private final class Recorder: DocumentReader {
    let documents: [ResourcePath: Fields]
    private(set) var missing: Set<ResourcePath> = []

    init(_ documents: [ResourcePath: Fields]) { self.documents = documents }

    func document(at path: ResourcePath) -> Fields? {
      if documents[path] == nil { missing.insert(path) }
      return documents[path]
    }
  }
}

extension Witness {
  fileprivate var target: Attack.Step { Attack.Step(auth: auth, method: method, path: path, data: data) }
}
