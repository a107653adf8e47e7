import RulesSemantics
import RulesSyntax
import RulesValues
import Synchronization

/// A compiled rules file: what decides requests. Immutable; evaluators of many threads may share it.
public final class Ruleset: Sendable {
  public let checked: CheckedRuleset
  /// Warnings of the compiler.
  public let warnings: [Diagnostic]
  let program: Program
  private let tracing = Mutex<Program?>(nil)
  private let callDepths = Mutex<CallDepths?>(nil)
  private let edited = EditedRulesets()

  private init(_ checked: CheckedRuleset, warnings: [Diagnostic]) {
    self.checked = checked
    self.warnings = warnings
    program = Program(checked, tracing: false)
  }

  /// The same program with every node's value kept; lowered when the first explanation is asked for.
  var tracingProgram: Program {
    tracing.withLock { known in
      if let known { return known }
      let program = Program(checked, tracing: true)
      known = program
      return program
    }
  }

  /// The rules with bytes of their text replaced; `nil` when that does not compile.
  func edited(_ range: Range<Int>, _ replacement: String) -> Ruleset? {
    edited.ruleset(file, range, replacement)
  }

  /// How deep functions call functions in the condition of a statement.
  func callDepth(of allow: Program.Allow) -> Int {
    guard let condition = allow.statement.condition else { return 0 }
    return callDepths.withLock { known in
      let depths = known ?? CallDepths(checked)
      known = depths
      return depths.depth(of: condition)
    }
  }

  /// Compiles a rules file. `ruleset` is nil when there is any error; the diagnostics say why, in the official words.
  public static func compile(_ file: SourceFile) -> (ruleset: Ruleset?, diagnostics: [Diagnostic]) {
    let check = Check.check(file)
    return (check.ruleset.map { Ruleset($0, warnings: check.diagnostics) }, check.diagnostics)
  }

  /// Compiles the text of a rules file.
  /// - Throws: `RulesError` with the diagnostics when the text does not compile.
  public convenience init(_ text: String, name: String = "firestore.rules") throws(RulesError) {
    let check = Check.check(SourceFile(name: name, text: text))
    guard let checked = check.ruleset else { throw RulesError(diagnostics: check.diagnostics) }
    self.init(checked, warnings: check.diagnostics)
  }

  public var file: SourceFile { checked.file }

  /// What decides requests. Make one per thread and keep it: it reuses its memory.
  public func evaluator(dialect: Dialect = .live) -> Evaluator { Evaluator(self, dialect: dialect) }

  /// Decides one request. For many, keep an `evaluator()`.
  public func decide(_ request: Request, _ documents: some DocumentReader = DocumentTable()) -> Decision {
    evaluator().decide(request, documents)
  }
}

/// A rules file that does not compile.
public struct RulesError: Error, Sendable, CustomStringConvertible {
  /// Errors and warnings, in the official order.
  public let diagnostics: [Diagnostic]

  /// As the official emulator words it.
  public var description: String { OfficialReport.text(diagnostics) }
}
