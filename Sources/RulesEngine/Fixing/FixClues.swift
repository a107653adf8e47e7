import RulesSemantics
import RulesSyntax
import RulesValues

/// Changes that may make a condition what is wanted, gathered from the values that its parts took. Each is a guess:
/// only the decision about the changed request tells.
struct FixClues {
  /// More guesses about one condition are not made.
  static let maximum = 60
  /// Who signs in where nothing says who.
  static let someone = "someone"

  let places: FixPlaces
  let state: FixedQuestion
  private(set) var candidates: [[NearestFix.Change]] = []

  init(_ places: FixPlaces, _ state: FixedQuestion) {
    self.places = places
    self.state = state
  }

  mutating func add(_ changes: [NearestFix.Change]) {
    guard !changes.isEmpty, candidates.count < Self.maximum, !candidates.contains(changes) else { return }
    candidates.append(changes)
  }

  // MARK: Conditions

  // Depth is that of the evaluation, which the budget of 1,000 nodes bounds.
  mutating func want(_ given: Explanation.Node, _ wanted: Bool, _ outer: FixFrame?) {
    let (node, frame) = places.resolved(given, outer)
    let children = node.children
    switch node.expression.kind {
    case .unary(.not, _): if let operand = children.first { want(operand, !wanted, frame) }
    case .binary(let op, _, _) where op == .and || op == .or:
      // Of `&&` all must be true, of `||` one will do: the one that was meant is mostly the last.
      let all = wanted == (op == .and)
      for child in all ? children : children.reversed() where !child.outcome.is(wanted) { want(child, wanted, frame) }
    case .ternary:
      if children.count > 1 { want(children[1], wanted, frame) }
      if let condition = children.first { want(condition, !condition.outcome.isTrue, frame) }
    case .binary(let op, _, _) where children.count == 2: compare(op, children[0], children[1], wanted, frame)
    case .typeTest(_, let type):
      if let operand = children.first, wanted { set(operand, Self.sample(ofType: type.text, state), frame) }
    case .call(let name, _):
      if let inside = places.frame(of: node, frame) {
        if let result = children.last { want(result, wanted, inside) }
      } else if name.text == "existsAfter", let path = children.first.flatMap({ FixValue.document($0) }) {
        if wanted { put(.map([:]), at: .documentAfter(path)) }
      } else if name.text == "exists", let path = children.first.flatMap({ FixValue.document($0) }) {
        add([wanted ? .document(path, [:]) : .noDocument(path)])
      }
    case .methodCall(_, let name, _) where name.text != "get": method(name.text, node, wanted, frame)
    default: set(node, .bool(wanted), frame)
    }
    if node.outcome.isError { repair(node, frame) }
  }

  /// What an error lacks: a signed-in caller, a document, a field.
  private mutating func repair(_ node: Explanation.Node, _ frame: FixFrame?) {
    guard let failed = node.children.first(where: { $0.outcome.isError }) else {
      if case .index = node.expression.kind { return set(node, .string("text"), frame) }
      guard case .member = node.expression.kind, let receiver = node.children.first else { return }
      switch places.place(receiver, frame) {
      case .auth where state.request.auth == nil: add([.signIn(uid: Self.someone)])
      case .document(let path) where state.documents.document(at: path) == nil: add([.document(path, [:])])
      case .documentAfter(let path): put(.map([:]), at: .documentAfter(path))
      default: set(node, .string("text"), frame)
      }
      return
    }
    let (inner, inside) = places.resolved(failed, frame)
    // Inside a function its own names count.
    repair(inner, places.frame(of: inner, inside) ?? inside)
  }

  // MARK: Comparisons

  private mutating func compare(
    _ op: BinaryOperator, _ left: Explanation.Node, _ right: Explanation.Node, _ wanted: Bool, _ frame: FixFrame?
  ) {
    let (a, b) = (FixValue.data(left), FixValue.data(right))
    switch op {
    case .equal, .notEqual:
      if wanted == (op == .equal) {
        if let b { set(left, b, frame, size: 0) }
        if let a { set(right, a, frame, size: 0) }
      } else {
        if let b { set(left, Self.other(than: b, state), frame) }
        if let a { set(right, Self.other(than: a, state), frame) }
      }
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      var step = op == .less ? -1 : op == .greater ? 1 : 0
      // `!(a < b)` is `a >= b`.
      if !wanted { step = 0 }
      if let b { set(left, Self.moved(b, by: step), frame, size: step) }
      if let a { set(right, Self.moved(a, by: -step), frame, size: -step) }
    case .in: contain(left, a, right, b, wanted, frame)
    default: break
    }
  }

  private mutating func contain(
    _ element: Explanation.Node, _ a: DataValue?, _ container: Explanation.Node, _ b: DataValue?, _ wanted: Bool,
    _ frame: FixFrame?
  ) {
    switch (a, b) {
    case (let a?, .array) where changeKeys(container, wanted ? [a] : [], wanted ? [] : [a], frame): break
    case (let a, .array(let items)?):
      if wanted {
        for item in items.prefix(3) { set(element, item, frame) }
        if let a { set(container, .array(items + [a]), frame) }
      } else if let a {
        set(container, .array(items.filter { $0 != a }), frame)
        set(element, Self.other(than: a, state), frame)
      }
    case (let a, .map(let fields)?):
      if case .string(let key)? = a, let place = places.place(container, frame)?.member(key, of: state.request) {
        for value in wanted ? [DataValue.bool(true), .string("text")] : [] { put(value, at: place) }
        if !wanted { put(nil, at: place) }
      }
      if wanted { for key in fields.keys.sorted().prefix(3) { set(element, .string(key.string), frame) } }
    case (let a?, nil) where wanted: set(container, .array([a]), frame)
    default: break
    }
  }

  // MARK: Setting values

  /// - Parameter size: where the node is the size of something, what that differs by from the value.
  mutating func set(_ node: Explanation.Node, _ value: DataValue?, _ frame: FixFrame?, size: Int? = nil) {
    guard let value else { return }
    let (resolved, inside) = places.resolved(node, frame)
    if case .array(let items) = value, changeKeys(node, to: items, frame) { return }
    if size != nil, case .methodCall(_, let name, _) = resolved.expression.kind, let receiver = resolved.children.first,
      case .int(let count) = value
    {
      if name.text == "size" { resize(receiver, to: count, inside) }
      if name.text == "lower" || name.text == "upper" { set(receiver, value, inside) }
      return
    }
    if case .methodCall(_, let name, let arguments) = resolved.expression.kind, arguments.isEmpty,
      ["lower", "upper", "trim"].contains(name.text), let receiver = resolved.children.first
    {
      set(receiver, value, inside)
    }
    if setParts(resolved, value, inside, size: size) { return }
    if let place = places.place(node, frame) {
      put(value, at: place)
    } else {
      // What was not chosen may be the value.
      for (condition, inside) in places.choices(node, frame) { want(condition, !condition.outcome.isTrue, inside) }
    }
  }

  private mutating func resize(_ node: Explanation.Node, to count: Int64, _ frame: FixFrame?) {
    guard count >= 0, count <= 2000 else { return }
    let n = Int(count)
    if case .array(let items)? = FixValue.data(node) {
      let (list, inside) = places.unwrapped(node, frame)
      let pieces = items.prefix(n) + Array(repeating: .string("x"), count: max(0, n - items.count))
      if setPieces(of: list, Array(pieces), inside) { return }
    }
    if case .array(let items)? = FixValue.data(node), n < items.count,
      changeKeys(node, to: Array(items.prefix(n)), frame)
    {
      return
    }
    switch FixValue.data(node) {
    case .string(let text):
      set(node, .string(String(text.prefix(n)) + String(repeating: "x", count: max(0, n - text.count))), frame)
    case .array(let items):
      let filler = items.last ?? .string("text")
      set(node, .array(Array(items.prefix(n)) + Array(repeating: filler, count: max(0, n - items.count))), frame)
    case nil: set(node, .string(String(repeating: "x", count: n)), frame)
    default: break
    }
  }

  private mutating func put(_ value: DataValue?, at place: FixPlace) { add(changes(place, value)) }

  /// What has to change for a place to hold a value; empty where nothing can be done.
  func changes(_ place: FixPlace, _ value: DataValue?) -> [NearestFix.Change] {
    switch place {
    case .uid:
      guard case .string(let uid)? = value, !uid.isEmpty else { return [] }
      return state.request.auth == nil ? [.signIn(uid: uid)] : [.uid(uid)]
    case .auth:
      guard state.request.auth == nil, value != nil, value != .null else { return [] }
      return [.signIn(uid: Self.someone)]
    case .claim(let names) where !names.isEmpty:
      return (state.request.auth == nil ? [.signIn(uid: Self.someone)] : []) + [.claim(names, value)]
    case .written([]):
      guard case .map(let fields)? = value, let written = state.request.resource else { return [] }
      // A whole document: what is otherwise, field by field.
      return Set(written.keys).union(fields.keys).sorted().filter { written[$0] != fields[$0] }.map {
        .written([$0], fields[$0])
      }
    case .written(let names): return [.written(names, value)]
    case .stored(let path, let names) where !names.isEmpty:
      guard state.documents.document(at: path) == nil else { return [.stored(path, names, value)] }
      guard let value else { return [] }
      var fields: Fields = [:]
      fields.set(names[...], value)
      return [.document(path, fields)]
    case .document(let path): return value == .null ? [.noDocument(path)] : [.document(path, [:])]
    case .documentAfter(let path):
      let isThere = state.documents.documentAfter(at: path) != nil
      return isThere || value == .null ? [] : [.alsoCreated(path, [:])]
    case .after(let path, let names) where !names.isEmpty:
      guard state.documents.documentAfter(at: path) == nil else { return [.alsoWritten(path, names, value)] }
      guard let value else { return [] }
      var fields: Fields = [:]
      fields.set(names[...], value)
      return [.alsoCreated(path, fields)]
    case .time:
      guard case .timestamp(let time)? = value else { return [] }
      return [.time(time)]
    case .segment(let i):
      guard case .string(let id)? = value, state.request.path.segments.indices.contains(i) else { return [] }
      var path = state.request.path
      path.segments[i] = Text(id)
      return [.path(path)]
    default: return []
    }
  }
}

extension Explanation.Outcome {
  fileprivate func `is`(_ wanted: Bool) -> Bool {
    if case .value(let text, _) = self { text == (wanted ? "true" : "false") } else { false }
  }
}
