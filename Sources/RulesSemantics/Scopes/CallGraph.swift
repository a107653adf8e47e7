import RulesSyntax

/// Who calls whom: recursion is an error, and so is a chain of more than 21 functions.
struct CallGraph {
  static let maximumChain = 21

  let program: Program

  static func run(_ program: Program) {
    let graph = CallGraph(program: program)
    if !graph.reportCycles() { graph.reportDepth() }
  }

  /// The calls of a function. Of several with one name only the first counts, as caller and as callee.
  private func calls(_ index: Int) -> [Int] {
    let function = program.functions[index]
    if function.primary != index { return [] }
    return (function.calls.functions + function.calls.namesakes).map { program.functions[$0].primary }
  }

  private func name(_ index: Int) -> String { program.functions[index].declaration.name.text }

  /// Depth-first search in file order with an explicit stack, since a chain may be as long as the file.
  private func reportCycles() -> Bool {
    enum State { case new, open, done }
    var found = false
    var state = Array(repeating: State.new, count: program.functions.count)
    for root in program.functions.indices where state[root] == .new {
      var stack = [(function: root, next: 0)]
      state[root] = .open
      while let top = stack.last {
        let calls = calls(top.function)
        guard top.next < calls.count else {
          state[top.function] = .done
          stack.removeLast()
          continue
        }
        stack[stack.count - 1].next += 1
        let callee = calls[top.next]
        switch state[callee] {
        case .done: break
        case .new:
          state[callee] = .open
          stack.append((callee, 0))
        case .open:
          found = true
          report(cycle: stack.map(\.function).drop { $0 != callee })
        }
      }
    }
    return found
  }

  private func report(cycle: ArraySlice<Int>) {
    guard let first = cycle.first else { return }
    for index in cycle { program.functions[index].isInCycle = true }
    let range = program.functions[first].declaration.name.range
    if cycle.count == 1 {
      program.error("recursion", range, "Recursive call is not allowed.")
    } else {
      let names = cycle.map(name).joined(separator: ",")
      program.error("call-cycle", range, "Detected a call cycle between [\(names)] functions.")
    }
  }

  /// For a graph without cycles.
  private func reportDepth() {
    let chains = longestChains()
    var called = Set<Int>()
    for index in program.functions.indices { called.formUnion(calls(index)) }
    for root in program.functions.indices where !called.contains(root) && chains[root] > Self.maximumChain {
      // Along the first calls that still lead deep enough.
      var chain = [root]
      var current = root
      while chain.count <= Self.maximumChain {
        let missing = Self.maximumChain + 1 - chain.count
        guard let next = calls(current).first(where: { chains[$0] >= missing }) else { return }
        chain.append(next)
        current = next
      }
      let names = chain.dropLast().map(name).joined(separator: "->")
      program.error(
        "calls-too-deep", program.functions[current].declaration.name.range,
        "Maximum allowed call depth of 20 is reached for [\(names)] call stack.")
      return
    }
  }

  /// How many functions the longest chain of calls from each function has, itself included.
  private func longestChains() -> [Int] {
    var result = Array(repeating: 0, count: program.functions.count)
    for root in program.functions.indices where result[root] == 0 {
      var stack = [root]
      while let top = stack.last {
        let calls = calls(top)
        if let missing = calls.first(where: { result[$0] == 0 }) {
          stack.append(missing)
        } else {
          result[top] = 1 + (calls.map { result[$0] }.max() ?? 0)
          stack.removeLast()
        }
      }
    }
    return result
  }
}
