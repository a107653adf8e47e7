import RulesValues

/// What a query demands of the documents it returns, as far as the rules look at it.
public indirect enum QueryFilter: Sendable, Equatable {
  case compare(QueryField, QueryOperator, DataValue)
  case unary(QueryField, QueryTest)
  /// None at all: everything passes.
  case and([QueryFilter])
  case or([QueryFilter])
}

/// The way to a field through nested maps; `__name__` alone is the document's name.
public struct QueryField: Sendable, Hashable, CustomStringConvertible {
  public let names: [Text]

  /// - Parameter names: one for each level of maps.
  public init(_ names: [Text]) { self.names = names }

  public static let documentName = QueryField(["__name__"])

  public var isDocumentName: Bool { self == .documentName }

  /// The names joined by dots: how `request.query.orderBy` and `request.fields` show a field.
  public var description: String { names.map(\.string).joined(separator: ".") }

  /// Does one of the two lie within the other?
  func overlaps(_ other: QueryField) -> Bool {
    names.count != other.names.count && zip(names, other.names).allSatisfy { $0 == $1 }
  }
}

/// How a field is compared with a value. Raw values are those of Firestore's protocol.
public enum QueryOperator: String, Sendable, CaseIterable {
  case less = "LESS_THAN"
  case lessOrEqual = "LESS_THAN_OR_EQUAL"
  case greater = "GREATER_THAN"
  case greaterOrEqual = "GREATER_THAN_OR_EQUAL"
  case equal = "EQUAL"
  case notEqual = "NOT_EQUAL"
  case arrayContains = "ARRAY_CONTAINS"
  case arrayContainsAny = "ARRAY_CONTAINS_ANY"
  case isIn = "IN"
  case isNotIn = "NOT_IN"

  /// As it is written in a client's code and in test files.
  public var symbol: String {
    switch self {
    case .less: "<"
    case .lessOrEqual: "<="
    case .greater: ">"
    case .greaterOrEqual: ">="
    case .equal: "=="
    case .notEqual: "!="
    case .arrayContains: "array-contains"
    case .arrayContainsAny: "array-contains-any"
    case .isIn: "in"
    case .isNotIn: "not-in"
    }
  }
}

/// What a field is tested for without a value. Raw values are those of Firestore's protocol.
public enum QueryTest: String, Sendable, CaseIterable {
  case isNull = "IS_NULL"
  case isNaN = "IS_NAN"
  case isNotNull = "IS_NOT_NULL"
  case isNotNaN = "IS_NOT_NAN"
}
