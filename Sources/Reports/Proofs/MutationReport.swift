import Isolation
import JSON
import RulesSyntax

/// Which weaker rules the tests would not have noticed.
public struct MutationReport: Sendable {
  public enum Outcome: Sendable {
    /// A test failed, or an invariant was broken.
    case noticed
    /// Nothing failed, though the weaker rules allow this.
    case survived(Leak)
    /// Nothing failed, and nothing more is allowed: proved.
    case equivalent
    /// Nothing failed; whether more is allowed is not known.
    case unknown(String)
  }

  public struct Entry: Sendable {
    public let rules: SourceFile
    public let mutant: Mutant
    public let outcome: Outcome

    public init(rules: SourceFile, mutant: Mutant, outcome: Outcome) {
      self.rules = rules
      self.mutant = mutant
      self.outcome = outcome
    }
  }

  public let entries: [Entry]

  public init(_ entries: [Entry]) { self.entries = entries }

  public var survived: Int { entries.count { if case .survived = $0.outcome { true } else { false } } }
  private var noticed: Int { entries.count { if case .noticed = $0.outcome { true } else { false } } }
  private var equivalent: Int { entries.count { if case .equivalent = $0.outcome { true } else { false } } }
  private var unknown: Int { entries.count { if case .unknown = $0.outcome { true } else { false } } }

  /// - Parameters:
  ///   - terminal: where the text will stand.
  ///   - detail: quiet, only what survived, in two lines each; verbose, what was noticed too, and the values
  ///     under which a request is allowed.
  public func text(_ terminal: Terminal, _ detail: SuiteReport.Detail = .normal) -> String {
    var page = Page(terminal)
    for entry in entries {
      switch entry.outcome {
      case .noticed, .equivalent:
        guard detail == .verbose else { continue }
        if case .noticed = entry.outcome {
          addHead("NOTICED", .good, entry, to: &page)
        } else {
          addHead("EQUIVALENT", .dim, entry, to: &page)
          page.add(StyledLine("        allows nothing new: proved", .dim))
        }
      case .survived where detail == .quiet: addHead("SURVIVED", .badBold, entry, to: &page)
      case .survived(let leak): add(entry, leak, showingValues: detail == .verbose, to: &page)
      case .unknown(let reason):
        addHead("UNKNOWN", .warning, entry, to: &page)
        page.add(StyledLine("        not known whether it allows more: \(SafeText.line(reason))", .dim))
      }
      page.gap()
    }
    var tally = Tally()
    tally.add(noticed, of: "noticed", .good)
    tally.add(survived, of: "survived", .badBold)
    tally.add(unknown, of: "unknown", .warning, leavesOutZero: true)
    var line = StyledLine("\(Counted.text(entries.count - equivalent, "weaker version")): ")
    line.add(tally.line)
    if equivalent > 0 { line.add("; \(equivalent) more that allow nothing new: proved", .dim) }
    page.add(line)
    return page.text
  }

  private func addHead(_ title: String, _ style: Style, _ entry: Entry, to page: inout Page) {
    var head = StyledLine(title, style)
    head.add("  \(entry.mutant.kind.rawValue): \(SafeText.line(entry.mutant.detail))")
    page.add(head)
    page.add(StyledLine("        \(SafeText.line(entry.rules.name)):\(entry.mutant.line)", .place))
  }

  private func add(_ entry: Entry, _ leak: Leak, showingValues: Bool, to page: inout Page) {
    addHead("SURVIVED", .badBold, entry, to: &page)
    let number = entry.mutant.line
    // How an operand is switched off is of no interest; which one it is stands above.
    let isSwitchedOff = entry.mutant.kind == .withoutOperand
    for (sign, file) in isSwitchedOff ? [("", entry.rules)] : [("- ", entry.rules), ("+ ", entry.mutant.file)] {
      page.add(StyledLine("        \(sign)" + SafeText.line(file.line(number)).drop { $0 == " " }, .code))
    }
    page.add(StyledLine("        No test makes this request, or one like it:"))
    page.add(WitnessText.lines(leak.witness))
    if showingValues, !isSwitchedOff { LeakValues.add(leak, rules: entry.mutant.file, to: &page) }
    guard let test = WitnessTest(leak, of: entry.mutant.file, title: "refused: \(entry.mutant.detail)").lines() else {
      return
    }
    page.gap()
    page.add(StyledLine("        As a test, which the rules pass:"))
    for line in test { page.add(StyledLine("          " + line, .code)) }
  }

  /// `{"mutants": […], "noticed": n, "survived": n, "unknown": n, "equivalent": n}`; see `docs/json.md`.
  public var json: JSONValue {
    [
      "mutants": .array(entries.map { Self.json($0) }), "noticed": .int(Int64(noticed)),
      "survived": .int(Int64(survived)), "unknown": .int(Int64(unknown)), "equivalent": .int(Int64(equivalent)),
    ]
  }

  private static func json(_ entry: Entry) -> JSONValue {
    var object: JSONObject = [
      "file": .string(entry.rules.name), "line": .int(Int64(entry.mutant.line)),
      "kind": .string(entry.mutant.kind.rawValue), "detail": .string(entry.mutant.detail),
    ]
    switch entry.outcome {
    case .noticed: object["outcome"] = "noticed"
    case .equivalent: object["outcome"] = "equivalent"
    case .unknown(let reason):
      object["outcome"] = "unknown"
      object["reason"] = .string(reason)
    case .survived(let leak):
      object["outcome"] = "survived"
      object["request"] = WitnessText.json(leak.witness)
      let test = WitnessTest(leak, of: entry.mutant.file, title: "refused: \(entry.mutant.detail)").lines()
      object["test"] = test.map { .string($0.joined(separator: "\n")) } ?? .null
    }
    return .object(object)
  }
}
