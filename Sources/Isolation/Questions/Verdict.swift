import RulesEngine

/// What became of a statement about rules.
public enum StatementVerdict: Sendable {
  /// No request and no database, of whatever content, break it. Under the assumptions of `Prover.assumptions`.
  case proved(Evidence)
  /// A request breaks it; the engine does what is claimed.
  case leak(Leak)
  /// Neither was found, and none of so many random requests broke it.
  case unknown([UnknownReason], tries: Int)
  /// No `allow` covers what the statement speaks of: it holds because nobody can do anything there.
  case vacuous
  /// What `allows` asks for happens: a request shows it.
  case possible(Leak)
  /// What `allows` asks for never happens, whatever is stored.
  case impossible

  public var name: String {
    switch self {
    case .proved: "PROVED"
    case .leak: "LEAK"
    case .unknown: "UNKNOWN"
    case .vacuous: "VACUOUS"
    case .possible: "POSSIBLE"
    case .impossible: "IMPOSSIBLE"
    }
  }
}

public struct Evidence: Sendable {
  /// Questions that the proof took; those that needed no solver among them.
  public var questions = 0
  public var withoutSolver = 0
  /// Answers with which a second solver agreed, and those that it did not know.
  public var agreed = 0
  public var undecided = 0
  /// What the rules do that the proof takes for anything at all: `'lower' is not modelled` and the line.
  public var approximations: [String] = []
  /// What the test file assumes of stored documents, and every allowed write keeps.
  public var assumptions: [String] = []
}

public struct UnknownReason: Sendable, Equatable {
  public let text: String
  /// In the rules, where there is one.
  public let line: Int?

  public init(text: String, line: Int?) {
    self.text = text
    self.line = line
  }
}

public struct Leak: Sendable {
  public let witness: Witness
  /// Lines of the `allow` statements to blame.
  public let lines: [Int]
  /// Whose reading of the rules lets it happen: `live`, or the older one where the live one does not.
  public let dialect: Dialect

  public init(witness: Witness, lines: [Int], dialect: Dialect) {
    self.witness = witness
    self.lines = lines
    self.dialect = dialect
  }
}
