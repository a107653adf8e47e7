/// Test files made by choices.
struct SuiteGrammar {
  private var expressions: ExpressionGrammar

  static func file(_ choices: Choices) -> String {
    var grammar = SuiteGrammar(expressions: ExpressionGrammar(choices, names: ["alice", "nobody", "alice.uid", "request.time"]))
    return grammar.file()
  }

  private mutating func file() -> String {
    var text = "user alice = \(provider());\n"
    while !expressions.choices.isExhausted, text.utf8.count < 4000 { text += declaration() }
    return text
  }

  private mutating func declaration() -> String {
    switch expressions.choices.below(8) {
    case 0: "user \(expressions.choices.pick(["bob", "carol", "nobody", "alice"])) = \(provider());\n"
    case 1: "given \(path()) \(data());\n"
    case 2: "function f(x) { return \(expressions.any(2)); }\n"
    case 3: "now \(expressions.time(1));\n"
    case 4: "\(expressions.choices.pick(Self.invariants));\n"
    case 5: "database '\(expressions.choices.pick(["archive", "(default)", ""]))';\n"
    default:
      "test '\(expressions.choices.pick(["one", "two", "", "é"]))' {\n"
        + (0..<expressions.choices.below(7)).map { _ in step() }.joined() + "}\n"
    }
  }

  private mutating func step() -> String {
    let verdict = expressions.choices.pick(["allow", "deny"])
    let users = ([expressions.choices.pick(Self.users)] + expressions.choices.some(upTo: 2) { $0.pick(Self.users) }).joined(separator: ", ")
    return switch expressions.choices.below(7) {
    case 0: "  \(verdict) get \(path()) as \(users);\n"
    case 1: "  \(verdict) delete \(path()) as \(users);\n"
    case 2: "  given \(path()) \(data());\n"
    case 3: "  at \(expressions.time(1));\n"
    default:
      "  \(verdict) \(expressions.choices.pick(["create", "update", "set"])) \(path()) \(data()) as \(users)"
        + (expressions.choices.chance(40) ? " because 'false for'" : "") + ";\n"
    }
  }

  private mutating func path() -> String {
    expressions.choices.pick(["/users/alice", "/users/bob", "/users/$(alice.uid)", "/a/b/c/d", "/a", "/{x}", "/users/$(request.time)", "/users/\(expressions.choices.pick(ExpressionGrammar.identifiers))"])
  }

  private mutating func data() -> String {
    let entries = expressions.some(upTo: 4) { inner in
      let key = inner.choices.pick(["a", "'a.b'", "in", "(alice.uid)", "a", "'a`b'", "__name__", "match"])
      return "\(key): \(inner.choices.chance(100) ? inner.choices.pick(Self.transforms) : inner.any(2))"
    }
    return "{ " + entries.joined(separator: ", ") + " }"
  }

  private mutating func provider() -> String {
    let name = expressions.choices.pick(["password", "anonymous", "google", "apple", "custom", "oidc", "saml", "phone", "emailLink", "nothing"])
    return name + "(" + expressions.choices.pick(["{}", "{ email: 'a@b.c' }", "'oidc.x', { uid: 'l' }", "", "{ claims: { admin: true } }", "{ uid: 7 }", "{ phone_number: '+1' }"]) + ")"
  }

  private static let users = ["alice", "nobody", "bob", "carol"]
  private static let transforms = [
    "increment(1)", "increment(9223372036854775807)", "deleteField()", "serverTimestamp()", "arrayUnion(1, 1.0)",
    "arrayRemove('a')", "increment('x')", "/users/alice", "maximum(1)", "minimum(0.5)",
  ]
  private static let invariants = [
    "never get /users/{uid} unless request.auth != null", "private /secrets/{rest=**}", "isolate /posts/{p} by resource.data.owner",
    "immutable /posts/{p} fields owner, 'a.b'", "never update /orders/{o} if resource.data.a == 'x'", "assume /users/{uid} if true",
  ]
}
