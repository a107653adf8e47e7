extension Encoder {
  /// Whether a top-level field is one of those that a map difference names so.
  func isChanged(_ key: Term, _ new: MapView, _ old: MapView, _ change: Symbolic.Change) -> Term {
    let (a, b) = (world.field(new.id, key), world.field(old.id, key))
    let (isNew, isOld) = (hasKey(new, key), hasKey(old, key))
    let added = store.and(isNew, store.not(isOld))
    let removed = store.and(isOld, store.not(isNew))
    // A number counts as unchanged when only its kind has changed, also within lists and maps.
    let differs = store.and(isNew, isOld, store.not(unchanged(a, b)))
    switch change {
    case .added: return added
    case .removed: return removed
    case .changed: return differs
    case .affected: return store.or(added, removed, differs)
    case .unchanged: return store.and(isNew, isOld, unchanged(a, b))
    }
  }

  private func unchanged(_ a: Term, _ b: Term) -> Term {
    func isNumber(_ v: Term) -> Term { store.or(store.has(.int, v), store.has(.float, v)) }
    func isNaN(_ v: Term) -> Term {
      store.and(store.has(.float, v), store.equal(store.part(.float, v, 0), store.int(FloatKind.nan)))
    }
    func isWhole(_ v: Term) -> Term {
      store.or(store.has(.list, v), store.has(.map, v), store.has(.vector, v), store.has(.latlng, v))
    }
    if a == b { return yes }
    let unchanged = store.apply(World.unchanged, [a, b], .bool)
    guard world.asksUnchanged(unchanged) else { return unchanged }
    let inside = store.and(isWhole(a), isWhole(b), world.sameButForKinds(a, b))
    let meaning = store.or(
      store.equal(a, b), inside,
      store.and(isNumber(a), isNumber(b), store.or(world.numbersEqual(a, b), store.and(isNaN(a), isNaN(b)))))
    world.assume(store.equal(unchanged, meaning), of: a, b)
    return unchanged
  }

  /// Whether a difference names fields that no rule names.
  private func othersChanged(_ new: MapView, _ old: MapView, _ change: Symbolic.Change) -> Term {
    let (a, b) = (hasOtherKeys(new), hasOtherKeys(old))
    func unknown(_ name: String, _ condition: Term) -> Term {
      store.and(
        condition, store.not(store.equal(new.id, old.id)), store.apply("others_\(name)", [new.id, old.id], .bool))
    }
    switch change {
    case .added: return unknown("added", a)
    case .removed: return unknown("removed", b)
    case .changed: return unknown("changed", store.and(a, b))
    case .affected:
      return store.or(
        othersChanged(new, old, .added), othersChanged(new, old, .removed), othersChanged(new, old, .changed))
    case .unchanged:
      return store.and(
        a, b, store.or(store.equal(new.id, old.id), store.apply("others_unchanged", [new.id, old.id], .bool)))
    }
  }

  /// A row of names as far as it can be told: which of the named fields it has, and whether others.
  private struct Names {
    let isThere: Term
    let has: (Term) -> Term
    let hasOthers: Term
    let isLaw: Bool
  }

  private func names(_ value: Symbolic) -> Names? {
    switch value {
    case .keys(let map):
      return Names(isThere: map.isThere, has: { self.hasKey(map, $0) }, hasOthers: hasOtherKeys(map), isLaw: map.isLaw)
    case .changedKeys(let new, let old, let change):
      return Names(
        isThere: store.and(new.isThere, old.isThere), has: { self.isChanged($0, new, old, change) },
        hasOthers: othersChanged(new, old, change), isLaw: new.isLaw || old.isLaw)
    default: return nil
    }
  }

  /// The codes of a list or set of literal texts; members of other kinds are left out, since they are no names.
  private func literalNames(_ value: Symbolic) -> [Term]? {
    let items: [Symbolic]
    switch value {
    case .list(let list), .set(let list): items = list
    default: return nil
    }
    var codes: [Term] = []
    for item in items {
      let s = scalar(of: item)
      guard s.isThere == yes, case .make(let kind) = store[s.value].operation else { return nil }
      guard kind == .string else { continue }
      guard world.strings.literal(store.part(.string, s.value)) != nil else { return nil }
      codes.append(store.part(.string, s.value))
    }
    return codes
  }

  /// `hasAll`, `hasAny`, `hasOnly`; `nil` where it is not modelled.
  func containment(_ method: String, _ receiver: Symbolic, _ argument: Symbolic) -> Truth? {
    let isThere = store.and(presence(receiver), presence(argument))
    func decided(_ holds: Term, isLaw: Bool = false) -> Truth {
      Truth(yes: store.and(isThere, holds), no: isLaw ? isThere : store.and(isThere, store.not(holds)))
    }
    // Of a list the argument must be a list; of a set it may be a set, too.
    let isSetArgument = if case .set = argument { true } else if case .changedKeys = argument { true } else { false }
    let isListReceiver = if case .keys = receiver { true } else if case .list = receiver { true } else { false }
    if isListReceiver, isSetArgument { return never }
    if let names = names(receiver) {
      if case .changedKeys = receiver, names.isLaw { return Truth(yes: isThere, no: isThere) }
      guard let wanted = literalNames(argument) else { return nil }
      let count: Int
      switch argument {
      case .list(let items), .set(let items): count = items.count
      default: return nil
      }
      switch method {
      case "hasAll":
        // A member that is no name is in no row of names.
        return decided(count > wanted.count ? no : store.and(wanted.map(names.has)))
      case "hasAny": return decided(store.or(wanted.map(names.has)))
      default:
        let others = world.namedKeys.filter { !wanted.contains($0) }.map { store.not(names.has($0)) }
        let unnamed = wanted.filter { !world.namedKeys.contains($0) }
        return unnamed.isEmpty ? decided(store.and(others + [store.not(names.hasOthers)])) : nil
      }
    }
    switch receiver {
    case .list(let items), .set(let items):
      let isSet = if case .set = receiver { true } else { false }
      func isIn(_ container: Symbolic, _ member: Symbolic) -> Term? {
        switch container {
        case .list(let members) where !isSet:
          return store.or(members.map { strictlySame(scalar(of: $0).value, scalar(of: member).value) })
        case .set(let members), .list(let members): return store.or(members.map { equal($0, member).yes })
        case .keys(let map):
          let m = scalar(of: member)
          return store.and(store.has(.string, m.value), hasKey(map, store.part(.string, m.value)))
        case .scalar(let s) where store.has(.list, s.value) != no && !isSet:
          return world.contains(store.part(.list, s.value), scalar(of: member).value)
        default: return nil
        }
      }
      switch method {
      case "hasOnly":
        var found: [Term] = []
        for item in items {
          guard let one = isIn(argument, item) else { return nil }
          found.append(one)
        }
        return decided(store.and(found + [kindFits(argument)]))
      case "hasAny":
        var found: [Term] = []
        for item in items {
          guard let one = isIn(argument, item) else { return nil }
          found.append(one)
        }
        if case .scalar = argument { return nil }
        return decided(store.or(found))
      default:
        guard case .list(let wanted) = argument else { return nil }
        var found: [Term] = []
        for item in wanted {
          guard let one = isIn(receiver, item) else { return nil }
          found.append(one)
        }
        return decided(store.and(found))
      }
    case .scalar(let s):
      // A stored list.
      guard case .list(let items) = argument, store.has(.list, s.value) != no else { return nil }
      let list = store.part(.list, s.value)
      let isList = store.has(.list, s.value)
      let members = items.map { scalar(of: $0).value }
      let holds: Term
      switch method {
      case "hasAll": holds = store.and(members.map { world.contains(list, $0) })
      case "hasAny": holds = store.or(members.map { world.contains(list, $0) })
      default: holds = world.holdsOnly(list, members)
      }
      // A stored value of another kind has no such method; one that no document holds may be a set.
      let isOther = store.has(.other, s.value)
      let other = store.apply("\(method)_other", [s.value] + members, .bool)
      let both = store.or(store.and(isList, holds), store.and(isOther, other))
      let applies = store.and(isThere, store.or(isList, isOther))
      guard s.isLaw else { return Truth(yes: store.and(applies, both), no: store.and(applies, store.not(both))) }
      return Truth(yes: store.and(applies, store.or([both] + members.map { isLoose($0) })), no: applies)
    default: return nil
    }
  }

  /// That an argument is a list at all, where only its members were asked.
  private func kindFits(_ argument: Symbolic) -> Term {
    if case .scalar(let s) = argument { store.has(.list, s.value) } else { yes }
  }

  /// `size()`
  func size(_ receiver: Symbolic) -> Scalar? {
    func counted(_ map: MapView, _ has: (Term) -> Term, _ others: Term, _ name: String, _ ids: [Term]) -> Term {
      let rest = store.apply("others_\(name)", ids, .int)
      world.assume(store.lessOrEqual(store.int(0), rest))
      world.assume(store.equal(store.less(store.int(0), rest), others))
      return world.namedKeys.reduce(rest) { store.add($0, store.ite(has($1), store.int(1), store.int(0))) }
    }
    switch receiver {
    case .list(let items):
      return Scalar(value: store.value(.int, store.int(Int64(items.count))), isThere: presence(receiver))
    case .literalMap(let fields, let isThere):
      return Scalar(value: store.value(.int, store.int(Int64(fields.count))), isThere: isThere)
    case .map(let m), .keys(let m):
      if m.isLaw { return nil }
      return Scalar(
        value: store.value(.int, counted(m, { hasKey(m, $0) }, world.hasOthers(m.id), "size", [m.id])),
        isThere: m.isThere)
    case .changedKeys(let new, let old, let change):
      if new.isLaw || old.isLaw { return nil }
      let size = counted(
        new, { isChanged($0, new, old, change) }, othersChanged(new, old, change), "\(change)Size", [new.id, old.id])
      return Scalar(value: store.value(.int, size), isThere: presence(receiver))
    case .scalar(let s):
      var cases: [(Term, Term)] = []
      func add(_ kind: ValueKind, _ size: () -> Term) {
        let isKind = store.has(kind, s.value)
        if isKind != no { cases.append((isKind, size())) }
      }
      add(.string) { world.strings.length(store.part(.string, s.value)) }
      add(.list) { world.size(ofList: store.part(.list, s.value)) }
      add(.map) {
        let m = map(s)
        // What a query says of a map is a part of it.
        if m.isLaw { return store.apply("lawSize", [s.value], .int) }
        return counted(m, { hasKey(m, $0) }, world.hasOthers(m.id), "size", [m.id])
      }
      add(.bytes) {
        let size = store.apply("bytesSize", [store.part(.bytes, s.value)], .int)
        world.assume(store.lessOrEqual(store.int(0), size))
        return size
      }
      add(.other) { store.apply("otherSize", [s.value], .int) }
      guard let last = cases.last else { return Scalar(value: s.value, isThere: no) }
      let size = cases.dropLast().reversed().reduce(last.1) { store.ite($1.0, $1.1, $0) }
      return Scalar(
        value: store.value(.int, size), isThere: store.and(s.isThere, store.or(cases.map(\.0))), isLaw: s.isLaw)
    default: return nil
    }
  }
}
