import RulesSyntax

/// What a call of a function needs to know of it, under one expectation of its result.
struct FunctionSummary {
  var result: TypeSet
  var parameters: [TypeSet]

  static let unknown = FunctionSummary(result: .any, parameters: [])
}

/// Summaries of functions by expectation, each worked out once. A body that needs summaries which are not there yet
/// is put aside until they are, on a stack of our own: calls may be nested as deep as the file is long. There is
/// always an end, since calls that close a cycle need no summary.
final class FunctionSummaries {
  struct Key: Hashable {
    let function: Int
    let expected: UInt16
  }

  struct Need {
    let key: Key
    let expected: TypeSet
  }

  let program: Program
  private var known: [Key: FunctionSummary] = [:]

  init(program: Program) { self.program = program }

  /// `nil` if it must be worked out first.
  subscript(key: Key) -> FunctionSummary? { known[key] }

  /// Calls `attempt` until it needs nothing that is not known.
  func prepare(_ attempt: () -> [Need]) {
    while true {
      let needs = attempt()
      if needs.isEmpty { return }
      for need in needs { workOut(need) }
    }
  }

  private func workOut(_ first: Need) {
    var stack = [first]
    while let top = stack.last {
      if known[top.key] != nil {
        stack.removeLast()
        continue
      }
      let function = program.functions[top.key.function]
      var body = BodyInference(program, function, self)
      let summary = body.infer(function.declaration, top.expected)
      if body.missing.isEmpty {
        known[top.key] = summary
        stack.removeLast()
      } else {
        stack += body.missing
      }
    }
  }
}
