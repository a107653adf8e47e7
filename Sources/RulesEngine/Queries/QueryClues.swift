import RulesSyntax
import RulesValues

/// What the evaluation of a condition that did not hold tells of the filters that its query lacks.
struct QueryClues {
  /// A filter to try, or a limit.
  struct Change: Equatable {
    var filter = QueryFilter.and([])
    var limit: Int64?
  }

  private let ruleset: Ruleset
  private(set) var changes: [Change] = []
  private(set) var missing: [String] = []

  init(_ ruleset: Ruleset) { self.ruleset = ruleset }

  mutating func noteNoStatement(_ list: ListRequest) {
    let id = list.collectionID?.string ?? "{collection}"
    if list.allDescendants {
      missing.append("No `allow list` or `allow read` covers every collection `\(id)`: that takes a match like /{path=**}/\(id)/{document}.")
    } else {
      missing.append("No `allow list` or `allow read` covers \(list.parent.relative)/\(id).")
    }
  }

  mutating func collect(_ block: Program.Block, _ allow: Program.Allow, _ value: Value, _ machine: Machine) {
    var open: Set<Int> = []
    for case .capture(let slot) in block.pattern where machine.arena.global(slot).isFailure { open.insert(slot) }
    let references = FieldReferences(ruleset: ruleset.checked, machine: machine, openSlots: open)
    var cause: String?
    references.forEachNode { node, scope, isNegated in
      for change in suggestions(node, scope, isNegated, references) where !changes.contains(change) {
        changes.append(change)
      }
      if cause == nil, value.isFailure, node.value.isFailure, node.expression.id == value.failureNode {
        cause = sentence(node, scope, references)
      }
    }
    if value.isFalse, !allow.isPlainFalse { cause = "The condition of line \(allow.line) is false for this query and user." }
    if allow.isPlainFalse { cause = "Line \(allow.line) allows nobody." }
    if let cause, !missing.contains(cause) { missing.append(cause) }
  }

  private func sentence(
    _ node: Trace.Node, _ scope: FieldReferences.Scope, _ references: FieldReferences
  ) -> String {
    let line = node.expression.range.start.line
    let written = ruleset.file.written(node.expression)
    switch references.reference(node.expression, scope) {
    case .documentID:
      return "Line \(line) asks for the document's id `\(written)`, which a query does not know."
    case let reference?:
      if let field = reference.field { return "Line \(line) asks for `\(field)`, which the query does not filter on." }
      if case .resource(let names) = reference, let name = names.first {
        return "Line \(line) asks for `resource.\(name)`, which a query does not know."
      }
    case nil: break
    }
    if let message = references.machine.arena.message(node.value) { return "Line \(line), `\(written)`: \(message)" }
    return "Line \(line): `\(written)` does not follow from what the query filters on."
  }

  // MARK: Filters to try

  private func suggestions(
    _ node: Trace.Node, _ scope: FieldReferences.Scope, _ isNegated: Bool, _ references: FieldReferences
  ) -> [Change] {
    let machine = references.machine
    func field(_ e: Expression) -> QueryField? { references.reference(e, scope)?.field }
    func value(_ child: Int) -> DataValue? {
      guard node.children.indices.contains(child) else { return nil }
      let value = machine.trace.nodes[node.children[child]].value
      return value.isFailure ? nil : machine.arena.data(value)
    }
    switch node.expression.kind {
    case .binary(.in, let element, let container):
      if let field = field(container), let element = value(0) {
        return isNegated ? [] : [Change(filter: .compare(field, .arrayContains, element))]
      }
      if let field = field(element), case .array(let items)? = value(1), !items.isEmpty {
        return [Change(filter: .compare(field, isNegated ? .isNotIn : .isIn, .array(items)))]
      }
      // Whoever asks whether a field is there wants it to be there.
      if case .string(let name) = element.kind, case .resource(let names)? = references.reference(container, scope),
        names.first == "data"
      {
        let field = QueryField(Array(names.dropFirst()) + [Text(String(decoding: name, as: UTF8.self))])
        return [Change(filter: .unary(field, .isNotNull))]
      }
      return []
    case .binary(let op, let left, let right):
      guard var comparator = QueryOperator(op) else {
        return op == .and || op == .or ? [left, right].compactMap(field).map { isTrue($0, isNegated) } : []
      }
      if isNegated { comparator = comparator.opposite }
      if let field = field(left), let value = value(1) { return [filter(field, comparator, value)].compactMap(\.self) }
      if let field = field(right), let value = value(0) {
        return [filter(field, comparator.mirrored, value)].compactMap(\.self)
      }
      if case .request(["query", "limit"])? = references.reference(left, scope), case .int(let most)? = value(1) {
        return limit(comparator, most)
      }
      if case .request(["query", "limit"])? = references.reference(right, scope), case .int(let most)? = value(0) {
        return limit(comparator.mirrored, most)
      }
      return []
    case .methodCall(let receiver, let name, let arguments) where name.text == "hasAny" && arguments.count == 1:
      guard !isNegated, let field = field(receiver), case .array(let items)? = value(1), !items.isEmpty else { return [] }
      return [Change(filter: .compare(field, .arrayContainsAny, .array(items)))]
    case .unary(.not, let operand): return field(operand).map { [isTrue($0, !isNegated)] } ?? []
    case .ternary(let condition, _, _): return field(condition).map { [isTrue($0, false), isTrue($0, true)] } ?? []
    default: return []
    }
  }

  private func isTrue(_ field: QueryField, _ isNegated: Bool) -> Change {
    Change(filter: .compare(field, .equal, .bool(!isNegated)))
  }

  private func filter(_ field: QueryField, _ op: QueryOperator, _ value: DataValue) -> Change? {
    switch (value, op) {
    case (.null, .equal): Change(filter: .unary(field, .isNull))
    case (.null, .notEqual): Change(filter: .unary(field, .isNotNull))
    case (.null, _): nil
    default: Change(filter: .compare(field, op, value))
    }
  }

  private func limit(_ op: QueryOperator, _ most: Int64) -> [Change] {
    switch op {
    case .lessOrEqual, .equal: most >= 0 ? [Change(limit: most)] : []
    case .less: most > 0 ? [Change(limit: most - 1)] : []
    default: []
    }
  }
}

extension QueryOperator {
  init?(_ op: BinaryOperator) {
    switch op {
    case .equal: self = .equal
    case .notEqual: self = .notEqual
    case .less: self = .less
    case .lessOrEqual: self = .lessOrEqual
    case .greater: self = .greater
    case .greaterOrEqual: self = .greaterOrEqual
    default: return nil
    }
  }

  /// `a < b` is `b > a`.
  var mirrored: QueryOperator {
    switch self {
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    default: self
    }
  }

  /// What holds where this does not.
  var opposite: QueryOperator {
    switch self {
    case .equal: .notEqual
    case .notEqual: .equal
    case .less: .greaterOrEqual
    case .lessOrEqual: .greater
    case .greater: .lessOrEqual
    case .greaterOrEqual: .less
    default: self
    }
  }
}
