/// Gathers the configurations that can be reached without a token. Kept between uses for its tables.
struct Closure {
  typealias Config = Prediction.Config

  private struct Open {
    var config: Config
    /// How many rules it is inside of the one where it began.
    var depth: Int32
  }

  /// In the order of finding, each state once for each alternative.
  private(set) var configs: [Config] = []
  /// The work since `begin`.
  private(set) var work = 0
  private var places = NumberTable()
  private var seen = NumberTable()
  private var open: [Open] = []

  mutating func begin(work: Int) {
    configs.removeAll(keepingCapacity: true)
    places.clear()
    self.work = work
  }

  mutating func add(_ config: Config, _ stacks: inout CallStacks, withCalls: Bool) throws(Prediction.Exhausted) {
    let at = places.value(of: config.place, orInsert: configs.count)
    if at == configs.count { return configs.append(config) }
    configs[at].addMarks(of: config)
    configs[at].calls = try stacks.merge(configs[at].calls, config.calls, anyCaller: !withCalls)
  }

  /// What a closure may do and must respect.
  struct Terms {
    /// Operators that bind less are not for the rule of the decision; `nil` once a token was passed.
    var precedence: Int?
    /// The left-recursive rule whose loop is decided.
    var loopRule: Int?
    var withCalls: Bool
    /// At the end of the file the end token may be passed again and again.
    var atEnd = false
    var fuel: Int
  }

  /// Forgets what was followed: other terms hold from here on.
  mutating func clearSeen() { seen.clear() }

  /// Adds everything that can be reached from a configuration.
  mutating func follow(
    _ first: Config, _ automaton: Automaton, _ stacks: inout CallStacks, _ terms: Terms
  ) throws(Prediction.Exhausted) {
    open.removeAll(keepingCapacity: true)
    open.append(Open(config: first, depth: 0))
    while let item = open.popLast() {
      work += 1
      guard work < terms.fuel else { throw Prediction.Exhausted() }
      let before = seen.count
      _ = seen.value(of: item.config.bits, orInsert: 0)
      guard seen.count > before else { continue }
      let state = item.config.state
      if automaton.isRuleStop(state) {
        try end(item, automaton, &stacks, terms)
        continue
      }
      for i in automaton.linksOf(state) {
        let link = automaton.links[i]
        var next = item
        switch link.kind {
        case .tokens:
          try add(item.config, &stacks, withCalls: terms.withCalls)
          guard terms.atEnd, link.tokens.contains(.endOfFile) else { continue }
        case .epsilon: break
        case .precedence:
          if let precedence = terms.precedence, item.depth == 0, link.level < precedence { continue }
        case .rule:
          next.config.calls = stacks.push(item.config.calls, Int(link.follow))
          if item.depth >= 0 { next.depth += 1 }
        }
        next.config.state = Int(link.target)
        open.append(next)
      }
    }
  }

  /// At the end of a rule: back to the call, or, if that is not known, on behind all uses of the rule.
  private mutating func end(
    _ item: Open, _ automaton: Automaton, _ stacks: inout CallStacks, _ terms: Terms
  ) throws(Prediction.Exhausted) {
    var back = Open(config: item.config, depth: item.depth &- 1)
    for at in stacks.returnsOf(item.config.calls) {
      let way = stacks.way(at)
      if way.state < 0 {
        back.config.calls = CallStacks.empty
        try leave(back, automaton, &stacks, terms)
      } else {
        back.config.state = Int(way.state)
        back.config.calls = Int(way.rest)
        open.append(back)
      }
    }
  }

  private mutating func leave(
    _ item: Open, _ automaton: Automaton, _ stacks: inout CallStacks, _ terms: Terms
  ) throws(Prediction.Exhausted) {
    let state = item.config.state
    let uses = automaton.linksOf(state)
    if terms.withCalls || uses.isEmpty { return try add(item.config, &stacks, withCalls: terms.withCalls) }
    var out = item
    out.config.leaveRule()
    for i in uses {
      let link = automaton.links[i]
      var use = out
      use.config.state = Int(link.target)
      if let rule = terms.loopRule, link.resets, automaton.states[state].rule == rule { use.config.suppressFilter() }
      open.append(use)
    }
  }
}
