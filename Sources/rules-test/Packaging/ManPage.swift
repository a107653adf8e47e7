/// `rules-test.1`, in the macros man(7), made of the same table as `--help`.
enum ManPage {
  static var text: String {
    var page = """
      .TH RULES-TEST 1 "\(Program.released)" "rules-test \(Program.version)" "General Commands Manual"
      .SH NAME
      rules\\-test \\- test Firestore security rules, and show why they decide as they do
      .SH SYNOPSIS
      .B rules\\-test
      .RI [ command ]
      .RI [ option "] ... [" file " or " folder "] ..."
      .SH DESCRIPTION
      Tests of Firestore security rules run by themselves: no emulator, no network. Without a command,
      .B test
      is run; without a file, on the project of the nearest
      .IR firebase.json ,
      or on the current folder.
      .SH COMMANDS

      """
    for command in Program.commands { page += section(command) }
    page += """
      .SH EXIT STATUS
      .TP
      .B 0
      Everything is well; there may be warnings.
      .TP
      .B 1
      A test failed, an invariant is broken, rules do not compile, or there is a finding.
      .TP
      .B 2
      The command line is wrong, or a file cannot be read or written.
      .SH ENVIRONMENT
      .TP
      .B NO_COLOR
      If set, nothing is coloured unless
      .B \\-\\-color always
      says so.
      .TP
      .B GITHUB_ACTIONS
      If
      .IR true ,
      problems are annotated as GitHub shows them.
      .TP
      .B RULES_TEST_STATE
      The folder that remembers what failed, for
      .BR \\-\\-rerun\\-failed .
      .SH FILES
      .TP
      .I firebase.json
      Which rules belong to which database.
      .TP
      .I *_test.rules
      Tests of the rules file of the same name without
      .IR _test .
      .SH SEE ALSO
      .BR z3 (1),
      which proofs need.

      """
    return page
  }

  private static func section(_ command: any Command.Type) -> String {
    var text = ".SS \(roff(command.name))\n\(line(command.summary)).\n.PP\n.nf\n"
    for usage in command.usage { text += "\\fBrules\\-test\\fR \(roff(usage))\n" }
    text += ".fi\n"
    text += paragraphs(command.details)
    for option in command.options {
      text += ".TP\n"
      text += ".B \(option.names.reversed().map(roff).joined(separator: ", "))"
      if let value = option.value { text += " \\fI\(roff(value))\\fR" }
      text += "\n\(line(option.help))\n"
    }
    return text
  }

  /// Lines that begin with spaces are shown as they stand.
  private static func paragraphs(_ details: String) -> String {
    guard !details.isEmpty else { return "" }
    var text = ".PP\n"
    var isExample = false
    for row in details.split(separator: "\n", omittingEmptySubsequences: false) {
      let wasExample = isExample
      isExample = row.isEmpty ? isExample : row.hasPrefix("  ")
      if isExample, !wasExample { text += ".PP\n.nf\n" }
      if !isExample, wasExample { text += ".fi\n.PP\n" }
      if row.isEmpty { continue }
      text += line(isExample ? row : row.drop { $0 == " " }) + "\n"
    }
    return text + (isExample ? ".fi\n" : "")
  }

  private static func line(_ text: some StringProtocol) -> String {
    let escaped = roff(text)
    return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" + escaped : escaped
  }

  private static func roff(_ text: some StringProtocol) -> String {
    var result = ""
    for sign in text {
      switch sign {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case "'": result += "\\(aq"
      case "`": result += "\\(ga"
      case "^": result += "\\(ha"
      case "~": result += "\\(ti"
      default:
        for scalar in sign.unicodeScalars {
          let digits = String(scalar.value, radix: 16, uppercase: true)
          result +=
            scalar.isASCII ? String(scalar) : "\\[u\(String(repeating: "0", count: max(0, 4 - digits.count)))\(digits)]"
        }
      }
    }
    return result
  }
}
