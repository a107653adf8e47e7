/// Rules files made by choices: nearly always well-formed, often without errors.
struct RulesGrammar {
  private var expressions: ExpressionGrammar

  private init(_ choices: Choices) { expressions = ExpressionGrammar(choices, names: ["database"]) }

  /// A rules file, and the choices that are left.
  static func file(_ choices: Choices) -> (text: String, rest: Choices) {
    var grammar = RulesGrammar(choices)
    let text = grammar.file()
    return (text, grammar.expressions.choices)
  }

  private mutating func file() -> String {
    var text = expressions.choices.chance(24) ? "" : "rules_version = '\(expressions.choices.pick(["2", "2", "2", "1", "3"]))';\n"
    // Expressions come from here on: a file whose choices run out early is short but whole.
    for _ in 0..<expressions.choices.below(2) { text += function("") }
    text += "service cloud.firestore {\n  match /databases/{database}/documents {\n"
    for _ in 0..<expressions.choices.below(3) { text += function("    ") }
    for _ in 0...expressions.choices.below(3) { text += match("    ", depth: 2) }
    return text + "  }\n}\n"
  }

  private mutating func function(_ indent: String) -> String {
    let names = expressions.names
    defer { expressions.names = names }
    let name = expressions.choices.pick(["f", "g", "owns", "request", "size", "h"])
    let parameters = expressions.choices.some(upTo: 3) { $0.pick(["x", "y", "id", "resource", "x"]) }
    expressions.names += parameters
    var text = "\(indent)function \(name)(\(parameters.joined(separator: ", "))) {\n"
    for _ in 0..<expressions.choices.below(3) {
      let local = expressions.choices.pick(["v", "w", "x", "request", "math"])
      text += "\(indent)  let \(local) = \(expressions.any(2));\n"
      expressions.names.append(local)
    }
    text += "\(indent)  return \(expressions.choices.chance(128) ? expressions.any(2) : expressions.bool(2));\n\(indent)}\n"
    expressions.functions.append((name, parameters.count))
    return text
  }

  private mutating func match(_ indent: String, depth: Int) -> String {
    let (names, functions) = (expressions.names, expressions.functions)
    defer { (expressions.names, expressions.functions) = (names, functions) }
    var path = ""
    for _ in 0...expressions.choices.below(3) {
      let name = expressions.choices.pick(["id", "user", "rest", "x", "database"])
      switch expressions.choices.below(5) {
      case 0, 1: path += "/" + expressions.choices.pick(["users", "alice", "posts", "a", "b-c", "%20"])
      case 2, 3:
        path += "/{\(name)}"
        expressions.names.append(name)
      default:
        path += "/{\(name)=**}"
        expressions.names.append(name)
      }
    }
    var text = "\(indent)match \(path) {\n"
    for _ in 0..<expressions.choices.below(2) { text += function(indent + "  ") }
    for _ in 0...expressions.choices.below(2) {
      let methods = [expressions.choices.pick(Self.methods)] + expressions.choices.some(upTo: 1) { $0.pick(Self.methods) }
      let condition = expressions.choices.chance(16) ? "" : ": if " + expressions.bool(3)
      text += "\(indent)  allow \(methods.joined(separator: ", "))\(condition);\n"
    }
    if depth > 0, expressions.choices.chance(80) { text += match(indent + "  ", depth: depth - 1) }
    return text + "\(indent)}\n"
  }

  private static let methods = ["read", "write", "get", "list", "create", "update", "delete", "read, write"]
}
