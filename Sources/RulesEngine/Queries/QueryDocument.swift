import RulesValues

/// What a branch of a query tells of a document that it returns.
enum QueryDocument {
  /// One document, asked for by its name: judged by what is stored.
  case named(ResourcePath)
  /// Any document: a map `data` with the fields that the branch filters on and no others.
  case any(Value)
  /// The branch filters on a field and on something within it. The official evaluation puts these together in an
  /// order of its own, so that nothing can be said.
  case unclear(QueryField, QueryField)

  /// - Parameter isOpen: the document may hold more than the branch tells, and a rule that asks for that gets no
  ///   answer. Officially it holds nothing else.
  init(_ branch: QueryBranch, of request: ListRequest, isOpen: Bool = false, _ arena: Arena) {
    func open(_ value: Value) -> Value { isOpen ? arena.open(value) : value }
    var fields: [(field: QueryField, conditions: [QueryBranch.Condition])] = []
    for condition in branch.conditions {
      if let i = fields.firstIndex(where: { $0.field == condition.field }) {
        fields[i].conditions.append(condition)
      } else {
        fields.append((condition.field, [condition]))
      }
    }
    var name: Value?
    // A collection group below a document limits the name as a comparison with that document would.
    if request.allDescendants, !request.parent.segments.isEmpty { name = open(arena.constraint([])) }
    if let i = fields.firstIndex(where: \.field.isDocumentName) {
      let conditions = fields.remove(at: i).conditions
      if name == nil, conditions.count == 1, let parts = conditions.first?.parts, parts.count == 1,
        parts[0].comparator == .equal, case .reference(let path) = parts[0].value
      {
        self = .named(path)
        return
      }
      name = open(Self.constraint(conditions, arena))
    }
    for (i, one) in fields.enumerated() {
      if let other = fields[i...].first(where: { one.field.overlaps($0.field) }) {
        self = .unclear(one.field, other.field)
        return
      }
    }
    let values = fields.map { field, conditions in
      let value = Self.value(conditions, arena)
      return (path: field.names[...], value: value.has(.constraint) ? open(value) : value)
    }
    let data = Self.map(values, isOpen, arena)
    var entries = [(key: arena.string("data" as StaticString), value: data)]
    if let name { entries.append((key: arena.string("__name__" as StaticString), value: name)) }
    let failure = entries.map(\.value).first(where: \.isFailure)
    self = .any(failure ?? open(arena.map(entries)))
  }

  /// A field with one equality has that value; any other has a constraint.
  private static func value(_ conditions: [QueryBranch.Condition], _ arena: Arena) -> Value {
    guard conditions.count == 1, conditions[0].parts.count == 1, conditions[0].parts[0].comparator == .equal else {
      return constraint(conditions, arena)
    }
    return arena.load(conditions[0].parts[0].value)
  }

  private static func constraint(_ conditions: [QueryBranch.Condition], _ arena: Arena) -> Value {
    let parts = conditions.flatMap(\.parts).map { ($0.comparator, arena.load($0.value)) }
    return parts.map(\.1).first(where: \.isFailure) ?? arena.constraint(parts)
  }

  /// Fields by their ways through nested maps, none of which leads through another's end.
  private static func map(_ fields: [(path: ArraySlice<Text>, value: Value)], _ isOpen: Bool, _ arena: Arena) -> Value {
    var entries: [(key: Value, value: Value)] = []
    var rest = fields[...]
    while let first = rest.first, let name = first.path.first {
      let within = rest.filter { $0.path.first == name }
      rest = rest.filter { $0.path.first != name }[...]
      let value =
        first.path.count == 1
        ? first.value : map(within.map { (path: $0.path.dropFirst(), value: $0.value) }, isOpen, arena)
      if value.isFailure { return value }
      entries.append((key: arena.string(name.string), value: value))
    }
    return isOpen ? arena.open(arena.map(entries)) : arena.map(entries)
  }
}
