import Isolation
import JSON
import RulesSyntax

/// What random requests found.
public struct FuzzReport: Sendable {
  public struct Entry: Sendable {
    public let rules: SourceFile
    /// Of the invariant, or of what it was inferred from.
    public let file: SourceFile
    public let line: Int
    public let statement: String
    public let inferred: InferredStatement.Kind?
    public let result: FuzzRun.Result

    public init(
      rules: SourceFile, file: SourceFile, line: Int, statement: String, inferred: InferredStatement.Kind?,
      result: FuzzRun.Result
    ) {
      self.rules = rules
      self.file = file
      self.line = line
      self.statement = statement
      self.inferred = inferred
      self.result = result
    }
  }

  public let entries: [Entry]
  public let seed: UInt64
  /// What the machines of a run together were told: the number of this one and how many there are.
  public let shard: (Int, Int)?

  public init(_ entries: [Entry], seed: UInt64, shard: (Int, Int)?) {
    self.entries = entries
    self.seed = seed
    self.shard = shard
  }

  public var leaks: Int { entries.count { $0.result.finding != nil } }
  private var tries: Int { entries.reduce(0) { $0 + $1.result.tries } }

  /// - Parameters:
  ///   - terminal: where the text will stand.
  ///   - detail: quiet, only what was found; verbose, the values under which it is allowed.
  public func text(_ terminal: Terminal, _ detail: SuiteReport.Detail = .normal) -> String {
    var page = Page(terminal)
    guard !entries.isEmpty else {
      page.add(StyledLine("Nothing to fuzz: no invariants, and nothing that the rules seem to promise."))
      return page.text
    }
    for entry in entries where detail != .quiet || entry.result.finding != nil {
      add(entry, showingValues: detail == .verbose, to: &page)
      page.gap()
    }
    var line = StyledLine(Counted.text(leaks, "leak"), leaks > 0 ? .badBold : .plain)
    line.add(" in \(Counted.text(tries, "request")), seed \(seed)")
    if let shard { line.add(", shard \(shard.0)/\(shard.1)") }
    page.add(line)
    if leaks == 0, detail != .quiet {
      page.add(StyledLine("That nothing was found proves nothing: rules-test prove does.", .dim))
    }
    return page.text
  }

  private func add(_ entry: Entry, showingValues: Bool, to page: inout Page) {
    var head = StyledLine(
      entry.result.finding == nil ? "none" : "LEAK", entry.result.finding == nil ? .plain : .badBold)
    head.add("  " + SafeText.line(entry.statement))
    page.add(head)
    let kind = entry.inferred.map { "  inferred: \($0.rawValue)" } ?? ""
    page.add(StyledLine("        \(SafeText.line(entry.file.name)):\(entry.line)\(kind)", .place))
    guard let finding = entry.result.finding else {
      let text =
        entry.result.hasAllows
        ? "\(Counted.text(entry.result.tries, "request")), \(entry.result.allowed) of them allowed; "
          + "\(Counted.text(entry.result.reached, "outcome")) of conditions seen"
        : "no allow covers this: nobody can do it"
      page.add(StyledLine("        " + text, .dim))
      return
    }
    ProofReport.add(
      finding.leak, statement: entry.statement, rules: entry.rules, showingValues: showingValues, to: &page)
    page.gap()
    let way = entry.result.askedSolver ? ", with hints of the solver" : ""
    page.add(StyledLine("        after \(Counted.text(finding.tries, "request"))\(way)", .dim))
  }

  /// See `docs/json.md`.
  public var json: JSONValue {
    [
      "statements": .array(
        entries.map { entry in
          [
            "statement": .string(entry.statement), "file": .string(entry.file.name), "line": .int(Int64(entry.line)),
            "inferred": entry.inferred.map { .string($0.rawValue) } ?? .null,
            "tries": .int(Int64(entry.result.tries)), "allowed": .int(Int64(entry.result.allowed)),
            "outcomes": .int(Int64(entry.result.reached)),
            "leak": entry.result.finding.map {
              ProofReport.json($0.leak, statement: entry.statement, rules: entry.rules)
            }
              ?? .null,
          ]
        }),
      "leaks": .int(Int64(leaks)), "tries": .int(Int64(tries)), "seed": .int(Int64(bitPattern: seed)),
    ]
  }
}
