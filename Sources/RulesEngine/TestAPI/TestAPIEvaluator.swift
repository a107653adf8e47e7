import JSON
import RulesSemantics
import RulesSyntax
import RulesValues

/// Judges cases of a TestSuite as the Rules Test API does (`Dialect.testAPI`), one at a time. What a live database would
/// say to them is another matter: there an absent user is null and documents are looked up.
///
/// Behaviour as recorded from production in 2026 by github.com/sanjevirau/fireside and github.com/davideast/pyric.
public final class TestAPIEvaluator {
  public let ruleset: Ruleset
  private let tokens: [Token]
  private var programs: [ServiceKind: (program: Program, machine: Machine)] = [:]

  public init(_ ruleset: Ruleset) {
    self.ruleset = ruleset
    tokens = Lexer.tokenize(ruleset.file).tokens
  }

  /// - Parameter question: its path says which service it is about: `/b/…` Storage, anything else Firestore.
  public func judge(_ question: TestAPIQuestion) -> TestAPIVerdict {
    guard let method = question.methods.first else { return TestAPIVerdict() }
    let (program, machine) = machinery(question.path.first == "b" ? .storage : .firestore)
    machine.begin(question, method: method)
    defer { machine.clear() }
    var verdict = TestAPIVerdict()
    let found = program.trie.matches(machine.loaded.path, machine.arena)
    search: for i in 0..<found.count {
      let block = program.blocks[found[i]]
      machine.bind(block.captures)
      for allow in block.allows where question.methods.allSatisfy({ allow.covers($0) }) {
        attempt(allow, machine, &verdict)
        if verdict.isAllowed { break search }
      }
    }
    verdict.calls = machine.mocks?.calls ?? []
    // An error that another statement made up for is no error of the case.
    if verdict.isAllowed { verdict.failure = nil }
    return verdict
  }

  private func machinery(_ kind: ServiceKind) -> (Program, Machine) {
    if let known = programs[kind] { return known }
    let program = Program(ruleset.checked, tracing: true, testAPI: kind)
    let machine = Machine(constants: program.constants, names: program.names, dialect: .testAPI)
    programs[kind] = (program, machine)
    return (program, machine)
  }

  private func attempt(_ allow: Program.Allow, _ machine: Machine, _ verdict: inout TestAPIVerdict) {
    machine.trace.clear()
    let value = machine.run(allow)
    if let root = machine.trace.roots.first { verdict.conditions.append(machine.explainedNode(root)) }
    for node in machine.trace.nodes {
      verdict.values[node.expression.id, default: .init()].count(machine.arena.plainJSON(node.value))
    }
    if value.has(.bool) {
      if let condition = allow.statement.condition, let range = firstToken(of: condition) {
        verdict.visits.append(TestAPIVerdict.Visit(range: range, value: value.isTrue))
      }
      verdict.isAllowed = value.isTrue
      return
    }
    guard verdict.failure == nil, let message = machine.arena.message(value) else { return }
    let failed = value.has(.exhausted) ? exhausted(machine.trace) : failed(value, machine.trace, allow)
    verdict.failure = TestAPIVerdict.Failure(message: message, range: failed.flatMap { firstToken(of: $0) })
  }

  /// The expression in which an error arose; of one that only its use as a condition made the condition.
  private func failed(_ value: Value, _ trace: Trace, _ allow: Program.Allow) -> Expression? {
    trace.nodes.first { $0.value.isFailure && $0.expression.id == value.failureNode }?.expression
      ?? allow.statement.condition
  }

  /// The operand for which nothing was left of the budget.
  private func exhausted(_ trace: Trace) -> Expression? {
    guard let last = trace.nodes.last(where: { $0.value.has(.exhausted) }) else { return nil }
    switch last.expression.kind {
    case .binary(_, _, let right) where last.children.count == 1: return right
    case .ternary(_, let yes, let no) where last.children.count == 1:
      return trace.nodes[last.children[0]].value.isTrue ? yes : no
    default: return last.expression
    }
  }

  private func firstToken(of expression: Expression) -> SourceRange? {
    let byte = expression.range.start.byte
    var low = 0
    var high = tokens.count
    while low < high {
      let middle = (low + high) / 2
      if tokens[middle].start.byte < byte { low = middle + 1 } else { high = middle }
    }
    return low < tokens.count ? tokens[low].range : nil
  }
}
