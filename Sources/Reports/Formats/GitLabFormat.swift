import JSON
import RulesSyntax

/// GitLab's code quality report: a JSON array of issues. Their fingerprints don't depend on lines, so that GitLab knows
/// an issue again that has moved.
enum GitLabFormat {
  static func text(_ run: RunRecord, _ paths: ReportPaths) -> String {
    var counts: [String: Int] = [:]
    let issues = run.problems.map { problem -> JSONValue in
      let key = Fingerprint.key(problem, paths)
      let number = counts[key, default: 0]
      counts[key] = number + 1
      let line = Int64(problem.range?.start.line ?? 1)
      let notes = problem.notes.map { "\n" + SafeText.line($0) }.joined()
      return [
        "description": .string(SafeText.line(problem.message) + notes), "check_name": .string(problem.id),
        "fingerprint": .string(Fingerprint.text(key + "\u{0}\(number)")), "severity": .string(severity(problem)),
        "location": [
          "path": .string(paths.path(problem.file)),
          "lines": ["begin": .int(line), "end": .int(Int64(problem.range?.end.line ?? 1))],
        ],
      ]
    }
    return JSONValue.array(issues).serialized(pretty: true) + "\n"
  }

  /// What lets somebody in is worse than what keeps somebody out.
  private static func severity(_ problem: RunRecord.Problem) -> String {
    switch problem.id {
    case "unexpected-allow", "broken-invariant": "critical"
    default: problem.severity == .error ? "major" : "minor"
    }
  }
}

/// What tells a problem from others, and stays the same when lines move.
enum Fingerprint {
  static func key(_ problem: RunRecord.Problem, _ paths: ReportPaths) -> String {
    // Messages name lines, of the rules and in denials.
    let message = problem.message.unicodeScalars.filter { !("0"..."9").contains($0) }
    return [problem.id, paths.path(problem.file), String(String.UnicodeScalarView(message))].joined(separator: "\u{0}")
  }

  /// 128 bits as hexadecimal digits: two FNV-1a sums from different starts. No secret hangs on it.
  static func text(_ key: String) -> String {
    [0xcbf2_9ce4_8422_2325, 0x8422_2325_cbf2_9ce4].map { (start: UInt64) in
      let sum = key.utf8.reduce(start) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
      let digits = String(sum, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }
}
