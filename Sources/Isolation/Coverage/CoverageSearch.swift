import LocalFirestore
import RulesEngine
import RulesSemantics
import RulesSyntax
import RulesValues

/// Looks for requests that would make happen what tests did not. The goal is made the condition of an `allow` of its
/// own, the prover is asked for a request that passes it, and the request is run on the rules as they are: only what is
/// seen to happen there is told.
public final class CoverageSearch {
  public struct Result: Sendable {
    public enum Outcome: Sendable {
      /// The request, and whether the rules as they are allow it.
      case found(Witness, isAllowed: Bool)
      /// None was found: there may be one all the same.
      case notFound
    }

    public let goal: CoverageGoal
    public let outcome: Outcome
  }

  private let rules: Ruleset
  private let solver: SolverSession
  private let database: String
  private let printer: ExpressionPrinter
  private let places: [(allow: CheckedAllow, chain: [CheckedMatch])]

  public init(_ rules: Ruleset, solver: SolverSession, database: String = "(default)") {
    self.rules = rules
    self.solver = solver
    self.database = database
    printer = ExpressionPrinter(file: rules.file)
    var places: [(allow: CheckedAllow, chain: [CheckedMatch])] = []
    // Depth is bounded by the official limit on nested matches.
    func walk(_ match: CheckedMatch, _ outer: [CheckedMatch]) {
      places += match.allows.map { ($0, outer + [match]) }
      match.children.forEach { walk($0, outer + [match]) }
    }
    for service in rules.checked.services where service.kind == .firestore { service.matches.forEach { walk($0, []) } }
    self.places = places
  }

  /// - Parameter goal: of these rules.
  public func search(_ goal: CoverageGoal) -> Result {
    for variant in variants(goal) {
      for method in variant.methods {
        guard let changed = try? Ruleset(variant.text, name: rules.file.name) else { break }
        let statement = Statement(never: [method], variant.pattern, .if("true"))
        guard let verdict = try? Prover(changed, solver: solver, database: database).prove(statement),
          case .leak(let leak) = verdict, let isAllowed = run(leak.witness, goal)
        else { continue }
        return Result(goal: goal, outcome: .found(leak.witness, isAllowed: isAllowed))
      }
    }
    return Result(goal: goal, outcome: .notFound)
  }

  // MARK: Rules that ask for the goal

  private struct Variant {
    let text: String
    let pattern: String
    let methods: [String]
  }

  /// At most so many ways to a function are tried.
  private static let maximumWays = 4

  private func variants(_ goal: CoverageGoal) -> [Variant] {
    switch goal.place {
    case .allow(let allow):
      guard let place = places.first(where: { $0.allow.index == allow.index }) else { return [] }
      guard let expression = goal.expression, let root = allow.condition else {
        return [variant(place, "true", [])].compactMap(\.self)
      }
      guard let way = way(to: expression, in: root) else { return [] }
      return [variant(place, conjunction(way + [half(goal, expression)]), [])].compactMap(\.self)
    case .function(let function):
      guard let expression = goal.expression else { return [] }
      let own = copy(function, asking: expression) { half(goal, expression) }
      guard let own else { return [] }
      return Array(calls(of: function, through: own, depth: 0).prefix(Self.maximumWays))
    }
  }

  private typealias Copy = (name: String, after: Int, text: String)

  private func half(_ goal: CoverageGoal, _ expression: Expression) -> String {
    switch goal.half {
    case .isTrue: printer.text(expression)
    case .isFalse: "!(\(printer.text(expression)))"
    // Whatever it is: that it is come to is said by what stands before it.
    case .reached: "true"
    }
  }

  private func conjunction(_ parts: [String]) -> String {
    parts.isEmpty ? "true" : parts.map { "(\($0))" }.joined(separator: " && ")
  }

  /// What must be true for an expression to be come to within another; `nil`: it is no part of it. (An operand is also
  /// come to where the one before it is an error; such requests are left aside.)
  private func way(to target: Expression, in e: Expression) -> [String]? {
    if e === target { return [] }
    switch e.kind {
    case .binary(.and, let left, let right):
      return way(to: target, in: left) ?? way(to: target, in: right).map { [printer.text(left)] + $0 }
    case .binary(.or, let left, let right):
      return way(to: target, in: left) ?? way(to: target, in: right).map { ["!(\(printer.text(left)))"] + $0 }
    case .ternary(let condition, let yes, let no):
      return way(to: target, in: condition) ?? way(to: target, in: yes).map { [printer.text(condition)] + $0 }
        ?? way(to: target, in: no).map { ["!(\(printer.text(condition)))"] + $0 }
    default:
      for operand in e.operands {
        if let way = way(to: target, in: operand) { return way }
      }
      return nil
    }
  }

  /// A function like another that is true where an expression in it is come to and `what` is true.
  private func copy(_ function: CheckedFunction, asking expression: Expression, _ what: () -> String) -> Copy? {
    let declaration = function.declaration
    let parts: [String]
    if let way = way(to: expression, in: declaration.result) {
      parts = way + [what()]
    } else if declaration.lets.contains(where: { way(to: expression, in: $0.value) != nil }) {
      parts = [what()]
    } else {
      return nil
    }
    let name = "coverageGoal\(function.index)"
    let lets = declaration.lets.map { "let \($0.name.text) = \(printer.text($0.value));" }.joined(separator: " ")
    let parameters = declaration.parameters.map(\.text).joined(separator: ", ")
    return (
      name, declaration.range.end.byte, "\nfunction \(name)(\(parameters)) { \(lets) return \(conjunction(parts)); }\n"
    )
  }

  /// Rules in which a call of a function asks for the goal instead.
  private func calls(of function: CheckedFunction, through copy: Copy, depth: Int, _ copies: [Copy] = []) -> [Variant] {
    guard depth < 8 else { return [] }
    let copies = copies + [copy]
    var result: [Variant] = []
    for place in places {
      guard let root = place.allow.condition else { continue }
      for call in callSites(of: function, in: root) where result.count < Self.maximumWays {
        guard let way = way(to: call, in: root) else { continue }
        result += [variant(place, conjunction(way + [asked(copy, call)]), copies)].compactMap(\.self)
      }
    }
    for other in rules.checked.functions where other.isReachable && other.index != function.index {
      for root in other.declaration.lets.map(\.value) + [other.declaration.result] where result.count < Self.maximumWays
      {
        for call in callSites(of: function, in: root) {
          guard let outer = self.copy(other, asking: call, { asked(copy, call) }) else { continue }
          result += calls(of: other, through: outer, depth: depth + 1, copies)
        }
      }
    }
    return result
  }

  private func asked(_ copy: Copy, _ call: Expression) -> String {
    guard case .call(_, let arguments) = call.kind else { return "false" }
    return "\(copy.name)(\(arguments.map { printer.text($0) }.joined(separator: ", ")))"
  }

  private func callSites(of function: CheckedFunction, in root: Expression) -> [Expression] {
    var sites: [Expression] = []
    root.forEachNode { e in if rules.checked.callee(of: e) == .function(function.index) { sites.append(e) } }
    return sites
  }

  /// The file with one `allow` only, whose condition is given, and with copies of functions.
  private func variant(
    _ place: (allow: CheckedAllow, chain: [CheckedMatch]), _ condition: String, _ copies: [Copy]
  ) -> Variant? {
    guard let pattern = Self.pattern(place.chain) else { return nil }
    let methods = ["get", "create", "update", "delete", "list"].filter { name in
      place.allow.methods.contains { $0.rawValue == name }
    }
    var edits: [(range: Range<Int>, text: String)] = copies.map { ($0.after..<$0.after, $0.text) }
    func clear(_ match: CheckedMatch) {
      for allow in match.allows {
        let range = allow.statement.range.start.byte..<allow.statement.range.end.byte
        let isMeant = allow.index == place.allow.index
        // A match must have something in it.
        edits.append(
          (range, isMeant ? "allow \(methods.joined(separator: ", ")): if \(condition);" : "allow get: if false;"))
      }
      match.children.forEach(clear)
    }
    for service in rules.checked.services where service.kind == .firestore { service.matches.forEach(clear) }
    edits.sort { $0.range.lowerBound < $1.range.lowerBound }
    let source = rules.file.utf8
    var bytes: [UInt8] = []
    var position = 0
    for edit in edits {
      guard edit.range.lowerBound >= position, edit.range.upperBound <= source.count else { return nil }
      bytes += source[position..<edit.range.lowerBound] + Array(edit.text.utf8)
      position = edit.range.upperBound
    }
    bytes += source[position...]
    return Variant(text: String(decoding: bytes, as: UTF8.self), pattern: pattern, methods: methods)
  }

  /// The whole pattern of a block below the documents.
  private static func pattern(_ chain: [CheckedMatch]) -> String? {
    let segments = chain.flatMap(\.segments)
    let isRooted = segments.count > 3 && !segments.prefix(3).contains { if case .glob = $0 { true } else { false } }
    guard isRooted else { return "/{rest=**}" }
    return segments.dropFirst(3).enumerated().map { i, segment in
      switch segment {
      case .literal(let text): "/\(text)"
      case .capture: "/{c\(i)}"
      case .glob: "/{c\(i)=**}"
      }
    }.joined()
  }

  // MARK: What really happens

  private struct FixedClock: TimeSource {
    let now: Timestamp
  }

  /// Runs the request on the rules as they are. `nil`: the goal is not met by it.
  private func run(_ witness: Witness, _ goal: CoverageGoal) -> Bool? {
    let recorder = CoverageRecorder(rules)
    let firestore = LocalFirestore(clock: FixedClock(now: witness.time))
    firestore.setRules(rules, database: witness.path.database, recorder: recorder)
    var isAllowed = true
    do throws(FirestoreError) {
      for (path, fields) in witness.documents { try firestore.seed(path, fields) }
    } catch {
      return nil
    }
    do throws(FirestoreError) {
      let client = firestore.client(as: witness.auth, database: witness.path.database)
      if let query = witness.query {
        _ = try client.query(StructuredQuery(query))
      } else {
        switch witness.method {
        case .get: try client.perform(.get(witness.path))
        case .create, .update:
          try client.perform(.write(.set(witness.path, (witness.data ?? [:]).mapValues { FieldValue.value($0) })))
        case .delete: try client.perform(.write(.delete(witness.path)))
        case .list: return nil
        }
      }
    } catch {
      isAllowed = false
    }
    return goal.isMet(by: recorder.coverage) ? isAllowed : nil
  }
}
