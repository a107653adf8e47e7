import LocalFirestore
import RulesEngine
import RulesValues

/// Queries that return a document, of the forms that rules may let through.
enum Queries {
  static func candidates(_ witness: Witness, fields: [[Text]], limit: Int64?) -> [ListRequest] {
    guard let document = witness.documents[witness.path] else { return [] }
    let collection = witness.path.segments[witness.path.segments.count - 2]
    let parent = ResourcePath(database: witness.path.database, segments: Array(witness.path.segments.dropLast(2)))
    let root = ResourcePath(database: witness.path.database, segments: [])
    let filters = fields.compactMap { filter($0, document) }
    let byName = QueryFilter.compare(.documentName, .equal, .reference(witness.path))
    var choices: [QueryFilter?] = [nil]
    choices += filters.map { $0 }
    if filters.count > 1 { choices.append(.and(filters)) }
    var lists: [ListRequest] = []
    for isGroup in [false, true] {
      for filter in choices + (isGroup ? [] : [byName]) {
        for limit in limit == nil ? [nil] : [nil, limit] {
          lists.append(
            ListRequest(
              collection, in: isGroup ? root : parent, allDescendants: isGroup, filter: filter, limit: limit,
              auth: witness.auth, time: witness.time))
        }
      }
    }
    return lists
  }

  /// A filter on a field that the document satisfies.
  private static func filter(_ way: [Text], _ document: Fields) -> QueryFilter? {
    var value: DataValue? = .map(document)
    for name in way {
      guard case .map(let fields)? = value else { return nil }
      value = fields[name]
    }
    let field = QueryField(way)
    switch value {
    case nil: return nil
    case .null: return .unary(field, .isNull)
    case .double(let d) where d.isNaN: return .unary(field, .isNaN)
    case .array(let items):
      guard let first = items.first else { return .compare(field, .equal, .array([])) }
      return .compare(field, .arrayContains, first)
    case .some(let value): return .compare(field, .equal, value)
    }
  }
}

extension StructuredQuery {
  /// The query as a client sends it.
  init(_ list: ListRequest) {
    self.init(collection: list.collectionID ?? "", in: list.parent, allDescendants: list.allDescendants)
    filter = list.filter.flatMap { Filter($0) }
    limit = list.limit.map { Int(clamping: $0) }
  }
}

extension Filter {
  fileprivate init?(_ filter: QueryFilter) {
    switch filter {
    case .and(let parts): self = .and(parts.compactMap { Self($0) })
    case .or(let parts): self = .or(parts.compactMap { Self($0) })
    case .compare(let field, let op, let value):
      guard let comparison = Comparison(rawValue: op.rawValue) else { return nil }
      self = .compare(FieldPath(names: field.names), comparison, value)
    case .unary(let field, let test):
      guard let test = Unary(rawValue: test.rawValue) else { return nil }
      self = .unary(FieldPath(names: field.names), test)
    }
  }
}
