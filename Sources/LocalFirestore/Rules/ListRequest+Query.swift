import RulesEngine
import RulesValues

extension ListRequest {
  /// A query as the rules see it.
  init(_ query: StructuredQuery, auth: Auth?, time: Timestamp) {
    self.init(
      query.collection, in: query.parent, allDescendants: query.allDescendants,
      filter: query.filter.map { QueryFilter($0) },
      orders: query.orders.map { Order(QueryField($0.field.names), isDescending: $0.isDescending) },
      limit: query.limit.map { Int64($0) }, offset: Int64(query.offset),
      fields: query.projection?.map { QueryField($0.names) }, auth: auth, time: time)
  }
}

extension QueryFilter {
  // Depth is bounded: the laws of queries are asked before.
  fileprivate init(_ filter: Filter) {
    self =
      switch filter {
      case .and(let filters): .and(filters.map { QueryFilter($0) })
      case .or(let filters): .or(filters.map { QueryFilter($0) })
      case .unary(let field, let unary): .unary(QueryField(field.names), QueryTest(unary))
      case .compare(let field, let comparison, let value):
        .compare(QueryField(field.names), QueryOperator(comparison), value)
      }
  }
}

extension QueryTest {
  fileprivate init(_ unary: Filter.Unary) {
    self =
      switch unary {
      case .isNull: .isNull
      case .isNaN: .isNaN
      case .isNotNull: .isNotNull
      case .isNotNaN: .isNotNaN
      }
  }
}

extension QueryOperator {
  fileprivate init(_ comparison: Filter.Comparison) {
    self =
      switch comparison {
      case .lessThan: .less
      case .lessThanOrEqual: .lessOrEqual
      case .greaterThan: .greater
      case .greaterThanOrEqual: .greaterOrEqual
      case .equal: .equal
      case .notEqual: .notEqual
      case .arrayContains: .arrayContains
      case .arrayContainsAny: .arrayContainsAny
      case .in: .isIn
      case .notIn: .isNotIn
      }
  }
}
