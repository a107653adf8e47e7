import RulesEngine
import RulesSemantics
import RulesSyntax

/// What a condition compares and looks up, with functions and `let`s put in place.
struct ConditionFacts {
  /// A document that is looked up.
  struct Document: Equatable {
    /// `{caller}` stands for the uid, other names for anything.
    let pattern: String
    var fields: [String]
    /// It must not be there.
    let isNegated: Bool
  }

  /// A name and the members that are taken of it, such as `request`, `auth`, `uid`.
  typealias Chain = [String]

  /// What an identifier means inside a function: an expression outside.
  typealias Meanings = [String: Chain]

  /// What is compared with the uid of the caller.
  private(set) var uidComparisons: [Chain] = []
  /// What the uid must be in.
  private(set) var uidMemberships: [Chain] = []
  /// Whether it is asked who the caller is, in whatever way.
  private(set) var saysWho = false
  private(set) var readsAddress = false
  private(set) var readsVerification = false
  /// Custom claims that are read or asked for.
  private(set) var claims: [String] = []
  /// Those of which the mere presence is asked.
  private(set) var claimsByPresence: [String] = []
  /// Those that are compared with something.
  private(set) var comparedClaims: [String] = []
  /// In literals: what `affectedKeys().hasAny` names where it has to be true.
  private(set) var touchedKeys: [String] = []
  /// What `resource.data.keys().hasOnly` names, the keys of the document as it was.
  private(set) var oldKeys: [String] = []
  private(set) var documents: [Document] = []

  private let rules: CheckedRuleset
  private var steps = 0
  private static let mostSteps = 20_000

  init(_ rules: CheckedRuleset) { self.rules = rules }

  // Functions do not call themselves: such a file does not compile. What calls twice and twice again is cut short.
  mutating func visit(_ expression: Expression, _ meanings: Meanings, negated: Bool) {
    steps += 1
    guard steps < Self.mostSteps else { return }
    let asked = chain(expression, meanings)
    if asked == Self.uid { saysWho = true }
    if let chain = asked, chain.count == 4, chain.starts(with: Self.token) {
      if chain[3] == "email" || !Auth.standardClaims.contains(chain[3]) { saysWho = true }
      if chain[3] == "email" { readsAddress = true }
      if chain[3] == "email_verified" { readsVerification = true }
      add(chain[3], to: \.claims, unless: Auth.standardClaims.contains(chain[3]))
    }
    switch expression.kind {
    case .binary(.equal, let a, let b):
      if let other = partner(chain(a, meanings), chain(b, meanings)), !uidComparisons.contains(other) {
        uidComparisons.append(other)
      }
      for chain in [chain(a, meanings), chain(b, meanings)].compactMap(\.self)
      where chain.count == 4 && chain.starts(with: Self.token) {
        add(chain[3], to: \.comparedClaims, unless: Auth.standardClaims.contains(chain[3]))
      }
    case .binary(.in, let a, let b):
      if chain(a, meanings) == Self.uid, let other = chain(b, meanings), !uidMemberships.contains(other) {
        uidMemberships.append(other)
      }
      if chain(b, meanings) == Self.token, let name = text(a) {
        add(name, to: \.claims, unless: Auth.standardClaims.contains(name))
        add(name, to: \.claimsByPresence, unless: negated || Auth.standardClaims.contains(name))
      }
    case .methodCall(let receiver, let method, let arguments):
      if method.text == "get", case .member(let call, let data) = receiver.kind, data.text == "data",
        let name = arguments.first.flatMap(text)
      {
        note(call, name, meanings)
      }
      guard case .methodCall(let inner, let keys, _) = receiver.kind, arguments.count == 1,
        let names = arguments.first.flatMap(literal)
      else { break }
      if method.text == "hasAny", keys.text == "affectedKeys" {
        add(names, to: \.touchedKeys, unless: negated)
      } else if method.text == "hasOnly", keys.text == "keys", chain(inner, meanings) == ["resource", "data"] {
        add(names, to: \.oldKeys, unless: negated)
      }
    case .member(let receiver, let name):
      if case .member(let call, let data) = receiver.kind, data.text == "data" { note(call, name.text, meanings) }
    case .call(_, let arguments):
      switch rules.callee(of: expression) {
      case .function(let index):
        visit(rules.functions[index].declaration, arguments, meanings, negated)
      case .service: note(expression, nil, meanings, negated: negated)
      default: break
      }
    default: break
    }
    if case .unary(.not, let operand) = expression.kind {
      visit(operand, meanings, negated: !negated)
    } else if expression.isNullTest, expression.operands.allSatisfy({ isPlain($0, meanings) }) {
      // That there is a uid is true of everybody who has signed in.
      let isKnown = saysWho
      for operand in expression.operands { visit(operand, meanings, negated: negated) }
      saysWho = isKnown
    } else {
      for operand in expression.operands { visit(operand, meanings, negated: negated) }
    }
  }

  private mutating func visit(
    _ function: FunctionDeclaration, _ arguments: [Expression], _ meanings: Meanings, _ negated: Bool
  ) {
    var inner: Meanings = [:]
    for (parameter, argument) in zip(function.parameters, arguments) {
      inner[parameter.text] = chain(argument, meanings) ?? [""]
    }
    for binding in function.lets {
      visit(binding.value, inner, negated: negated)
      inner[binding.name.text] = chain(binding.value, inner) ?? [""]
    }
    visit(function.result, inner, negated: negated)
  }

  /// A name, members of it, or what a function of nothing answers: of these a test for null asks no more than whether
  /// somebody has signed in.
  private func isPlain(_ operand: Expression, _ meanings: Meanings) -> Bool {
    switch operand.kind {
    case .null: true
    case .call(_, let arguments): arguments.isEmpty
    default: chain(operand, meanings) != nil
    }
  }

  private static let uid = ["request", "auth", "uid"]
  private static let token = ["request", "auth", "token"]
  private mutating func add(_ name: String, to list: WritableKeyPath<ConditionFacts, [String]>, unless isNone: Bool) {
    if !isNone, !self[keyPath: list].contains(name) { self[keyPath: list].append(name) }
  }

  private func text(_ e: Expression) -> String? {
    guard case .string(let bytes) = e.kind else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }

  /// A list of plain texts, as it is written.
  private func literal(_ e: Expression) -> String? {
    guard case .list(let items) = e.kind else { return nil }
    let names = items.compactMap(text)
    guard names.count == items.count, names.allSatisfy({ !$0.contains("'") && !$0.contains("\\") }) else { return nil }
    return "[\(names.map { "'\($0)'" }.joined(separator: ", "))]"
  }

  /// What stands beside the uid.
  private func partner(_ a: Chain?, _ b: Chain?) -> Chain? { a == Self.uid ? b : b == Self.uid ? a : nil }

  /// A member of what `get` answers.
  private mutating func note(_ call: Expression, _ field: String, _ meanings: Meanings) {
    guard case .call = call.kind, case .service = rules.callee(of: call), field.isPlainName else { return }
    note(call, field, meanings, negated: false)
  }

  private mutating func note(_ call: Expression, _ field: String?, _ meanings: Meanings, negated: Bool) {
    guard case .call(_, let arguments) = call.kind, let path = arguments.first,
      let pattern = pattern(path, meanings)
    else { return }
    if let place = documents.firstIndex(where: { $0.pattern == pattern && ($0.isNegated == negated || field != nil) }) {
      if let field, !documents[place].fields.contains(field) { documents[place].fields.append(field) }
    } else {
      documents.append(Document(pattern: pattern, fields: field.map { [$0] } ?? [], isNegated: negated))
    }
  }

  /// The documents that a path can name; `nil` where it is not one of the caller's, and no single one either.
  private func pattern(_ path: Expression, _ meanings: Meanings) -> String? {
    guard case .path(let segments) = path.kind, segments.count > 3 else { return nil }
    var pattern = ""
    var isCallers = false
    var isFixed = true
    for (i, segment) in segments.dropFirst(3).enumerated() {
      switch segment.kind {
      case .literal(let text): pattern += "/" + text
      case .interpolation(let e):
        isFixed = false
        if chain(e, meanings) == Self.uid, !isCallers {
          isCallers = true
          pattern += "/{caller}"
        } else {
          pattern += "/{id\(i)}"
        }
      case .capture, .glob: return nil
      }
    }
    return isCallers || isFixed ? pattern : nil
  }

  /// What an expression names, if it only takes members of something.
  private func chain(_ expression: Expression, _ meanings: Meanings) -> Chain? {
    switch expression.kind {
    case .identifier(let name): return meanings[name] ?? [name]
    case .member(let receiver, let name): return chain(receiver, meanings).map { $0 + [name.text] }
    case .index(let receiver, let index):
      guard case .string(let bytes) = index.kind, let name = String(validating: bytes, as: UTF8.self) else {
        return nil
      }
      return chain(receiver, meanings).map { $0 + [name] }
    case .methodCall(let receiver, let method, let arguments):
      guard method.text == "get", case .string(let bytes)? = arguments.first?.kind,
        let name = String(validating: bytes, as: UTF8.self)
      else { return nil }
      return chain(receiver, meanings).map { $0 + [name] }
    default: return nil
    }
  }
}

extension Expression {
  /// `… == null` and `… != null`
  fileprivate var isNullTest: Bool {
    guard case .binary(let op, let a, let b) = kind, op == .equal || op == .notEqual else { return false }
    if case .null = a.kind { return true }
    if case .null = b.kind { return true }
    return false
  }
}
