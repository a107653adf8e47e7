/// Configurations by state, to see where alternatives cannot be told apart any more.
struct Conflicts {
  typealias Config = Prediction.Config

  private let automaton: Automaton
  /// By state, then by alternative, of which each is there once.
  private let configs: [Config]

  init(_ configs: [Config], _ automaton: Automaton) {
    self.configs = configs.sorted { $0.place < $1.place }
    self.automaton = automaton
  }

  private var sole: Int? {
    guard let first = configs.first?.alternative else { return nil }
    return configs.allSatisfy { $0.alternative == first } ? first : nil
  }

  func verdict(withCalls: Bool) -> PredictionMemory.Step.Verdict {
    if let sole { return .alternative(sole) }
    if withCalls { return soleViable.map { .alternative($0) } ?? .undecided }
    return needsCalls ? .conflict : .undecided
  }

  /// Whether nothing but the calls can decide any more.
  private var needsCalls: Bool {
    if configs.allSatisfy({ automaton.isRuleStop($0.state) }) { return true }
    var hasConflict = false
    var start = 0
    while start < configs.count {
      var end = start + 1
      while end < configs.count, configs[end].state == configs[start].state { end += 1 }
      // A state of one alternative only: it may still be the one.
      if end == start + 1 { return false }
      if !hasConflict { hasConflict = Set(configs[start..<end].map(\.calls)).count < end - start }
      start = end
    }
    return hasConflict
  }

  /// The alternative that is as good as any other in every state, and the first of them.
  private var soleViable: Int? {
    guard let least = configs.first?.alternative else { return nil }
    var first = 0
    for i in configs.indices {
      if configs[i].state != configs[first].state { first = i }
      guard i == first ? configs[i].alternative == least : configs[i].calls == configs[first].calls else { return nil }
    }
    return least
  }

  /// Whether the first alternative is in the same state with the same calls.
  func repeatsFirst(_ config: Config) -> Bool {
    configs.contains { $0.state == config.state && $0.alternative == 1 && $0.calls == config.calls }
  }
}
