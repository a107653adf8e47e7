import RulesValues

/// What one branch of a query demands of its documents: all of these at once.
struct QueryBranch: Equatable {
  struct Part: Equatable {
    let comparator: ConstraintOperator
    let value: DataValue
  }

  struct Condition: Equatable {
    let field: QueryField
    /// What the filter comes to as constraints; none for one that the official evaluation makes nothing of.
    let parts: [Part]
  }

  var conditions: [Condition] = []

  /// The same demands, in whatever order.
  func isSame(as other: QueryBranch) -> Bool {
    conditions.count == other.conditions.count && conditions.allSatisfy(other.conditions.contains)
  }
}

/// A filter in disjunctive normal form: branches, of which a result satisfies one at least. Each must be allowed.
///
/// In the order in which the official emulator 1.19.9 takes them: as written, the first of several alternatives
/// changing slowest. Branches that demand the same are one.
struct QueryBranches {
  /// Firestore itself allows 30 alternatives.
  static let limit = 100
  /// Filters within filters.
  static let depthLimit = 100

  private(set) var branches: [QueryBranch] = []

  /// - Returns: `nil` when the filter has too many alternatives or is nested too deep to be judged.
  init?(_ filter: QueryFilter?) {
    guard let filter else {
      branches = [QueryBranch()]
      return
    }
    guard let expanded = Self.expand(filter, depth: 0) else { return nil }
    for branch in expanded where !branches.contains(where: branch.isSame) { branches.append(branch) }
  }

  private static func expand(_ filter: QueryFilter, depth: Int) -> [QueryBranch]? {
    guard depth < depthLimit else { return nil }
    switch filter {
    case .compare(let field, let op, let value): return field.names.count > depthLimit ? nil : compare(field, op, value)
    case .unary(let field, let test):
      guard field.names.count <= depthLimit else { return nil }
      return [QueryBranch(conditions: [condition(field, test)])]
    case .or(let filters):
      var all: [QueryBranch] = []
      for filter in filters {
        guard let some = expand(filter, depth: depth + 1), all.count + some.count <= limit else { return nil }
        all += some
      }
      return all
    case .and(let filters):
      var all = [QueryBranch()]
      for filter in filters {
        guard let some = expand(filter, depth: depth + 1), all.count * some.count <= limit else { return nil }
        all = all.flatMap { left in
          some.map { right in
            QueryBranch(conditions: left.conditions + right.conditions.filter { !left.conditions.contains($0) })
          }
        }
      }
      return all
    }
  }

  private static func compare(_ field: QueryField, _ op: QueryOperator, _ value: DataValue) -> [QueryBranch]? {
    func one(_ parts: [QueryBranch.Part]) -> QueryBranch {
      QueryBranch(conditions: [QueryBranch.Condition(field: field, parts: parts)])
    }
    func each(_ comparator: ConstraintOperator) -> [QueryBranch]? {
      guard case .array(let values) = value, values.count <= limit else { return nil }
      return values.map { one(parts(comparator, $0)) }
    }
    switch op {
    case .less: return [one(parts(.less, value))]
    case .lessOrEqual: return [one(parts(.lessOrEqual, value))]
    case .greater: return [one(parts(.greater, value))]
    case .greaterOrEqual: return [one(parts(.greaterOrEqual, value))]
    case .equal: return [one(parts(.equal, value))]
    case .notEqual: return [one(parts(.notEqual, value))]
    case .arrayContains: return [one(parts(.listContains, value))]
    case .isIn: return each(.equal)
    case .arrayContainsAny: return each(.listContains)
    case .isNotIn:
      guard case .array(let values) = value, values.count <= limit else { return nil }
      return [one(values.flatMap { parts(.notEqual, $0) })]
    }
  }

  /// What a comparison comes to. Nothing compares with null and NaN, which the official emulator says by demanding
  /// two values at once; but everything except null is not NaN. Only numbers, strings, bytes and times have an order.
  /// An array with null or NaN in it is taken for one with an empty array in it.
  private static func parts(_ comparator: ConstraintOperator, _ value: DataValue) -> [QueryBranch.Part] {
    func part(_ value: DataValue) -> [QueryBranch.Part] {
      [QueryBranch.Part(comparator: comparator, value: value)]
    }
    switch value {
    case .null: return comparator == .listContains ? part(.array([])) : unsatisfiable
    case .double(let d) where d.isNaN && comparator == .notEqual: return part(.null)
    case .double(let d) where d.isNaN: return comparator == .listContains ? part(.array([])) : unsatisfiable
    case .double(let d) where d == 0: return part(.double(0))
    case .bool, .geoPoint, .reference, .array, .map, .vector: return comparator.isOrdering ? [] : part(value)
    case .int, .double, .string, .bytes, .timestamp: return part(value)
    }
  }

  private static let unsatisfiable = [
    QueryBranch.Part(comparator: .equal, value: .bool(true)), QueryBranch.Part(comparator: .equal, value: .bool(false)),
  ]

  private static func condition(_ field: QueryField, _ test: QueryTest) -> QueryBranch.Condition {
    let part =
      switch test {
      case .isNull: QueryBranch.Part(comparator: .equal, value: .null)
      case .isNaN: QueryBranch.Part(comparator: .equal, value: .double(.nan))
      case .isNotNull: QueryBranch.Part(comparator: .notEqual, value: .null)
      case .isNotNaN: QueryBranch.Part(comparator: .notEqual, value: .double(.nan))
      }
    return QueryBranch.Condition(field: field, parts: [part])
  }
}
