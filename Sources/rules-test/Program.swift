import JSON
import Reports
import RulesEngine
import RulesTesting

struct ExitCode: RawRepresentable, Equatable {
  let rawValue: Int32

  /// Warnings included.
  static let fine = ExitCode(rawValue: 0)
  /// Tests failed, or rules do not compile.
  static let failed = ExitCode(rawValue: 1)
  /// The command line is wrong, or input cannot be read.
  static let usage = ExitCode(rawValue: 2)
}

/// The commands by name.
enum Program {
  static let version = "0.1.0"
  /// When this version came out.
  static let released = "2026-12-01"

  static var commands: [any Command.Type] {
    [
      InitCommand.self, TestCommand.self, CheckCommand.self, ExplainCommand.self, EvalCommand.self, ProveCommand.self,
      DiffCommand.self,
      MatrixCommand.self, MutateCommand.self, FuzzCommand.self, LintCommand.self, TestSuiteCommand.self,
      ConvertCommand.self, ServeCommand.self, ExecCommand.self, CompletionCommand.self, HelpCommand.self,
    ]
  }

  static func run(_ arguments: [String]) async -> ExitCode {
    if let first = arguments.first, first == "--help" || first == "-h" {
      Console.write(Help.overview)
      return .fine
    }
    let (command, rest) = choose(arguments)
    do throws(UsageError) {
      if isAsked("--help", "-h", rest) {
        Console.write(Help.text(command))
        return .fine
      }
      if isAsked("--version", nil, rest) {
        Console.write(BuildFacts.text)
        return .fine
      }
      let options = try Options(rest, known: command.options)
      return try await command.run(options)
    } catch {
      var text = "rules-test: \(SafeText.line(error.message))\n"
      if let advice = error.advice {
        text += advice.split(separator: "\n").map { "  \(SafeText.line(String($0)))\n" }.joined()
      }
      text += "  More: rules-test help \(command.name)\n"
      Console.write(text, to: .errors)
      return .usage
    }
  }

  /// `test` may be left out.
  private static func choose(_ arguments: [String]) -> (any Command.Type, [String]) {
    guard let first = arguments.first, let command = commands.first(where: { $0.name == first }) else {
      return (TestCommand.self, arguments)
    }
    return (command, Array(arguments.dropFirst()))
  }

  private static func isAsked(_ name: String, _ short: String?, _ arguments: [String]) -> Bool {
    arguments.prefix { $0 != "--" }.contains { $0 == name || $0 == short }
  }
}

/// One of the program's commands.
protocol Command {
  static var name: String { get }
  /// In one line.
  static var summary: String { get }
  /// Ways to call it, without the name of the program.
  static var usage: [String] { get }
  /// What else is worth knowing, and examples.
  static var details: String { get }
  static var options: [OptionSpec] { get }
  /// What stands behind the options, for shells that complete it.
  static var operands: OperandKind { get }
  static func run(_ options: Options) async throws(UsageError) -> ExitCode
}

extension Command {
  static var operands: OperandKind { .files }
}

extension OptionSpec {
  static let format = OptionSpec(
    name: "--format", value: "FORMAT", choices: ["human", "json"], help: "human (default) or json")
  static let color = OptionSpec(
    name: "--color", value: "WHEN", choices: ["auto", "always", "never"], help: "auto (default), always or never")
  static let dialect = OptionSpec(
    name: "--dialect", value: "NAME", choices: Dialect.ofDatabases.map(\.rawValue),
    help: "whose behaviour is followed: live (default) or emulator-1.19")
  static let queries = OptionSpec(
    name: "--queries", value: "MODE", choices: QueryMode.allCases.map(\.rawValue),
    help: "official (default); production-strict denies what the absence of a field allows")
  static let verbose = OptionSpec(name: "--verbose", short: "-v", help: "show every step too")
  static let quiet = OptionSpec(name: "--quiet", short: "-q", help: "show failures and results only")
  /// Of commands that find requests.
  static let values = OptionSpec(
    name: "--verbose", short: "-v", help: "show the values under which a request is allowed")
  static let findingsOnly = OptionSpec(name: "--quiet", short: "-q", help: "show findings and results only")
  static let help = OptionSpec(name: "--help", short: "-h", help: "show this help")
}

extension Options {
  var isJSON: Bool { self["--format"] == "json" }
  var terminal: Terminal { Console.terminal(.output, color: self["--color"]) }
  var dialect: Dialect { self["--dialect"].flatMap { Dialect(rawValue: $0) } ?? .live }
  var queryMode: QueryMode { self["--queries"].flatMap { QueryMode(rawValue: $0) } ?? .official }
}

extension JSONValue {
  /// A document of its own on standard output.
  func printed() { Console.write(serialized(pretty: true) + "\n") }
}
