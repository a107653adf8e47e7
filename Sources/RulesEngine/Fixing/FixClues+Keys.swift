import RulesPatterns
import RulesValues

extension FixClues {
  mutating func method(_ name: String, _ node: Explanation.Node, _ wanted: Bool, _ frame: FixFrame?) {
    guard let receiver = node.children.first else { return }
    if name == "matches" {
      guard node.children.count > 1, case .string(let pattern)? = FixValue.data(node.children[1]) else { return }
      for text in Self.texts + [Self.text(of: pattern, matching: wanted)].compactMap(\.self) {
        set(receiver, .string(text), frame)
      }
      return
    }
    guard ["hasAll", "hasAny", "hasOnly"].contains(name), node.children.count > 1,
      case .array(let listed)? = FixValue.data(node.children[1])
    else { return }
    var present: [DataValue] = []
    if case .array(let items)? = FixValue.data(receiver) { present = items }
    let missing = listed.filter { !present.contains($0) }
    let (toAdd, toRemove): ([DataValue], [DataValue]) =
      switch (name, wanted) {
      case ("hasAll", true): (missing, [])
      case ("hasAny", true): (Array(missing.prefix(1)), [])
      case ("hasOnly", true): ([], present.filter { !listed.contains($0) })
      case ("hasAny", false): ([], present.filter { listed.contains($0) })
      case ("hasAll", false): ([], Array(present.filter { listed.contains($0) }.prefix(1)))
      default: ([], [])
      }
    if !changeKeys(receiver, toAdd, toRemove, frame) {
      set(receiver, .array(present.filter { !toRemove.contains($0) } + toAdd), frame)
    }
  }

  /// A short text that a pattern takes as a whole, or does not; `nil` where none is found in reasonable time.
  private static func text(of pattern: String, matching wanted: Bool) -> String? {
    guard let tree = try? Pattern(pattern).tree, let automaton = JointAutomaton([tree], limit: 1_000),
      let text = automaton.text(accepted: [wanted], length: nil)
    else { return nil }
    return String(validating: text, as: UTF8.self)
  }

  /// Where a list is one of names of fields, these are what has to change.
  /// - Returns: whether it is.
  mutating func changeKeys(
    _ given: Explanation.Node, _ toAdd: [DataValue], _ toRemove: [DataValue], _ outer: FixFrame?
  ) -> Bool {
    let (list, frame) = places.unwrapped(given, outer)
    guard case .methodCall(_, let call, _) = list.expression.kind, let owner = list.children.first else { return false }
    switch call.text {
    case "keys": keys(owner, toAdd, toRemove, frame)
    case "affectedKeys", "changedKeys", "addedKeys", "removedKeys": differences(owner, toAdd, toRemove, frame)
    case "toSet": return changeKeys(owner, toAdd, toRemove, frame)
    default: return false
    }
    return true
  }

  /// The same, to become a whole list.
  mutating func changeKeys(_ list: Explanation.Node, to wanted: [DataValue], _ frame: FixFrame?) -> Bool {
    guard case .array(let present)? = FixValue.data(list) else { return false }
    return changeKeys(
      list, wanted.filter { !present.contains($0) }, present.filter { !wanted.contains($0) }, frame)
  }

  /// Fields that must be there, or must not.
  private mutating func keys(_ map: Explanation.Node, _ toAdd: [DataValue], _ toRemove: [DataValue], _ frame: FixFrame?)
  {
    guard let place = places.place(map, frame) else { return }
    var changes: [NearestFix.Change] = []
    for key in toAdd { changes += member(key, of: place).map { self.changes($0, .string("text")) } ?? [] }
    for key in toRemove { changes += member(key, of: place).map { self.changes($0, nil) } ?? [] }
    add(changes)
  }

  /// Fields that must change, or must not: these are written as they are stored.
  private mutating func differences(
    _ diff: Explanation.Node, _ toAdd: [DataValue], _ toRemove: [DataValue], _ frame: FixFrame?
  ) {
    let (node, inside) = places.unwrapped(diff, frame)
    guard node.children.count == 2, let new = places.place(node.children[0], inside),
      case .map(let before)? = FixValue.data(node.children[1])
    else { return }
    var changes: [NearestFix.Change] = []
    for key in toRemove {
      guard case .string(let name) = key, let place = member(key, of: new) else { continue }
      changes += self.changes(place, before[Text(name)])
    }
    for key in toAdd {
      guard case .string(let name) = key, let place = member(key, of: new) else { continue }
      changes += self.changes(place, Self.other(than: before[Text(name)] ?? .null, state))
    }
    add(changes)
  }

  private func member(_ key: DataValue, of place: FixPlace) -> FixPlace? {
    guard case .string(let name) = key else { return nil }
    return place.member(name, of: state.request)
  }
}
