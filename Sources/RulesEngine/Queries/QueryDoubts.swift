import RulesSyntax
import RulesValues

/// Finds what in a condition let a query through although the query says nothing of it: the condition is evaluated
/// once as the official implementation does and once on a document that may hold more.
struct QueryDoubts {
  private let ruleset: Ruleset
  private let list: ListRequest
  private let machine: Machine

  init(_ evaluator: Evaluator, _ list: ListRequest, _ documents: some DocumentReader) {
    ruleset = evaluator.ruleset
    self.list = list
    machine = Machine(tracing: ruleset, dialect: evaluator.dialect)
    machine.begin(list, pass: .data, reader: documents)
  }

  func warnings(_ branches: [QueryBranch]) -> [QueryWarning] {
    var warnings: [QueryWarning] = []
    for branch in branches {
      machine.turn(to: QueryDocument(branch, of: list, machine.arena), of: list)
      let allows = ruleset.tracingProgram.allows(forQueryAt: machine.loaded.path, machine.arena)
      let findings = allows.map { find($0.block, $0.allow, branch) }
      // Where another statement allows the branch for good, there is no doubt.
      if findings.contains(.proven) { continue }
      for case .doubt(let warning) in findings where !warnings.contains(warning) { warnings.append(warning) }
    }
    return warnings
  }

  private enum Finding: Equatable {
    case notAllowed, proven
    case doubt(QueryWarning)
  }

  private func find(_ block: Program.Block, _ allow: Program.Allow, _ branch: QueryBranch) -> Finding {
    func run(isOpen: Bool) -> Value {
      machine.turn(to: QueryDocument(branch, of: list, isOpen: isOpen, machine.arena), of: list)
      QueryPath.bind(block, to: machine.loaded.path, machine.arena)
      machine.trace.clear()
      return machine.run(allow)
    }
    guard run(isOpen: false).isTrue else { return .notAllowed }
    let value = run(isOpen: true)
    guard !value.isTrue, let condition = allow.statement.condition else { return .proven }
    let node = machine.trace.nodes.first { $0.value.isFailure && $0.expression.id == value.failureNode }
    let expression = node?.expression ?? condition
    let start = expression.range.start
    return .doubt(QueryWarning(text: text(expression), line: start.line, column: start.column))
  }

  private func text(_ expression: Expression) -> String {
    let written = "`\(ruleset.file.written(expression))`"
    switch expression.kind {
    case .binary(.in, let element, _):
      if case .string(let name) = element.kind {
        return "\(written) is false to the emulator, because the query does not filter on \(String(decoding: name, as: UTF8.self))."
      }
      return "\(written) is false to the emulator, because the query only limits the field."
    case .typeTest: return "\(written) is false to the emulator, because the query only limits the field."
    case .methodCall(_, let name, _):
      switch name.text {
      case "get": return "\(written) is its default to the emulator, because the query does not filter on the field."
      case "hasAny": return "\(written) is false to the emulator, because the query does not tell."
      default: return "\(written) sees only the fields that the query filters on."
      }
    default: return "\(written) does not follow from what the query filters on."
    }
  }
}
