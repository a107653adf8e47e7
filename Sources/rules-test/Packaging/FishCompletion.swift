/// Fish 3 and newer.
enum FishCompletion {
  static var script: String {
    let names = Program.commands.map { $0.name }
    var lines = """
      # Completion of rules-test for fish, made by `rules-test completion fish`.
      function __rules_test_command
          set -l words (commandline -opc)
          if set -q words[2]; and contains -- $words[2] \(names.joined(separator: " "))
              echo $words[2]
          else
              echo test
          end
      end

      function __rules_test_is_first
          test (count (commandline -opc)) -eq 1
      end

      """.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    for command in Program.commands {
      lines.append(
        "complete -c rules-test -n __rules_test_is_first -a \(command.name) -d \(quoted(command.summary))")
    }
    for command in Program.commands {
      let start = "complete -c rules-test -n 'test (__rules_test_command) = \(command.name)'"
      switch command.operands {
      case .files: break
      case .none: lines.append(start + " -f")
      case .words(let words): lines.append(start + " -f -a \(quoted(words.joined(separator: " ")))")
      }
      for option in command.options { lines.append(start + spec(option)) }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func spec(_ option: OptionSpec) -> String {
    var text = option.short.map { " -s \($0.dropFirst())" } ?? ""
    text += " -l \(option.name.dropFirst(2))"
    switch option.values {
    case .none: break
    case .anything: text += " -x"
    case .files: text += " -r -F"
    case .folders: text += " -x -a '(__fish_complete_directories)'"
    case .words(let words): text += " -x -a \(quoted(words.joined(separator: " ")))"
    case .filesNamed(let kinds): text += " -r -F -a \(quoted(kinds.map { $0 + "=" }.joined(separator: " ")))"
    }
    return text + " -d \(quoted(option.help))"
  }

  private static func quoted(_ text: String) -> String {
    "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
  }
}
