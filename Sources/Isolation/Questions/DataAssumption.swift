import RulesEngine
import RulesSemantics
import RulesSyntax
import RulesTesting
import RulesValues

/// `assume P if C;`: what holds of every stored document of a pattern. It is used only when every write that the rules
/// allow keeps it, so that no client can ever break it; whoever writes past the rules must keep it too.
public struct DataAssumption: Sendable {
  /// As it stands in the test file.
  public let text: String
  /// Allows where the condition is true of a document.
  let condition: Ruleset
  let conditionBlocks: [MatchBlock]
  /// Allows on all documents of the pattern.
  let covering: Ruleset
  let coveringBlocks: [MatchBlock]

  /// - Throws: the compiler's findings when the condition does not compile.
  /// - Returns: `nil` for a condition that depends on more than the document: another write could break it.
  init?(text: String, pattern: String, condition: String, functions: String) throws(RulesError) {
    self.text = text
    self.condition = try Ruleset(
      Statement(never: ["get"], pattern, .if(condition), functions: functions).text, name: "assumption")
    covering = try Ruleset(Statement(never: ["get"], pattern, .if("true")).text, name: "assumption")
    guard Self.isAboutDocumentAlone(self.condition.checked), let blocks = self.condition.checked.matchBlocks,
      let all = covering.checked.matchBlocks
    else { return nil }
    conditionBlocks = blocks
    coveringBlocks = all
  }

  private static func isAboutDocumentAlone(_ condition: CheckedRuleset) -> Bool {
    var isAlone = true
    func visit(_ root: Expression, isFunction: Bool) {
      root.forEachNode { e in
        switch e.kind {
        case .identifier("request"): isAlone = false
        // Of a write the condition is asked of the new document, which a function cannot see by itself.
        case .identifier("resource"): if isFunction { isAlone = false }
        case .call: if case .service = condition.callee(of: e) { isAlone = false }
        default: break
        }
      }
    }
    for allow in (condition.matchBlocks ?? []).flatMap(\.allows) {
      if let e = allow.condition { visit(e, isFunction: false) }
    }
    for function in condition.functions where function.isReachable {
      for binding in function.declaration.lets { visit(binding.value, isFunction: true) }
      visit(function.declaration.result, isFunction: true)
    }
    return isAlone
  }

  /// Whether it holds of all documents of a database.
  func holds(of documents: [ResourcePath: Fields], time: Timestamp) -> Bool {
    let table = DocumentTable(documents)
    return documents.keys.allSatisfy { path in
      let isCovered = coveringBlocks.contains { block in
        block.literals(count: path.segments.count)?.allSatisfy { place, text in path.segments[place] == text } ?? false
      }
      return !isCovered || condition.evaluator().allows(.get(path, auth: nil, time: time), table)
    }
  }
}

extension Prover {
  /// The assumptions of a test file that every allowed write keeps.
  /// - Throws: the compiler's findings when a condition does not compile.
  func keptAssumptions(of test: TestFile) throws(RulesError) -> [DataAssumption] {
    var kept: [DataAssumption] = []
    for invariant in test.syntax.invariants where invariant.form == .assume {
      guard case .assumption(let assumption, let isKept) = try invariant.meaning(in: test) else { continue }
      let prover = Prover(rules, solver: solver, database: database)
      // What held before a write may be used to show that it holds after.
      prover.dataAssumptions = [assumption]
      if case .proved = try prover.prove(isKept) {
        kept.append(assumption)
      } else if case .vacuous = try prover.prove(isKept) {
        kept.append(assumption)
      }
    }
    return kept
  }
}
