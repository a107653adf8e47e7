import RulesValues

extension Filter {
  /// A filter as alternatives, each of which is a list of filters that must all hold. `IN` and `ARRAY_CONTAINS_ANY`
  /// become alternatives, too.
  /// - Throws: INVALID_ARGUMENT beyond Firestore's limit on alternatives.
  func alternatives() throws(FirestoreError) -> [[Filter]] {
    let count = Self.count(self)
    guard count <= Self.maximumAlternatives else {
      throw FirestoreError(
        .invalidArgument,
        "Too many disjunctions after normalization. Result had \(count) disjunctions which is more than the maximum "
          + "of \(Self.maximumAlternatives)")
    }
    return Self.expand(self)
  }

  private static let maximumAlternatives = 30

  /// How many alternatives there will be. Saturates, so that it can be asked of any filter.
  private static func count(_ filter: Filter) -> Int {
    switch filter {
    case .or(let filters): filters.reduce(0) { min($0 + count($1), 1 << 30) }
    case .and(let filters): filters.reduce(1) { min($0 * count($1), 1 << 30) }
    case .compare(_, .in, .array(let items)), .compare(_, .arrayContainsAny, .array(let items)): items.count
    case .compare, .unary: 1
    }
  }

  private static func expand(_ filter: Filter) -> [[Filter]] {
    switch filter {
    case .or(let filters): filters.flatMap(expand)
    case .and(let filters):
      filters.reduce([[]]) { known, filter in
        let added = expand(filter)
        return known.flatMap { left in added.map { left + $0 } }
      }
    case .compare(let field, .in, .array(let items)): items.map { [.compare(field, .equal, $0)] }
    case .compare(let field, .arrayContainsAny, .array(let items)):
      items.map { [.compare(field, .arrayContains, $0)] }
    case .compare, .unary: [[filter]]
    }
  }

  /// Of filters that must all hold, and are the same, the first.
  var withoutRepetitions: Filter {
    switch self {
    case .or(let filters): return .or(filters.map(\.withoutRepetitions))
    case .and(let filters):
      var distinct: [Filter] = []
      for filter in filters.map(\.withoutRepetitions) {
        for part in filter.conjuncts where !distinct.contains(part) { distinct.append(part) }
      }
      return .and(distinct)
    case .compare, .unary: return self
    }
  }

  private var conjuncts: [Filter] { if case .and(let filters) = self { filters } else { [self] } }

  /// The filters that are no `and` or `or`.
  var leaves: [Filter] {
    switch self {
    case .and(let filters), .or(let filters): filters.flatMap(\.leaves)
    case .compare, .unary: [self]
    }
  }

  var field: FieldPath? {
    switch self {
    case .compare(let field, _, _), .unary(let field, _): field
    case .and, .or: nil
    }
  }

  /// Orders the results by its field.
  var isInequality: Bool {
    switch self {
    case .compare(_, let comparison, let operand): comparison.isInequality && comparison.isSatisfiable(by: operand)
    case .unary(_, let unary): unary == .isNotNull || unary == .isNotNaN
    case .and, .or: false
    }
  }

  /// Lets through one value only.
  var isEquality: Bool {
    switch self {
    case .compare(_, let comparison, _): comparison == .equal
    case .unary(_, let unary): unary == .isNull || unary == .isNaN
    case .and, .or: false
    }
  }
}

extension StructuredQuery {
  /// The fields of inequalities, which order the results.
  var inequalities: Set<FieldPath> { Set(filter?.leaves.filter(\.isInequality).compactMap(\.field) ?? []) }
}

extension Filter.Comparison {
  /// Nothing is less than null or NaN, or more; a filter that nothing satisfies orders nothing.
  fileprivate func isSatisfiable(by operand: DataValue) -> Bool {
    switch self {
    case .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual: operand.isComparable
    case .notEqual: !operand.isNull
    case .notIn: if case .array(let items) = operand { !items.allSatisfy(\.isNull) } else { true }
    default: true
    }
  }

  var isInequality: Bool {
    switch self {
    case .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual, .notEqual, .notIn: true
    case .equal, .in, .arrayContains, .arrayContainsAny: false
    }
  }
}
