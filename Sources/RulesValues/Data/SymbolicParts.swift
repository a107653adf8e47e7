/// What became of a key between two maps: the values of a map diff's entries, as ints in the arena.
public enum DiffStatus: Int64, Sendable, CaseIterable {
  case added, removed, changed, unchanged

  /// The word of the official coverage report.
  public var officialName: String {
    switch self {
    case .added: "ADDED"
    case .removed: "REMOVED"
    case .changed: "CHANGED"
    case .unchanged: "UNCHANGED"
    }
  }
}

/// How a query constrains a field: the keys of a constraint's entries, as ints in the arena.
public enum ConstraintOperator: Int64, Sendable, CaseIterable {
  case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual, listContains

  /// The word of the official coverage report.
  public var officialName: String {
    switch self {
    case .equal: "EQ"
    case .notEqual: "NEQ"
    case .less: "LT"
    case .lessOrEqual: "LTE"
    case .greater: "GT"
    case .greaterOrEqual: "GTE"
    case .listContains: "LIST_CONTAINS"
    }
  }

  /// As a person would write it in a query.
  public var symbol: String {
    switch self {
    case .equal: "=="
    case .notEqual: "!="
    case .less: "<"
    case .lessOrEqual: "<="
    case .greater: ">"
    case .greaterOrEqual: ">="
    case .listContains: "array-contains"
    }
  }
}
