import RulesSemantics
import RulesSyntax
import RulesValues

/// What a request takes of what the official limits let it have. Limits and what counts against them are those of
/// the emulator 1.19.9.
public struct RequestBudget: Sendable, Equatable {
  /// An amount and the limit on it.
  public struct Use: Sendable, Equatable {
    /// One more than the limit stands for "too many", however many there would be.
    public let used: Int
    public let limit: Int

    public init(used: Int, limit: Int) {
      self.used = min(used, limit + 1)
      self.limit = limit
    }

    public var isExceeded: Bool { used > limit }
    /// 80 % or more: a small change of the rules or of the data may break the limit.
    public var isNearLimit: Bool { used * 5 >= limit * 4 }
  }

  /// A document that the rules asked for, and that counts.
  public struct Lookup: Sendable, Equatable {
    /// `get`, `exists`, `getAfter` or `existsAfter`.
    public let function: String
    public let path: ResourcePath
    /// The limit was reached before: the call was an error.
    public let isRefused: Bool
  }

  /// Expressions evaluated, of 1,000; of a query those of the alternative of its filters that takes most. Of a request
  /// that is decided in two passes those of the pass that knows the documents.
  public let expressions: Use
  /// Documents asked for, of 10; of 20 by all alternatives of a query together.
  public let lookups: Use
  /// How deep functions call functions in the statements that cover the request, of 20: 0 for a function that calls
  /// none. Checked when rules are compiled.
  public let callDepth: Use
  public let documents: [Lookup]

  public var isNearLimit: Bool { expressions.isNearLimit || lookups.isNearLimit || callDepth.isNearLimit }
}

extension Evaluator {
  /// What a request takes of the official limits; to be asked beside `decide`, and as dear.
  public func budget(of request: Request, _ documents: some DocumentReader) -> RequestBudget {
    load(request, documents)
    defer { unload() }
    _ = allowsWithDocuments()
    let spent = Budget.limit - machine.arena.budget
    let found = ruleset.program.trie.matches(machine.loaded.path, machine.arena)
    let allows = (0..<found.count).flatMap { i in
      ruleset.program.blocks[found[i]].allows.filter { $0.covers(request.method) }
    }
    return budget(spent: spent, countedLookups, limit: Lookups.limit, allows)
  }

  /// What a query takes of the official limits; to be asked beside `decide`, and as dear.
  public func budget(of list: ListRequest, _ documents: some DocumentReader) -> RequestBudget {
    defer { machine.clear() }
    let branches = QueryBranches(list.filter)?.branches ?? []
    var spent = 0
    var allows: [Program.Allow] = []
    func pass(_ branch: QueryBranch) -> (outcome: Outcome, cost: Int) {
      machine.turn(to: QueryDocument(branch, of: list, machine.arena), of: list)
      let outcome = passOverQuery()
      return (outcome, Budget.limit - machine.arena.budget)
    }
    machine.begin(list, pass: .withoutData, reader: documents)
    var open: [QueryBranch] = []
    /// What is allowed without documents, although one was asked for, would be asked again if the budget had run out.
    var decided: [(branch: QueryBranch, cost: Int)] = []
    for branch in branches {
      let (outcome, cost) = pass(branch)
      if allows.isEmpty { allows = ruleset.program.allows(forQueryAt: machine.loaded.path, machine.arena).map(\.allow) }
      if !outcome.isAllowed, isLeftOpen(outcome) {
        open.append(branch)
      } else if outcome.isAllowed, outcome.needsData {
        decided.append((branch, cost))
      } else {
        spent = max(spent, cost)
        // The first branch that is refused for good ends the pass.
        if !outcome.isAllowed {
          open = []
          break
        }
      }
    }
    machine.begin(list, pass: .data, reader: documents)
    for branch in open {
      let (outcome, cost) = pass(branch)
      spent = max(spent, cost)
      if !outcome.isAllowed { break }
    }
    let lookups = countedLookups
    for (branch, cost) in decided { spent = max(spent, min(cost, pass(branch).cost)) }
    return budget(spent: spent, lookups, limit: Lookups.limitOfQueries, allows)
  }

  private var countedLookups: [RequestBudget.Lookup] { machine.hasLookups ? machine.lookups.counted : [] }

  private func budget(
    spent: Int, _ lookups: [RequestBudget.Lookup], limit: Int, _ allows: [Program.Allow]
  ) -> RequestBudget {
    RequestBudget(
      expressions: .init(used: spent, limit: Budget.limit), lookups: .init(used: lookups.count, limit: limit),
      callDepth: .init(used: allows.map { ruleset.callDepth(of: $0) }.max() ?? 0, limit: CallDepths.limit),
      documents: lookups)
  }
}

/// How deep the functions of a rules file call one another.
struct CallDepths: Sendable {
  /// Calls inside the outermost one: a chain of 21 functions compiles, one of 22 does not.
  static let limit = 20

  /// For each function how many the longest chain of calls from it has, itself included.
  private var chains: [Int?]
  private let ruleset: CheckedRuleset

  init(_ ruleset: CheckedRuleset) {
    self.ruleset = ruleset
    chains = Array(repeating: nil, count: ruleset.functions.count)
    for index in chains.indices { _ = chain(from: index) }
  }

  func depth(of condition: Expression) -> Int {
    max(1, calls(in: [condition]).compactMap { chains[$0] }.max() ?? 1) - 1
  }

  // Depth is bounded: a file with longer chains or with cycles does not compile.
  private mutating func chain(from index: Int) -> Int {
    if let known = chains[index] { return known }
    chains[index] = 0
    let declaration = ruleset.functions[index].declaration
    var longest = 0
    for callee in calls(in: declaration.lets.map(\.value) + [declaration.result]) {
      longest = max(longest, chain(from: callee))
    }
    chains[index] = longest + 1
    return longest + 1
  }

  private func calls(in expressions: [Expression]) -> Set<Int> {
    var found = Set<Int>()
    for expression in expressions {
      expression.forEachNode { node in
        if case .function(let index) = ruleset.callee(of: node), chains.indices.contains(index) { found.insert(index) }
      }
    }
    return found
  }
}
