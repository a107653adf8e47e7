/// Zsh, as a file `_rules-test` on its `fpath` or read from the start-up file.
enum ZshCompletion {
  static var script: String {
    let commands = Program.commands.map { command in
      "    \("\(command.name):\(command.summary.replacing(":", with: "\\:"))".inSingleQuotes)"
    }
    return """
      #compdef rules-test
      # Completion of rules-test for zsh, made by `rules-test completion zsh`.
      _rules-test() {
        local command=test
        local -a commands
        commands=(
      \(commands.joined(separator: "\n"))
        )
        if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then
          _describe -t commands command commands
        elif (( CURRENT > 2 )) && [[ -n ${commands[(r)${(b)words[2]}:*]} ]]; then
          command=$words[2]
          shift words
          (( CURRENT -= 1 ))
        fi
        case $command in
      \(Program.commands.map(branch).joined(separator: "\n"))
        esac
      }

      if [[ $funcstack[1] == _rules-test ]]; then
        _rules-test "$@"
      elif (( $+functions[compdef] )); then
        compdef _rules-test rules-test
      fi

      """
  }

  private static func branch(_ command: any Command.Type) -> String {
    var specs = command.options.map(spec)
    switch command.operands {
    case .files: specs.append("'*:file:_files'")
    case .none: break
    case .words(let words): specs.append("'*: :(\(words.joined(separator: " ")))'")
    }
    return "    \(command.name))\n      _arguments \\\n        " + specs.joined(separator: " \\\n        ") + " ;;"
  }

  /// `'(-q --quiet)'{-q,--quiet}'[show failures only]'`
  private static func spec(_ option: OptionSpec) -> String {
    let names = option.names
    let takesValue = option.values != .none
    // A value stands in the next word, or behind `=` of the long name.
    let written = names.map { takesValue && $0.hasPrefix("--") ? $0 + "=" : $0 }
    let head =
      (option.isList ? "'*'" : names.count > 1 ? "(\(names.joined(separator: " ")))".inSingleQuotes : "")
      + (names.count > 1 ? "{\(written.joined(separator: ","))}" : written.joined())
    var text = option.help
    for sign in ["\\", "[", "]"] { text = text.replacing(sign, with: "\\" + sign) }
    return head + ("[\(text)]" + action(option)).inSingleQuotes
  }

  private static func action(_ option: OptionSpec) -> String {
    let message = (option.value ?? "").replacing(":", with: "\\:")
    switch option.values {
    case .none: return ""
    case .anything: return ":\(message): "
    case .files: return ":\(message):_files"
    case .folders: return ":\(message):_files -/"
    case .words(let words): return ":\(message):(\(words.joined(separator: " ")))"
    case .filesNamed(let kinds):
      return
        ":\(message):{ if compset -P \"*=\"; then _files; else compadd -S = -- \(kinds.joined(separator: " ")); fi }"
    }
  }
}
