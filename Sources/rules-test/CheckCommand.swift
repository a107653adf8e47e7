import JSON
import Reports
import RulesSemantics
import RulesSyntax

enum CheckCommand: Command {
  static let name = "check"
  static let summary = "Compile rules files and report every error and warning"
  static let usage = ["check FILE…"]
  static let details = """
    Messages are worded as the official compiler words them. '-' reads standard input. Test files (*_test.rules) are
    skipped: 'rules-test test' checks them. Exit code 1 when there is an error; warnings alone are fine.

      rules-test check firestore.rules
      rules-test check firestore.rules --ast json
    """
  static let options = [
    OptionSpec(name: "--ast", value: "FORMAT", choices: ["json"], help: "print the syntax tree with positions instead"),
    .format, .color, .quiet, .help,
  ]

  static func run(_ options: Options) throws(UsageError) -> ExitCode {
    guard !options.operands.isEmpty else {
      throw UsageError("check needs a rules file.", "rules-test check firestore.rules")
    }
    var entries: [CheckReport.Entry] = []
    var trees: [JSONValue] = []
    for path in options.operands {
      if path.hasSuffix("_test.rules"), Files.kind(path) == .file { continue }
      if Files.kind(path) == .folder {
        throw UsageError("\(path) is a folder; check takes rules files.", "rules-test check \(path)/firestore.rules")
      }
      let file = try Files.source(path)
      let parsed = Parser.parse(file)
      if options.has("--ast") { trees.append(parsed.syntax.map { SyntaxJSON.value($0) } ?? .null) }
      entries.append((file, Check.check(file, parsed).diagnostics))
    }
    let report = CheckReport(entries, skipped: options.operands.count - entries.count)
    if options.has("--ast") {
      trees.count == 1 ? trees[0].printed() : JSONValue.array(trees).printed()
      if report.errors > 0 {
        let terminal = Console.terminal(.errors, color: options["--color"])
        Console.write(report.text(terminal, quiet: true), to: .errors)
      }
    } else if options.isJSON {
      report.json.printed()
    } else {
      Console.write(report.text(options.terminal, quiet: options.has("--quiet")))
    }
    return report.errors > 0 ? .failed : .fine
  }
}
