/// Terms in SMT-LIB 2. What is used more than once gets a name, so that the text stays as small as the store.
struct SMTWriter {
  private let store: TermStore
  private(set) var lines: [String] = []
  private var names: [Term: String] = [:]
  private var uses: [Term: Int] = [:]
  private var declared: Set<Int> = []

  init(_ store: TermStore) { self.store = store }

  /// What every question relies on: the values of the language.
  static let preamble: String = {
    let kinds = ValueKind.allCases.map { kind in
      "(" + kind.rawValue + kind.fields.map { " (\($0.name) \($0.sort.rawValue))" }.joined() + ")"
    }
    return "(declare-datatypes ((V 0)) ((\(kinds.joined(separator: " ")))))"
  }()

  /// Writes declarations and one assertion for each term.
  mutating func assert(_ terms: [Term]) {
    for term in terms { count(term) }
    for term in terms { lines.append("(assert \(text(term)))") }
  }

  /// The text of a term for `get-value`; what is new in it is declared in further lines.
  mutating func reference(_ term: Term) -> String {
    text(term)
  }

  // Not by recursion: terms may be deep.
  private mutating func count(_ root: Term) {
    var pending = [root]
    while let term = pending.popLast() {
      uses[term, default: 0] += 1
      if uses[term] == 1 { pending.append(contentsOf: store[term].operands) }
    }
  }

  private mutating func text(_ root: Term) -> String {
    // Operands first; those that are shared get their names on the way.
    var pending: [(term: Term, isOpen: Bool)] = [(root, false)]
    var texts: [Term: String] = [:]
    while let (term, isOpen) = pending.popLast() {
      if texts[term] != nil { continue }
      if let name = names[term] {
        texts[term] = name
        continue
      }
      let node = store[term]
      guard isOpen || node.operands.isEmpty else {
        pending.append((term, true))
        for operand in node.operands where texts[operand] == nil { pending.append((operand, false)) }
        continue
      }
      let written = write(node, node.operands.map { texts[$0] ?? "" })
      if uses[term, default: 0] > 1, !node.operands.isEmpty {
        let name = "t\(term.index)"
        lines.append("(define-fun \(name) () \(node.sort.rawValue) \(written))")
        names[term] = name
        texts[term] = name
      } else {
        texts[term] = written
      }
    }
    return texts[root] ?? ""
  }

  private mutating func write(_ node: TermStore.Node, _ operands: [String]) -> String {
    switch node.operation {
    case .bool(let b): return b ? "true" : "false"
    case .int(let i): return Self.numeral(i)
    case .real(let n, let d):
      let numerator = n < 0 ? "(- \(n.magnitude).0)" : "\(n).0"
      return d == 1 ? numerator : "(/ \(numerator) \(d).0)"
    case .unknown(let number), .apply(let number):
      let symbol = store.symbols[number]
      if declared.insert(number).inserted {
        let parameters = symbol.parameters.map(\.rawValue).joined(separator: " ")
        lines.append("(declare-fun \(symbol.name) (\(parameters)) \(symbol.sort.rawValue))")
      }
      return operands.isEmpty ? symbol.name : "(\(symbol.name) \(operands.joined(separator: " ")))"
    case .make(let kind): return operands.isEmpty ? kind.rawValue : call(kind.rawValue, operands)
    case .part(let kind, let i): return call(kind.fields[i].name, operands)
    case .has(let kind): return call("(_ is \(kind.rawValue))", operands)
    case .not: return call("not", operands)
    case .and: return call("and", operands)
    case .or: return call("or", operands)
    case .ite: return call("ite", operands)
    case .equal: return call("=", operands)
    case .less: return call("<", operands)
    case .lessOrEqual: return call("<=", operands)
    case .add: return call("+", operands)
    case .subtract: return call("-", operands)
    case .multiply: return call("*", operands)
    case .toReal: return call("to_real", operands)
    }
  }

  private func call(_ name: String, _ operands: [String]) -> String { "(\(name) \(operands.joined(separator: " ")))" }

  static func numeral(_ i: Int64) -> String { i < 0 ? "(- \(i.magnitude))" : "\(i)" }
}
