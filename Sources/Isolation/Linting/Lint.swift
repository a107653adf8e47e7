import RulesEngine
import RulesSemantics
import RulesSyntax
import RulesValues

/// Something that rules can do and that is seldom meant.
protocol LintRule {
  /// In kebab case, as `docs/lint.md` has it.
  static var id: String { get }
  static func findings(_ rules: LintedRules) -> [Diagnostic]
}

/// Findings about rules that need no question: what is there is seldom meant.
public enum Lint {
  static var rules: [any LintRule.Type] {
    [
      VersionIsNamed.self, TestModeEnds.self, WritesAreNotForEverybody.self, ConditionsCanBeTrue.self,
      ConditionsCanBeFalse.self, EveryAllowAddsSomething.self, NothingElseOpensWhatIsClosed.self,
      FunctionsAreNotShadowed.self, WriteDoesNotMeanDelete.self, TextsAreBounded.self, NamesAreNotDenied.self,
      DotsInPatternsAreEscaped.self, NegatedPatternsAreWholeTexts.self, ClaimsAreCompared.self,
      AddressesAreVerified.self, AndIsBracketedWithinOr.self, KeysAreThoseOfTheNewDocument.self,
    ]
  }

  /// The ids of all rules.
  public static var ids: [String] { rules.map { $0.id } }

  /// - Parameters:
  ///   - ruleset: what is looked at.
  ///   - prover: for what is shown by proof; without one, or without a solver, those findings are left out.
  ///   - now: against which ends of test modes are held.
  public static func findings(_ ruleset: Ruleset, prover: Prover?, now: Timestamp) -> [Diagnostic] {
    let linted = LintedRules(ruleset, prover: prover, now: now)
    return rules.flatMap { $0.findings(linted) }.sorted {
      ($0.range?.start.byte ?? -1, $0.id) < ($1.range?.start.byte ?? -1, $1.id)
    }
  }
}

/// Rules as their lint rules see them.
struct LintedRules {
  struct Allow {
    /// With the patterns of all matches around it.
    let block: MatchBlock
    let allow: CheckedAllow
    let facts: ConditionFacts
    /// That it may be for, as far as the rules can tell databases apart.
    let databases: [String]

    var pattern: String { Inference.text(block.documents) }
    /// The block with this `allow` alone.
    var alone: MatchBlock { MatchBlock(segments: block.segments, allows: [allow]) }
    /// Whether the pattern covers everything, as a last resort does.
    var isForEverything: Bool { if case .glob? = block.documents.first { true } else { false } }
    /// As they are written.
    var words: [String] { allow.statement.methods.map { $0.text.lowercased() } }
    /// Whether it says who may.
    var namesCaller: Bool {
      facts.saysWho || !facts.claims.isEmpty || !facts.documents.isEmpty
    }
  }

  let ruleset: Ruleset
  let allows: [Allow]
  let prover: Prover?
  let now: Timestamp
  var checked: CheckedRuleset { ruleset.checked }

  init(_ ruleset: Ruleset, prover: Prover?, now: Timestamp) {
    self.ruleset = ruleset
    self.prover = prover
    self.now = now
    let databases = Databases(ruleset.checked)
    allows = (ruleset.checked.matchBlocks ?? []).flatMap { block in
      block.allows.map { allow in
        var facts = ConditionFacts(ruleset.checked)
        if let condition = allow.condition { facts.visit(condition, [:], negated: false) }
        return Allow(block: block, allow: allow, facts: facts, databases: databases.of(block))
      }
    }
  }

  /// All conditions, bodies of functions and `let`s.
  var expressions: [Expression] {
    var roots = allows.compactMap(\.allow.condition)
    for function in checked.functions {
      roots += function.declaration.lets.map(\.value) + [function.declaration.result]
    }
    return roots
  }

  func text(_ range: SourceRange) -> String { checked.file.text(range) }
}

extension LintRule {
  static func finding(
    _ range: SourceRange?, _ message: String, _ notes: [String] = [], fix: Diagnostic.Fix? = nil
  ) -> Diagnostic {
    Diagnostic(id: id, severity: .warning, range: range, message: "\(message) (\(id))", notes: notes, fix: fix)
  }
}

extension Expression {
  var isTrue: Bool { if case .bool(true) = kind { true } else { false } }
  var isFalse: Bool { if case .bool(false) = kind { true } else { false } }
}

/// Which databases rules can tell apart.
private struct Databases {
  /// Texts of the rules that can be the name of one.
  private let names: [String]
  /// Identifiers that conditions ask for, other than to make paths.
  private let asked: Set<String>

  init(_ rules: CheckedRuleset) {
    var names: Set<String> = []
    var asked: Set<String> = []
    rules.forEachExpression { e in
      switch e.kind {
      case .path: break
      case .string(let bytes) where (4...63).contains(bytes.count):
        let isName = bytes.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D }
        if isName { names.insert(String(decoding: bytes, as: UTF8.self)) }
      default: for operand in e.operands { if case .identifier(let name) = operand.kind { asked.insert(name) } }
      }
    }
    self.names = names.sorted()
    self.asked = asked
  }

  /// The one that the pattern names; or the default one, and where its name is asked for any other, too, and those whose
  /// names the rules may compare with.
  func of(_ block: MatchBlock) -> [String] {
    switch block.segments.dropFirst().first {
    case .literal(let name)?: [name]
    case .capture(_, let name)? where asked.contains(name): ["(default)", "another-database"] + names
    default: ["(default)"]
    }
  }
}
