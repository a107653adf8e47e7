import JSON
import RulesSyntax

/// Test Anything Protocol, version 14: a point for each case, with a YAML block for each that failed. Invariants of which
/// nobody knows whether they hold are `not ok … # TODO`, which no consumer counts as passed or as failed.
/// Nothing here is new in version 14, so that consumers that know 13 only can be told that number.
enum TAPFormat {
  static func text(_ run: RunRecord, version: Int = 14) -> String {
    let points = run.files.flatMap { file in file.cases.map { (file.name, $0) } }
    var text = "TAP version \(version)\n1..\(points.count)\n"
    for (i, (file, item)) in points.enumerated() {
      let description = escaped("\(file): \(item.name)")
      switch item.outcome {
      case .passed: text += "ok \(i + 1) - \(description)\n"
      case .failed, .errored:
        text += "not ok \(i + 1) - \(description)\n"
        text += yaml(item, file)
      case .undecided(let reason): text += "not ok \(i + 1) - \(description) # TODO \(SafeText.line(reason))\n"
      }
    }
    return text
  }

  /// A description: `\` and `#` are escaped, and it stays on its line.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in SafeText.line(text).unicodeScalars {
      if scalar == "\\" || scalar == "#" { result += "\\" }
      result.unicodeScalars.append(scalar)
    }
    return result
  }

  private static func yaml(_ item: RunRecord.Case, _ file: String) -> String {
    var lines = [
      "---", "severity: \(item.outcome == .errored ? "error" : "fail")", "file: \(quoted(file))", "line: \(item.line)",
    ]
    if !item.problems.isEmpty {
      lines.append("problems:")
      for problem in item.problems {
        lines.append("  - id: \(quoted(problem.id))")
        lines.append("    message: \(quoted(problem.message))")
        lines.append("    file: \(quoted(problem.file))")
        if let start = problem.range?.start {
          lines.append("    line: \(start.line)")
          lines.append("    column: \(start.column)")
        }
        if !problem.notes.isEmpty {
          lines.append("    notes:")
          for note in problem.notes { lines.append("      - \(listed(note))") }
        }
      }
    }
    lines.append("...")
    return lines.map { "  \($0)\n" }.joined()
  }

  /// As an item of a list. The reader of `prove` takes an item whose first word ends in a colon for a map.
  private static func listed(_ text: String) -> String {
    let text = quoted(text)
    let word = text.prefix { $0 != " " }
    return word.last == ":" ? word.dropLast() + "\\x3a" + text.dropFirst(word.count) : text
  }

  /// A JSON string is a double-quoted scalar of YAML, but for characters that YAML wants escaped and JSON does not.
  private static func quoted(_ text: String) -> String {
    var result = ""
    for scalar in JSONValue.string(text).serialized().unicodeScalars {
      switch scalar.value {
      case 0x7F...0x9F, 0x2028, 0x2029, 0x202A...0x202E, 0x2066...0x2069, 0xFEFF, 0xFFFE, 0xFFFF:
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
