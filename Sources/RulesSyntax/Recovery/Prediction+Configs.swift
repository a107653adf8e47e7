extension Prediction.Pass {
  typealias Config = Prediction.Config

  mutating func startConfigs(_ start: PredictionMemory.Start, _ fuel: Int) throws(Prediction.Exhausted) -> [Config] {
    let isLoop = start.decision == automaton.precedenceLoop
    let terms = Closure.Terms(
      precedence: start.precedence, loopRule: isLoop && !withCalls ? automaton.states[start.decision].rule : nil,
      withCalls: withCalls, fuel: fuel)
    closure.begin(work: 0)
    for (i, link) in automaton.links[automaton.linksOf(start.decision)].enumerated() where link.kind == .epsilon {
      closure.clearSeen()
      let config = Config(state: Int(link.target), alternative: i + 1, calls: start.calls)
      try closure.follow(config, automaton, &memory.stacks, terms)
    }
    return isLoop && !withCalls ? withoutReentry(closure.configs) : closure.configs
  }

  /// In a left-recursive rule going on here is preferred to leaving and going on in the caller.
  private func withoutReentry(_ configs: [Config]) -> [Config] {
    let groups = Conflicts(configs, automaton)
    return configs.filter { config in
      config.alternative == 1 || config.filterSuppressed || !groups.repeatsFirst(config)
    }
  }

  /// The configurations after a token; none where nothing goes on.
  mutating func reach(_ configs: [Config], _ kind: Token.Kind, _ fuel: Int) throws(Prediction.Exhausted) -> [Config] {
    let isEnd = kind == .endOfFile
    var stopped: [Config] = []
    closure.begin(work: configs.count)
    for config in configs {
      if automaton.isRuleStop(config.state) {
        if withCalls || isEnd { stopped.append(config) }
        continue
      }
      for link in automaton.links[automaton.linksOf(config.state)] where link.kind == .tokens && link.tokens.contains(kind) {
        var next = config
        next.state = Int(link.target)
        try closure.add(next, &memory.stacks, withCalls: withCalls)
      }
    }
    let moved = closure.configs
    // One alternative is left: no need to look where it can go.
    if moved.isEmpty || !stopped.isEmpty || isEnd || moved.contains(where: { $0.alternative != moved[0].alternative }) {
      closure.begin(work: configs.count)
      closure.clearSeen()
      let terms = Closure.Terms(precedence: nil, loopRule: nil, withCalls: withCalls, atEnd: isEnd, fuel: fuel)
      for config in moved { try closure.follow(config, automaton, &memory.stacks, terms) }
    }
    var result = closure.configs
    if isEnd { result.removeAll { !automaton.isRuleStop($0.state) } }
    if !stopped.isEmpty, !withCalls || !result.contains(where: { automaton.isRuleStop($0.state) }) {
      closure.begin(work: closure.work)
      for config in result + stopped { try closure.add(config, &memory.stacks, withCalls: withCalls) }
      result = closure.configs
    }
    return result
  }
}
