import LocalFirestore
import RulesSyntax
import RulesValues

/// A comparison of a query, with its sides told apart.
struct FilterTerm {
  let field: FieldPath
  let `operator`: Filter.Comparison
  /// A value of the test language.
  let value: Expression

  /// - Parameter users: the names that are no fields.
  /// - Throws: a mistake when neither side, or the wrong one, is the name of a field.
  init(_ comparison: FilterComparison, users: [String]) throws(TestMistake) {
    let (left, right) = (comparison.left, comparison.right)
    if comparison.operator == .in, right.isBareField(besides: users) {
      field = try right.fieldPath()
      self.operator = .arrayContains
      value = left
      return
    }
    guard left.isBareField(besides: users) || left.stringValue != nil else {
      let isReversed = comparison.operator != .hasAny && right.isBareField(besides: users)
      throw TestMistake(
        "no-field", left.range, "Expected the name of a field\(isReversed ? " on the left side" : "").",
        notes: ["A filter is written as items < 10, or 'x' in tags."])
    }
    field = try left.fieldPath()
    value = right
    self.operator =
      switch comparison.operator {
      case .equal: .equal
      case .notEqual: .notEqual
      case .less: .lessThan
      case .lessOrEqual: .lessThanOrEqual
      case .greater: .greaterThan
      case .greaterOrEqual: .greaterThanOrEqual
      case .in: .in
      case .notIn: .notIn
      case .hasAny: .arrayContainsAny
      }
  }
}

extension Expression {
  /// Whether this is a name, with dots or without, that is not the name of a user or of the request.
  func isBareField(besides users: [String]) -> Bool {
    guard parentheses == 0 else { return false }
    switch kind {
    case .identifier(let name): return !users.contains(name) && name != "nobody" && name != "request"
    case .member(let receiver, _): return receiver.isBareField(besides: users)
    default: return false
    }
  }

  /// The field that a bare or quoted name means.
  /// - Throws: a mistake when this is no such name.
  func fieldPath() throws(TestMistake) -> FieldPath {
    if let text = stringValue {
      do {
        return try FieldPath(parsing: text)
      } catch {
        throw TestMistake("wrong-field-path", range, error.message, notes: error.note.map { [$0] } ?? [])
      }
    }
    guard let names = bareNames else {
      throw TestMistake("no-field", range, "Expected the name of a field.", notes: ["A name stands bare or in quotes: items"])
    }
    return FieldPath(names: names)
  }

  private var bareNames: [Text]? {
    guard parentheses == 0 else { return nil }
    switch kind {
    case .identifier(let name): return [Text(name)]
    case .member(let receiver, let property): return receiver.bareNames.map { $0 + [Text(property.text)] }
    default: return nil
    }
  }
}
