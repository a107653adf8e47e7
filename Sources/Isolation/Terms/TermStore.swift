/// Makes terms, each once, and folds what can be told without a solver.
final class TermStore {
  struct Node {
    let operation: Operation
    let operands: [Term]
    let sort: Sort
  }
  struct Symbol {
    let name: String
    let parameters: [Sort]
    let sort: Sort
  }
  private struct Key: Hashable {
    let operation: Operation
    let operands: [Term]
  }

  private(set) var nodes: [Node] = []
  private(set) var symbols: [Symbol] = []
  private var known: [Key: Term] = [:]
  private var symbolNumbers: [String: Int] = [:]

  let yes: Term
  let no: Term

  init() {
    yes = Term(index: 0)
    no = Term(index: 1)
    nodes = [
      Node(operation: .bool(true), operands: [], sort: .bool), Node(operation: .bool(false), operands: [], sort: .bool),
    ]
    known = [Key(operation: .bool(true), operands: []): yes, Key(operation: .bool(false), operands: []): no]
  }

  subscript(_ term: Term) -> Node { nodes[Int(term.index)] }

  private func make(_ operation: Operation, _ operands: [Term] = [], _ sort: Sort) -> Term {
    let key = Key(operation: operation, operands: operands)
    if let term = known[key] { return term }
    let term = Term(index: Int32(truncatingIfNeeded: nodes.count))
    nodes.append(Node(operation: operation, operands: operands, sort: sort))
    known[key] = term
    return term
  }

  // MARK: Constants and functions

  func bool(_ b: Bool) -> Term { b ? yes : no }
  func int(_ i: Int64) -> Term { make(.int(i), [], .int) }
  func real(_ numerator: Int64, over denominator: Int64 = 1) -> Term {
    make(.real(numerator, over: denominator), [], .real)
  }

  private func symbol(_ name: String, _ parameters: [Sort], _ sort: Sort) -> Int {
    if let number = symbolNumbers[name] { return number }
    symbols.append(Symbol(name: name, parameters: parameters, sort: sort))
    symbolNumbers[name] = symbols.count - 1
    return symbols.count - 1
  }

  /// The unknown of a name; the same name is the same unknown.
  func unknown(_ name: String, _ sort: Sort) -> Term { make(.unknown(symbol(name, [], sort)), [], sort) }

  /// A function value. The name must always be used with the same sorts.
  func apply(_ name: String, _ arguments: [Term], _ sort: Sort) -> Term {
    guard !arguments.isEmpty else { return unknown(name, sort) }
    return make(.apply(symbol(name, arguments.map { self[$0].sort }, sort)), arguments, sort)
  }

  // MARK: Logic

  func not(_ a: Term) -> Term {
    if a == yes { return no }
    if a == no { return yes }
    if case .not = self[a].operation { return self[a].operands[0] }
    return make(.not, [a], .bool)
  }

  func and(_ operands: Term...) -> Term { and(operands) }
  func or(_ operands: Term...) -> Term { or(operands) }
  func and(_ operands: [Term]) -> Term { row(.and, operands, neutral: yes, decisive: no) }
  func or(_ operands: [Term]) -> Term { row(.or, operands, neutral: no, decisive: yes) }
  func implies(_ a: Term, _ b: Term) -> Term { or(not(a), b) }

  private func row(_ operation: Operation, _ operands: [Term], neutral: Term, decisive: Term) -> Term {
    var seen: Set<Term> = []
    var kept: [Term] = []
    func add(_ term: Term) -> Bool {
      if term == decisive { return false }
      if term == neutral || !seen.insert(term).inserted { return true }
      if seen.contains(not(term)) { return false }
      kept.append(term)
      return true
    }
    for operand in operands {
      if self[operand].operation == operation {
        for inner in self[operand].operands where !add(inner) { return decisive }
      } else if !add(operand) {
        return decisive
      }
    }
    if kept.isEmpty { return neutral }
    return kept.count == 1 ? kept[0] : make(operation, kept, .bool)
  }

  func ite(_ condition: Term, _ a: Term, _ b: Term) -> Term {
    if condition == yes || a == b { return a }
    if condition == no { return b }
    if self[a].sort == .bool {
      return or(and(condition, a), and(not(condition), b))
    }
    return make(.ite, [condition, a, b], self[a].sort)
  }

  func equal(_ a: Term, _ b: Term) -> Term {
    if a == b { return yes }
    let (x, y) = (self[a], self[b])
    switch (x.operation, y.operation) {
    case (.int, .int), (.real, .real): return no
    case (.bool(let p), _): return p ? b : not(b)
    case (_, .bool(let p)): return p ? a : not(a)
    case (.make(let p), .make(let q)):
      if p != q { return no }
      return and(zip(x.operands, y.operands).map { equal($0, $1) })
    case (.ite, .make), (.ite, .int):
      if isPlain(x.operands[1]) || isPlain(x.operands[2]) {
        return ite(x.operands[0], equal(x.operands[1], b), equal(x.operands[2], b))
      }
    case (.make, .ite), (.int, .ite): return equal(b, a)
    default: break
    }
    return make(.equal, a.index < b.index ? [a, b] : [b, a], .bool)
  }

  private func isPlain(_ term: Term) -> Bool {
    switch self[term].operation {
    case .make, .int: true
    case .ite: isPlain(self[term].operands[1]) || isPlain(self[term].operands[2])
    default: false
    }
  }

  // MARK: Numbers

  func less(_ a: Term, _ b: Term) -> Term {
    if a == b { return no }
    switch (self[a].operation, self[b].operation) {
    case (.int(let x), .int(let y)): return bool(x < y)
    case (.real(let x, 1), .real(let y, 1)): return bool(x < y)
    default: return make(.less, [a, b], .bool)
    }
  }

  func lessOrEqual(_ a: Term, _ b: Term) -> Term {
    if a == b { return yes }
    switch (self[a].operation, self[b].operation) {
    case (.int(let x), .int(let y)): return bool(x <= y)
    case (.real(let x, 1), .real(let y, 1)): return bool(x <= y)
    default: return make(.lessOrEqual, [a, b], .bool)
    }
  }

  /// Sums and the like of unbounded integers; what does not fit 64 bits is left to the solver.
  func add(_ a: Term, _ b: Term) -> Term {
    if case .int(let x) = self[a].operation, case .int(let y) = self[b].operation {
      let (sum, overflow) = x.addingReportingOverflow(y)
      if !overflow { return int(sum) }
    }
    return make(.add, [a, b], .int)
  }

  func subtract(_ a: Term, _ b: Term) -> Term {
    if case .int(let x) = self[a].operation, case .int(let y) = self[b].operation {
      let (difference, overflow) = x.subtractingReportingOverflow(y)
      if !overflow { return int(difference) }
    }
    return make(.subtract, [a, b], .int)
  }

  func multiply(_ a: Term, _ b: Term) -> Term { make(.multiply, [a, b], .int) }

  func toReal(_ a: Term) -> Term {
    if case .int(let x) = self[a].operation { return real(x) }
    return make(.toReal, [a], .real)
  }

  // MARK: Values

  func value(_ kind: ValueKind, _ parts: Term...) -> Term { make(.make(kind), parts, .value) }

  func has(_ kind: ValueKind, _ v: Term) -> Term {
    switch self[v].operation {
    case .make(let made): return bool(made == kind)
    case .ite:
      let operands = self[v].operands
      return ite(operands[0], has(kind, operands[1]), has(kind, operands[2]))
    default: return make(.has(kind), [v], .bool)
    }
  }

  /// A part of a value that is of the kind; of another kind it is anything.
  func part(_ kind: ValueKind, _ v: Term, _ i: Int = 0) -> Term {
    let node = self[v]
    switch node.operation {
    case .make(kind): return node.operands[i]
    case .ite where isPlain(v):
      let (a, b) = (node.operands[1], node.operands[2])
      // The part of another kind is anything, and hence the same as the other branch's.
      if case .make(let made) = self[a].operation, made != kind { return part(kind, b, i) }
      if case .make(let made) = self[b].operation, made != kind { return part(kind, a, i) }
      return ite(node.operands[0], part(kind, a, i), part(kind, b, i))
    default: return make(.part(kind, i), [v], kind.fields[i].sort)
    }
  }
}
