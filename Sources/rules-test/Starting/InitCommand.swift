import Reports
import RulesTesting

enum InitCommand: Command {
  static let name = "init"
  static let summary = "Write rules, tests and a workflow to begin with; what is there stays"
  static let usage = ["init [FOLDER]"]
  static let details = """
    For every rules file that firebase.json names, or for firestore.rules: rules with comments where there are none yet,
    and tests beside them. Of rules that are there already the tests say what they allow today; read each line, and
    change what is not meant. A workflow for GitHub Actions runs check, lint and the tests. No file is overwritten.
    Exit code 1 when rules that are there do not compile: then no tests are written for them.

      rules-test init
      rules-test init --no-workflow
      rules-test init --url https://example.com/rules-test
    """
  static let options = [
    OptionSpec(name: "--url", value: "URL", help: "where the workflow fetches the program; default: a variable"),
    OptionSpec(name: "--no-workflow", help: "rules and tests alone"),
    .color, .help,
  ]

  static func run(_ options: Options) throws(UsageError) -> ExitCode {
    guard options.operands.count <= 1 else { throw UsageError("init takes one folder.", usage[0]) }
    let folder = options.operands.first ?? "."
    guard Files.kind(folder) == .folder else {
      throw UsageError("There is no folder \(folder).", "mkdir -p \(SafeText.shellWord(folder))")
    }
    if let url = options["--url"] { try check(url) }
    let plan = try StarterPlan(folder)
    let hasBroken = plan.files.contains { $0.content == .broken }
    var report = StarterReport()
    for file in plan.files {
      switch file.content {
      case .text(let text, let what):
        let isWritten = try Files.create(file.path, text)
        report.add(isWritten ? .wrote : .kept, file.path, isWritten ? what : "is there already")
      case .kept(let why): report.add(.kept, file.path, why)
      case .broken:
        report.add(.broken, file.path, "does not compile: rules-test check \(SafeText.shellWord(file.path))")
      }
    }
    if !options.has("--no-workflow") {
      let root = plan.repository
      let path = join(root.path, ".github/workflows/rules.yml")
      let text = StarterWorkflow(folder: root.inside, url: options["--url"]).text
      let isWritten = try Files.create(path, text)
      report.add(
        isWritten ? .wrote : .kept, path, isWritten ? "for GitHub Actions: check, lint, tests" : "is there already")
      report.needsProgram = isWritten && options["--url"] == nil
    }
    report.notes = plan.notes
    if hasBroken { report.notes.append("Mend what does not compile, and run init again: it then writes the tests.") }
    report.folder = plan.isCurrentFolder ? nil : plan.base
    Console.write(report.text(options.terminal))
    return hasBroken ? .failed : .fine
  }

  /// What stands in a workflow must be one line that YAML takes as it is.
  private static func check(_ url: String) throws(UsageError) {
    let isPlain = url.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"'\"\\`$#{}".utf8.contains($0) }
    guard isPlain, url.hasPrefix("https://") else {
      throw UsageError("--url takes an address that begins with https://, not '\(url)'.")
    }
  }

  static func join(_ folder: String, _ name: String) -> String { folder == "." ? name : "\(folder)/\(name)" }
}
