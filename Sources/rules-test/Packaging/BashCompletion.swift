/// Bash 3.2 and newer, without the package bash-completion.
enum BashCompletion {
  static var script: String {
    let commands = Program.commands.map { $0.name }.joined(separator: " ")
    return """
      # Completion of rules-test for bash, made by `rules-test completion bash`.
      _rules_test_offer() {
        local line
        while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen "$@")
      }

      _rules_test() {
        local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
        local command=test options='' operands=files values=operands
        local commands='\(commands)'
        COMPREPLY=()
        # Bash takes `=` for a word of its own.
        if [[ $word == '=' ]]; then word=''; elif [[ $previous == '=' ]]; then previous=${COMP_WORDS[COMP_CWORD-2]}; fi
        if (( COMP_CWORD > 1 )) && [[ " $commands " == *" ${COMP_WORDS[1]} "* ]]; then command=${COMP_WORDS[1]}; fi
        case $command in
      \(Program.commands.map(branch).joined(separator: "\n"))
        esac
        if [[ $values == operands && $word == -* ]]; then values=$options; fi
        if [[ $values == operands ]]; then
          if (( COMP_CWORD == 1 )); then _rules_test_offer -W "$commands" -- "$word"; fi
          values=$operands
        fi
        case $values in
          files) compopt -o filenames 2>/dev/null; _rules_test_offer -f -- "$word" ;;
          folders) compopt -o filenames 2>/dev/null; _rules_test_offer -d -- "$word" ;;
          kinds=*)
            compopt -o nospace 2>/dev/null
            _rules_test_offer -W "${values#kinds=}" -S = -- "$word" ;;
          '') ;;
          *) _rules_test_offer -W "$values" -- "$word" ;;
        esac
      }

      complete -F _rules_test rules-test

      """
  }

  private static func branch(_ command: any Command.Type) -> String {
    var lines = [
      "    \(command.name))", "      options=\(command.options.flatMap(\.names).joined(separator: " ").inSingleQuotes)",
    ]
    switch command.operands {
    case .files: break
    case .none: lines.append("      operands=''")
    case .words(let words): lines.append("      operands=\(words.joined(separator: " ").inSingleQuotes)")
    }
    let taking = command.options.filter { $0.values != .none }
    if !taking.isEmpty {
      lines.append("      case $previous in")
      for option in taking {
        lines.append("        \(option.names.joined(separator: " | "))) values=\(values(option).inSingleQuotes) ;;")
      }
      lines.append("      esac")
    }
    return lines.joined(separator: "\n") + " ;;"
  }

  private static func values(_ option: OptionSpec) -> String {
    switch option.values {
    case .none, .anything: ""
    case .files: "files"
    case .folders: "folders"
    case .words(let words): words.joined(separator: " ")
    case .filesNamed(let kinds): "kinds=" + kinds.joined(separator: " ")
    }
  }
}
