import Reports
import RulesTesting

enum CompletionCommand: Command {
  static let name = "completion"
  static let summary = "Print what makes a shell complete commands, options and their values"
  static let usage = ["completion bash|zsh|fish"]
  static let details = """
    The script is made of the same table as --help. In what a shell reads when it starts:

      bash, ~/.bashrc                    source <(rules-test completion bash)
      zsh, ~/.zshrc, behind compinit     source <(rules-test completion zsh)
      fish, ~/.config/fish/config.fish   rules-test completion fish | source
    """
  static let options = [OptionSpec.help]
  static let operands = OperandKind.words(Shell.allCases.map(\.rawValue))

  enum Shell: String, CaseIterable { case bash, zsh, fish }

  static func run(_ options: Options) throws(UsageError) -> ExitCode {
    let names = Shell.allCases.map(\.rawValue)
    guard options.operands.count == 1, let name = options.operands.first else {
      throw UsageError("completion needs the name of a shell.", "It is \(Suggestion.alternatives(names)).")
    }
    switch Shell(rawValue: name) {
    case .bash: Console.write(BashCompletion.script)
    case .zsh: Console.write(ZshCompletion.script)
    case .fish: Console.write(FishCompletion.script)
    case nil:
      throw UsageError(
        "There are no completions for '\(name)'.\(Suggestion.question(name, names))",
        "Shells are \(Suggestion.alternatives(names)).")
    }
    return .fine
  }
}

/// What stands behind a command's options.
enum OperandKind: Equatable {
  case none, files
  case words([String])
}

extension OptionSpec {
  /// What a shell can offer as the value of an option.
  enum Values: Equatable {
    /// The option takes none.
    case none
    case anything, files, folders
    case words([String])
    /// `junit=FILE`
    case filesNamed([String])
  }

  var values: Values {
    guard let value else { return .none }
    if !choices.isEmpty { return .words(choices) }
    switch value {
    case "FILE": return .files
    case "FOLDER", "FOLDERS": return .folders
    case "KIND=FILE": return .filesNamed(ReportKind.allCases.map(\.rawValue))
    default: return .anything
    }
  }

  /// `--verbose -v`, as they are typed.
  var names: [String] { [name] + (short.map { [$0] } ?? []) }
}

extension StringProtocol {
  /// In single quotes, as bash and zsh read them.
  var inSingleQuotes: String {
    "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }
}
