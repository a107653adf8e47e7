import RulesSyntax
import RulesValues

/// Decides requests by one ruleset, one at a time. Not for use by two threads at once; make one for each.
///
/// ```swift
/// let evaluator = ruleset.evaluator()
/// let decision = evaluator.decide(request, documents)
/// ```
///
/// Taking in a request and deciding it are two steps, for those who ask more than once about the same one:
/// `load(_:_:)`, then `decideLoaded()` or `allowsLoaded()`.
public final class Evaluator {
  public let ruleset: Ruleset
  public let dialect: Dialect
  let machine: Machine
  // Held here too: reaching them through the ruleset would count references in every decision.
  private let trie: FrozenPathTrie
  private let gates: Roster<Gate>

  init(_ ruleset: Ruleset, dialect: Dialect) {
    self.ruleset = ruleset
    self.dialect = dialect
    trie = ruleset.program.trie
    gates = ruleset.program.gates
    machine = Machine(constants: ruleset.program.constants, names: ruleset.program.names, dialect: dialect)
  }

  /// Decides a request, with the official reasons when it is refused.
  public func decide(_ request: Request, _ documents: some DocumentReader) -> Decision {
    load(request, documents)
    defer { unload() }
    return decideLoaded()
  }

  /// The plain answer, without reasons.
  public func allows(_ request: Request, _ documents: some DocumentReader) -> Bool {
    load(request, documents)
    defer { unload() }
    return allowsLoaded()
  }

  // MARK: In two steps

  /// Takes in a request, which stays loaded until the next one or `unload()`. So does what is read of the requested
  /// document: `documents` must answer the same for as long.
  public func load(_ request: Request, _ documents: some DocumentReader) { machine.load(request, documents) }

  /// Lets go of the request that is loaded, and of its documents.
  public func unload() { machine.clear() }

  /// Decides the request that is loaded. Without one, refuses.
  public func decideLoaded() -> Decision {
    // What passes with the documents at hand has passed officially too: the first, documentless pass can only
    // allow more (when the budget runs out on data that it never needed), so that it is run for refusals only.
    // Unless it shows another request, which is then refused by what the second would allow.
    !machine.loaded.isIDHidden && allowsWithDocuments() ? .allowed : officialDecision()
  }

  /// The plain answer to the request that is loaded. Without one, false. An allowed request is decided without
  /// allocating memory, as far as its conditions do not ask for documents.
  public func allowsLoaded() -> Bool {
    if machine.loaded.isIDHidden { return officialDecision().isAllowed }
    return allowsWithDocuments() || (machine.arena.budget < 0 && officialDecision().isAllowed)
  }

  // MARK: One pass

  /// The pass that knows the documents.
  func allowsWithDocuments() -> Bool {
    machine.begin()
    let found = trie.matches(machine.loaded.path, machine.arena)
    for i in 0..<found.count {
      let answer = gates.with(found[i]) { $0.ask(machine) } ?? .false
      if answer.isTrue { return true }
      if answer.has(.exhausted) { return false }
    }
    return false
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

  private func officialDecision() -> Decision {
    let passes = officialPasses()
    return passes.isAllowed ? .allowed : .denied(Denial(entries: passes.first + passes.second))
  }

  /// The two passes of a request, for the message about several writes of which one was refused.
  public func officialPasses(of request: Request, _ documents: some DocumentReader) -> OfficialPasses {
    load(request, documents)
    defer { unload() }
    return officialPasses()
  }

  private func officialPasses() -> OfficialPasses {
    let outcomes = machine.alternatives.map { method in
      machine.begin(method: method, pass: .withoutData)
      return pass(method)
    }
    let first = outcomes.flatMap(\.entries)
    if first.isEmpty, !outcomes.contains(where: \.isAllowed) { return OfficialPasses(first: [], isAllowed: false) }
    if outcomes.allSatisfy(\.isAllowed) { return OfficialPasses(first: first, isAllowed: true) }
    guard outcomes.contains(where: { $0.isUndecided || $0.isAllowed }) else {
      return OfficialPasses(first: first, isAllowed: false)
    }
    machine.begin()
    let second = pass(machine.loaded.method)
    return OfficialPasses(first: first, second: second.entries, isDecidedFirst: false, isAllowed: second.isAllowed)
  }

  private func pass(_ method: RequestMethod) -> Outcome {
    var outcome = Outcome()
    let program = ruleset.program
    let found = program.trie.matches(machine.loaded.path, machine.arena)
    for i in 0..<found.count {
      let block = program.blocks[found[i]]
      machine.bind(block.captures)
      // What holds ends its block only: where the request is refused for another reason, the entries of the other
      // blocks are listed all the same. (Observed on the official emulator 1.19.9.)
      for allow in block.allows where allow.covers(method) {
        if tries(allow, method, &outcome) { break }
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
    if value.isTrue { outcome.isAllowed = true }
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
