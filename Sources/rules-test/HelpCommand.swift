import Reports
import RulesTesting

enum HelpCommand: Command {
  static let name = "help"
  static let summary = "Show how a command is used, or what the id of a finding means"
  static let usage = ["help [COMMAND or ID]", "help --man"]
  static let details = ""
  static let options = [OptionSpec(name: "--man", help: "print the manual page, for man"), .help]
  static var operands: OperandKind { .words(Program.commands.map { $0.name }) }

  static func run(_ options: Options) throws(UsageError) -> ExitCode {
    if options.has("--man") {
      Console.write(ManPage.text)
      return .fine
    }
    guard let wanted = options.operands.first else {
      Console.write(Help.overview)
      return .fine
    }
    let meanings = Meanings.of(wanted)
    if !meanings.isEmpty {
      Console.write(meanings.map { "\($0.plainCause)\n  → \($0.plainCure)\n" }.joined())
      return .fine
    }
    guard let command = Program.commands.first(where: { $0.name == wanted }) else {
      let names = Program.commands.map { $0.name }
      throw UsageError(
        "There is no command '\(wanted)'.\(Suggestion.question(wanted, names))",
        "Commands are \(names.joined(separator: ", ")).")
    }
    Console.write(Help.text(command))
    return .fine
  }
}

/// The texts of `--help`.
enum Help {
  static var overview: String {
    var text = "rules-test tests Firestore security rules, and shows why they decide as they do.\n\nCommands:\n"
    for command in Program.commands {
      text += "  \(padded(command.name, 12))\(command.summary)\n"
    }
    text += """

      Without a command, 'test' is run:
        rules-test                           the project of the nearest firebase.json, or this folder
        rules-test rules/lists               the tests in a folder

      More: rules-test help COMMAND, rules-test --version

      """
    return text
  }

  static func text(_ command: any Command.Type) -> String {
    var text = command.summary + ".\n\nUsage:\n"
    for usage in command.usage { text += "  rules-test \(usage)\n" }
    if !command.details.isEmpty { text += "\n" + command.details + "\n" }
    text += "\nOptions:\n"
    let names = command.options.map { option in
      (option.short.map { "\($0), " } ?? "    ") + option.name + (option.value.map { " \($0)" } ?? "")
    }
    let width = (names.map(\.count).max() ?? 0) + 3
    for (name, option) in zip(names, command.options) { text += "  \(padded(name, width))\(option.help)\n" }
    return text
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(1, width - text.count))
  }
}
