/// The grammar as a network of states, on which decisions are predicted and expected tokens looked up.
final class Automaton: Sendable {
  enum Transition: Sendable {
    case epsilon(Int)
    case tokens(TokenSet, Int)
    /// Into a rule; afterwards on at `follow`.
    case rule(Int, precedence: Int, follow: Int)
    case precedence(Int, Int)
  }

  struct State: Sendable {
    var rule: Int
    var isRuleStop = false
    /// Out of a rule's last state lead its uses; `true` marks those that reset the precedence.
    var resets: [Bool] = []
    var transitions: [Transition] = []
  }

  /// A transition as prediction reads it.
  struct Link: Sendable {
    enum Kind: UInt8, Sendable { case epsilon, tokens, rule, precedence }

    var kind: Kind
    /// Of a way out of a rule: whether it resets the precedence.
    var resets = false
    var target: Int32
    /// Of a rule: the state to return to.
    var follow: Int32 = -1
    /// Of a precedence.
    var level = 0
    var tokens = TokenSet()
  }

  let states: [State]
  let rules: [GrammarRule]
  /// The elements of the grammar with their states.
  let nodes: [GrammarNode]
  let starts: [Int]
  let stops: [Int]
  /// For each state the tokens that can come next within its rule.
  let nextTokens: [TokenSet]
  /// The transitions of all states, one state after the other.
  let links: [Link]
  private let firstLinks: [Int32]
  private let areRuleStops: [Bool]
  /// The decision of the left-recursive rule whether another operator follows.
  let precedenceLoop: Int

  init(_ reader: GrammarReader) {
    var builder = AutomatonBuilder(reader)
    builder.build()
    states = builder.states
    rules = builder.rules
    nodes = builder.nodes
    starts = builder.starts
    stops = builder.stops
    nextTokens = builder.states.indices.map { builder.nextTokens($0) }
    areRuleStops = builder.states.map(\.isRuleStop)
    var links: [Link] = [], firstLinks: [Int32] = []
    for state in builder.states {
      firstLinks.append(Int32(truncatingIfNeeded: links.count))
      links += Automaton.links(of: state, builder.starts)
    }
    firstLinks.append(Int32(truncatingIfNeeded: links.count))
    self.links = links
    self.firstLinks = firstLinks
    precedenceLoop = Automaton.precedenceLoop(builder.rules, builder.nodes)
  }

  /// Where the transitions of a state stand in `links`.
  func linksOf(_ state: Int) -> Range<Int> { Int(firstLinks[state])..<Int(firstLinks[state + 1]) }

  func isRuleStop(_ state: Int) -> Bool { areRuleStops[state] }

  private static func links(of state: State, _ starts: [Int]) -> [Link] {
    state.transitions.enumerated().map { i, transition in
      switch transition {
      case .epsilon(let target):
        Link(kind: .epsilon, resets: state.isRuleStop && state.resets[i], target: Int32(truncatingIfNeeded: target))
      case .tokens(let set, let target): Link(kind: .tokens, target: Int32(truncatingIfNeeded: target), tokens: set)
      case .precedence(let level, let target):
        Link(kind: .precedence, target: Int32(truncatingIfNeeded: target), level: level)
      case .rule(let rule, _, let follow):
        Link(
          kind: .rule, target: Int32(truncatingIfNeeded: starts[rule]), follow: Int32(truncatingIfNeeded: follow))
      }
    }
  }

  private static func precedenceLoop(_ rules: [GrammarRule], _ nodes: [GrammarNode]) -> Int {
    for rule in rules where rule.isLeftRecursive {
      if case .sequence(let items) = nodes[rule.body].kind, let last = items.last { return nodes[last].decision }
    }
    return -1
  }
}

/// Lays out the states of an automaton.
private struct AutomatonBuilder {
  typealias State = Automaton.State
  typealias Transition = Automaton.Transition

  var states: [State] = []
  let rules: [GrammarRule]
  var nodes: [GrammarNode]
  var starts: [Int] = []
  var stops: [Int] = []
  private var next: [TokenSet?] = []
  private var currentRule = 0

  init(_ reader: GrammarReader) {
    rules = reader.rules
    nodes = reader.nodes
  }

  mutating func build() {
    for i in rules.indices {
      currentRule = i
      starts.append(addState())
      stops.append(addState())
      states[stops[i]].isRuleStop = true
    }
    for (i, rule) in rules.enumerated() {
      currentRule = i
      let end = build(rule.body, from: starts[i])
      link(end, .epsilon(stops[i]))
    }
    for state in states.indices {
      for case .rule(let rule, let precedence, let follow) in states[state].transitions {
        states[stops[rule]].transitions.append(.epsilon(follow))
        states[stops[rule]].resets.append(rules[rule].isLeftRecursive && precedence == 0)
      }
    }
    next = Array(repeating: nil, count: states.count)
    for node in nodes.indices { findLookahead(node) }
  }

  private mutating func addState() -> Int {
    states.append(State(rule: currentRule))
    return states.count - 1
  }

  private mutating func link(_ from: Int, _ transition: Transition) { states[from].transitions.append(transition) }

  /// Builds an element behind `state` and returns the state behind it.
  private mutating func build(_ node: Int, from state: Int) -> Int {
    switch nodes[node].kind {
    case .sequence(let items):
      var end = state
      for item in items { end = build(item, from: end) }
      return end
    case .token(let set):
      return single(node, state) { .tokens(set, $0) }
    case .rule(let rule, let precedence):
      return single(node, state) { .rule(rule, precedence: precedence, follow: $0) }
    case .action:
      return single(node, state) { .epsilon($0) }
    case .precedence(let level):
      return single(node, state) { .precedence(level, $0) }
    case .choice(let alternatives):
      let start = enter(node, state)
      let end = addState()
      branch(alternatives, from: start, to: end)
      return end
    case .optional(let inner):
      let start = enter(node, state)
      let end = addState()
      if case .choice(let alternatives) = nodes[inner].kind {
        nodes[inner].state = start
        branch(alternatives, from: start, to: end)
      } else {
        branch([inner], from: start, to: end)
      }
      link(start, .epsilon(end))
      return end
    case .star(let inner):
      let start = enter(node, state)
      let back = addState()
      nodes[node].loopBack = back
      nodes[node].decision = start
      branch([inner], from: start, to: back)
      link(back, .epsilon(start))
      let end = addState()
      link(start, .epsilon(end))
      return end
    case .plus(let inner):
      let start = enter(node, state)
      let back = addState()
      nodes[node].loopBack = back
      nodes[node].decision = back
      branch([inner], from: start, to: back)
      link(back, .epsilon(start))
      let end = addState()
      link(back, .epsilon(end))
      return end
    }
  }

  /// The state of a new element behind `state`.
  private mutating func enter(_ node: Int, _ state: Int) -> Int {
    let start = addState()
    nodes[node].state = start
    link(state, .epsilon(start))
    return start
  }

  private mutating func single(_ node: Int, _ state: Int, _ make: (Int) -> Transition) -> Int {
    let start = enter(node, state)
    let end = addState()
    link(start, make(end))
    return end
  }

  private mutating func branch(_ alternatives: [Int], from state: Int, to end: Int) {
    for alternative in alternatives {
      let start = addState()
      link(state, .epsilon(start))
      link(build(alternative, from: start), .epsilon(end))
    }
  }

  // MARK: Tokens ahead

  /// The tokens that can come next from a state within its rule.
  mutating func nextTokens(_ state: Int) -> TokenSet {
    if let known = next[state] { return known }
    // An empty entry stops a rule that would ask for itself.
    next[state] = TokenSet()
    let result = look(from: state, beyondRule: false) ?? TokenSet()
    next[state] = result
    return result
  }

  /// `beyondRule`: at the end of the rule go on wherever the rule is used; then precedences cannot be judged, and
  /// the answer is `nil` where they matter.
  private mutating func look(from start: Int, beyondRule: Bool) -> TokenSet? {
    var result = TokenSet()
    var seen: Set<Int> = [start]
    var open = [start]
    while let state = open.popLast() {
      if states[state].isRuleStop, !beyondRule {
        result.reachesEnd = true
        continue
      }
      for transition in states[state].transitions {
        switch transition {
        case .epsilon(let target): if seen.insert(target).inserted { open.append(target) }
        case .tokens(let set, _): result.formUnion(set)
        case .precedence(_, let target):
          if beyondRule { return nil }
          if seen.insert(target).inserted { open.append(target) }
        case .rule(let rule, _, let follow):
          let first = nextTokens(starts[rule])
          result.formUnion(first)
          if first.reachesEnd, seen.insert(follow).inserted { open.append(follow) }
        }
      }
    }
    return result
  }

  /// Finds out whether one token settles the decision of an element.
  private mutating func findLookahead(_ node: Int) {
    let decision: Int
    switch nodes[node].kind {
    case .choice, .optional: decision = nodes[node].state
    case .star, .plus: decision = nodes[node].decision
    default: return
    }
    var sets: [TokenSet] = []
    for case .epsilon(let target) in states[decision].transitions {
      guard let set = look(from: target, beyondRule: true), !set.isEmpty else { return }
      for other in sets where other.intersects(set) { return }
      sets.append(set)
    }
    nodes[node].lookahead = sets
  }
}
