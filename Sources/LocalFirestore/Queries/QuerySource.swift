import RulesValues

/// Where the candidates of a query are read from. Whatever it yields is looked at again: a source may give too many
/// documents, never too few.
enum QuerySource: Sendable {
  /// Single documents.
  case named([ResourcePath])
  /// A part of the table of documents: a collection, or all that lies below a document.
  case documents(KeyRange)
  /// A part of the index; `prefix` bytes are the same in all its keys, `parent` is the key of the collection.
  case index(KeyRange, prefix: Int, parent: [UInt8])
  /// A collection group; `prefix` bytes lead to the path of the collection.
  case group(KeyRange, prefix: Int, database: [UInt8])

  /// How far a source yields documents in the order of the results.
  enum Sorting {
    case none
    /// By the first field that orders them: documents of one value are together, in any order.
    case firstField(isDescending: Bool)
    case whole
  }

  typealias Choice = (source: QuerySource, sorting: Sorting)

  /// The source of one alternative of a query's filter that promises the fewest candidates: documents by name; else of
  /// the entries of equal values, of elements and of ranges of a field those that are fewest; else the collection.
  /// - Parameter mayStop: there are no other alternatives, so that a source in order is read no further than the limit.
  static func choose(
    _ filters: [Filter], _ query: StructuredQuery, _ order: QueryOrder, mayStop: Bool, on snapshot: any StorageSnapshot
  ) throws(FirestoreError) -> Choice {
    if let paths = names(filters) { return (.named(paths), .none) }
    let fixed = Set(filters.filter(\.isEquality).compactMap(\.field))
    // What is the same for all results does not order them.
    let orders = order.orders.filter { !fixed.contains($0.field) }
    let isByName = orders.first?.field.isDocumentName ?? true
    guard let collection = query.collection, !query.allDescendants else {
      let isGroup = query.collection != nil
      return (wide(query), isByName && isGroup && orders.first?.isDescending != true ? .whole : .none)
    }
    let path = ResourcePath(database: query.parent.database, segments: query.parent.segments + [collection])
    var choices: [Choice] = filters.compactMap { filter in
      lookup(filter, path).map { ($0, isByName && filter.isEquality ? .whole : .none) }
    }
    if let first = orders.first, !first.field.isDocumentName {
      // Entries of one value lie by name, in the direction of the values.
      let second = orders.dropFirst().first
      let isOnlyField = second.map { $0.field.isDocumentName && $0.isDescending == first.isDescending } ?? true
      choices.append(
        (range(of: first, filters, query, path), isOnlyField ? .whole : .firstField(isDescending: first.isDescending)))
    }
    for field in Set(filters.filter(\.isInequality).compactMap(\.field))
    where !field.isDocumentName && field != orders.first?.field {
      choices.append((range(of: StructuredQuery.Order(field), filters, query, path), .none))
    }
    let enough = mayStop ? query.limit.map { ($0 + query.offset) * readsPerResult } : nil
    return try fewest(choices, enough: enough, on: snapshot)
      ?? (.documents(KeyRange(prefix: DocumentKey.collection(path))), isByName ? .whole : .none)
  }

  /// What a result costs at most, as a guess, when a source in order is read to the limit.
  private static let readsPerResult = 8

  /// Of several sources the one with the fewest entries. They are counted in rounds, so that counting costs little more
  /// than the fewest.
  private static func fewest(
    _ choices: [Choice], enough: Int?, on snapshot: any StorageSnapshot
  ) throws(FirestoreError) -> Choice? {
    guard choices.count > 1 else { return choices.first }
    var round = 32
    while round < 1 << 40 {
      var best: Choice?
      var fewest = round
      for choice in choices {
        let limit = choice.sorting.mayStop ? min(enough ?? fewest, fewest) : fewest
        let count = try choice.source.count(upTo: limit, on: snapshot)
        if count < fewest { (best, fewest) = (choice, count) }
      }
      if let best { return best }
      round *= 4
    }
    return choices.first
  }

  /// The documents that a filter names.
  private static func names(_ filters: [Filter]) -> [ResourcePath]? {
    for case .compare(let field, .equal, .reference(let path)) in filters where field.isDocumentName { return [path] }
    return nil
  }

  /// Of groups, and of collections of any name.
  private static func wide(_ query: StructuredQuery) -> QuerySource {
    guard let collection = query.collection else {
      return .documents(KeyRange(prefix: DocumentKey.descendants(query.parent).bytes))
    }
    let group = IndexEntries.groupPrefix(database: query.parent.database, collection: collection)
    var start = group
    for id in query.parent.segments { start.append(id: id) }
    return .group(
      KeyRange(prefix: start.bytes), prefix: group.bytes.count,
      database: DocumentKey.database(query.parent.database).bytes)
  }

  /// The entries that satisfy an equality or hold an element.
  private static func lookup(_ filter: Filter, _ collection: ResourcePath) -> QuerySource? {
    let kind: UInt8
    let field: FieldPath
    let value: [UInt8]
    switch filter {
    case .compare(let path, .equal, let operand):
      (kind, field, value) = (IndexEntries.fields, path, IndexEntries.cut(operand))
    case .compare(let path, .arrayContains, let operand):
      (kind, field, value) = (IndexEntries.elements, path, IndexEntries.cut(operand))
    case .unary(let path, .isNull): (kind, field, value) = (IndexEntries.fields, path, IndexEntries.cut(.null))
    case .unary(let path, .isNaN): (kind, field, value) = (IndexEntries.fields, path, IndexEntries.cut(.double(.nan)))
    default: return nil
    }
    guard !field.isDocumentName else { return nil }
    let prefix = IndexEntries.prefix(kind, collection: collection, field: field) + value
    return .index(KeyRange(prefix: prefix), prefix: prefix.count, parent: DocumentKey.collection(collection))
  }

  /// The entries of a field between its filters and, if it orders the results first, the cursors.
  private static func range(
    of order: StructuredQuery.Order, _ filters: [Filter], _ query: StructuredQuery, _ collection: ResourcePath
  ) -> QuerySource {
    let prefix = IndexEntries.prefix(IndexEntries.fields, collection: collection, field: order.field)
    var range = KeyRange(prefix: prefix)
    for filter in filters where filter.field == order.field { narrow(&range, filter, prefix) }
    if query.orders.first?.field == order.field {
      let bounds = [(query.start, order.isDescending), (query.end, !order.isDescending)]
      for case (let cursor?, let isUpper) in bounds {
        guard let value = cursor.values.first else { continue }
        bound(&range, prefix + IndexEntries.cut(value), isUpper: isUpper)
      }
    }
    return .index(range, prefix: prefix.count, parent: DocumentKey.collection(collection))
  }

  private static func narrow(_ range: inout KeyRange, _ filter: Filter, _ prefix: [UInt8]) {
    switch filter {
    case .compare(_, let comparison, let operand):
      let value = IndexEntries.cut(operand)
      guard let mark = value.first else { return }
      switch comparison {
      case .greaterThan, .greaterThanOrEqual:
        bound(&range, prefix + value, isUpper: false)
        bound(&range, prefix + [mark], isUpper: true)
      case .lessThan, .lessThanOrEqual:
        bound(&range, prefix + [mark], isUpper: false)
        bound(&range, prefix + value, isUpper: true)
      case .notEqual, .notIn: bound(&range, prefix + [KeyBytes.Mark.null.rawValue + 1], isUpper: false)
      default: break
      }
    case .unary(_, .isNotNull), .unary(_, .isNotNaN):
      bound(&range, prefix + [KeyBytes.Mark.null.rawValue + 1], isUpper: false)
    case .unary, .and, .or: break
    }
  }

  /// Lets nothing in that lies before these bytes, or behind what begins with them.
  private static func bound(_ range: inout KeyRange, _ key: [UInt8], isUpper: Bool) {
    if isUpper {
      guard let end = key.afterPrefix, range.isBelowEnd(end) else { return }
      range.upper = end
    } else if [UInt8].compare(range.lower, key) < 0 {
      range.lower = key
    }
  }

  private func count(upTo limit: Int, on snapshot: any StorageSnapshot) throws(FirestoreError) -> Int {
    guard case .index(let range, _, _) = self else { return limit }
    var count = 0
    try snapshot.entries(range, descending: false) { _ throws(FirestoreError) in
      count += 1
      return count < limit
    }
    return count
  }
}

extension QuerySource.Sorting {
  /// Whether the rest of the source need not be read when there are enough results.
  fileprivate var mayStop: Bool {
    switch self {
    case .none: false
    case .firstField, .whole: true
    }
  }
}
