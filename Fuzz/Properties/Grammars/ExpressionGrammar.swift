/// Expressions of the rules language, most of them of fitting types, made by choices.
struct ExpressionGrammar {
  var choices: Choices
  /// Names that can be used at the moment.
  var names: [String]
  /// Functions with the number of their parameters.
  var functions: [(name: String, parameters: Int)] = []

  init(_ choices: Choices, names: [String] = []) {
    self.choices = choices
    self.names = names
  }

  mutating func any(_ depth: Int) -> String {
    switch choices.below(12) {
    case 0: bool(depth)
    case 1: number(depth)
    case 2, 3: string(depth)
    case 4: list(depth)
    case 5: map(depth)
    case 6: time(depth)
    case 7: path(depth)
    case 8: "\(any(depth - 1)).\(choices.pick(Self.methods))(\(arguments(3, depth)))"
    case 9: postfix(depth)
    case 10: reference(depth)
    default: choices.pick(Self.oddities)
    }
  }

  mutating func bool(_ depth: Int) -> String {
    guard depth > 0 else { return choices.pick(["true", "false", "request.auth != null", "null"]) }
    let inner = depth - 1
    switch choices.below(16) {
    case 0: return choices.pick(["true", "false"])
    case 1: return "\(bool(inner)) && \(bool(inner))"
    case 2: return "\(bool(inner)) || \(bool(inner))"
    case 3: return "!\(bool(inner))"
    case 4: return "(\(bool(inner)))"
    case 5: return "\(any(inner)) \(choices.pick(["==", "!="])) \(any(inner))"
    case 6: return "\(number(inner)) \(choices.pick(["<", "<=", ">", ">="])) \(number(inner))"
    case 7: return "\(any(inner)) in \(choices.chance(128) ? list(inner) : map(inner))"
    case 8: return "\(any(inner)) is \(choices.pick(Self.types))"
    case 9: return "\(map(inner)).\(choices.pick(["keys", "values", "data"]))().\(choices.pick(["hasOnly", "hasAll", "hasAny"]))(\(list(inner)))"
    case 10: return "\(string(inner)).matches('\(Self.escaped(PatternGrammar.pattern(&choices, depth: 2)))')"
    case 11: return "exists(\(path(inner)))"
    case 12: return "\(bool(inner)) ? \(bool(inner)) : \(bool(inner))"
    case 13: return "\(map(inner)).diff(\(map(inner))).\(choices.pick(Self.diffs))().\(choices.pick(["hasAny", "hasOnly", "hasAll"]))(\(list(inner)))"
    case 14: return call(inner)
    default: return reference(inner)
    }
  }

  mutating func number(_ depth: Int) -> String {
    guard depth > 0 else { return choices.pick(Self.numbers) }
    let inner = depth - 1
    switch choices.below(9) {
    case 0: return choices.pick(Self.numbers)
    case 1, 2: return "\(number(inner)) \(choices.pick(["+", "-", "*", "/", "%"])) \(number(inner))"
    case 3: return "-\(number(inner))"
    case 4: return "\(any(inner)).size()"
    case 5: return "math.\(choices.pick(Self.maths))(\(number(inner)))"
    case 6: return "math.pow(\(number(inner)), \(number(inner)))"
    case 7: return "\(choices.pick(["int", "float"]))(\(any(inner)))"
    default: return "\(time(inner)).\(choices.pick(Self.clocks))()"
    }
  }

  mutating func string(_ depth: Int) -> String {
    guard depth > 0 else { return choices.pick(Self.strings) }
    let inner = depth - 1
    switch choices.below(9) {
    case 0: return choices.pick(Self.strings)
    case 1: return "\(string(inner)) + \(string(inner))"
    case 2: return "\(string(inner))[\(number(0)):\(number(0))]"
    case 3: return "\(string(inner)).\(choices.pick(["lower", "upper", "trim"]))()"
    case 4: return "\(string(inner)).replace('\(Self.escaped(PatternGrammar.pattern(&choices, depth: 1)))', \(string(inner)))"
    case 5: return "\(string(inner)).split(\(string(inner)))[\(number(0))]"
    case 6: return "string(\(any(inner)))"
    case 7: return "\(string(inner)).toUtf8().\(choices.pick(["toBase64", "toHexString"]))()"
    default: return "hashing.\(choices.pick(["md5", "sha256", "crc32", "crc32c"]))(\(string(inner))).toBase64()"
    }
  }

  mutating func list(_ depth: Int) -> String {
    guard depth > 0 else { return choices.pick(["[]", "['a', 'b']", "[1]", "[1, 1.0, null]"]) }
    let inner = depth - 1
    switch choices.below(8) {
    case 0: return "[]"
    case 1, 2: return "[" + some(upTo: 4) { $0.any(inner) }.joined(separator: ", ") + "]"
    case 3: return "\(list(inner)).\(choices.pick(["concat", "removeAll"]))(\(list(inner)))"
    case 4: return "\(list(inner))[\(number(0)):\(number(0))]"
    case 5: return "\(list(inner)).toSet()"
    case 6: return "\(list(inner)).toSet().\(choices.pick(["union", "intersection", "difference"]))(\(list(inner)).toSet())"
    default: return "\(map(inner)).\(choices.pick(["keys", "values"]))()"
    }
  }

  mutating func map(_ depth: Int) -> String {
    guard depth > 0 else { return choices.pick(Self.maps) }
    let inner = depth - 1
    switch choices.below(6) {
    case 0, 1: return choices.pick(Self.maps)
    case 2:
      let entries = some(upTo: 3) { $0.choices.pick(Self.strings) + ": " + $0.any(inner) }
      return "{" + entries.joined(separator: ", ") + "}"
    case 3: return "\(choices.pick(["get", "getAfter"]))(\(path(inner))).data"
    case 4: return "\(map(inner)).get(\(choices.pick(Self.strings)), \(any(inner)))"
    default: return "\(map(inner))[\(string(inner))]"
    }
  }

  mutating func time(_ depth: Int) -> String {
    switch choices.below(7) {
    case 0: "request.time"
    case 1: "timestamp.value(\(number(depth - 1)))"
    case 2: "timestamp.date(\(number(0)), \(number(0)), \(number(0)))"
    case 3: "duration.value(\(number(0)), '\(choices.pick(["s", "m", "h", "d", "w", "ms", "ns", "x"]))')"
    case 4: "duration.time(\(number(0)), \(number(0)), \(number(0)), \(number(0)))"
    case 5: depth > 0 ? "\(time(depth - 1)) \(choices.pick(["+", "-"])) \(time(depth - 1))" : "request.time.date()"
    default: "latlng.value(\(number(0)), \(number(0))).distance(latlng.value(\(number(0)), 0))"
    }
  }

  mutating func path(_ depth: Int) -> String {
    switch choices.below(6) {
    case 0: "/databases/$(database)/documents/\(choices.pick(Self.identifiers))/\(choices.pick(Self.identifiers))"
    case 1: "/databases/(default)/documents/users/$(\(string(max(depth - 1, 0))))"
    case 2: "path(\(string(max(depth - 1, 0))))"
    case 3: "/databases/{x}/documents/{y=**}"
    case 4: "request.path"
    default: depth > 0 ? "\(path(depth - 1)).bind(\(map(depth - 1)))" : "/a/b"
    }
  }

  private mutating func postfix(_ depth: Int) -> String {
    guard depth > 0 else { return reference(0) }
    return switch choices.below(4) {
    case 0: "\(any(depth - 1)).\(choices.pick(Self.identifiers))"
    case 1: "\(any(depth - 1))[\(any(depth - 1))]"
    case 2: "\(any(depth - 1))[\(number(0)):\(number(0))]"
    default: "\(choices.pick(["math", "duration", "timestamp", "latlng", "hashing"])).\(choices.pick(Self.identifiers))(\(arguments(4, depth)))"
    }
  }

  private mutating func call(_ depth: Int) -> String {
    let unknown = (name: choices.pick(Self.identifiers), parameters: 1)
    let function = choices.pick(functions, or: unknown)
    let count = choices.chance(16) ? choices.below(9) : function.parameters
    return function.name + "(" + (0..<count).map { _ in any(depth - 1) }.joined(separator: ", ") + ")"
  }

  private mutating func arguments(_ most: Int, _ depth: Int) -> String {
    some(upTo: most) { $0.any(max(depth - 1, 0)) }.joined(separator: ", ")
  }

  private mutating func reference(_ depth: Int) -> String {
    choices.chance(160) && !names.isEmpty ? choices.pick(names) : choices.pick(Self.references)
  }

  /// A few of a thing.
  mutating func some(upTo count: Int, _ make: (inout Self) -> String) -> [String] {
    (0..<choices.below(count + 1)).map { _ in make(&self) }
  }

  static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("'", with: "\\'").replacing("\n", with: "\\n")
  }
}
