import RulesSyntax

/// The weak type check of the official compiler, which only ever warns.
///
/// Every expression is asked for its possible types under an expectation that comes from outside: the overloads of
/// an operator or function that can give what is expected decide what is expected of the operands, each operand for
/// itself. Variables of unknown type collect what their uses demand; two uses that no type satisfies are reported at
/// the smallest expression around both. A call of a function of the file passes its expectation into the body (whose
/// findings are reported once, without expectation) and takes the demands on the parameters from there.
/// (Worked out by questions to the official emulator 1.19.9.)
struct TypeInference {
  let program: Program
  private let summaries: FunctionSummaries

  static func run(_ program: Program) {
    let inference = TypeInference(program: program, summaries: FunctionSummaries(program: program))
    for function in program.functions where !FunctionLimits.exceedsLets(function.declaration) {
      inference.report(function)
    }
    for allow in program.allows {
      guard let condition = allow.statement.condition else { continue }
      inference.report(condition, allow)
    }
  }

  private func report(_ function: Program.Function) {
    report(BodyInference(program, function, summaries)) { _ = $0.infer(function.declaration, .any) }
  }

  private func report(_ condition: Expression, _ allow: Program.Allow) {
    report(BodyInference(program, allow, summaries)) { _ = $0.infer(permission: condition) }
  }

  /// Findings count of the attempt that lacked no summary.
  private func report(_ body: BodyInference, _ infer: (inout BodyInference) -> Void) {
    let before = program.diagnostics.count
    summaries.prepare {
      program.diagnostics.removeLast(program.diagnostics.count - before)
      var attempt = body
      attempt.isReporting = true
      infer(&attempt)
      return attempt.missing
    }
  }
}
