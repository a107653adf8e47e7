import JSON

/// The syntax tree as JSON, for `check --ast json` and for tools. Every node has its `kind` and, as `at`, where it
/// stands: line and column from 1, offset from 0, in Unicode scalars; `end` is behind the last scalar. Integers that
/// JSON readers might round are strings, texts with unpaired surrogates show U+FFFD for them.
public enum SyntaxJSON {
  public static func value(_ syntax: RulesetSyntax) -> JSONValue {
    var object: JSONObject = ["kind": .string("ruleset")]
    if let version = syntax.version {
      object["version"] = node("version", version.range, ["value": .string(version.value)])
    }
    if !syntax.imports.isEmpty {
      object["imports"] = .array(
        syntax.imports.map {
          node("import", $0.range, ["module": .string($0.module), "alias": $0.alias.map(value) ?? .null])
        })
    }
    object["items"] = .array(
      syntax.items.map {
        switch $0 {
        case .function(let function): value(function)
        case .service(let service): value(service)
        }
      })
    return .object(object)
  }

  public static func value(_ service: ServiceDeclaration) -> JSONValue {
    node(
      "service", service.range,
      [
        "name": value(service.name), "functions": .array(service.functions.map(value)),
        "matches": .array(service.matches.map(value)),
      ])
  }

  public static func value(_ match: MatchDeclaration) -> JSONValue {
    node(
      "match", match.range,
      [
        "path": .array(match.path.map(value)), "functions": .array(match.functions.map(value)),
        "allows": .array(match.allows.map(value)), "matches": .array(match.matches.map(value)),
      ])
  }

  public static func value(_ allow: AllowStatement) -> JSONValue {
    node(
      "allow", allow.range,
      ["methods": .array(allow.methods.map(value)), "condition": allow.condition.map(value) ?? .null])
  }

  public static func value(_ function: FunctionDeclaration) -> JSONValue {
    node(
      "function", function.range,
      [
        "name": value(function.name), "parameters": .array(function.parameters.map(value)),
        "lets": .array(
          function.lets.map { node("let", $0.range, ["name": value($0.name), "value": value($0.value)]) }),
        "result": value(function.result),
      ])
  }

  public static func value(_ segment: Expression.PathSegment) -> JSONValue {
    switch segment.kind {
    case .literal(let text): node("literal", segment.range, ["text": .string(text)])
    case .capture(let name): node("capture", segment.range, ["name": value(name)])
    case .glob(let name): node("glob", segment.range, ["name": value(name)])
    case .interpolation(let inner): node("interpolation", segment.range, ["expression": value(inner)])
    }
  }

  public static func value(_ expression: Expression) -> JSONValue {
    var members: JSONObject
    let kind: String
    switch expression.kind {
    case .null: (kind, members) = ("null", [:])
    case .bool(let value): (kind, members) = ("bool", ["value": .bool(value)])
    case .int(let value): (kind, members) = ("int", ["value": .string(String(value))])
    case .float(let value):
      (kind, members) = ("float", ["value": value.isFinite ? .double(value) : .string(value.description)])
    case .string(let bytes): (kind, members) = ("string", ["value": .string(String(decoding: bytes, as: UTF8.self))])
    case .bytes(let bytes): (kind, members) = ("bytes", ["value": .array(bytes.map { .int(Int64($0)) })])
    case .identifier(let name): (kind, members) = ("identifier", ["name": .string(name)])
    case .list(let items): (kind, members) = ("list", ["items": .array(items.map(value))])
    case .map(let entries):
      kind = "map"
      members = [
        "entries": .array(entries.map { .object(["key": value($0.key), "value": value($0.value)]) })
      ]
    case .path(let segments): (kind, members) = ("path", ["segments": .array(segments.map(value))])
    case .member(let receiver, let name):
      (kind, members) = ("member", ["receiver": value(receiver), "name": value(name)])
    case .index(let receiver, let index):
      (kind, members) = ("index", ["receiver": value(receiver), "index": value(index)])
    case .slice(let receiver, let lower, let upper):
      kind = "slice"
      members = [
        "receiver": value(receiver), "lower": lower.map(value) ?? .null, "upper": upper.map(value) ?? .null,
      ]
    case .call(let name, let arguments):
      (kind, members) = ("call", ["name": value(name), "arguments": .array(arguments.map(value))])
    case .methodCall(let receiver, let name, let arguments):
      kind = "methodCall"
      members = ["receiver": value(receiver), "name": value(name), "arguments": .array(arguments.map(value))]
    case .unary(let op, let operand):
      (kind, members) = ("unary", ["operator": .string(op.rawValue), "operand": value(operand)])
    case .binary(let op, let left, let right):
      (kind, members) = ("binary", ["operator": .string(op.rawValue), "left": value(left), "right": value(right)])
    case .typeTest(let operand, let type):
      (kind, members) = ("is", ["operand": value(operand), "type": value(type)])
    case .ternary(let condition, let then, let other):
      (kind, members) = ("ternary", ["condition": value(condition), "then": value(then), "else": value(other)])
    }
    if expression.parentheses > 0 { members["parentheses"] = .int(Int64(expression.parentheses)) }
    return node(kind, expression.range, members)
  }

  public static func value(_ name: Name) -> JSONValue { node("name", name.range, ["text": .string(name.text)]) }

  public static func value(_ range: SourceRange) -> JSONValue {
    func place(_ position: SourcePosition) -> JSONValue {
      .object([
        "line": .int(Int64(position.line)), "column": .int(Int64(position.column)),
        "offset": .int(Int64(position.offset)),
      ])
    }
    return .object(["start": place(range.start), "end": place(range.end)])
  }

  private static func node(_ kind: String, _ range: SourceRange, _ members: JSONObject) -> JSONValue {
    var object: JSONObject = ["kind": .string(kind), "at": value(range)]
    for (key, value) in members.members { object[key] = value }
    return .object(object)
  }
}
