import JSON
import RulesSemantics
import RulesSyntax

/// The `expressionReports` of the Rules Test API: each function body and each condition as a tree of its expressions,
/// with the values that they took. Literals have no node.
///
/// Shape, order and ranges as recorded from production: functions in the order of their declaration, then conditions;
/// `let a = x; let b = y; return z;` is a node from the first `let` on, with x and, from the second `let` on, a node
/// with y and z.
public struct ExpressionReports {
  private indirect enum Node {
    case expression(Expression)
    /// A `let` and what follows it, of which the value is that of the result.
    case binding(SourceRange, value: Expression, rest: Node, result: Expression)
  }

  private let roots: [Node]

  public init(_ ruleset: CheckedRuleset) {
    var roots = ruleset.functions.map { Self.body(of: $0.declaration) }
    var conditions: [Expression] = []
    // Depth is bounded by the official limit on nested matches.
    func walk(_ match: CheckedMatch) {
      conditions += match.allows.compactMap(\.condition)
      match.children.forEach(walk)
    }
    for service in ruleset.services { service.matches.forEach(walk) }
    conditions.sort { $0.range.start < $1.range.start }
    roots += conditions.map { .expression($0) }
    self.roots = roots
  }

  private static func body(of function: FunctionDeclaration) -> Node {
    var node = Node.expression(function.result)
    for binding in function.lets.reversed() {
      node = .binding(
        SourceRange(binding.range.start, function.result.range.end), value: binding.value, rest: node,
        result: function.result)
    }
    return node
  }

  /// - Parameters:
  ///   - verdict: of one case.
  ///   - visitedOnly: leaves out what took no value.
  public func json(_ verdict: TestAPIVerdict, visitedOnly: Bool = false) -> [JSONValue] {
    let values = verdict.values
    return roots.compactMap { root in json(root, visitedOnly) { values[$0]?.counts.map { ($0.value, $0.count) } } }
  }

  /// The same tree with the values of many requests, as the emulator's `:ruleCoverage` has it.
  public func json(_ coverage: Coverage) -> [JSONValue] {
    roots.compactMap { root in json(root, false) { coverage.values[$0]?.map { ($0.json, $0.count) } } }
  }

  // Depth is bounded by the parser.
  private func json(
    _ node: Node, _ visitedOnly: Bool, _ values: (Int) -> [(value: JSONValue, count: Int)]?
  ) -> JSONValue? {
    let range: SourceRange
    let children: [Node]
    let own: [(value: JSONValue, count: Int)]?
    switch node {
    case .binding(let whole, let value, let rest, let result):
      range = whole
      children = [.expression(value), rest]
      own = values(result.id)
    case .expression(let e):
      guard !e.isReportedAsLiteral else { return nil }
      range = e.range
      children = e.reportedOperands.map { .expression($0) }
      own = values(e.id)
    }
    if visitedOnly, own == nil { return nil }
    var object: JSONObject = ["sourcePosition": range.officialJSON(file: nil)]
    if let own {
      object["values"] = .array(own.map { ["value": $0.value, "count": .int(Int64($0.count))] })
    }
    let below = children.compactMap { json($0, visitedOnly, values) }
    if !below.isEmpty { object["children"] = .array(below) }
    return .object(object)
  }
}

extension SourceRange {
  /// As the Rules API writes places: offsets from 0, the end inclusive.
  public func officialJSON(file: String?) -> JSONValue {
    var object = JSONObject()
    if let file { object["fileName"] = .string(file) }
    object["line"] = .int(Int64(start.line))
    object["column"] = .int(Int64(start.column))
    object["currentOffset"] = .int(Int64(start.offset))
    object["endOffset"] = .int(Int64(end.offset) - 1)
    return .object(object)
  }
}

extension Diagnostic {
  /// As the Rules API and the emulator write what the compiler says. A finding about the whole file has the file's name
  /// for its place.
  /// - Parameter isWhole: whether such a finding has a place at all: the emulator gives it one, the API does not.
  public func officialJSON(file: String, isWhole: Bool = false) -> JSONValue {
    var object = JSONObject()
    if let range {
      object["sourcePosition"] = range.officialJSON(file: file)
    } else if isWhole {
      object["sourcePosition"] = ["fileName": .string(file)]
    }
    object["description"] = .string(message)
    object["severity"] = .string(severity == .error ? "ERROR" : "WARNING")
    return .object(object)
  }
}

extension Expression {
  fileprivate var isReportedAsLiteral: Bool {
    switch kind {
    case .null, .bool, .int, .float, .string, .bytes: true
    default: false
    }
  }

  /// The operands that have a place in reports: the name of a package is none.
  fileprivate var reportedOperands: [Expression] {
    if case .methodCall(let receiver, _, let arguments) = kind, case .identifier(let name) = receiver.kind,
      Packages.names.contains(name)
    {
      return arguments
    }
    return operands
  }
}
