import RulesSyntax
import RulesValues

/// Decides requests by one ruleset, one at a time. Not for use by two threads at once; make one for each.
public final class Evaluator {
  public let ruleset: Ruleset
  public let dialect: Dialect
  let machine: Machine
  private var matched: [Int32] = []

  init(_ ruleset: Ruleset, dialect: Dialect) {
    self.ruleset = ruleset
    self.dialect = dialect
    machine = Machine(constants: ruleset.program.constants, dialect: dialect)
  }

  /// Decides a request, with the official reasons when it is refused.
  public func decide(_ request: Request, _ documents: some DocumentReader) -> Decision {
    defer { machine.end() }
    // What passes with the documents at hand has passed officially too: the first, documentless pass can only
    // allow more (when the budget runs out on data that it never needed), so that it is run for refusals only.
    machine.begin(request, method: request.method, pass: .data, reader: documents)
    if isAllowed(request.method) { return .allowed }
    return officialDecision(request, documents)
  }

  /// The plain answer, without reasons.
  public func allows(_ request: Request, _ documents: some DocumentReader) -> Bool {
    defer { machine.end() }
    machine.begin(request, method: request.method, pass: .data, reader: documents)
    if isAllowed(request.method) { return true }
    return machine.arena.budget < 0 && officialDecision(request, documents).isAllowed
  }

  // MARK: One pass

  private func isAllowed(_ method: RequestMethod) -> Bool {
    let program = ruleset.program
    findBlocks(program)
    for index in matched {
      let block = program.blocks[Int(index)]
      for allow in block.allows where allow.covers(method) {
        guard let condition = allow.condition else { return machine.arena.budget >= 0 }
        Captures.bind(block.pattern, to: machine.requestPath, machine.arena)
        guard machine.arena.spend(allow.cost) else { return false }
        let value = condition(machine)
        if machine.arena.budget < 0 { return false }
        if value.isTrue { return true }
      }
    }
    return false
  }

  private func findBlocks(_ program: Program) {
    matched.removeAll(keepingCapacity: true)
    program.trie.matches(machine.requestPath, machine.arena, into: &matched)
    if matched.count > 1 { matched.sort() }
  }

  // MARK: The official passes

  /// What one method came to in one pass.
  struct Outcome {
    var entries: [Denial.Entry] = []
    var isAllowed = false
    /// Some condition was neither true nor false.
    var failed = false
    var exhausted = false
    var needsData = false

    /// Must the documents be loaded to tell? When the budget ran out they only matter if one was asked for.
    var isUndecided: Bool { !isAllowed && (exhausted ? needsData : failed) }
  }

  private func officialDecision(_ request: Request, _ documents: some DocumentReader) -> Decision {
    let first = request.alternatives.map { method in
      machine.begin(request, method: method, pass: .withoutData, reader: documents)
      return pass(method)
    }
    var entries = first.flatMap(\.entries)
    if entries.isEmpty, !first.contains(where: \.isAllowed) { return .denied(Denial(entries: [])) }
    if first.allSatisfy(\.isAllowed) { return .allowed }
    if first.contains(where: { $0.isUndecided || $0.isAllowed }) {
      machine.begin(request, method: request.method, pass: .data, reader: documents)
      let second = pass(request.method)
      if second.isAllowed { return .allowed }
      entries += second.entries
    }
    return .denied(Denial(entries: entries))
  }

  private func pass(_ method: RequestMethod) -> Outcome {
    var outcome = Outcome()
    let program = ruleset.program
    findBlocks(program)
    search: for index in matched {
      let block = program.blocks[Int(index)]
      for allow in block.allows where allow.covers(method) {
        Captures.bind(block.pattern, to: machine.requestPath, machine.arena)
        if tries(allow, method, &outcome) { break search }
      }
    }
    outcome.needsData = machine.needsData
    return outcome
  }

  /// Tries an `allow` whose captures are bound, and notes what became of it. Did it let the request pass?
  func tries(_ allow: Program.Allow, _ method: RequestMethod, _ outcome: inout Outcome) -> Bool {
    let value = machine.run(allow)
    // In a refused request even a condition that held is reported as false.
    outcome.entries.append(
      Denial.Entry(text: text(value, allow), method: method, line: allow.line, isPlainFalse: allow.isPlainFalse))
    if value.has(.exhausted) { outcome.exhausted = true }
    if !value.has(.bool) { outcome.failed = true }
    outcome.isAllowed = value.isTrue
    return value.isTrue
  }

  private func text(_ value: Value, _ allow: Program.Allow) -> String {
    if value.has(.bool) { return "false" }
    if let message = machine.arena.message(value) { return message }
    let start = (allow.condition == nil ? allow.statement.range : allow.statement.condition?.range)?.start
    return "evaluation error at L\(start?.line ?? allow.line):\(start?.column ?? 1)"
  }
}

extension Machine {
  /// Evaluates the condition of an `allow` whose captures are bound: true, false or a failure.
  func run(_ allow: Program.Allow) -> Value {
    guard arena.spend(allow.cost) else { return .exhausted }
    guard let condition = allow.condition else { return .true }
    let value = condition(self)
    if arena.budget < 0 { return .exhausted }
    return value.has(.bool) || value.isFailure ? value : arena.typeError(value, .bool)
  }
}
