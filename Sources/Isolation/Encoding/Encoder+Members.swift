import RulesSyntax

extension Encoder {
  // MARK: request and resource

  /// What `resource` stands for.
  var resource: DocumentView {
    let isLaw = world.method == .list && world.reading == .filters
    if world.method == .create {
      return DocumentView(exists: no, data: store.unknown("noData", .int), isThere: yes)
    }
    let stored = world.stored
    let exists: Term
    switch world.method {
    case .update, .list: exists = yes
    default: exists = store.has(.map, stored)
    }
    return DocumentView(
      exists: exists, data: store.part(.map, stored), isThere: yes, path: isLaw ? nil : documentPath, isLaw: isLaw)
  }

  /// `request.resource` of a write.
  private var newResource: Symbolic {
    switch world.method {
    case .create, .update: .document(DocumentView(exists: yes, data: world.newData, isThere: yes, path: documentPath))
    case .delete: scalar(.null)
    case .get, .list: .error
    }
  }

  var documentPath: SymbolicPath {
    let prefix = ["databases", world.database, "documents"].map { world.strings.code($0) }
    return SymbolicPath(
      segments: prefix + world.path.segments, gap: world.path.gap.map { $0 + 3 }, isThere: yes)
  }

  private func requestMember(_ name: String, _ e: Expression) -> Symbolic {
    switch name {
    case "auth": return .auth
    case "resource": return newResource
    case "method": return string(world.method.rawValue)
    case "time": return scalar(.timestamp, world.time)
    case "path":
      guard world.method != .list else { return opaque("collectionPath", [], e, kind: .path) }
      var path = documentPath
      if world.hidesID {
        guard path.gap.map({ $0 < path.segments.count }) ?? true else {
          return opaque("collectionPath", [], e, kind: .path)
        }
        path.segments.removeLast()
      }
      return .path(path)
    case "query": return world.method == .list ? .query : .error
    default: return opaque("request_\(name)", [], e)
    }
  }

  private func queryMember(_ name: String, _ e: Expression) -> Symbolic {
    guard world.method == .list else { return .error }
    let value = store.unknown("query_\(name.filter { $0.isASCII && $0.isLetter })", .value)
    switch name {
    case "limit", "offset":
      world.assume(store.or(store.has(.int, value), name == "limit" ? store.has(.null, value) : no))
      let i = store.part(.int, value)
      world.assume(store.and(store.lessOrEqual(store.int(0), i), store.lessOrEqual(i, store.int(Int64(Int32.max)))))
      return .scalar(Scalar(value: value, isThere: yes))
    default: return opaque("query_\(name)", [], e)
    }
  }

  // MARK: Members

  func member(_ receiver: Symbolic, _ key: [UInt8], _ e: Expression) -> Symbolic {
    let name = String(decoding: key, as: UTF8.self)
    switch receiver {
    case .error, .truth, .list, .keys, .set, .difference, .changedKeys, .unboundPath: return .error
    case .request: return requestMember(name, e)
    case .query: return queryMember(name, e)
    case .auth:
      switch name {
      case "uid": return .scalar(Scalar(value: store.value(.string, world.uid), isThere: world.signedIn))
      case "token": return .map(MapView(id: world.token, isThere: world.signedIn))
      default: return .error
      }
    case .document(let d): return documentMember(d, name, e)
    case .map(let m): return field(m, world.strings.code(key))
    case .scalar(let s): return field(map(s), world.strings.code(key))
    case .literalMap(let fields, let isThere):
      guard let value = fields.first(where: { $0.key == key })?.value else { return .error }
      return either([(isThere, value)])
    case .path: return opaque("capture", [receiver], e)
    case .either: return distribute(receiver) { member($0, key, e) }
    }
  }

  private func documentMember(_ d: DocumentView, _ name: String, _ e: Expression) -> Symbolic {
    let isThere = store.and(d.isThere, d.exists)
    switch name {
    case "data": return .map(MapView(id: d.data, isThere: isThere, isLaw: d.isLaw))
    case "id":
      if d.isLaw { return .error }
      guard let path = d.path, path.gap.map({ $0 < path.segments.count }) ?? true, let last = path.segments.last else {
        return opaque("id", [.document(d)], e, kind: .string)
      }
      return .scalar(Scalar(value: store.value(.string, last), isThere: isThere))
    case "__name__":
      if d.isLaw { return .error }
      guard var path = d.path else { return opaque("name", [.document(d)], e, kind: .path) }
      path.isThere = store.and(path.isThere, isThere)
      return .path(path)
    default: return .error
    }
  }

  /// A value as the map that it must be.
  func map(_ s: Scalar) -> MapView {
    MapView(
      id: store.part(.map, s.value), isThere: store.and(s.isThere, store.has(.map, s.value)), isLaw: s.isLaw)
  }

  /// What a map shows under a key: of a synthetic document only that on which the query filters.
  func field(_ m: MapView, _ key: Term) -> Symbolic {
    let value = world.field(m.id, key)
    let isPresent = store.and(m.isThere, store.not(world.isAbsent(value)))
    guard m.isLaw else { return .scalar(Scalar(value: value, isThere: isPresent)) }
    return .scalar(
      Scalar(value: world.law(value), isThere: store.and(isPresent, world.isFiltered(m.id, key)), isLaw: true))
  }

  /// Whether a map has a key, when it is there at all.
  func hasKey(_ m: MapView, _ key: Term) -> Term {
    let isPresent = store.not(world.isAbsent(world.field(m.id, key)))
    return m.isLaw ? store.and(isPresent, world.isFiltered(m.id, key)) : isPresent
  }

  /// Whether a map has keys that no rule names.
  func hasOtherKeys(_ m: MapView) -> Term {
    m.isLaw ? store.and(world.hasOthers(m.id), store.apply("fltOther", [m.id], .bool)) : world.hasOthers(m.id)
  }

  // MARK: [ ]

  func element(_ receiver: Symbolic, _ index: Symbolic, _ e: Expression) -> Symbolic {
    if case .either(let cases) = index {
      return either(cases.map { ($0.condition, element(receiver, $0.value, e)) })
    }
    let i = scalar(of: index)
    if let key = literalText(i) { return either([(i.isThere, member(receiver, key, e))]) }
    let isText = store.and(i.isThere, store.has(.string, i.value))
    let isInt = store.and(i.isThere, store.has(.int, i.value))
    let number = store.part(.int, i.value)
    switch receiver {
    case .map(let m): return either([(isText, field(m, store.part(.string, i.value)))])
    case .scalar(let s):
      // A list by a number, a map by a name, a text by a number.
      var cases: [(condition: Term, value: Symbolic)] = []
      if store.has(.map, s.value) != no, isText != no {
        cases.append((store.and(isText, store.has(.map, s.value)), field(map(s), store.part(.string, i.value))))
      }
      if store.has(.list, s.value) != no, isInt != no {
        cases.append((store.and(isInt, store.has(.list, s.value)), listElement(s, number)))
      }
      let isOther = store.not(store.or(store.has(.map, s.value), store.has(.list, s.value)))
      if isOther != no { cases.append((isOther, opaque("index", [receiver, index], e))) }
      return either(cases)
    case .list(let items):
      if case .int(let n) = store[number].operation, i.isThere == yes {
        return n >= 0 && n < items.count ? either([(presence(receiver), items[Int(n)])]) : .error
      }
      return either([(isInt, listElement(scalar(of: receiver), number))])
    case .unboundPath: return .error
    case .path(let p):
      if case .int(let n) = store[number].operation, p.gap == nil || n < Int64(p.gap ?? 0) {
        guard n >= 0, n < p.segments.count else { return .error }
        return .scalar(Scalar(value: store.value(.string, p.segments[Int(n)]), isThere: store.and(isInt, p.isThere)))
      }
      return opaque("index", [receiver, index], e)
    default: return opaque("index", [receiver, index], e)
    }
  }

  private func listElement(_ list: Scalar, _ i: Term) -> Symbolic {
    let id = store.part(.list, list.value)
    let value = world.element(id, at: i)
    let isInside = store.and(
      list.isThere, store.has(.list, list.value), store.lessOrEqual(store.int(0), i),
      store.less(i, world.size(ofList: id)))
    return .scalar(Scalar(value: list.isLaw ? world.law(value) : value, isThere: isInside, isLaw: list.isLaw))
  }

  /// The text of a value that is a literal.
  func literalText(_ s: Scalar) -> [UInt8]? {
    guard s.isThere == yes, case .make(.string) = store[s.value].operation else { return nil }
    return world.strings.literal(store.part(.string, s.value))
  }

  func literalText(_ value: Symbolic) -> [UInt8]? {
    if case .scalar(let s) = value { literalText(s) } else { nil }
  }
}
