import JSON
import RulesSemantics
import RulesSyntax
import RulesValues

/// Why a request was decided as it was: every match block that covers the path, every `allow` tried, and every
/// sub-expression with the value it took.
public struct Explanation: Sendable {
  /// The value of a sub-expression, kept apart from the memory of the request.
  public enum Outcome: Sendable, Equatable {
    /// In the syntax of the rules language, shortened when long, and in the encoding of the official coverage report.
    case value(text: String, json: JSONValue)
    /// The official text.
    case error(String)

    var isTrue: Bool { if case .value("true", _) = self { true } else { false } }
    public var isError: Bool { if case .error = self { true } else { false } }
  }

  /// A sub-expression that was evaluated. Operands that were skipped do not appear.
  public struct Node: Sendable {
    public let expression: Expression
    public let outcome: Outcome
    public let children: [Node]

    /// The smallest sub-expression that made the outcome what it is: of `a && b` the operand that was false, of a
    /// function call its result, and so on down.
    public var cause: Node { decidingIndex.map { children[$0].cause } ?? self }

    /// Which of the children made the outcome what it is; `nil` when the node itself did.
    public var decidingIndex: Int? {
      switch expression.kind {
      case .unary(.not, _): return children.indices.last
      case .binary(.or, _, _) where !outcome.isError:
        // Of two that did not hold the second is the one that was meant: `!('a' in data) || isA(data.a)`.
        return children.lastIndex { $0.outcome == outcome }
      case .binary(.and, _, _) where outcome.isTrue:
        // All operands together.
        return nil
      case .binary(.and, _, _), .binary(.or, _, _):
        // The operand whose outcome is that of the whole; of two failures the left one.
        return sameOutcome
      case .ternary: return children.count == 2 ? 1 : children.indices.first
      case .call, .methodCall:
        // A call of the rules' own function ends with the function's result.
        guard let last = children.last, case .call(_, let arguments) = expression.kind,
          !arguments.contains(where: { $0 === last.expression }), last.outcome == outcome
        else { return outcome.isError ? sameOutcome : nil }
        return children.count - 1
      default: return outcome.isError ? sameOutcome : nil
      }
    }

    private var sameOutcome: Int? { children.firstIndex { $0.outcome == outcome } }
  }

  public enum Verdict: Sendable, Equatable {
    case allowed, refused
    case error(String)
    /// An earlier `allow` had decided.
    case notReached
    /// The `allow` is for other methods.
    case otherMethod
  }

  public struct Allow: Sendable {
    public let statement: AllowStatement
    public let verdict: Verdict
    /// `nil` where nothing was evaluated.
    public let condition: Node?
  }

  public struct Binding: Sendable, Equatable {
    public let name: String
    public let value: String
  }

  public struct Match: Sendable {
    /// The whole pattern, outer matches included.
    public let pattern: String
    public let declaration: MatchDeclaration
    public let bindings: [Binding]
    public let allows: [Allow]
  }

  public let request: Request
  public let decision: Decision
  /// In the order in which they are tried.
  public let matches: [Match]
  /// Expressions evaluated, of the 1,000 that a request may.
  public let cost: Int
  /// What it took of the official limits.
  public let budget: RequestBudget
  /// The smallest changes under which a denied request is allowed, where somebody looked for them.
  public var fixes: [NearestFix] = []
  /// Whether the request is made together with others, which the fixes take as they are: they may be refused all the
  /// same.
  public var fixesArePartial = false

  /// The `allow` that let the request pass.
  public var deciding: Allow? { matches.lazy.flatMap(\.allows).first { $0.verdict == .allowed } }
}

extension Evaluator {
  /// Decides a request and tells how. Slower than `decide`, with the same answer.
  public func explain(_ request: Request, _ documents: some DocumentReader) -> Explanation {
    let decision = decide(request, documents)
    let explainer = Explainer(ruleset.tracingProgram, ruleset: ruleset, dialect: dialect)
    // Elsewhere the two passes differ in nothing that the first could decide.
    let pass: Machine.Pass =
      request.isIDHidden && officialPasses(of: request, documents).isDecidedFirst ? .withoutData : .data
    return explainer.explain(request, documents, decision, budget(of: request, documents), pass)
  }
}

private final class Explainer {
  let program: Program
  let ruleset: Ruleset
  let machine: Machine
  private var decided = false
  /// Outcomes by their values: `request` alone is named many times.
  private var outcomes: [Key: Explanation.Outcome] = [:]

  private struct Key: Hashable {
    let meta, bits: UInt64
  }

  init(_ program: Program, ruleset: Ruleset, dialect: Dialect) {
    self.program = program
    self.ruleset = ruleset
    machine = Machine(constants: program.constants, names: program.names, dialect: dialect)
  }

  func explain(
    _ request: Request, _ documents: some DocumentReader, _ decision: Decision, _ budget: RequestBudget,
    _ pass: Machine.Pass
  ) -> Explanation {
    defer { machine.clear() }
    machine.load(request, documents)
    if pass == .withoutData { machine.begin(method: request.method, pass: pass) }
    let before = machine.arena.budget
    let found = program.trie.matches(machine.loaded.path, machine.arena)
    let matches = (0..<found.count).map { match(program.blocks[found[$0]], request.method) }
    return Explanation(
      request: request, decision: decision, matches: matches, cost: before - machine.arena.budget, budget: budget)
  }

  private func match(_ block: Program.Block, _ method: RequestMethod) -> Explanation.Match {
    machine.bind(block.captures)
    var bindings: [Explanation.Binding] = []
    for segment in block.chain.flatMap(\.segments) {
      switch segment {
      case .literal: break
      case .capture(let slot, let name), .glob(let slot, let name):
        bindings.append(
          Explanation.Binding(name: name, value: machine.arena.display(machine.arena.global(slot))))
      }
    }
    return Explanation.Match(
      pattern: block.chain.flatMap(\.segments).map(\.pattern).joined(),
      declaration: block.chain[block.chain.count - 1].declaration, bindings: bindings,
      allows: block.allows.map { allow($0, method) })
  }

  private func allow(_ allow: Program.Allow, _ method: RequestMethod) -> Explanation.Allow {
    guard allow.covers(method) else {
      return Explanation.Allow(statement: allow.statement, verdict: .otherMethod, condition: nil)
    }
    if decided { return Explanation.Allow(statement: allow.statement, verdict: .notReached, condition: nil) }
    machine.trace.clear()
    let value = machine.run(allow)
    let verdict: Explanation.Verdict
    if value.isTrue {
      decided = true
      verdict = .allowed
    } else if value.isFalse {
      verdict = .refused
    } else {
      verdict = .error(machine.arena.message(value) ?? "evaluation error")
    }
    return Explanation.Allow(
      statement: allow.statement, verdict: verdict, condition: machine.trace.roots.first.map(node))
  }

  // Depth is that of the evaluation, which the budget of 1,000 nodes bounds.
  private func node(_ index: Int) -> Explanation.Node {
    let traced = machine.trace.nodes[index]
    return Explanation.Node(
      expression: traced.expression, outcome: outcome(of: traced.value), children: traced.children.map(node))
  }

  private func outcome(of value: Value) -> Explanation.Outcome {
    let key = Key(meta: value.meta, bits: value.bits)
    if let known = outcomes[key] { return known }
    let arena = machine.arena
    let outcome: Explanation.Outcome =
      if value.isFailure {
        .error(arena.message(value) ?? "evaluation error")
      } else {
        .value(text: arena.display(value), json: arena.json(value))
      }
    outcomes[key] = outcome
    return outcome
  }
}

extension MatchSegment {
  /// As the rules write it, with its slash.
  var pattern: String {
    switch self {
    case .literal(let text): "/\(text)"
    case .capture(_, let name): "/{\(name)}"
    case .glob(_, let name): "/{\(name)=**}"
    }
  }
}
