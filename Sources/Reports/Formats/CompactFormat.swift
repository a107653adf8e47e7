import RulesSyntax

/// One line for each problem, in the form that compilers use and editors understand, then the totals:
///
///     firestore_test.rules:8:44: error: As bob: expected denied, got allowed by line 5 of firestore.rules. [unexpected-allow]
enum CompactFormat {
  static func text(_ run: RunRecord) -> String {
    var text = ""
    for problem in run.problems {
      let place = problem.range.map { ":\($0.start.line):\($0.start.column)" } ?? ""
      text +=
        SafeText.line("\(problem.file)\(place): \(problem.severity.rawValue): \(problem.message) [\(problem.id)]")
        + "\n"
    }
    let cases = run.cases
    let undecided = cases.count { if case .undecided = $0.outcome { true } else { false } }
    text += "\(cases.count { $0.outcome == .passed }) passed, \(cases.count(where: \.isFailure)) failed"
    return text + (undecided > 0 ? ", \(undecided) undecided\n" : "\n")
  }
}
