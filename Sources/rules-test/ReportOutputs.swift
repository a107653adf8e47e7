import Reports
import RulesTesting

extension OptionSpec {
  static let report = OptionSpec(
    name: "--report", value: "KIND=FILE", isList: true,
    help: "write the run to a file too, - is standard output; may be repeated")
}

/// Where a run is written, and in which forms.
struct ReportOutputs {
  /// What standard output gets.
  private let printed: ReportKind
  private let files: [(kind: ReportKind, path: String)]

  /// - Throws: for what is no `KIND=FILE`, two reports to one place.
  init(_ options: Options) throws(UsageError) {
    var printed = options["--format"].flatMap { ReportKind(rawValue: $0) }
    var files: [(kind: ReportKind, path: String)] = []
    for value in options.all(OptionSpec.report.name) {
      let (kind, path) = try Self.parsed(value)
      if path == "-" {
        if let other = printed, other != kind {
          throw UsageError(
            "Both \(other.rawValue) and \(kind.rawValue) would go to standard output.", "Give one of them a file.")
        }
        printed = kind
      } else {
        if let other = files.first(where: { $0.path == path }) {
          throw UsageError("Both \(other.kind.rawValue) and \(kind.rawValue) would go to \(path).")
        }
        files.append((kind, path))
      }
    }
    self.printed = printed ?? .human
    self.files = files
  }

  private static func parsed(_ value: String) throws(UsageError) -> (ReportKind, String) {
    let names = ReportKind.allCases.map(\.rawValue)
    let parts = value.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard let kind = ReportKind(rawValue: parts[0]) else {
      throw UsageError(
        "There is no report '\(parts[0])'.\(Suggestion.question(parts[0], names))",
        "It is \(Suggestion.alternatives(names)).")
    }
    guard parts.count == 2, !parts[1].isEmpty else {
      throw UsageError(
        "--report \(parts[0]) needs a file: --report \(parts[0])=FILE", "FILE may be - for standard output.")
    }
    return (kind, parts[1])
  }

  /// Prints the run and writes its files. Nothing is printed twice in GitHub Actions, where annotations come by themselves.
  /// - Parameter human: what a person reads; `nil`: there is nothing to tell.
  /// - Throws: when a file cannot be written, after all others were.
  func write(_ report: SuiteReport, human: String?, coverage: CoverageReport? = nil) throws(UsageError) {
    let record = report.record
    let paths = Self.paths
    try write(human: human) { kind in
      if kind.isCoverage { return coverage?.text(kind, paths: paths) ?? "" }
      return report.text(kind, record, paths: paths, version: Program.version)
    }
  }

  /// - Parameter text: the run in a form.
  func write(human: String?, _ text: (ReportKind) -> String) throws(UsageError) {
    let inGitHub = Console.environment("GITHUB_ACTIONS") == "true"
    if printed != .human {
      Console.write(text(printed))
    } else if let human {
      Console.write(inGitHub ? GitHubFormat.inert(human, token: Self.token) : human)
    }
    if inGitHub, printed != .github {
      // GitHub reads both streams; one that a machine reads stays as it is.
      Console.write(text(.github), to: printed == .human ? .output : .errors)
    }
    var trouble: UsageError?
    for (kind, path) in files {
      do throws(UsageError) {
        try Files.replace(path, with: text(kind))
      } catch {
        trouble = trouble ?? error
      }
    }
    if let trouble { throw trouble }
  }

  /// Paths as reports have them.
  static var paths: ReportPaths { ReportPaths(root: root, folder: Files.currentFolder) }

  /// Whether standard output is for people.
  var isHuman: Bool { printed == .human }
  /// Whether any of the reports is about coverage.
  var wantsCoverage: Bool { printed.isCoverage || files.contains { $0.kind.isCoverage } }
  /// Whether the values matter that expressions took.
  var wantsValues: Bool { printed == .ruleCoverage || files.contains { $0.kind == .ruleCoverage } }
  /// Whether a person or a script will see what would cover more.
  var tellsOfRequests: Bool {
    let telling: [ReportKind] = [.human, .json]
    return telling.contains(printed) || files.contains { telling.contains($0.kind) } || writesCoverage
  }
  /// Whether coverage is written in the form that names requests.
  var writesCoverage: Bool { printed == .coverage || files.contains { $0.kind == .coverage } }

  private static var token: String {
    var generator = SystemRandomNumberGenerator()
    return String(generator.next(), radix: 16) + String(generator.next(), radix: 16)
  }

  /// The root of the repository: what the CI says, else the nearest folder with `.git`.
  static var root: String? {
    for name in ["GITHUB_WORKSPACE", "CI_PROJECT_DIR"] {
      if let path = Console.environment(name), path.hasPrefix("/") { return path }
    }
    var folder = Files.currentFolder
    while true {
      if Files.kind(folder == "/" ? "/.git" : folder + "/.git") != .missing { return folder }
      if folder == "/" { return nil }
      folder = Files.folder(of: folder)
    }
  }
}
