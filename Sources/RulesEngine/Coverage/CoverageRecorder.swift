import JSON
import RulesSemantics
import RulesSyntax
import RulesValues
import Synchronization

/// Watches how requests are decided, and keeps their coverage. It evaluates each request once more, with every node's
/// value kept, so that the decision itself pays nothing. For use by any number of threads.
public final class CoverageRecorder: Sendable {
  public let ruleset: Ruleset
  private let keepsValues: Bool
  private let maximumRequests: Int
  private let requests = Atomic<Int>(0)
  private let state = Mutex(Coverage())

  /// Where the emulator says that an error of an expression arose, by ids: at operators and names of functions, else at
  /// the first token (observed on emulator 1.19.9).
  private let places: [Int: SourceRange]

  /// - Parameters:
  ///   - ruleset: what is watched.
  ///   - keepsValues: whether the values that expressions took are kept too, for the emulator's report. They take memory.
  ///   - maximumRequests: of more it is only told how many there were: recording takes longer than deciding.
  public init(_ ruleset: Ruleset, keepsValues: Bool = false, maximumRequests: Int = .max) {
    self.ruleset = ruleset
    self.maximumRequests = maximumRequests
    self.keepsValues = keepsValues
    let tokens = Lexer.tokenize(ruleset.file).tokens
    let starts = Dictionary(tokens.map { ($0.start.byte, $0.range) }, uniquingKeysWith: { first, _ in first })
    var places: [Int: SourceRange] = [:]
    ruleset.checked.expressionRoots.forEach { root in
      root.forEachNode { e in
        let first = starts[e.range.start.byte] ?? e.range
        switch e.kind {
        case .binary(.in, _, _): places[e.id] = first
        case .binary, .unary, .call, .methodCall: places[e.id] = e.anchor
        case .ternary(let condition, _, _):
          // Closing brackets may stand before it.
          let mark = tokens.first { $0.kind == .question && $0.start.byte >= condition.range.end.byte }
          places[e.id] = mark?.range ?? first
        default: places[e.id] = first
        }
      }
    }
    self.places = places
  }

  public var coverage: Coverage { state.withLock { $0 } }

  /// How many requests and queries there were, and how many of them are in the coverage.
  public var counted: (all: Int, recorded: Int) {
    let all = requests.load(ordering: .relaxed)
    return (all, min(all, maximumRequests))
  }

  /// Forgets everything, as the emulator does when rules are put in force.
  public func reset() {
    requests.store(0, ordering: .relaxed)
    state.withLock { $0 = Coverage() }
  }

  private func mayRecord() -> Bool { requests.wrappingAdd(1, ordering: .relaxed).newValue <= maximumRequests }

  /// Evaluates a request for the record.
  public func record(_ request: Request, _ documents: any DocumentReader, dialect: Dialect) {
    guard mayRecord() else { return }
    let machine = Machine(tracing: ruleset, dialect: dialect)
    defer { machine.clear() }
    machine.load(request, documents)
    var run = CoverageRun(machine, ruleset.tracingProgram, places)
    run.evaluate(request.method)
    if keepsValues { run.evaluateOfficially() }
    state.withLock { $0.merge(run.coverage) }
  }

  /// Evaluates every branch of a query for the record.
  public func record(_ list: ListRequest, _ documents: any DocumentReader, dialect: Dialect) {
    guard let branches = QueryBranches(list.filter)?.branches, list.collectionID != nil || list.allDescendants else {
      return
    }
    guard mayRecord() else { return }
    let machine = Machine(tracing: ruleset, dialect: dialect)
    defer { machine.clear() }
    machine.begin(list, pass: .data, reader: documents)
    var run = CoverageRun(machine, ruleset.tracingProgram, places)
    for branch in branches {
      machine.turn(to: QueryDocument(branch, of: list, machine.arena), of: list)
      run.evaluateQuery()
    }
    if keepsValues { run.evaluateOfficially(list, branches, documents) }
    state.withLock { $0.merge(run.coverage) }
  }
}

/// The evaluation of one request, for its coverage.
private struct CoverageRun {
  private let machine: Machine
  private let program: Program
  private let places: [Int: SourceRange]
  private(set) var coverage = Coverage()
  /// Values that a run has no name for.
  private static let skipped = JSONValue.object(JSONObject())

  init(_ machine: Machine, _ program: Program, _ places: [Int: SourceRange]) {
    self.machine = machine
    self.program = program
    self.places = places
  }

  /// With the documents at hand; what comes behind the `allow` that let the request pass is not evaluated.
  mutating func evaluate(_ method: RequestMethod) {
    machine.begin()
    let found = program.trie.matches(machine.loaded.path, machine.arena)
    for i in 0..<found.count {
      let block = program.blocks[found[i]]
      visit(block)
      machine.bind(block.captures)
      for allow in block.allows where allow.covers(method) {
        if tries(allow) { return }
      }
    }
  }

  mutating func evaluateQuery() {
    let blocks = program.blocks.filter {
      QueryPath.matches($0.pattern, machine.loaded.path, globTakesNone: program.globTakesNone, machine.arena)
    }
    for block in blocks where !block.allows.isEmpty {
      visit(block)
      QueryPath.bind(block, to: machine.loaded.path, machine.arena)
      for allow in block.allows where allow.covers(.list) {
        if tries(allow) { return }
      }
    }
  }

  private mutating func visit(_ block: Program.Block) {
    if let match = block.chain.last { coverage.add(requests: 1, toMatch: match.declaration.range.start.byte) }
  }

  /// Evaluates the condition and counts every node of it.
  private mutating func tries(_ allow: Program.Allow) -> Bool {
    machine.trace.clear()
    let value = machine.run(allow)
    var counts = Coverage.AllowCounts()
    if value.isTrue { counts.allowed = 1 } else if value.isFalse { counts.refused = 1 } else { counts.error = 1 }
    coverage.add(counts, toAllow: allow.statement.range.start.byte)
    for node in machine.trace.nodes {
      var counts = Coverage.Counts()
      if node.value.isTrue {
        counts.isTrue = 1
      } else if node.value.isFalse {
        counts.isFalse = 1
      } else if node.value.isFailure {
        counts.error = 1
      } else {
        counts.other = 1
      }
      coverage.add(counts, to: node.expression.id)
    }
    return value.isTrue
  }

  // MARK: As the emulator counts

  /// First without any document, for each method that the request may turn out to be, then with them, if that was not
  /// enough: a visit is counted in each (observed on emulator 1.19.9).
  mutating func evaluateOfficially() {
    var isOpen = false
    var isAllowed = true
    for method in machine.alternatives {
      machine.begin(method: method, pass: .withoutData)
      let outcome = pass(method)
      isOpen = isOpen || outcome.isAllowed || outcome.failed
      isAllowed = isAllowed && outcome.isAllowed
    }
    guard isOpen, !isAllowed else { return }
    machine.begin()
    _ = pass(machine.loaded.method)
  }

  /// The same for a query: branch by branch without documents, then with them the branches that were left open. One
  /// that is refused for good ends it.
  mutating func evaluateOfficially(_ list: ListRequest, _ branches: [QueryBranch], _ documents: any DocumentReader) {
    var open: [QueryBranch] = []
    machine.begin(list, pass: .withoutData, reader: documents)
    for branch in branches {
      machine.turn(to: QueryDocument(branch, of: list, machine.arena), of: list)
      let outcome = passOverQuery()
      if outcome.isAllowed { continue }
      guard outcome.failed, machine.named != nil || machine.needsData else { return }
      open.append(branch)
    }
    guard !open.isEmpty else { return }
    machine.begin(list, pass: .data, reader: documents)
    for branch in open {
      machine.turn(to: QueryDocument(branch, of: list, machine.arena), of: list)
      if !passOverQuery().isAllowed { return }
    }
  }

  private mutating func passOverQuery() -> (isAllowed: Bool, failed: Bool) {
    var failed = false
    for (block, allow) in program.allows(forQueryAt: machine.loaded.path, machine.arena) {
      QueryPath.bind(block, to: machine.loaded.path, machine.arena)
      machine.trace.clear()
      let value = machine.run(allow)
      noteValues()
      if !value.has(.bool) { failed = true }
      if value.isTrue { return (true, failed) }
    }
    return (false, failed)
  }

  private mutating func pass(_ method: RequestMethod) -> (isAllowed: Bool, failed: Bool) {
    var failed = false
    let found = program.trie.matches(machine.loaded.path, machine.arena)
    var isAllowed = false
    for i in 0..<found.count {
      let block = program.blocks[found[i]]
      machine.bind(block.captures)
      for allow in block.allows where allow.covers(method) {
        machine.trace.clear()
        let value = machine.run(allow)
        noteValues()
        if !value.has(.bool) { failed = true }
        if value.isTrue {
          isAllowed = true
          break
        }
      }
    }
    return (isAllowed, failed)
  }

  /// Keeps the values of what was evaluated, and of what was skipped beside it.
  private mutating func noteValues() {
    for node in machine.trace.nodes {
      coverage.note(json(node.value), of: node.expression.id)
      let seen = Set(node.children.map { machine.trace.nodes[$0].expression.id })
      for operand in node.expression.operands where !seen.contains(operand.id) && !operand.isOfPackage { skip(operand) }
    }
  }

  /// An error has the place of the node that failed; what needs a document that is not known is just `undefined`.
  private func json(_ value: Value) -> JSONValue {
    guard value.isFailure else { return machine.arena.json(value) }
    var cause = JSONObject()
    if !value.has(.unknown) {
      if let range = value.failureNode.flatMap({ places[$0] }) {
        cause["sourcePosition"] = range.officialJSON(file: nil)
      }
      cause["causeMessage"] = machine.arena.message(value).map { .string($0) }
    }
    return ["undefined": .object(cause)]
  }

  // Depth is bounded by the parser.
  private mutating func skip(_ e: Expression) {
    coverage.note(Self.skipped, of: e.id)
    for operand in e.operands { skip(operand) }
  }
}

extension CheckedRuleset {
  /// Conditions, the results of functions and what their lets stand for.
  public var expressionRoots: [Expression] {
    var roots = functions.flatMap { $0.declaration.lets.map(\.value) + [$0.declaration.result] }
    // Depth is bounded by the official limit on nested matches.
    func walk(_ match: CheckedMatch) {
      roots += match.allows.compactMap(\.condition)
      match.children.forEach(walk)
    }
    for service in services { service.matches.forEach(walk) }
    return roots
  }
}

extension Expression {
  /// Whether this is the name of a package, which has no value.
  fileprivate var isOfPackage: Bool {
    if case .identifier(let name) = kind { Packages.names.contains(name) } else { false }
  }
}
