/// Runs the grammar over the tokens and recovers from errors the way generated ANTLR parsers do, so that the errors
/// after the first one are the official ones too. Only used for texts the fast parser refused.
struct Recognizer {
  /// One finding, with the token it is about.
  struct Finding {
    var token: Int
    var message: String
    var kind: Kind

    enum Kind {
      case error
      /// A mistake the grammar foresees, so that the text can still be read.
      case foreseen
      /// An unknown type behind `is`.
      case typeName
    }
  }

  private enum Failure: Error {
    case noAlternative(token: Int)
    case mismatch(token: Int, expected: TokenSet)
    case exhausted
  }

  private enum SyncPlace { case block, loopBack }

  private struct Frame {
    var rule: Int
    var invokingState: Int
    var precedence: Int
    /// The number of the stack of states to return to; -1 while nobody asked.
    var calls = -1
  }

  let parser: Parser
  let automaton: Automaton
  let kinds: [Token.Kind]
  private var prediction: Prediction
  private var position = 0
  private var state = -1
  private var frames: [Frame] = []
  private(set) var findings: [Finding] = []
  /// The token at which the first, quick pass of the official parser gives up.
  private(set) var firstFailure: Int?

  private var isRecovering = false
  private var lastErrorPosition = -1
  private var lastErrorStates: Set<Int> = []
  /// Where an optional part was passed over: its tokens were possible as well.
  private var optionalState = -1
  private var optionalFrames: [Frame]?

  /// The text of the last type, with whatever was skipped in it.
  private var lastType = ""
  private var insertedToken: String?

  /// Deeper calls are not followed: the text is hostile, and the first error must do.
  static let maximumFrames = 100
  /// After as many findings the text is not read on.
  static let maximumFindings = 1_000

  init(_ parser: Parser, fuel: Int) {
    self.parser = parser
    automaton = Grammar.automaton
    kinds = parser.tokens.map(\.kind)
    prediction = Prediction(automaton, kinds, fuel: fuel)
  }

  /// Whether there may be more to find than was.
  var isFull: Bool { findings.count >= Recognizer.maximumFindings }

  /// Runs the whole file; `false` when the bounds did not suffice.
  mutating func run() -> Bool {
    defer { prediction.giveBack() }
    do {
      try runRule(0, precedence: 0, invokingState: -1)
      return true
    } catch {
      return false
    }
  }

  private func kind(_ index: Int) -> Token.Kind { index < kinds.count ? kinds[index] : .endOfFile }
  private var current: Token.Kind { kind(position) }
  private func text(_ index: Int) -> String {
    parser.text(parser.tokens[min(index, parser.tokens.count - 1)])
  }

  private mutating func consume() { if current != .endOfFile { position += 1 } }

  // MARK: Grammar

  // These functions call each other as deep as the text nests, so each is kept small.

  private mutating func runRule(_ rule: Int, precedence: Int, invokingState: Int) throws(Failure) {
    let start = try enterRule(rule, precedence, invokingState)
    do throws(Failure) {
      try run(automaton.rules[rule].body)
    } catch {
      try catchFailure(error)
    }
    leaveRule(rule, start, invokingState)
  }

  private mutating func enterRule(_ rule: Int, _ precedence: Int, _ invokingState: Int) throws(Failure) -> Int {
    guard frames.count < Recognizer.maximumFrames, !isFull else { throw .exhausted }
    insertedToken = nil
    frames.append(Frame(rule: rule, invokingState: invokingState, precedence: precedence))
    return position
  }

  private mutating func catchFailure(_ failure: Failure) throws(Failure) {
    if case .exhausted = failure { throw failure }
    report(failure)
    recover()
  }

  private mutating func leaveRule(_ rule: Int, _ start: Int, _ invokingState: Int) {
    if rule == Grammar.typeRule {
      lastType = (start..<max(start, position)).map(text).joined() + (insertedToken ?? "")
    }
    frames.removeLast()
    state = invokingState
  }

  private mutating func run(_ number: Int) throws(Failure) {
    switch automaton.nodes[number].kind {
    case .sequence(let items): try runSequence(items)
    case .token(let set): try runToken(number, set)
    case .rule(let rule, let precedence):
      state = automaton.nodes[number].state
      try runRule(rule, precedence: precedence, invokingState: state)
    case .action(let message): runAction(number, message)
    case .precedence: break
    case .choice(let alternatives): try run(alternatives[choose(number)])
    case .optional(let inner): try runOptional(number, inner)
    case .star(let inner): try runStar(number, inner)
    case .plus(let inner): try runPlus(number, inner)
    }
  }

  private mutating func runSequence(_ items: [Int]) throws(Failure) {
    for item in items { try run(item) }
  }

  private mutating func runToken(_ number: Int, _ set: TokenSet) throws(Failure) {
    state = automaton.nodes[number].state
    try match(set)
  }

  private mutating func runAction(_ number: Int, _ message: String) {
    state = automaton.nodes[number].state
    act(message)
  }

  private mutating func choose(_ number: Int) throws(Failure) -> Int {
    let node = automaton.nodes[number]
    state = node.state
    try sync(.block)
    guard let lookahead = node.lookahead else { return try predict(node.state) - 1 }
    guard let i = lookahead.firstIndex(where: { $0.contains(current) }) else { throw .noAlternative(token: position) }
    return i
  }

  private mutating func runOptional(_ number: Int, _ inner: Int) throws(Failure) {
    let choice = try chooseOptional(number)
    if case .choice(let several) = automaton.nodes[inner].kind {
      if choice < several.count { try run(several[choice]) }
    } else if choice == 0 {
      try run(inner)
    }
  }

  private mutating func chooseOptional(_ number: Int) throws(Failure) -> Int {
    let node = automaton.nodes[number]
    state = node.state
    try sync(.block)
    guard let lookahead = node.lookahead else { return try predict(node.state) - 1 }
    return lookahead.firstIndex { $0.contains(current) } ?? lookahead.count
  }

  private mutating func runStar(_ number: Int, _ inner: Int) throws(Failure) {
    try enterLoop(number)
    while try goesOn(number) {
      try run(inner)
      try endRound(number)
    }
  }

  private mutating func runPlus(_ number: Int, _ inner: Int) throws(Failure) {
    try enterLoop(number)
    repeat {
      try run(inner)
      try endRound(number)
    } while try goesOn(number)
  }

  private mutating func enterLoop(_ number: Int) throws(Failure) {
    state = automaton.nodes[number].state
    try sync(.block)
  }

  private mutating func endRound(_ number: Int) throws(Failure) {
    state = automaton.nodes[number].loopBack
    try sync(.loopBack)
  }

  private mutating func act(_ message: String) {
    var message = message
    var kind = Finding.Kind.foreseen
    switch message {
    case Grammar.typeTest:
      guard !Grammar.typeNames.contains(lastType) else { return }
      message =
        "An unsupported type identifier was used with the 'is' operator. Received \(lastType). Expected one of "
        + Grammar.typeNames.joined(separator: ",")
      kind = .typeName
    case Grammar.importAlias:
      if text(position) == "as" { return }
      message = "Import statement with alias must use the format 'as <alias>'"
    case Grammar.serviceName:
      guard Grammar.wordsNotNamingServices.contains(text(position)) else { return }
      message = "Cannot use keyword as service name."
    default: break
    }
    findings.append(Finding(token: position, message: message, kind: kind))
  }

  private mutating func goesOn(_ number: Int) throws(Failure) -> Bool {
    let loop = automaton.nodes[number]
    if let lookahead = loop.lookahead { return lookahead[0].contains(current) }
    return try predict(loop.decision) == 1
  }

  private mutating func predict(_ decision: Int) throws(Failure) -> Int {
    let calls = self.calls()
    switch prediction.predict(decision, at: position, calls: calls, precedence: frames.last?.precedence ?? 0) {
    case .alternative(let alternative): return alternative
    case .failure(let token): throw .noAlternative(token: token)
    case .exhausted: throw .exhausted
    }
  }

  /// The stack of states to return to, without that of the first rule, which nobody called.
  private mutating func calls() -> Int {
    var known = frames.count
    while known > 1, frames[known - 1].calls < 0 { known -= 1 }
    var calls = known > 1 ? frames[known - 1].calls : 0
    for i in max(known, 1)..<max(frames.count, 1) {
      calls = prediction.push(calls, follow(frames[i].invokingState))
      frames[i].calls = calls
    }
    return calls
  }

  private func follow(_ invokingState: Int) -> Int {
    for case .rule(_, _, let follow) in automaton.states[invokingState].transitions { return follow }
    return invokingState
  }

  private mutating func match(_ set: TokenSet) throws(Failure) {
    if set.contains(current) {
      endRecovery()
      consume()
    } else {
      try recoverInline()
    }
  }

  // MARK: Errors

  private mutating func add(_ token: Int, _ message: String) {
    if firstFailure == nil { firstFailure = token }
    findings.append(Finding(token: token, message: message, kind: .error))
  }

  private mutating func beginRecovery() { isRecovering = true }

  private mutating func endRecovery() {
    isRecovering = false
    lastErrorStates = []
    lastErrorPosition = -1
  }

  private mutating func report(_ failure: Failure) {
    if isRecovering { return }
    beginRecovery()
    switch failure {
    case .noAlternative(let token): add(token, "Unexpected '\(text(token))'.")
    case .mismatch(let token, let expected):
      add(token, "mismatched input '\(text(token))' expecting \(Recognizer.describe(expected))")
    case .exhausted: break
    }
  }

  static func describe(_ set: TokenSet) -> String {
    let names = set.kinds.map(\.officialName)
    return names.count == 1 ? names[0] : "{" + names.joined(separator: ", ") + "}"
  }

  private mutating func recover() {
    if lastErrorPosition == position, lastErrorStates.contains(state) { consume() }
    lastErrorPosition = position
    lastErrorStates.insert(state)
    consumeUntil(recoverySet)
  }

  private mutating func consumeUntil(_ set: TokenSet) {
    while current != .endOfFile, !set.contains(current) { consume() }
  }

  private var recoverySet: TokenSet {
    var set = TokenSet()
    for frame in frames.dropFirst() { set.formUnion(automaton.nextTokens[follow(frame.invokingState)]) }
    return set
  }

  private func expectedTokens(_ state: Int, _ frames: [Frame]) -> TokenSet {
    var following = automaton.nextTokens[state]
    var result = following
    result.reachesEnd = false
    for frame in frames.dropFirst().reversed() where following.reachesEnd {
      following = automaton.nextTokens[follow(frame.invokingState)]
      result.formUnion(following)
    }
    if following.reachesEnd { result.insert(.endOfFile) }
    return result
  }

  private mutating func sync(_ place: SyncPlace) throws(Failure) {
    if isRecovering { return }
    let next = automaton.nextTokens[state]
    if next.contains(current) {
      optionalFrames = nil
      optionalState = -1
      return
    }
    if next.reachesEnd {
      if optionalFrames == nil {
        optionalFrames = frames
        optionalState = state
      }
      return
    }
    switch place {
    case .block:
      if deleteToken() { return }
      throw .mismatch(token: position, expected: expectedTokens(state, frames))
    case .loopBack:
      reportUnwanted()
      var set = expectedTokens(state, frames)
      set.formUnion(recoverySet)
      consumeUntil(set)
    }
  }

  private mutating func reportUnwanted() {
    add(position, "Unexpected '\(text(position))'.")
  }

  /// Skips one token when the next one fits.
  private mutating func deleteToken() -> Bool {
    guard expectedTokens(state, frames).contains(kind(position + 1)) else { return false }
    reportUnwanted()
    consume()
    endRecovery()
    return true
  }

  private mutating func recoverInline() throws(Failure) {
    if deleteToken() {
      consume()
      return
    }
    if insertToken() { return }
    if let optionalFrames {
      throw .mismatch(token: position, expected: expectedTokens(optionalState, optionalFrames))
    }
    throw .mismatch(token: position, expected: expectedTokens(state, frames))
  }

  /// Pretends the missing token were there when the current one could follow it.
  private mutating func insertToken() -> Bool {
    guard case .tokens(_, let next)? = automaton.states[state].transitions.first,
      expectedTokens(next, frames).contains(current)
    else { return false }
    let missing = Recognizer.describe(expectedTokens(state, frames))
    insertedToken = "<missing \(missing)>"
    if !isRecovering {
      beginRecovery()
      add(position, "missing \(missing) at '\(text(position))'")
    }
    return true
  }
}
