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

  let kinds: [Token.Kind]
  /// Work left for the whole file.
  private var fuel: Int
  private var quick: Pass
  private var thorough: Pass

  init(_ automaton: Automaton, _ kinds: [Token.Kind], fuel: Int) {
    self.kinds = kinds
    self.fuel = fuel
    quick = Pass(automaton, withCalls: false, PredictionMemory.take())
    // Its stacks are those of the file.
    thorough = Pass(automaton, withCalls: true, PredictionMemory())
  }

  /// Keeps what can serve other files.
  func giveBack() { quick.memory.giveBack() }

  /// The number of a stack with one more state to return to; 0 is the empty one.
  mutating func push(_ calls: Int, _ returnState: Int) -> Int { thorough.memory.stacks.push(calls, returnState) }

  /// `calls`: the stack of states to return to. `precedence`: how tightly the caller of the current rule binds.
  mutating func predict(_ decision: Int, at start: Int, calls: Int, precedence: Int) -> Outcome {
    do throws(Exhausted) {
      let unknown = PredictionMemory.Start(decision: decision, precedence: precedence, calls: 0)
      if let outcome = try quick.follow(unknown, kinds, from: start, &fuel) { return outcome }
      let known = PredictionMemory.Start(decision: decision, precedence: precedence, calls: calls)
      return try thorough.follow(known, kinds, from: start, &fuel) ?? .exhausted
    } catch {
      return .exhausted
    }
  }

  struct Exhausted: Error {}
}
