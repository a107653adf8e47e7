#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif
import Reports
import RulesEngine
import RulesTesting
import Synchronization

extension OptionSpec {
  static let watch = OptionSpec(
    name: "--watch", help: "go on, and run again what a change of a file affects; Ctrl-C ends")
}

/// `--watch`: runs the tests, then again and again those of files that have changed. Invariants are not proved meanwhile,
/// which takes longer than anybody waits after each save.
struct WatchLoop {
  private let options: Options
  private let outputs: ReportOutputs
  private let runner: Runner
  private let cache = ProjectCache()
  /// By the path of the test file.
  private var entries: [String: Entry] = [:]
  private var rounds = 0
  private var lastErrors: [FileError] = []
  private var lastOrder: [String] = []
  private var lastUntested: [String] = []
  private var lastProblem: String?

  /// What is known of one test file.
  private struct Entry {
    let pair: Project.Pair
    let part: Selection.Part
    let result: FileResult
    /// Of the last time that it could be run.
    let good: FileResult?
  }

  /// A file that was there is waited for: editors that put another in its place take it away first, or empty it.
  private static let patience: [UInt32] = [10_000, 20_000, 40_000]

  /// - Throws: for options that make no sense together.
  init(_ options: Options, _ outputs: ReportOutputs) throws(UsageError) {
    for name in ["--coverage", "--coverage-merge", "--coverage-threshold", "--rerun-failed", "--solver"]
    where options.has(name) {
      throw UsageError("--watch and \(name) do not go together.")
    }
    guard outputs.isHuman, !outputs.wantsCoverage else {
      throw UsageError("--watch prints for people.", "Reports of runs go to files: --report junit=junit.xml")
    }
    self.options = options
    self.outputs = outputs
    runner = Runner(dialect: options.dialect, queryMode: options.queryMode)
  }

  /// Runs until somebody ends it.
  /// - Throws: when a report cannot be written, and for a selection that cannot be understood.
  mutating func run() throws(UsageError) -> ExitCode {
    StopSignal.listen()
    var watch = FolderWatch()
    var code = ExitCode.fine
    while true {
      let start = ContinuousClock.now
      watch.look()
      var project = Project.find(options.operands, cache: cache)
      for pause in Self.patience where isHalfSaved(project) && !StopSignal.hasCome {
        usleep(pause)
        project = Project.find(options.operands, cache: cache)
      }
      code = try round(project, start) ?? code
      // What changed between the look at the files and the watching of them would be missed: so they are watched first
      // from the second look on, and looked at once more when what is watched has changed.
      if watch.watch(project.folders.union([Files.currentFolder]), files: files(of: project)) { continue }
      guard case .changed = watch.wait(isStopped: { StopSignal.hasCome }) else { break }
    }
    Console.write("\n")
    return code
  }

  /// Whether a file that was there is gone, or has nothing in it any more: editors begin a save so.
  private func isHalfSaved(_ project: Project) -> Bool {
    let now = Dictionary(project.pairs.map { ($0.test.file.name, $0) }, uniquingKeysWith: { first, _ in first })
    return entries.contains { name, known in
      guard let pair = now[name] else { return true }
      return pair.test.file.utf8.isEmpty && !known.pair.test.file.utf8.isEmpty
        || pair.rules.file.utf8.isEmpty && !known.pair.rules.file.utf8.isEmpty
    }
  }

  private func files(of project: Project) -> Set<String> {
    var files = Set(
      project.pairs.flatMap { [$0.test.file.name, $0.rules.file.name] } + project.untested.map(\.rules.file.name))
    if let config = project.config { files.insert(config.path) }
    files.formUnion(entries.keys)
    return files
  }

  // MARK: A round

  /// Runs what has changed, and tells. `nil`: nothing has.
  private mutating func round(_ project: Project, _ start: ContinuousClock.Instant) throws(UsageError) -> ExitCode? {
    let chosen: TestSelection
    do throws(UsageError) {
      chosen = try TestSelection(options, project, FailedTests(root: "/"))
    } catch {
      // That nothing has a name may change with the next save; what else is wrong will not.
      guard rounds > 0, lastProblem != error.message else {
        if rounds > 0 { return nil }
        throw error
      }
      lastProblem = error.message
      Console.write("rules-test: \(SafeText.line(error.message))\n", to: .errors)
      return .failed
    }
    var next: [String: Entry] = [:]
    var ran = 0
    for (index, part) in chosen.parts {
      let pair = project.pairs[index]
      let name = pair.test.file.name
      let known = entries[name]
      if let known, Self.isSame(known.pair, pair), known.part == part {
        next[name] = known
        continue
      }
      ran += 1
      let result = runner.run(pair.test, pair.rules, part: part, stopsAtFailure: chosen.selection.stopsAtFailure)
      next[name] = Entry(pair: pair, part: part, result: result, good: result.canRun ? result : known?.good)
    }
    let order = chosen.parts.map { project.pairs[$0.pair].test.file.name }
    let untested = project.untested.map { "\($0.rules.file.name)\($0.rules.ruleset == nil)" }
    let isSame = ran == 0 && order == lastOrder && project.errors == lastErrors && untested == lastUntested
    entries = next
    guard !isSame || rounds == 0 || lastProblem != nil else { return nil }
    (lastOrder, lastErrors, lastUntested, lastProblem) = (order, project.errors, untested, nil)
    rounds += 1
    return try tell(project, order.compactMap { next[$0] }, chosen, ran, start)
  }

  /// Whether nothing that a result hangs on has changed.
  private static func isSame(_ a: Project.Pair, _ b: Project.Pair) -> Bool {
    a.rules.file.name == b.rules.file.name && a.test.file.utf8 == b.test.file.utf8
      && a.rules.file.utf8 == b.rules.file.utf8 && a.test.diagnostics == b.test.diagnostics
  }

  private func tell(
    _ project: Project, _ shown: [Entry], _ chosen: TestSelection, _ ran: Int, _ start: ContinuousClock.Instant
  ) throws(UsageError) -> ExitCode {
    let result = SuiteResult(files: shown.map(\.result))
    let report = SuiteReport(
      result, dialect: options.dialect, errors: project.errors, selection: chosen.summary(result.files))
    var text = Console.Stream.output.isTerminal ? "\u{1B}[H\u{1B}[2J\u{1B}[3J" : rounds > 1 ? "\n" : ""
    text += report.text(options.terminal, options.detail, explaining: options.explaining)
    for entry in shown where !entry.result.canRun {
      guard let good = entry.good else { continue }
      let name = SafeText.line(good.test.file.name)
      let totals = good.totals
      text += "When \(name) could last be run: \(totals.passed) passed, \(totals.failed) failed\n"
      for test in good.tests where !test.hasPassed { text += "  ✘ \(SafeText.line(test.name))\n" }
    }
    try outputs.write(report, human: nil)
    for error in project.errors { text += "rules-test: \(SafeText.line(error.description))\n" }
    for item in project.untested {
      let state = item.rules.ruleset == nil ? "do not compile" : "have no test"
      text +=
        "rules-test: \(SafeText.line(item.rules.file.name)): The rules of '\(SafeText.line(item.name))' \(state).\n"
    }
    let milliseconds = (ContinuousClock.now - start) / .milliseconds(1)
    text +=
      "Ran \(ran) of \(shown.count) \(shown.count == 1 ? "file" : "files") in \(Int(milliseconds.rounded(.up))) ms. "
    text += "Watching \(files(of: project).count) files; Ctrl-C ends.\n"
    Console.write(text)
    let isFine = result.hasPassed && project.errors.isEmpty && project.untested.allSatisfy { $0.rules.ruleset != nil }
    return isFine ? .fine : .failed
  }
}
