/// Chooses the alternative of a decision by following all of them through the automaton at once: first without
/// knowing who called the rule, then, when that leaves a conflict, with the calls. As published for ALL(*) by Parr,
/// Harwell and Fisher (2014), and with the habits of its well-known implementation that show in error messages.
struct Prediction {
  enum Outcome {
    case alternative(Int)
    /// No alternative goes on at this token.
    case failure(token: Int)
    /// The work outgrew its bound.
    case exhausted
  }

  /// One place the automaton may be in, for one alternative, with the calls to return to.
  struct Config: Hashable, Sendable {
    var state: Int
    var alternative: Int
    var calls: Int
  }

  struct Flags: Sendable {
    var leftRule = false
    var filterSuppressed = false
  }

  /// Configurations in order of finding.
  struct Configs: Sendable {
    var list: [Config] = []
    var flags: [Config: Flags] = [:]

    mutating func add(_ config: Config, _ new: Flags) {
      if let old = flags[config] {
        flags[config] = Flags(
          leftRule: old.leftRule || new.leftRule, filterSuppressed: old.filterSuppressed || new.filterSuppressed)
      } else {
        flags[config] = new
        list.append(config)
      }
    }

    var uniqueAlternative: Int? {
      guard let first = list.first?.alternative else { return nil }
      return list.allSatisfy { $0.alternative == first } ? first : nil
    }
  }

  let automaton: Automaton
  let kinds: [Token.Kind]
  /// Steps left for the whole file.
  var fuel: Int
  /// What was found out about the grammar so far.
  var memory: PredictionMemory

  init(_ automaton: Automaton, _ kinds: [Token.Kind], fuel: Int) {
    self.automaton = automaton
    self.kinds = kinds
    self.fuel = fuel
    memory = PredictionMemory.take()
  }

  mutating func push(_ calls: Int, _ returnState: Int) -> Int {
    if let known = memory.callNumbers[PredictionMemory.Call(rest: calls, returnState: returnState)] { return known }
    memory.callParents.append(calls)
    memory.callReturns.append(returnState)
    memory.callNumbers[PredictionMemory.Call(rest: calls, returnState: returnState)] = memory.callParents.count - 1
    return memory.callParents.count - 1
  }

  private func kind(_ token: Int) -> Token.Kind { token < kinds.count ? kinds[token] : .endOfFile }

  /// `callStack`: the states to return to, outermost first. `precedence`: how tightly the caller of the current rule
  /// binds.
  mutating func predict(
    _ decision: Int, at start: Int, callStack: [Int], precedence: Int, isPrecedenceLoop: Bool
  ) -> Outcome {
    let key = PredictionMemory.Start(decision: decision, precedence: precedence)
    var current: Int
    if let known = memory.starts[key] {
      current = known
    } else {
      var configs = startConfigs(
        decision, calls: 0, precedence: precedence, isPrecedenceLoop: isPrecedenceLoop, full: false)
      if isPrecedenceLoop { configs = withoutReentry(configs) }
      memory.steps.append(PredictionMemory.Step(configs: configs, verdict: .undecided))
      current = memory.steps.count - 1
      memory.starts[key] = current
    }
    var token = start
    while true {
      fuel -= 1
      guard fuel > 0 else { return .exhausted }
      let next = step(current, kind(token))
      if next == PredictionMemory.deadEnd {
        if let alternative = finishedAlternative(memory.steps[current].configs) { return .alternative(alternative) }
        return .failure(token: token)
      }
      switch memory.steps[next].verdict {
      case .alternative(let alternative): return .alternative(alternative)
      case .conflict:
        return predictWithCalls(decision, at: start, callStack: callStack, precedence: precedence)
      case .undecided: break
      }
      current = next
      if kind(token) != .endOfFile { token += 1 }
    }
  }

  private mutating func step(_ from: Int, _ kind: Token.Kind) -> Int {
    if let known = memory.steps[from].next[kind] { return known }
    var result = PredictionMemory.deadEnd
    if let configs = reach(memory.steps[from].configs, kind, full: false) {
      var verdict = PredictionMemory.Step.Verdict.undecided
      if let alternative = configs.uniqueAlternative {
        verdict = .alternative(alternative)
      } else if endsWithoutCalls(configs) {
        verdict = .conflict
      }
      memory.steps.append(PredictionMemory.Step(configs: configs, verdict: verdict))
      result = memory.steps.count - 1
    }
    memory.steps[from].next[kind] = result
    return result
  }

  private mutating func predictWithCalls(_ decision: Int, at start: Int, callStack: [Int], precedence: Int) -> Outcome {
    var calls = 0
    for state in callStack { calls = push(calls, state) }
    var configs = startConfigs(decision, calls: calls, precedence: precedence, isPrecedenceLoop: false, full: true)
    var token = start
    while true {
      guard fuel > 0 else { return .exhausted }
      guard let next = reach(configs, kind(token), full: true) else {
        if let alternative = finishedAlternative(configs) { return .alternative(alternative) }
        return .failure(token: token)
      }
      if let alternative = next.uniqueAlternative ?? soleViableAlternative(next) { return .alternative(alternative) }
      configs = next
      if kind(token) != .endOfFile { token += 1 }
    }
  }

  private mutating func startConfigs(
    _ decision: Int, calls: Int, precedence: Int, isPrecedenceLoop: Bool, full: Bool
  ) -> Configs {
    var configs = Configs()
    for (i, transition) in automaton.states[decision].transitions.enumerated() {
      guard case .epsilon(let target) = transition else { continue }
      close(
        Config(state: target, alternative: i + 1, calls: calls), Flags(), into: &configs, precedence: precedence,
        loopRule: isPrecedenceLoop && !full ? automaton.states[decision].rule : nil, full: full, atEnd: false)
    }
    return configs
  }

  /// Adds everything that can be reached from a configuration without a token.
  private mutating func close(
    _ first: Config, _ firstFlags: Flags, into configs: inout Configs, precedence: Int?, loopRule: Int?, full: Bool,
    atEnd: Bool
  ) {
    struct Open {
      var config: Config
      var flags: Flags
      var depth: Int
    }
    struct Seen: Hashable {
      var config: Config
      var outside: Bool
      var suppressed: Bool
    }
    var open = [Open(config: first, flags: firstFlags, depth: 0)]
    var seen: Set<Seen> = []
    while let item = open.popLast() {
      fuel -= 1
      guard fuel > 0 else { return }
      guard seen.insert(
        Seen(config: item.config, outside: item.flags.leftRule, suppressed: item.flags.filterSuppressed)).inserted
      else { continue }
      let config = item.config
      let state = automaton.states[config.state]
      if state.isRuleStop {
        if config.calls != 0 {
          var back = config
          back.state = memory.callReturns[config.calls]
          back.calls = memory.callParents[config.calls]
          open.append(Open(config: back, flags: item.flags, depth: item.depth - 1))
          continue
        }
        if full {
          configs.add(config, item.flags)
          continue
        }
        if state.transitions.isEmpty { configs.add(config, item.flags) }
        for (i, transition) in state.transitions.enumerated() {
          guard case .epsilon(let target) = transition else { continue }
          var out = config
          out.state = target
          var flags = item.flags
          flags.leftRule = true
          if let loopRule, state.resets[i], state.rule == loopRule { flags.filterSuppressed = true }
          open.append(Open(config: out, flags: flags, depth: item.depth - 1))
        }
        continue
      }
      for transition in state.transitions {
        var next = config
        switch transition {
        case .tokens(let set, let target):
          configs.add(config, item.flags)
          // At the end of the file the end token may be passed again and again.
          guard atEnd, set.contains(.endOfFile) else { continue }
          next.state = target
          open.append(Open(config: next, flags: item.flags, depth: item.depth))
        case .epsilon(let target):
          next.state = target
          open.append(Open(config: next, flags: item.flags, depth: item.depth))
        case .precedence(let level, let target):
          if let precedence, item.depth == 0, level < precedence { continue }
          next.state = target
          open.append(Open(config: next, flags: item.flags, depth: item.depth))
        case .rule(let rule, _, let follow):
          next.calls = push(config.calls, follow)
          next.state = automaton.starts[Grammar.foreseen(rule)]
          open.append(Open(config: next, flags: item.flags, depth: item.depth >= 0 ? item.depth + 1 : item.depth))
        }
      }
    }
  }

  /// In a left-recursive rule going on here is preferred to leaving and going on in the caller.
  private func withoutReentry(_ configs: Configs) -> Configs {
    var first: [Int: Set<Int>] = [:]
    for config in configs.list where config.alternative == 1 { first[config.state, default: []].insert(config.calls) }
    let groups = Prediction.stacks(configs)
    var result = Configs()
    for config in configs.list {
      let flags = configs.flags[config] ?? Flags()
      if config.alternative != 1, !flags.filterSuppressed, let calls = first[config.state],
        Prediction.absorbed(calls) == groups[Place(state: config.state, alternative: config.alternative)]
      {
        continue
      }
      result.add(config, flags)
    }
    return result
  }

  /// The configurations after `kind`; `nil` when there are none.
  private mutating func reach(_ configs: Configs, _ kind: Token.Kind, full: Bool) -> Configs? {
    var moved = Configs()
    var stopped = Configs()
    for config in configs.list {
      let flags = configs.flags[config] ?? Flags()
      if automaton.states[config.state].isRuleStop {
        if full || kind == .endOfFile { stopped.add(config, flags) }
        continue
      }
      for case .tokens(let set, let target) in automaton.states[config.state].transitions where set.contains(kind) {
        var next = config
        next.state = target
        moved.add(next, flags)
      }
    }
    var result = Configs()
    if stopped.list.isEmpty, kind != .endOfFile, moved.list.count == 1 || moved.uniqueAlternative != nil {
      result = moved
    } else {
      for config in moved.list {
        close(
          config, moved.flags[config] ?? Flags(), into: &result, precedence: nil, loopRule: nil, full: full,
          atEnd: kind == .endOfFile)
      }
    }
    if kind == .endOfFile {
      var ended = Configs()
      for config in result.list where automaton.states[config.state].isRuleStop {
        ended.add(config, result.flags[config] ?? Flags())
      }
      result = ended
    }
    let hasStop = result.list.contains { automaton.states[$0.state].isRuleStop }
    if !full || !hasStop { for config in stopped.list { result.add(config, stopped.flags[config] ?? Flags()) } }
    return result.list.isEmpty ? nil : result
  }

  /// The first alternative that had already left the rule of the decision: taken when nothing goes on.
  private func finishedAlternative(_ configs: Configs) -> Int? {
    configs.list.lazy.filter {
      configs.flags[$0]?.leftRule == true || (automaton.states[$0.state].isRuleStop && $0.calls == 0)
    }.map(\.alternative).min()
  }

  // MARK: Conflicts

  struct Place: Hashable {
    var state: Int
    var alternative: Int
  }

  struct Shared: Hashable {
    var state: Int
    var stacks: Set<Int>
  }

  /// An empty stack stands for every caller, so it absorbs the others.
  private static func absorbed(_ stacks: Set<Int>) -> Set<Int> { stacks.contains(0) ? [0] : stacks }

  private static func stacks(_ configs: Configs, full: Bool = false) -> [Place: Set<Int>] {
    var groups: [Place: Set<Int>] = [:]
    for config in configs.list {
      groups[Place(state: config.state, alternative: config.alternative), default: []].insert(config.calls)
    }
    return full ? groups : groups.mapValues(absorbed)
  }

  private func conflicts(_ configs: Configs, full: Bool) -> [Shared: Set<Int>] {
    var result: [Shared: Set<Int>] = [:]
    for (place, stacks) in Prediction.stacks(configs, full: full) {
      result[Shared(state: place.state, stacks: stacks), default: []].insert(place.alternative)
    }
    return result
  }

  private func endsWithoutCalls(_ configs: Configs) -> Bool {
    if configs.list.allSatisfy({ automaton.states[$0.state].isRuleStop }) { return true }
    guard conflicts(configs, full: false).values.contains(where: { $0.count > 1 }) else { return false }
    var alternatives: [Int: Set<Int>] = [:]
    for config in configs.list { alternatives[config.state, default: []].insert(config.alternative) }
    return !alternatives.values.contains { $0.count == 1 }
  }

  private func soleViableAlternative(_ configs: Configs) -> Int? {
    let minima = Set(conflicts(configs, full: true).values.compactMap { $0.min() })
    return minima.count == 1 ? minima.first : nil
  }
}
