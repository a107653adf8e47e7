import RulesSemantics
import RulesSyntax

/// Something that tests should make happen once: that a condition, or a part of it that decides, is true, or false, or
/// is come to at all.
public struct CoverageGoal: Sendable {
  public enum Half: String, Sendable, CaseIterable {
    case isTrue = "true"
    case isFalse = "false"
    /// Of what is always the same: `if true`, `if false`, no condition.
    case reached
  }

  /// Where the expression stands.
  public enum Place: Sendable {
    case allow(CheckedAllow)
    case function(CheckedFunction)
  }

  public let half: Half
  /// `nil`: an `allow` without condition.
  public let expression: Expression?
  public let place: Place
  /// What is shown as the goal's place.
  public let range: SourceRange

  /// Whether this is the same goal of the same rules.
  public func isSame(as other: CoverageGoal) -> Bool {
    half == other.half && expression?.id == other.expression?.id && range == other.range
  }

  public func isMet(by coverage: Coverage) -> Bool {
    guard let expression else {
      guard case .allow(let allow) = place else { return false }
      return coverage.counts(of: allow.statement).total > 0
    }
    let counts = coverage.counts(of: expression)
    switch half {
    case .isTrue: return counts.isTrue > 0
    case .isFalse: return counts.isFalse > 0
    case .reached: return counts.total > 0
    }
  }
}

extension Ruleset {
  /// All that tests of the Firestore rules should make happen, in source order: both halves of every condition and of
  /// every operand that decides in it, in functions too that conditions call.
  public var coverageGoals: [CoverageGoal] {
    var maker = GoalMaker(checked)
    for service in checked.services where service.kind == .firestore { service.matches.forEach { maker.visit($0) } }
    return maker.goals.enumerated().sorted { a, b in
      let (x, y) = (a.element.range.start.byte, b.element.range.start.byte)
      return x != y ? x < y : a.offset < b.offset
    }.map(\.element)
  }
}

private struct GoalMaker {
  private let ruleset: CheckedRuleset
  private(set) var goals: [CoverageGoal] = []
  /// Expressions that have goals already.
  private var seen: Set<Int> = []
  private var functions: Set<Int> = []

  init(_ ruleset: CheckedRuleset) { self.ruleset = ruleset }

  // Depth is bounded by the official limit on nested matches.
  mutating func visit(_ match: CheckedMatch) {
    for allow in match.allows where !allow.methods.isEmpty {
      if var condition = allow.condition {
        // `!a` has the halves of a.
        while case .unary(.not, let operand) = condition.kind { condition = operand }
        addBoth(condition, .allow(allow))
        addParts(of: condition, .allow(allow))
      } else {
        goals.append(
          CoverageGoal(half: .reached, expression: nil, place: .allow(allow), range: allow.statement.range))
      }
    }
    match.children.forEach { visit($0) }
  }

  private mutating func addBoth(_ e: Expression, _ place: CoverageGoal.Place) {
    guard seen.insert(e.id).inserted else { return }
    if case .bool = e.kind {
      goals.append(CoverageGoal(half: .reached, expression: e, place: place, range: e.range))
      return
    }
    for half in [CoverageGoal.Half.isTrue, .isFalse] {
      goals.append(CoverageGoal(half: half, expression: e, place: place, range: e.range))
    }
  }

  // Depth is bounded by the parser.
  private mutating func addParts(of e: Expression, _ place: CoverageGoal.Place) {
    switch e.kind {
    case .binary(.and, let left, let right), .binary(.or, let left, let right):
      for operand in [left, right] { addOperand(operand, e, place) }
    case .unary(.not, let operand): addOperand(operand, e, place)
    case .ternary(let condition, let yes, let no):
      for operand in [condition, yes, no] { addOperand(operand, e, place) }
    case .call: enter(e)
    default: break
    }
  }

  /// What only passes its operands' values on has no halves of its own: the `a && b` of `a && b && c`, and `!a`.
  private mutating func addOperand(_ e: Expression, _ parent: Expression, _ place: CoverageGoal.Place) {
    switch (e.kind, parent.kind) {
    case (.unary(.not, _), _), (.binary(.and, _, _), .binary(.and, _, _)), (.binary(.or, _, _), .binary(.or, _, _)),
      (.ternary, _):
      break
    default: addBoth(e, place)
    }
    addParts(of: e, place)
  }

  /// A function whose value is a condition: its parts decide too. That of a single part says what its calls say.
  private mutating func enter(_ call: Expression) {
    guard case .function(let index) = ruleset.callee(of: call), functions.insert(index).inserted,
      ruleset.functions.indices.contains(index)
    else { return }
    let function = ruleset.functions[index]
    addParts(of: function.declaration.result, .function(function))
  }
}
