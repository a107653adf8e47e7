import RulesEngine
import RulesSemantics
import RulesSyntax
import RulesValues

extension Encoder {
  func call(
    _ e: Expression, _ name: String, _ receiver: Expression?, _ arguments: [Expression], _ environment: Environment
  ) throws(TooLarge) -> Symbolic {
    var values: [Symbolic] = []
    switch rules.callee(of: e) {
    case .function(let index):
      for argument in arguments { values.append(try encode(argument, environment)) }
      return try userCall(index, values, environment)
    case .builtin(let name):
      for argument in arguments { values.append(try encode(argument, environment)) }
      return builtin(name, values, e)
    case .package(let package, let name):
      if let constant = constant(e) { return constant }
      for argument in arguments { values.append(try encode(argument, environment)) }
      return packageCall(package, name, values, e)
    case .service(let name):
      for argument in arguments { values.append(try encode(argument, environment)) }
      guard values.count == 1 else { return .error }
      return distribute(values[0]) { documentCall(name, $0, e) }
    case .method(let name):
      guard let receiver else { return .error }
      let target = try encode(receiver, environment)
      for argument in arguments { values.append(try encode(argument, environment)) }
      return distribute(target) { method(name, $0, values, e) }
    case .unknown: return .error
    }
  }

  private func userCall(_ index: Int, _ arguments: [Symbolic], _ environment: Environment) throws(TooLarge) -> Symbolic
  {
    guard rules.functions.indices.contains(index) else { return .error }
    let function = rules.functions[index]
    guard function.declaration.parameters.count == arguments.count else { return .error }
    var inner = Environment(
      captures: Array(environment.captures.prefix(function.visibleCaptures)), parameters: arguments)
    for binding in function.declaration.lets { inner.lets.append(try encode(binding.value, inner)) }
    return try encode(function.declaration.result, inner)
  }

  // MARK: Functions

  private func builtin(_ name: String, _ arguments: [Symbolic], _ e: Expression) -> Symbolic {
    if name == "debug", let first = arguments.first { return first }
    guard arguments.count == 1 else { return .error }
    let s = scalar(of: arguments[0])
    switch name {
    case "string":
      if store.has(.string, s.value) == yes { return arguments[0] }
      return opaque(name, arguments, e, kind: .string)
    case "int":
      if store.has(.int, s.value) == yes { return arguments[0] }
      return opaque(name, arguments, e, kind: .int)
    case "float": return opaque(name, arguments, e, kind: .float)
    case "path": return opaque(name, arguments, e, kind: .path)
    default: return .error
    }
  }

  private func packageCall(_ package: String, _ name: String, _ arguments: [Symbolic], _ e: Expression) -> Symbolic {
    guard Library.function(package: package, name) != nil else { return .error }
    let kind: ValueKind? =
      switch (package, name) {
      case ("timestamp", _): .timestamp
      case ("duration", _): .duration
      case ("latlng", _): .latlng
      case ("hashing", _): .bytes
      case ("math", "ceil"), ("math", "floor"), ("math", "sqrt"), ("math", "pow"): .float
      case ("math", "round"): .int
      default: nil
      }
    return opaque("\(package)_\(name)", arguments, e, kind: kind)
  }

  /// A call of a package with literal arguments, worked out by the engine itself.
  private func constant(_ e: Expression) -> Symbolic? {
    guard case .methodCall(let receiver, let name, let arguments) = e.kind,
      case .identifier(let package) = receiver.kind
    else { return nil }
    var ints: [Int64] = []
    for argument in arguments {
      switch argument.kind {
      case .int(let i): ints.append(i)
      case .string where package != "hashing": continue
      default: return nil
      }
    }
    switch package {
    case "timestamp":
      guard case .timestamp(let t)? = try? ExpressionEvaluator().evaluate(e) else { return nil }
      let (seconds, overflow) = t.seconds.multipliedReportingOverflow(by: 1_000_000_000)
      let (nanos, carry) = seconds.addingReportingOverflow(Int64(t.nanos))
      return overflow || carry ? nil : scalar(.timestamp, store.int(nanos))
    case "duration":
      return duration(name.text, ints, arguments).map { scalar(.duration, store.int($0)) }
    default: return nil
    }
  }

  private func duration(_ name: String, _ ints: [Int64], _ arguments: [Expression]) -> Int64? {
    if name == "value", arguments.count == 2, ints.count == 1, case .string(let unit) = arguments[1].kind {
      let units: [String: Int64] = [
        "w": 604_800_000_000_000, "d": 86_400_000_000_000, "h": 3_600_000_000_000, "m": 60_000_000_000,
        "s": 1_000_000_000, "ms": 1_000_000, "ns": 1,
      ]
      guard let size = units[String(decoding: unit, as: UTF8.self)] else { return nil }
      let (nanos, overflow) = ints[0].multipliedReportingOverflow(by: size)
      return overflow ? nil : nanos
    }
    guard name == "time", arguments.count == 4, ints.count == 4, ints.allSatisfy({ $0.magnitude < 1_000_000 }) else {
      return nil
    }
    return ((ints[0] * 60 + ints[1]) * 60 + ints[2]) * 1_000_000_000 + ints[3]
  }

  // MARK: Methods

  private func method(_ name: String, _ receiver: Symbolic, _ arguments: [Symbolic], _ e: Expression) -> Symbolic {
    if case .error = receiver { return .error }
    switch (name, arguments.count) {
    case ("get", 2): return get(receiver, arguments[0], arguments[1], e)
    case ("keys", 0):
      if let map = mapView(receiver) { return .keys(map) }
      if case .literalMap(let fields, let isThere) = receiver {
        return either([
          (
            isThere,
            .list(fields.map { .scalar(Scalar(value: store.value(.string, world.strings.code($0.key)), isThere: yes)) })
          )
        ])
      }
    case ("diff", 1):
      let argument = arguments[0]
      if let new = mapView(receiver), let old = mapView(argument) { return .difference(new: new, old: old) }
      if case .literalMap = argument, let new = mapView(receiver) {
        return .difference(new: new, old: map(scalar(of: argument)))
      }
    case ("addedKeys", 0): if let diff = changedKeys(receiver, .added) { return diff }
    case ("removedKeys", 0): if let diff = changedKeys(receiver, .removed) { return diff }
    case ("changedKeys", 0): if let diff = changedKeys(receiver, .changed) { return diff }
    case ("affectedKeys", 0): if let diff = changedKeys(receiver, .affected) { return diff }
    case ("unchangedKeys", 0): if let diff = changedKeys(receiver, .unchanged) { return diff }
    case ("hasAll", 1), ("hasAny", 1), ("hasOnly", 1):
      let answer = distribute(arguments[0]) { argument in
        containment(name, receiver, argument).map { .truth($0) } ?? opaque(name, [receiver, argument], e, kind: .bool)
      }
      return answer
    case ("size", 0): if let size = size(receiver) { return .scalar(size) }
    case ("toSet", 0): if case .list(let items) = receiver { return .set(items) }
    case ("matches", 1):
      if let source = literalText(arguments[0]) {
        let s = scalar(of: receiver)
        let isText = store.and(s.isThere, store.has(.string, s.value))
        if isText == no { return .error }
        if let matches = world.strings.matches(store.part(.string, s.value), source) {
          return .truth(Truth(yes: store.and(isText, matches), no: store.and(isText, store.not(matches))))
        }
      }
    default: break
    }
    return opaque(name, [receiver] + arguments, e, kind: Self.resultKinds[name])
  }

  /// What a method gives when it gives anything.
  private static let resultKinds: [String: ValueKind] = [
    "lower": .string, "upper": .string, "trim": .string, "replace": .string, "join": .string, "toBase64": .string,
    "toHexString": .string, "split": .list, "values": .list, "removeAll": .list, "concat": .list,
    "matches": .bool, "toMillis": .int, "year": .int, "month": .int, "day": .int, "hours": .int, "minutes": .int,
    "dayOfWeek": .int, "dayOfYear": .int, "seconds": .int, "nanos": .int, "size": .int, "date": .timestamp,
    "time": .duration,
    "toUtf8": .bytes, "latitude": .float, "longitude": .float, "distance": .float,
  ]

  private func mapView(_ value: Symbolic) -> MapView? {
    switch value {
    case .map(let m): m
    case .scalar(let s): store.has(.map, s.value) == no ? nil : map(s)
    default: nil
    }
  }

  private func changedKeys(_ receiver: Symbolic, _ change: Symbolic.Change) -> Symbolic? {
    if case .difference(let new, let old) = receiver { .changedKeys(new: new, old: old, change) } else { nil }
  }

  /// `map.get(key, default)`: the default where any step finds nothing.
  private func get(_ receiver: Symbolic, _ key: Symbolic, _ fallback: Symbolic, _ e: Expression) -> Symbolic {
    let other = scalar(of: fallback)
    if case .literalMap(let fields, let isThere) = receiver, let name = literalText(key) {
      let value = fields.first { $0.key == name }?.value ?? fallback
      return either([(store.and(isThere, other.isThere), value)])
    }
    guard let start = mapView(receiver) else { return opaque("get", [receiver, key, fallback], e) }
    var steps: [Term]
    if case .list(let items) = key {
      steps = []
      for item in items {
        guard let name = literalText(item) else { return opaque("get", [receiver, key, fallback], e) }
        steps.append(world.strings.code(name))
      }
      if steps.isEmpty { return either([(other.isThere, .map(start))]) }
    } else {
      let k = scalar(of: key)
      guard store.has(.string, k.value) == yes else { return opaque("get", [receiver, key, fallback], e) }
      guard k.isThere == yes else {
        return either([(k.isThere, get(receiver, .scalar(Scalar(value: k.value, isThere: yes)), fallback, e))])
      }
      steps = [store.part(.string, k.value)]
    }
    var map = start
    var found = yes
    var value = Scalar(value: store.value(.null), isThere: no)
    for (i, step) in steps.enumerated() {
      found = store.and(found, hasKey(map, step))
      let field = world.field(map.id, step)
      value = Scalar(value: map.isLaw ? world.law(field) : field, isThere: yes, isLaw: map.isLaw)
      guard i < steps.count - 1 else { break }
      found = store.and(found, store.has(.map, value.value))
      map = MapView(id: store.part(.map, value.value), isThere: yes, isLaw: value.isLaw)
    }
    let isThere = store.and(start.isThere, other.isThere)
    return either([
      (store.and(isThere, found), .scalar(value)), (store.and(isThere, store.not(found)), fallback),
    ])
  }

  // MARK: Paths and documents

  func path(
    _ segments: [Expression.PathSegment], _ environment: Environment, _ e: Expression
  ) throws(TooLarge) -> Symbolic {
    var result = SymbolicPath(segments: [], gap: nil, isThere: yes)
    var isOpaque = false
    var isUnbound = false
    var parts: [Symbolic] = []
    for segment in segments {
      switch segment.kind {
      case .literal(let text):
        result.segments.append(world.strings.code(text))
        parts.append(string(text))
      case .capture(let name), .glob(let name):
        isUnbound = true
        result.segments.append(world.strings.code("{\(name.text)}"))
      case .interpolation(let inner):
        let value = try encode(inner, environment)
        parts.append(value)
        if case .unboundPath = value { isUnbound = true }
        if let spliced = value.splicedPath {
          if let gap = spliced.gap {
            guard result.gap == nil else {
              isOpaque = true
              continue
            }
            result.gap = result.segments.count + gap
          }
          result.segments += spliced.segments
          result.isThere = store.and(result.isThere, spliced.isThere)
          continue
        }
        let s = scalar(of: value)
        if store.has(.path, s.value) != no { isOpaque = true }
        let isText = store.has(.string, s.value)
        let isOther = store.or([ValueKind.int, .float, .bool, .null].map { store.has($0, s.value) })
        result.segments.append(
          isText == yes
            ? store.part(.string, s.value)
            : store.ite(isText, store.part(.string, s.value), store.apply("asText", [s.value], .int)))
        result.isThere = store.and(result.isThere, s.isThere, store.or(isText, isOther))
      }
    }
    if isOpaque { return isUnbound ? opaque("path", parts, e, kind: .path) : opaquePath(result, parts, e) }
    return isUnbound ? .unboundPath(result) : .path(result)
  }

  /// A path with a part that may be a path itself: if it turns out to be one segment, the path is known.
  private func opaquePath(_ known: SymbolicPath, _ parts: [Symbolic], _ e: Expression) -> Symbolic {
    either([(known.isThere, .path(known)), (store.not(known.isThere), opaque("path", parts, e, kind: .path))])
  }

  /// `get`, `exists` and those that look at the state after the commit.
  private func documentCall(_ name: String, _ argument: Symbolic, _ e: Expression) -> Symbolic {
    let isAfter = name.hasSuffix("After")
    let asksExistence = name.hasPrefix("exists")
    if argument.isUnboundPath { return .error }
    guard case .path(let path) = argument, path.gap == nil else {
      let s = scalar(of: argument)
      guard store.has(.path, s.value) != no else { return .error }
      world.note("'\(name)' of a path that is not known segment by segment", e)
      let value = store.apply("found_\(isAfter)", [s.value], .value)
      world.assume(store.or(store.has(.absent, value), store.has(.map, value)))
      let isThere = store.and(s.isThere, store.has(.path, s.value), store.apply("ok_\(name)", [s.value], .bool))
      return answer(value, isThere, asksExistence, isMissingNull: world.missingIsNull, path: nil)
    }
    let prefix = ["databases", world.database, "documents"].map { world.strings.code($0) }
    guard path.segments.count >= 5, path.segments.count % 2 == 1 else { return .error }
    var isThere = path.isThere
    for (segment, wanted) in zip(path.segments, prefix) { isThere = store.and(isThere, store.equal(segment, wanted)) }
    let ids = Array(path.segments.dropFirst(3))
    let isTarget =
      world.path.gap == nil && world.path.segments.count == ids.count
      ? store.and(zip(ids, world.path.segments).map { store.equal($0, $1) }) : no
    world.looksUp(path.segments)
    let before = world.document(ids)
    guard isAfter, world.method != .get, world.method != .list else {
      // The requested document itself may be asked for though it is missing.
      return answer(before, isThere, asksExistence, isMissingNull: store.or(world.missingIsNull, isTarget), path: path)
    }
    let other = world.documentAfter(ids)
    // The requested document as this write leaves it.
    let written = world.method == .delete ? store.value(.absent) : store.value(.map, world.newData)
    let after = store.ite(isTarget, written, other)
    // What the same commit deletes is null.
    let isWritten = store.and(world.isBatch, store.apply("written\(ids.count)", ids, .bool))
    return answer(
      after, isThere, asksExistence, isMissingNull: store.or(world.missingIsNull, isTarget, isWritten), path: path)
  }

  private func answer(
    _ value: Term, _ isThere: Term, _ asksExistence: Bool, isMissingNull: Term, path: SymbolicPath?
  ) -> Symbolic {
    let exists = store.has(.map, value)
    if asksExistence {
      return .truth(Truth(yes: store.and(isThere, exists), no: store.and(isThere, store.not(exists))))
    }
    // Ten lookups are allowed; beyond that there is an error, which can only refuse.
    return .document(
      DocumentView(
        exists: exists, data: store.part(.map, value), isThere: store.and(isThere, store.or(exists, isMissingNull)),
        path: path))
  }
}
