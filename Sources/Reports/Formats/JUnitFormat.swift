import RulesSyntax

/// JUnit XML, as dashboards read it: a suite for each test file, a testcase for each test and invariant.
enum JUnitFormat {
  static func text(_ run: RunRecord, _ paths: ReportPaths) -> String {
    let total = counts(run.cases)
    let time = run.files.reduce(Duration.zero) { $0 + $1.duration }
    var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    text += "<testsuites name=\"rules-test\" \(total) time=\"\(seconds(time))\">\n"
    for file in run.files {
      let path = XMLText.attribute(paths.path(file.name))
      text +=
        "  <testsuite name=\"\(path)\" file=\"\(path)\" \(counts(file.cases)) time=\"\(seconds(file.duration))\">\n"
      for item in file.cases { text += testcase(item, path) }
      if !file.warnings.isEmpty {
        let warnings = file.warnings.map {
          SafeText.line("\($0.file):\($0.range?.start.line ?? 1): \($0.message)") + "\n"
        }
        text += "    <system-err>\(XMLText.content(warnings.joined()))</system-err>\n"
      }
      text += "  </testsuite>\n"
    }
    return text + "</testsuites>\n"
  }

  private static func testcase(_ item: RunRecord.Case, _ path: String) -> String {
    var text =
      "    <testcase name=\"\(XMLText.attribute(SafeText.line(item.name)))\" classname=\"\(path)\" file=\"\(path)\""
    text += " line=\"\(item.line)\" time=\"\(seconds(item.duration ?? .zero))\""
    let message = XMLText.attribute(item.problems.map { SafeText.line($0.message) }.joined(separator: "\n"))
    let type = XMLText.attribute(item.problems.first?.id ?? "failure")
    switch item.outcome {
    case .passed: return text + "/>\n"
    case .failed, .errored:
      let element = item.outcome == .failed ? "failure" : "error"
      text +=
        ">\n      <\(element) message=\"\(message)\" type=\"\(type)\">\(XMLText.content(item.details))</\(element)>\n"
    case .undecided(let reason): text += ">\n      <skipped message=\"\(XMLText.attribute(reason))\"/>\n"
    }
    return text + "    </testcase>\n"
  }

  private static func counts(_ cases: [RunRecord.Case]) -> String {
    let skipped = cases.count { if case .undecided = $0.outcome { true } else { false } }
    return "tests=\"\(cases.count)\" failures=\"\(cases.count { $0.outcome == .failed })\" "
      + "errors=\"\(cases.count { $0.outcome == .errored })\" skipped=\"\(skipped)\""
  }

  /// With microseconds.
  private static func seconds(_ duration: Duration) -> String {
    let (whole, part) = duration.components
    let micros = String(part / 1_000_000_000_000)
    return "\(whole)." + String(repeating: "0", count: max(0, 6 - micros.count)) + micros
  }
}
