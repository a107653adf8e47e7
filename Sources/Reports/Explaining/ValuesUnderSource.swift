import RulesEngine
import RulesSemantics
import RulesSyntax

/// A condition's source with the values of its parts beneath, as power assertions show them:
///
///      ╭─ firestore.rules:5:28
///      │
///    5 │       allow read: if request.auth != null && request.auth.uid == uid;
///      │                                  │                       │   │  │
///      │                                  …
///
/// What was not evaluated has no value. The functions on the way to the cause follow beneath their calls.
public struct ValuesUnderSource {
  /// About what fits on a screen beside the step and its story.
  static let maximumLines = 36
  /// Beyond this, values that have little to do with the cause are left out.
  static let comfortableLines = 28

  let ruleset: CheckedRuleset
  let root: TracedNode

  public init(_ condition: Explanation.Node, in ruleset: CheckedRuleset) {
    self.ruleset = ruleset
    root = TracedNode(condition, in: ruleset)
  }

  public func text(_ terminal: Terminal) -> String {
    var page = Page(terminal)
    page.add(lines(terminal))
    return page.text
  }

  /// In at most so many lines; `nil` where it takes more.
  func lines(_ terminal: Terminal, within room: Int) -> [StyledLine]? {
    for level in ValueMarks.Level.allCases {
      let result = lines(ValueMarks.sections(of: root, level), terminal)
      if result.count <= min(room, level == .all ? Self.comfortableLines : Self.maximumLines) { return result }
    }
    return nil
  }

  func lines(_ terminal: Terminal) -> [StyledLine] {
    if let result = lines(terminal, within: Self.maximumLines) { return result }
    let result = lines(ValueMarks.sections(of: root, .path), terminal)
    let gutter = SourceFrame.gutter(for: root.expression.range)
    var last = SourceFrame.ellipsis(gutter)
    last.add(" \(result.count - Self.maximumLines + 1) more lines", .dim)
    return result.prefix(Self.maximumLines - 1) + [last]
  }

  private func lines(_ sections: [ValueMarks.Section], _ terminal: Terminal) -> [StyledLine] {
    let lastLine = sections.flatMap(\.ranges).map(\.end.line).max() ?? 1
    let gutter = max(4, String(lastLine).utf8.count + 1)
    var result = [SourceFrame.header(ruleset.file, root.expression.range.start, gutter)]
    for section in sections {
      // Deep calls leave some room for the source.
      let depth = min(section.depth, 8)
      if let call = section.call {
        var title = SourceFrame.bar(gutter)
        title.add(" " + String(repeating: "  ", count: depth - 1) + "╰→ ", .dim)
        title.add(SafeText.cut(Self.signature(call), max(20, terminal.width - title.columns)), .code)
        result.append(title)
      } else {
        result.append(SourceFrame.bar(gutter))
      }
      let frame = AnnotatedSource(
        file: ruleset.file, gutter: gutter, indent: depth * 2, width: max(30, terminal.width - gutter - 3 - depth * 2),
        cause: root.cause)
      result += frame.lines(section)
    }
    return result
  }

  /// `isText(value: 'a', shortest: 1)`: the call with what its parameters stood for.
  static func signature(_ call: TracedNode) -> String {
    guard let function = call.function else { return "" }
    let arguments = zip(function.parameters, call.operands).map { parameter, argument in
      "\(parameter.text): \(SafeText.cut(argument.isError ? "error" : argument.text, 24))"
    }
    return "\(function.name.text)(\(arguments.joined(separator: ", ")))"
  }
}
