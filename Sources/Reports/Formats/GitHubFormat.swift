import RulesSyntax

/// Workflow commands of GitHub Actions, which shows them beside the source lines:
///
///     ::error file=firestore_test.rules,line=8,endLine=8,col=44,endColumn=47,title=unexpected-allow::As bob: …
///
/// GitHub shows ten errors and ten warnings of a step and drops the rest, so that errors come first.
public enum GitHubFormat {
  static func text(_ run: RunRecord, _ paths: ReportPaths) -> String {
    run.problems.map { annotation($0, paths) }.joined()
  }

  private static func annotation(_ problem: RunRecord.Problem, _ paths: ReportPaths) -> String {
    var properties = [("file", paths.path(problem.file))]
    if let range = problem.range {
      properties += [("line", "\(range.start.line)"), ("endLine", "\(range.end.line)")]
      if range.start.line == range.end.line {
        // The last column that is marked, not the first behind it.
        properties += [
          ("col", "\(range.start.column)"), ("endColumn", "\(max(range.start.column, range.end.column - 1))"),
        ]
      }
    }
    properties.append(("title", problem.id))
    let list = properties.map { "\($0)=\(property($1))" }.joined(separator: ",")
    let message = ([problem.message] + problem.notes).map { SafeText.line($0) }.joined(separator: "\n")
    return "::\(problem.severity.rawValue) \(list)::\(data(message))\n"
  }

  /// The message of a command.
  static func data(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "%": result += "%25"
      case "\r": result += "%0D"
      case "\n": result += "%0A"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// The value of a property.
  static func property(_ text: String) -> String {
    var result = ""
    for scalar in data(SafeText.line(text)).unicodeScalars {
      switch scalar {
      case ":": result += "%3A"
      case ",": result += "%2C"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// A text in which GitHub looks for no commands, whatever names and sources it quotes.
  /// - Parameters:
  ///   - text: anything.
  ///   - token: what nobody can have written into the text.
  public static func inert(_ text: String, token: String) -> String {
    "::stop-commands::\(token)\n\(text)\(text.hasSuffix("\n") ? "" : "\n")::\(token)::\n"
  }
}
