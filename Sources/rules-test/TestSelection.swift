import Reports
import RulesTesting

extension OptionSpec {
  static let selection = [
    OptionSpec(
      name: "--filter", value: "TEXT", isList: true,
      help: "run what has this in its name or in that of its file; may be repeated"),
    OptionSpec(name: "--shard", value: "I/N", help: "run the I-th of N parts, 1/N to N/N together run everything"),
    OptionSpec(name: "--seed", value: "N", help: "run in a random order that follows from N; 'random' draws one"),
    OptionSpec(name: "--fail-fast", help: "begin nothing more after the first failure"),
    OptionSpec(name: "--rerun-failed", help: "run what failed before; everything, if nothing did"),
  ]
}

/// What is run of a project, by the command line.
struct TestSelection {
  let selection: Selection
  let parts: [(pair: Int, part: Selection.Part)]
  private let chosen: Int
  private let leftOut: Int
  private let foundFailures: Bool?

  /// - Throws: for values that cannot be understood, and a filter that nothing matches.
  init(_ options: Options, _ project: Project, _ failed: FailedTests) throws(UsageError) {
    var selection = Selection()
    selection.filters = options.all("--filter")
    if selection.filters.contains("") { throw UsageError("--filter needs a text to look for.") }
    if let text = options["--shard"] {
      guard let shard = Selection.Shard(text) else {
        throw UsageError(
          "--shard cannot be '\(text)'.", "It is I/N with I from 1 to N, and N at most 10000: --shard 2/5")
      }
      selection.shard = shard
    }
    if let text = options["--seed"] {
      guard let seed = text == "random" ? UInt64.random(in: 0..<1_000_000_000) : UInt64(text) else {
        throw UsageError("--seed cannot be '\(text)'.", "It is a whole number from 0 to \(UInt64.max), or 'random'.")
      }
      selection.seed = seed
    }
    selection.stopsAtFailure = options.has("--fail-fast")
    let everything = Selection().parts(of: project.pairs)
    var foundFailures: Bool?
    if options.has("--rerun-failed") {
      selection.only = try failed.read()
      // What has gone, or was renamed, cannot be run again.
      foundFailures =
        !selection.parts(of: project.pairs).isEmpty || selection.shard != nil && selection.only?.isEmpty == false
      if foundFailures == false { selection.only = nil }
    }
    self.foundFailures = foundFailures
    self.selection = selection
    parts = selection.parts(of: project.pairs)
    chosen = Self.count(parts)
    leftOut = Self.count(everything) - chosen
    if !selection.filters.isEmpty, !project.pairs.isEmpty {
      var whole = selection
      whole.shard = nil
      guard whole.parts(of: project.pairs).isEmpty else { return }
      let names = project.pairs.flatMap { $0.test.syntax.tests.map(\.name.text) }
      let filter = selection.filters[0]
      throw UsageError(
        "No test or invariant has '\(selection.filters.joined(separator: "' or '"))' in its name.\(Suggestion.question(filter, names))",
        "The names are shown by: rules-test -v")
    }
  }

  private static func count(_ parts: [(pair: Int, part: Selection.Part)]) -> Int {
    parts.reduce(0) { $0 + $1.part.tests.count + $1.part.invariants.count + ($1.part.isBroken ? 1 : 0) }
  }

  /// What there is to tell, where anything was chosen.
  func summary(_ results: [FileResult]) -> SelectionSummary? {
    guard
      selection.shard != nil || !selection.filters.isEmpty || selection.seed != nil || selection.stopsAtFailure
        || foundFailures != nil
    else { return nil }
    let done = results.reduce(0) { $0 + ($1.canRun ? $1.tests.count + $1.invariants.count : 1) }
    return SelectionSummary(selection, leftOut: leftOut, notBegun: max(0, chosen - done), foundFailures: foundFailures)
  }
}
