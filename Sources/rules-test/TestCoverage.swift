import Isolation
import JSON
import Reports
import RulesEngine
import RulesTesting

extension OptionSpec {
  static let coverage = [
    OptionSpec(
      name: "--coverage", help: "tell what of the conditions was never true or false, and requests that would show it"),
    OptionSpec(
      name: "--coverage-merge", value: "FILE", isList: true,
      help: "add the coverage of another run (--report coverage=FILE); may be repeated"),
    OptionSpec(
      name: "--coverage-threshold", value: "PERCENT", help: "exit code 1 when less is covered"),
  ]
}

/// The coverage of a run, where it was asked for.
struct TestCoverage {
  private var recorders: [(rules: RulesFile, recorder: CoverageRecorder, database: String)] = []
  private let merged: [(path: String, json: JSONValue)]
  private let threshold: Double?
  private let searches: Bool
  /// Whether people are told too, and not only files written.
  let isShown: Bool

  /// Missing halves for which a request is looked for, in one run.
  private static let maximumSearches = 12
  private static let searchTime = Duration.seconds(30)

  /// `nil`: nobody asked.
  /// - Throws: for a threshold that is no percentage, and files that cannot be read.
  init?(_ options: Options, _ outputs: ReportOutputs, _ project: Project) throws(UsageError) {
    let paths = options.all("--coverage-merge")
    guard options.has("--coverage") || options.has("--coverage-threshold") || !paths.isEmpty || outputs.wantsCoverage
    else {
      return nil
    }
    threshold = try options["--coverage-threshold"].map { (text) throws(UsageError) in
      guard let percent = Double(text), 0...100 ~= percent else {
        throw UsageError("--coverage-threshold cannot be '\(text)'.", "It is a number from 0 to 100.")
      }
      return percent
    }
    var merged: [(path: String, json: JSONValue)] = []
    for path in paths {
      let bytes = try Files.read(path)
      do {
        merged.append((path, try JSONValue(parsing: bytes)))
      } catch {
        throw UsageError("\(path) is no JSON: \(error)")
      }
    }
    self.merged = merged
    isShown = options.has("--coverage") || options.has("--coverage-threshold") || !paths.isEmpty
    // Looking takes time that only those should wait who want to know.
    searches = options.has("--coverage") && outputs.tellsOfRequests || outputs.writesCoverage
    // Rules that no test is about are rules of the project all the same.
    let untested = project.untested.map { ($0.rules, database: "(default)") }
    for (rules, database) in project.pairs.map({ ($0.rules, database: $0.test.database.string) }) + untested {
      guard let ruleset = rules.ruleset, !recorders.contains(where: { $0.rules.file.name == rules.file.name }) else {
        continue
      }
      recorders.append((rules, CoverageRecorder(ruleset, keepsValues: outputs.wantsValues), database))
    }
  }

  func recorder(for rules: RulesFile) -> CoverageRecorder? {
    recorders.first { $0.rules.file.name == rules.file.name }?.recorder
  }

  /// What was covered, with requests that would cover more.
  /// - Parameter solver: finds them; `nil`: none are looked for.
  /// - Throws: when the coverage of another run is about other rules.
  func report(solver: SolverSession?) throws(UsageError) -> CoverageReport {
    var report = CoverageReport(recorders.map { CoverageReport.Entry($0.recorder.ruleset, $0.recorder.coverage) })
    for (path, json) in merged {
      do {
        try report.merge(json, paths: ReportOutputs.paths)
      } catch {
        throw UsageError(
          "The coverage in \(path) cannot be added: \(error.message)", "Write it anew: --report coverage=\(path)")
      }
    }
    if searches, let solver, solver.check() == nil { search(&report, solver) }
    return report
  }

  private func search(_ report: inout CoverageReport, _ solver: SolverSession) {
    let start = ContinuousClock.now
    var left = Self.maximumSearches
    for i in report.entries.indices {
      // What is told in one line needs one request.
      let missing = report.entries[i].firstMissing
      let search = CoverageSearch(report.entries[i].ruleset, solver: solver, database: recorders[i].database)
      var progress = Progress(total: min(left, missing.count), of: "requests that would cover more")
      for goal in missing where left > 0 && ContinuousClock.now - start < Self.searchTime {
        left -= 1
        report.entries[i].searches.append(search.search(goal))
        progress.step(report.entries[i].searches.count)
      }
      progress.end()
    }
  }

  /// Whether enough is covered; says so when not.
  func reachesThreshold(_ report: CoverageReport?) -> Bool {
    guard let threshold, let report, !report.reaches(threshold) else { return true }
    let wanted = threshold == threshold.rounded() ? String(Int(threshold)) : String(threshold)
    Console.write("rules-test: Less is covered than --coverage-threshold \(wanted) asks for.\n", to: .errors)
    return false
  }
}
