import RulesEngine
import RulesSyntax
import RulesTesting

/// What an invariant says, as statements that can be proved one by one.
public enum InvariantMeaning: Sendable {
  case statements([Statement])
  /// Each of these has to be broken by some request.
  case possibilities([Statement])
  /// What is assumed of documents, and that writes keep it.
  case assumption(DataAssumption, isKept: Statement)
  /// Why there is no proof of this form.
  case notProvable(String)
}

extension InvariantDeclaration {
  /// - Parameter test: the test file that holds the invariant.
  /// - Throws: the compiler's findings when what is assumed does not compile.
  public func meaning(in test: TestFile) throws(RulesError) -> InvariantMeaning {
    let file = test.syntax
    let source = file.file
    let pattern = source.text(path.range)
    let functions = file.functions.map { source.text($0.range) }.joined(separator: "\n")
    /// From an expression to the end of the invariant, since closing brackets are no part of an expression's range.
    func text(from expression: Expression) -> String {
      source.text(SourceRange(expression.range.start, range.end))
    }
    func never(_ methods: [String], _ condition: Statement.Condition) -> Statement {
      Statement(never: methods, pattern, condition, functions: functions)
    }
    let all = ["read", "write"]
    switch form {
    case .never:
      guard let condition else { return .notProvable("it has no condition") }
      let methods = methods.map(\.text)
      switch condition {
      case .unless(let e): return .statements([never(methods, .unless(text(from: e)))])
      case .if(let e): return .statements([never(methods, .if(text(from: e)))])
      }
    case .isolate:
      guard let owner else { return .notProvable("it has no owner") }
      let signedIn = "request.auth != null && request.auth.uid == "
      let rest = ["get", "list", "update", "delete"]
      return .statements([
        never(rest, .unless(signedIn + "(\(text(from: owner)))")),
        // A new document belongs to whom its own data name.
        never(["create"], .unless(signedIn + "(\(ofNewDocument(owner, source)))")),
      ])
    case .private: return .statements([never(all, .if("true"))])
    case .readonly, .public: return .statements([never(["write"], .if("true"))])
    case .tenant:
      guard let owner, let tenant = firstCapture else { return .notProvable("its path captures no tenant") }
      return .statements([never(all, .unless("request.auth != null && (\(text(from: owner))) == \(tenant)"))])
    case .immutable:
      return .statements([never(["update"], .if(fields.map { changed($0.text) }.joined(separator: " || ")))])
    case .server:
      let changes = fields.map { changed($0.text) }.joined(separator: " || ")
      let given = fields.map { present($0.text) }.joined(separator: " || ")
      return .statements([never(["update"], .if(changes)), never(["create"], .if(given))])
    case .allows:
      guard let user else { return .notProvable("it names no user") }
      let caller = test.users.first { $0.name == user.text }.map { Self.isCaller($0.auth) } ?? "request.auth == null"
      let single = Statement(never: methods.map(\.text), pattern, .if(caller)).methods.map(\.rawValue)
      return .possibilities(single.map { never([$0], .if(caller)) })
    case .assume:
      guard case .if(let e)? = condition else { return .notProvable("it has no condition") }
      let assumption = try DataAssumption(
        text: source.text(range), pattern: pattern, condition: text(from: e), functions: functions)
      guard let assumption else {
        return .notProvable(
          "what is assumed of a document must depend on that document alone, and functions get it as an argument")
      }
      return .assumption(assumption, isKept: never(["create", "update"], .unless(ofNewDocument(e, source))))
    }
  }

  /// That the caller is this user, with this token; its times are left open.
  private static func isCaller(_ auth: Auth) -> String {
    var parts = ["request.auth != null", "request.auth.uid == \(literal(auth.uid))"]
    for (name, value) in auth.token.sorted(by: { $0.key < $1.key }) {
      let claim = "request.auth.token[\(literal(name.string))]"
      switch (name.string, value) {
      case ("iat", _), ("exp", _), ("auth_time", _): break
      case (_, .string(let text)): parts.append("\(claim) == \(literal(text))")
      case (_, .bool(let b)): parts.append("\(claim) == \(b)")
      case (_, .int(let i)) where i != .min: parts.append("\(claim) == \(i)")
      case ("firebase", .map(let firebase)):
        for case (let key, .string(let text)) in firebase.sorted(by: { $0.key < $1.key }) {
          parts.append("\(claim)[\(literal(key.string))] == \(literal(text))")
        }
      default: break
      }
    }
    let names = auth.token.keys.sorted().map { literal($0.string) }
    return (parts + ["request.auth.token.keys().hasOnly([\(names.joined(separator: ", "))])"]).joined(separator: " && ")
  }

  private static func literal(_ text: String) -> String { "'" + text[...].escaped + "'" }

  private var firstCapture: String? {
    for segment in path.segments { if case .capture(let name) = segment.kind { return name.text } }
    return nil
  }

  /// The text with `resource` read as `request.resource`.
  private func ofNewDocument(_ expression: Expression, _ source: SourceFile) -> String {
    var places: [SourceRange] = []
    expression.forEachNode { e in
      if case .identifier("resource") = e.kind { places.append(e.anchor) }
    }
    var text = ""
    var position = expression.range.start
    for place in places.sorted(by: { $0.start < $1.start }) {
      text += source.text(SourceRange(position, place.start)) + "request."
      position = place.start
    }
    return text + source.text(SourceRange(position, range.end))
  }

  private func keys(_ name: String) -> [String] {
    name.split(separator: ".").map { "'" + $0.escaped + "'" }
  }

  /// That an update gives the field another value, takes it away or adds it.
  private func changed(_ name: String) -> String {
    let keys = keys(name)
    if keys.count == 1 { return "\(Statement.changedKeys).hasAny([\(keys[0])])" }
    let path = keys.joined(separator: ", ")
    return "request.resource.data.get([\(path)], null) != resource.data.get([\(path)], null)"
  }

  private func present(_ name: String) -> String {
    let keys = keys(name)
    if keys.count == 1 { return "\(keys[0]) in request.resource.data" }
    return "request.resource.data.get([\(keys.joined(separator: ", "))], null) != null"
  }
}

extension Substring {
  /// As it stands between single quotes.
  fileprivate var escaped: String {
    var text = ""
    for c in unicodeScalars {
      if c == "'" || c == "\\" { text += "\\" }
      text.unicodeScalars.append(c)
    }
    return text
  }
}

extension Prover {
  /// Proves all that an invariant says; the first part that does not hold decides.
  /// - Throws: the compiler's findings when a condition does not compile.
  public func prove(_ invariant: InvariantDeclaration, in test: TestFile) throws(RulesError) -> StatementVerdict {
    let statements: [Statement]
    switch try invariant.meaning(in: test) {
    case .statements(let parts):
      statements = parts
      dataAssumptions = try keptAssumptions(of: test)
    case .assumption(let assumption, let isKept):
      statements = [isKept]
      dataAssumptions = [assumption]
    case .possibilities(let parts):
      dataAssumptions = try keptAssumptions(of: test)
      return try look(for: parts)
    case .notProvable(let why): return .unknown([UnknownReason(text: why, line: nil)], tries: 0)
    }
    var evidence = Evidence()
    if invariant.form != .assume { evidence.assumptions = dataAssumptions.map(\.text) }
    var isVacuous = true
    var reasons: [UnknownReason] = []
    var tries = 0
    for statement in statements {
      switch try prove(statement) {
      case .leak(let leak): return .leak(leak)
      case .vacuous, .possible, .impossible: break
      case .unknown(let more, let tried):
        isVacuous = false
        reasons += more
        tries += tried
      case .proved(let more):
        isVacuous = false
        evidence.questions += more.questions
        evidence.withoutSolver += more.withoutSolver
        evidence.agreed += more.agreed
        evidence.undecided += more.undecided
        evidence.approximations += more.approximations.filter { !evidence.approximations.contains($0) }
      }
    }
    if !reasons.isEmpty { return .unknown(reasons, tries: tries) }
    return isVacuous ? .vacuous : .proved(evidence)
  }

  private func look(for possibilities: [Statement]) throws(RulesError) -> StatementVerdict {
    var first: Leak?
    var reasons: [UnknownReason] = []
    var tries = 0
    for statement in possibilities {
      switch try prove(statement) {
      case .leak(let leak): first = first ?? leak
      case .proved, .vacuous, .impossible: return .impossible
      case .unknown(let more, let tried):
        reasons += more
        tries += tried
      case .possible: break
      }
    }
    if !reasons.isEmpty { return .unknown(reasons, tries: tries) }
    return first.map { .possible($0) } ?? .impossible
  }
}
