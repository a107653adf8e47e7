import JSON
import RulesEngine
import RulesSemantics
import RulesSyntax

extension CoverageReport {
  /// Coverage that cannot be added to the run's.
  public struct MergeError: Error {
    public let message: String
  }

  /// Counts of everything, which other runs can be added to; see `docs/json.md`.
  public func json(_ paths: ReportPaths) -> JSONValue { json(paths.path) }

  /// - Parameter name: how a file is called.
  func json(_ name: (String) -> String) -> JSONValue {
    [
      "kind": "rules-test-coverage", "version": 1, "met": .int(Int64(met)), "goals": .int(Int64(total)),
      "files": .array(entries.map { Self.json($0, name) }),
    ]
  }

  private static func json(_ entry: Entry, _ name: (String) -> String) -> JSONValue {
    let source = ExpressionText(entry.ruleset.file)
    let coverage = entry.coverage
    func count(_ n: Int) -> JSONValue { .int(Int64(n)) }
    return [
      "file": .string(name(entry.ruleset.file.name)), "fingerprint": .string(entry.fingerprint),
      "met": count(entry.met), "goals": count(entry.goals.count),
      "matches": .array(
        entry.matches.map { match in
          [
            "byte": count(match.declaration.range.start.byte), "line": count(match.declaration.range.start.line),
            "pattern": .string(entry.ruleset.file.text(match.declaration.pathRange)),
            "requests": count(coverage.count(of: match.declaration)),
          ]
        }),
      "allows": .array(
        entry.allows.map { allow in
          let counts = coverage.counts(of: allow.statement)
          return [
            "byte": count(allow.statement.range.start.byte), "range": allow.statement.range.json,
            "methods": .array(allow.statement.methods.map { .string($0.text) }), "allowed": count(counts.allowed),
            "refused": count(counts.refused), "error": count(counts.error),
          ]
        }),
      "expressions": .array(
        entry.expressions.map { e in
          let counts = coverage.counts(of: e)
          return [
            "id": count(e.id), "range": e.range.json, "source": .string(source.text(e)), "true": count(counts.isTrue),
            "false": count(counts.isFalse), "error": count(counts.error), "other": count(counts.other),
          ]
        }),
      "missing": .array(
        entry.missing.map { goal in
          var object: JSONObject = [
            "range": goal.range.json, "half": .string(goal.half.rawValue),
            "sentence": .string(sentence(goal, entry, source)),
          ]
          if let search = entry.searches.first(where: { $0.goal.isSame(as: goal) }),
            case .found(let witness, let isAllowed) = search.outcome
          {
            object["request"] = WitnessText.json(witness)
            object["allowed"] = .bool(isAllowed)
          }
          return .object(object)
        }),
    ]
  }

  /// Adds what an earlier run saw of the same rules.
  /// - Throws: when the JSON is something else, or about another version of a file.
  public mutating func merge(_ json: JSONValue, paths: ReportPaths) throws(MergeError) {
    guard json["kind"]?.stringValue == "rules-test-coverage", json["version"]?.intValue == 1,
      let files = json["files"]?.arrayValue
    else { throw MergeError(message: "It is no coverage file of this program (--report coverage=FILE).") }
    for file in files {
      let name = file["file"]?.stringValue ?? ""
      guard let i = entries.firstIndex(where: { paths.path($0.ruleset.file.name) == name }) else { continue }
      guard file["fingerprint"]?.stringValue == entries[i].fingerprint else {
        throw MergeError(message: "It is about another version of \(name).")
      }
      entries[i].coverage.merge(Self.coverage(file))
    }
  }

  private static func coverage(_ file: JSONValue) -> Coverage {
    func number(_ value: JSONValue, _ key: String) -> Int { Int(clamping: max(0, value[key]?.intValue ?? 0)) }
    var coverage = Coverage()
    for match in file["matches"]?.arrayValue ?? [] where number(match, "requests") > 0 {
      coverage.add(requests: number(match, "requests"), toMatch: number(match, "byte"))
    }
    for allow in file["allows"]?.arrayValue ?? [] {
      let counts = Coverage.AllowCounts(
        allowed: number(allow, "allowed"), refused: number(allow, "refused"), error: number(allow, "error"))
      if counts.total > 0 { coverage.add(counts, toAllow: number(allow, "byte")) }
    }
    for e in file["expressions"]?.arrayValue ?? [] {
      let counts = Coverage.Counts(
        isTrue: number(e, "true"), isFalse: number(e, "false"), error: number(e, "error"), other: number(e, "other"))
      if counts.total > 0 { coverage.add(counts, to: number(e, "id")) }
    }
    return coverage
  }

  /// What the emulator answers to `:ruleCoverage`, for each rules file; of one file that alone.
  public var ruleCoverage: JSONValue {
    let reports = entries.map { entry -> JSONValue in
      let report = ExpressionReports(entry.ruleset.checked).json(entry.coverage)
      var object: JSONObject = [
        "rules": [
          "files": [["name": .string(entry.ruleset.file.name), "content": .string(entry.ruleset.file.text)]]
        ]
      ]
      if !report.isEmpty { object["report"] = .array(report) }
      return .object(object)
    }
    return reports.count == 1 ? reports[0] : .array(reports)
  }
}

extension CoverageReport.Entry {
  /// Tells versions of a file apart.
  var fingerprint: String { Fingerprint.text(ruleset.file.text) }

  /// All expressions, in source order.
  var expressions: [Expression] {
    var all: [Expression] = []
    for root in ruleset.checked.expressionRoots {
      root.forEachNode { all.append($0) }
    }
    return all.sorted { ($0.range.start.byte, $0.id) < ($1.range.start.byte, $1.id) }
  }
}
