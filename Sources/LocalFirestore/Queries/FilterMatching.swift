import RulesValues

extension Filter {
  /// Is this document a result? As observed on the official emulator 1.19.9: a field that is missing satisfies
  /// nothing, null and NaN satisfy no comparison but `NOT_EQUAL`, and comparisons by size stay within a type.
  func matches(_ document: StoredDocument) -> Bool {
    switch self {
    case .and(let filters): filters.allSatisfy { $0.matches(document) }
    case .or(let filters): filters.contains { $0.matches(document) }
    case .unary(let field, let unary): document.value(at: field).map(unary.matches) ?? false
    case .compare(let field, let comparison, let operand):
      document.value(at: field).map { comparison.matches($0, operand) } ?? false
    }
  }
}

extension Filter {
  /// As documents are compared with it.
  var kept: Filter {
    switch self {
    case .and(let filters): .and(filters.map(\.kept))
    case .or(let filters): .or(filters.map(\.kept))
    case .unary: self
    case .compare(let field, let comparison, let operand): .compare(field, comparison, operand.keptWithin)
    }
  }
}

extension Filter.Unary {
  fileprivate func matches(_ value: DataValue) -> Bool {
    switch self {
    case .isNull: value.isNull
    case .isNotNull: !value.isNull
    case .isNaN: value.isNaN
    case .isNotNaN: !value.isNull && !value.isNaN
    }
  }
}

extension Filter.Comparison {
  fileprivate func matches(_ value: DataValue, _ operand: DataValue) -> Bool {
    switch self {
    case .equal: return operand.isComparable && value.hasSameKey(as: operand)
    case .notEqual: return !operand.isNull && !value.isNull && (operand.isNaN || !value.hasSameKey(as: operand))
    case .in:
      guard case .array(let items) = operand else { return false }
      return items.contains { $0.isComparable && value.hasSameKey(as: $0) }
    case .notIn:
      guard case .array(let items) = operand, !value.isNull, !items.contains(where: \.isNull) else { return false }
      return !items.contains { $0.isComparable && value.hasSameKey(as: $0) }
    case .arrayContains:
      guard case .array(let elements) = value, operand.isComparable else { return false }
      return elements.contains { $0.hasSameKey(as: operand) }
    case .arrayContainsAny:
      guard case .array(let elements) = value, case .array(let items) = operand else { return false }
      return items.contains { item in item.isComparable && elements.contains { $0.hasSameKey(as: item) } }
    case .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual:
      guard operand.isComparable else { return false }
      let a = KeyBytes(value).bytes
      let b = KeyBytes(operand).bytes
      guard a.first == b.first else { return false }
      let order = [UInt8].compare(a, b)
      return switch self {
      case .lessThan: order < 0
      case .lessThanOrEqual: order <= 0
      case .greaterThan: order > 0
      default: order >= 0
      }
    }
  }
}

extension DataValue {
  /// As queries compare with it: what lies within lists and maps as it would be stored, times to the microsecond, but
  /// a time by itself as it is (observed on the official emulator 1.19.9).
  var keptWithin: DataValue {
    switch self {
    case .array, .map: kept
    default: self
    }
  }

  var isNull: Bool { if case .null = self { true } else { false } }
  var isNaN: Bool { if case .double(let d) = self { d.isNaN } else { false } }
  var isComparable: Bool { !isNull && !isNaN }

  /// Equality as queries know it: 1 and 1.0 are one value.
  func hasSameKey(as other: DataValue) -> Bool {
    switch (self, other) {
    case (.string(let a), .string(let b)): Text(a) == Text(b)
    case (.int(let a), .int(let b)): a == b
    case (.bool(let a), .bool(let b)): a == b
    case (.null, .null): true
    case (.string, .int), (.int, .string), (.bool, .string), (.null, _), (_, .null): false
    default: KeyBytes(self).bytes == KeyBytes(other).bytes
    }
  }
}

extension StoredDocument {
  /// The value of a field; `__name__` is the path of the document.
  func value(at field: FieldPath) -> DataValue? {
    field.isDocumentName ? .reference(path) : fields[at: field]
  }
}
