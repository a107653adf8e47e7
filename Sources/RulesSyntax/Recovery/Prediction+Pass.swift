extension Prediction {
  /// One of the two ways to predict, with what it found out.
  struct Pass {
    let automaton: Automaton
    let withCalls: Bool
    var memory: PredictionMemory
    var closure = Closure()
    /// For each step the kinds of tokens that were paid for, for each start whether it was. The same file takes the
    /// same work whatever is in the memory: what other files found out is paid for where it is first used.
    private var paidEdges: [UInt64] = []
    private var paidStarts: [Bool] = []

    init(_ automaton: Automaton, withCalls: Bool, _ memory: PredictionMemory) {
      self.automaton = automaton
      self.withCalls = withCalls
      self.memory = memory
    }

    /// Whoever finds something out pays a little more than it took, which bounds the memory.
    private static let surcharge = 16

    private static func pay(_ cost: Int, _ fuel: inout Int) throws(Exhausted) {
      fuel -= cost
      if fuel <= 0 { throw Exhausted() }
    }

    /// `nil` if only the calls can tell.
    mutating func follow(
      _ start: PredictionMemory.Start, _ kinds: [Token.Kind], from first: Int, _ fuel: inout Int
    ) throws(Exhausted) -> Outcome? {
      var current = try step(of: start, &fuel)
      var token = first
      while true {
        let kind = token < kinds.count ? kinds[token] : .endOfFile
        try Pass.pay(1, &fuel)
        let next = try step(current, kind, &fuel)
        if next == PredictionMemory.deadEnd {
          let configs = memory.steps[current].configs
          try Pass.pay(configs.count, &fuel)
          return finishedAlternative(configs).map { .alternative($0) } ?? .failure(token: token)
        }
        current = Int(next)
        switch memory.steps[current].verdict {
        case .alternative(let alternative): return .alternative(alternative)
        case .conflict: return nil
        case .undecided: break
        }
        if kind != .endOfFile { token += 1 }
      }
    }

    private mutating func step(of start: PredictionMemory.Start, _ fuel: inout Int) throws(Exhausted) -> Int {
      let number: Int
      if let known = memory.startNumbers[start] {
        number = known
      } else {
        let step = add(try startConfigs(start, fuel))
        number = memory.starts.count
        memory.startNumbers[start] = number
        memory.starts.append(edge(to: step))
      }
      while paidStarts.count <= number { paidStarts.append(false) }
      if !paidStarts[number] {
        paidStarts[number] = true
        try Pass.pay(Int(memory.starts[number].cost), &fuel)
      }
      return Int(memory.starts[number].target)
    }

    private mutating func step(_ from: Int, _ kind: Token.Kind, _ fuel: inout Int) throws(Exhausted) -> Int32 {
      let edge: PredictionMemory.Edge
      if let known = memory.edge(from, kind) {
        edge = known
      } else {
        let configs = try reach(memory.steps[from].configs, kind, fuel)
        edge = self.edge(to: configs.isEmpty ? nil : add(configs))
        memory.addEdge(from, kind, edge)
      }
      while paidEdges.count <= from { paidEdges.append(0) }
      if paidEdges[from] & (1 << UInt64(kind.rawValue)) == 0 {
        paidEdges[from] |= 1 << UInt64(kind.rawValue)
        try Pass.pay(Int(edge.cost), &fuel)
      }
      return edge.target
    }

    private func edge(to step: Int?) -> PredictionMemory.Edge {
      PredictionMemory.Edge(
        target: step.map { Int32(truncatingIfNeeded: $0) } ?? PredictionMemory.deadEnd,
        cost: Int32(truncatingIfNeeded: closure.work + Pass.surcharge))
    }

    private mutating func add(_ configs: [Config]) -> Int {
      let (automaton, withCalls) = (automaton, withCalls)
      return memory.step(configs) { Conflicts(configs, automaton).verdict(withCalls: withCalls) }
    }

    /// The first alternative that had already left the rule of the decision: taken when nothing goes on.
    private func finishedAlternative(_ configs: [Config]) -> Int? {
      configs.lazy.filter { $0.leftRule || (automaton.isRuleStop($0.state) && memory.stacks.hasEmpty($0.calls)) }
        .map(\.alternative).min()
    }
  }
}
