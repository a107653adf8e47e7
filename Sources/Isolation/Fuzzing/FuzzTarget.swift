import RulesEngine
import RulesSemantics
import RulesSyntax
import RulesValues

/// What a fuzzer tries to break: a statement about rules, or that another version allows no less.
public struct FuzzTarget: Sendable {
  let other: Ruleset
  let sense: Question.Other
  let methods: [World.Method]
  /// Of the statement, or of the other version.
  let blocks: [MatchBlock]
  /// Whether the other rule set is a version of the rules, rather than a statement.
  let isComparison: Bool
  /// Of a comparison: the line of the one `allow` that is looked at.
  var line: Int?

  /// - Throws: the compiler's findings when the statement's condition does not compile.
  /// - Returns: `nil` where the statement speaks of no documents.
  public init?(_ statement: Statement) throws(RulesError) {
    other = try Ruleset(statement.text, name: "statement")
    guard let block = other.checked.matchBlocks?.first else { return nil }
    blocks = [block]
    isComparison = false
    sense = statement.sense
    methods = statement.methods
  }

  /// - Throws: the compiler's findings when what was inferred does not compile.
  /// - Returns: `nil` for what is no statement about single documents.
  public init?(_ inferred: InferredStatement) throws(RulesError) {
    guard inferred.kind != .listWiderThanGet else { return nil }
    try self.init(inferred.statement)
  }

  /// That an older version allows all that newer rules allow.
  /// - Returns: `nil` where a match stands inside one whose glob is not its last segment.
  public init?(atMost older: Ruleset) {
    guard let blocks = older.checked.matchBlocks else { return nil }
    other = older
    sense = .mustAllow
    methods = World.Method.allCases
    self.blocks = blocks
    isComparison = true
  }

  /// The same of one version or statement with other methods.
  func asking(_ methods: [World.Method], line: Int? = nil) -> FuzzTarget {
    FuzzTarget(other: other, sense: sense, methods: methods, blocks: blocks, isComparison: isComparison, line: line)
  }

  private init(
    other: Ruleset, sense: Question.Other, methods: [World.Method], blocks: [MatchBlock], isComparison: Bool, line: Int?
  ) {
    self.other = other
    self.sense = sense
    self.methods = methods
    self.blocks = blocks
    self.isComparison = isComparison
    self.line = line
  }

  /// A statement that was made into a rule set, or another version.
  init?(_ other: Ruleset, sense: Question.Other, methods: [World.Method], isComparison: Bool) {
    guard let blocks = other.checked.matchBlocks else { return nil }
    self.init(other: other, sense: sense, methods: methods, blocks: blocks, isComparison: isComparison, line: nil)
  }

  /// Whether it speaks of paths of so many ids.
  func covers(count: Int) -> Bool { isComparison || blocks.contains { $0.captures(count: count) != nil } }

  /// Whether a request is one of those that the statement is about.
  func speaks(of witness: Witness) -> Bool {
    guard methods.contains(where: { $0.rawValue == witness.method.rawValue }) else { return false }
    let ids = witness.path.segments
    return isComparison
      || blocks.contains { block in
        block.literals(count: ids.count)?.allSatisfy { place, text in ids[place] == text } ?? false
      }
  }

  /// What its condition should be for the statement to be broken.
  var wanted: Bool { sense == .mustNotAllow }
}

extension MatchBlock {
  /// Segments below `documents`.
  var documents: [MatchSegment] { Array(segments.dropFirst(3)) }

  /// What the captures stand for on a path of so many ids.
  func captures(count: Int) -> [String: Place]? {
    var places: [String: Place] = [:]
    let documents = documents
    let glob = documents.firstIndex { if case .glob = $0 { true } else { false } }
    guard let glob else {
      guard count == documents.count else { return nil }
      for (i, segment) in documents.enumerated() {
        if case .capture(_, let name) = segment { places[name] = .segment(i) }
      }
      return places
    }
    let behind = documents.count - glob - 1
    guard count >= glob + behind else { return nil }
    for (i, segment) in documents.enumerated() where i != glob {
      if case .capture(_, let name) = segment { places[name] = .segment(i < glob ? i : count - documents.count + i) }
    }
    return places
  }

  /// Ids that the pattern fixes on a path of so many; `nil` where it does not cover such a path.
  func literals(count: Int) -> [Int: Text]? {
    guard captures(count: count) != nil else { return nil }
    let documents = documents
    let glob = documents.firstIndex { if case .glob = $0 { true } else { false } }
    var fixed: [Int: Text] = [:]
    for (i, segment) in documents.enumerated() {
      guard case .literal(let text) = segment else { continue }
      fixed[glob.map { i < $0 ? i : count - documents.count + i } ?? i] = Text(text)
    }
    return fixed
  }
}
