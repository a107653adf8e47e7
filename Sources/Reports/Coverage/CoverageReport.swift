import Isolation
import RulesEngine
import RulesSemantics
import RulesSyntax

/// What the tests of a run made of the rules' conditions.
public struct CoverageReport: Sendable {
  /// One rules file.
  public struct Entry: Sendable {
    public let ruleset: Ruleset
    public var coverage: Coverage
    /// What was not seen, with a request that would show it, where one was found.
    public var searches: [CoverageSearch.Result] = []
    let goals: [CoverageGoal]

    public init(_ ruleset: Ruleset, _ coverage: Coverage) {
      self.ruleset = ruleset
      self.coverage = coverage
      goals = ruleset.coverageGoals
    }

    public var missing: [CoverageGoal] { goals.filter { !$0.isMet(by: coverage) } }
    /// Of goals that are told in one line the first.
    public var firstMissing: [CoverageGoal] { groups.compactMap(\.goals.first) }
    var met: Int { goals.count { $0.isMet(by: coverage) } }
  }

  public var entries: [Entry]

  public init(_ entries: [Entry]) { self.entries = entries }

  public var met: Int { entries.reduce(0) { $0 + $1.met } }
  public var total: Int { entries.reduce(0) { $0 + $1.goals.count } }

  /// Whether at least so many percent of all goals are met. Rules without conditions have nothing to be missed.
  public func reaches(_ percent: Double) -> Bool { Double(met) * 100 >= percent * Double(total) }

  /// Rounded down, so that 100 % is said only of everything.
  static func percent(_ met: Int, _ total: Int) -> String {
    guard total > 0 else { return "100.0 %" }
    let tenths = met * 1000 / total
    return "\(tenths / 10).\(tenths % 10) %"
  }

  /// `44.0 % covered`
  var lastLine: String { "\(Self.percent(met, total)) covered" }

  // MARK: For people

  /// - Parameters:
  ///   - terminal: where the text will stand.
  ///   - verbose: whether each `allow` is told of, too.
  ///   - limit: goals that are named for each file; the rest is counted.
  public func text(_ terminal: Terminal, verbose: Bool = false, limit: Int = 20) -> String {
    var page = Page(terminal)
    add(to: &page, verbose: verbose, limit: limit)
    return page.text
  }

  func add(to page: inout Page, verbose: Bool, limit: Int = 20) {
    page.add(StyledLine("Coverage", .bold))
    for entry in entries {
      let missing = entry.missing
      var line = StyledLine("  " + SafeText.line(entry.ruleset.file.name))
      line.add("  ")
      line.add(Self.percent(entry.met, entry.goals.count), missing.isEmpty ? .good : .warning)
      line.add("  \(entry.met) of \(Counted.text(entry.goals.count, "half", plural: "halves")) seen", .dim)
      page.add(line)
      if verbose { addAllows(of: entry, to: &page) }
      let source = ExpressionText(entry.ruleset.file)
      let groups = entry.groups
      for group in groups.prefix(verbose ? .max : limit) { add(group, entry, source, to: &page) }
      if !verbose, groups.count > limit {
        page.add(StyledLine("    … and \(groups.count - limit) more: -v names all.", .dim))
      }
    }
    page.add(lastLine, met == total ? .good : .warning)
  }

  private func add(
    _ group: Entry.Group, _ entry: Entry, _ source: ExpressionText, to page: inout Page
  ) {
    let place = "\(group.range.start.line):\(group.range.start.column)"
    var line = StyledLine("    ")
    line.add(String(repeating: " ", count: max(0, 7 - place.count)) + place + "  ", .place)
    let width = max(30, page.terminal.width - 34)
    if let allow = group.allow {
      let text = SafeText.cut(SuiteReport.source(allow.statement.range, entry.ruleset.file, .max), width)
      line.add("`\(text)` was never reached")
    } else if group.goals.count > 1, let expression = group.goals[0].expression {
      line.add("`\(source.text(expression, width: width))` was never reached")
    } else {
      line.add(Self.sentence(group.goals[0], entry, source, width: width))
    }
    page.add(line)
    let searches = entry.searches.filter { search in group.goals.contains { $0.isSame(as: search.goal) } }
    for search in searches {
      guard case .found(let witness, let isAllowed) = search.outcome else { continue }
      for line in WitnessText.lines(witness) { page.add(line, indent: 5) }
      page.add(StyledLine("is \(isAllowed ? "allowed" : "denied"), and shows it", .dim), indent: 13)
      return
    }
    if !searches.isEmpty { page.add(StyledLine("no request was found that would show it", .dim), indent: 13) }
  }

  /// ``"`isAdmin()` was never true"``
  static func sentence(_ goal: CoverageGoal, _ entry: Entry, _ source: ExpressionText, width: Int = .max) -> String {
    guard let expression = goal.expression else {
      return "`\(SafeText.cut(SuiteReport.source(goal.range, entry.ruleset.file, .max), width))` was never reached"
    }
    let text = "`\(source.text(expression, width: width))`"
    let counts = entry.coverage.counts(of: expression)
    if counts.total == 0 {
      return text + (goal.half == .reached ? " was never reached" : " was never \(goal.half.rawValue): never reached")
    }
    if counts.error > 0, counts.isTrue + counts.isFalse == 0 {
      return text + " was never \(goal.half.rawValue): always an error"
    }
    return text + " was never \(goal.half.rawValue)"
  }

  /// A line for each `allow`: how often it let pass, refused and failed.
  private func addAllows(of entry: Entry, to page: inout Page) {
    for allow in entry.allows {
      let counts = entry.coverage.counts(of: allow.statement)
      let line = "\(allow.statement.range.start.line)"
      var text = StyledLine("    " + String(repeating: " ", count: max(0, 7 - line.count)) + line + "  ", .place)
      text.add("\(counts.allowed) allowed", counts.allowed > 0 ? .good : .warning)
      text.add(", ")
      text.add("\(counts.refused) refused", counts.refused > 0 ? .plain : .warning)
      if counts.error > 0 { text.add(", \(Counted.text(counts.error, "error"))", .warning) }
      text.add("  ")
      text.pad(to: 48)
      text.add(
        SafeText.cut(
          SuiteReport.source(allow.statement.range, entry.ruleset.file, .max), max(20, page.terminal.width - 50)))
      page.add(text)
    }
  }
}

extension CoverageReport.Entry {
  /// Missing goals that are told together.
  struct Group {
    var goals: [CoverageGoal]
    /// The statement of which nothing was ever come to.
    let allow: CheckedAllow?

    var range: SourceRange { allow?.statement.range ?? goals[0].range }
  }

  /// Of what was never reached both halves are told in one, and of an `allow` everything.
  var groups: [Group] {
    var groups: [Group] = []
    for goal in missing {
      var unreached: CheckedAllow?
      if case .allow(let allow) = goal.place, coverage.counts(of: allow.statement).total == 0 { unreached = allow }
      if let last = groups.last {
        let isSameAllow = unreached != nil && last.allow?.index == unreached?.index
        let isOtherHalf =
          goal.expression != nil && last.allow == nil && last.goals[0].expression === goal.expression
          && goal.expression.map { coverage.counts(of: $0).total == 0 } ?? false
        if isSameAllow || isOtherHalf {
          groups[groups.count - 1].goals.append(goal)
          continue
        }
      }
      groups.append(Group(goals: [goal], allow: unreached))
    }
    return groups
  }

  /// The statements of the Firestore rules, in source order.
  var allows: [CheckedAllow] { matches.flatMap(\.allows).sorted { $0.index < $1.index } }

  var matches: [CheckedMatch] {
    var all: [CheckedMatch] = []
    // Depth is bounded by the official limit on nested matches.
    func walk(_ match: CheckedMatch) {
      all.append(match)
      match.children.forEach(walk)
    }
    for service in ruleset.checked.services where service.kind == .firestore { service.matches.forEach(walk) }
    return all
  }

  /// Functions that conditions call.
  var functions: [CheckedFunction] { ruleset.checked.functions.filter(\.isReachable) }

  /// How often each line was come to that can be: those of matches, allows, functions, and operands that decide.
  var lines: [Int: Int] {
    var lines: [Int: Int] = [:]
    func add(_ line: Int, _ count: Int) { lines[line] = max(lines[line] ?? 0, count) }
    for match in matches where !match.allows.isEmpty {
      add(match.declaration.range.start.line, coverage.count(of: match.declaration))
    }
    for allow in allows { add(allow.statement.range.start.line, coverage.counts(of: allow.statement).total) }
    for function in functions {
      let count = coverage.counts(of: function.declaration.result).total
      add(function.declaration.range.start.line, count)
      add(function.declaration.result.range.start.line, count)
      for binding in function.declaration.lets {
        add(binding.range.start.line, coverage.counts(of: binding.value).total)
      }
    }
    for goal in goals {
      if let expression = goal.expression { add(goal.range.start.line, coverage.counts(of: expression).total) }
    }
    return lines
  }

  /// Both halves of each goal that has two, in source order.
  var branches: [(line: Int, isTrue: Int, isFalse: Int, isReached: Bool)] {
    goals.filter { $0.half == .isTrue }.compactMap { goal in
      goal.expression.map { e in
        let counts = coverage.counts(of: e)
        return (goal.range.start.line, counts.isTrue, counts.isFalse, counts.total > 0)
      }
    }
  }
}
