extension Parser {
  /// How much work the recovery of one file may take.
  static let recoveryFuel = 1_000_000
  /// What each token adds.
  static let recoveryFuelOfToken = 16

  /// What to say of a text that was refused, or only read with foreseen mistakes.
  mutating func recovered(_ syntax: RulesetSyntax?) -> ParseResult {
    var recognizer = Recognizer(self, fuel: Parser.recoveryFuel + Parser.recoveryFuelOfToken * tokens.count)
    let unknownCharacters = diagnostics.filter { $0.id == "unknown-character" }
    guard skippedAt == nil, recognizer.run() || recognizer.isFull else {
      // What was found before the work grew too much stands; without a real error among it, this parser's own follows.
      var earlier = recognizer.findings.map { diagnostic($0) }
      if let failure = recognizer.firstFailure {
        let limit = tokens[min(failure, tokens.count - 1)].start.byte
        diagnostics = unknownCharacters.filter { ($0.range?.start.byte ?? 0) >= limit }
      } else if diagnostics.isEmpty, earlier.isEmpty, let mistake = foreseenMistake {
        report("unexpected-token", mistake, "Unexpected '\(file.text(mistake))'.")
      }
      // Where one form lies in another both may have complained.
      diagnostics = diagnostics.enumerated().filter { i, found in i == 0 || found != diagnostics[i - 1] }.map(\.element)
      let note = "The text is too deep or too broken to look for more errors."
      if !diagnostics.isEmpty {
        diagnostics[diagnostics.count - 1].notes.append(note)
      } else if !earlier.isEmpty {
        earlier[earlier.count - 1].notes.append(note)
      }
      let late = syntax.map { lateDiagnostics(of: $0) } ?? lateDiagnostics
      return ParseResult(syntax: nil, diagnostics: Parser.sorted(earlier + diagnostics + late))
    }
    // The official compiler first tries a quick pass that gives up at the first error. Characters that pass has
    // stumbled over are not reported again by the second one.
    let limit = recognizer.firstFailure.map { tokens[min($0, tokens.count - 1)].start.byte } ?? -1
    var found = unknownCharacters.filter { ($0.range?.start.byte ?? 0) >= limit }
    let isReadable = recognizer.firstFailure == nil && syntax != nil
    for finding in recognizer.findings {
      // The checker looks at types itself when there is a tree.
      if finding.kind == .typeName, isReadable { continue }
      found.append(diagnostic(finding))
    }
    if recognizer.isFull, !found.isEmpty {
      found[found.count - 1].notes.append("After \(Recognizer.maximumFindings) errors the rest of the file is not read.")
    }
    if isReadable, let syntax {
      if found.isEmpty {
        report("unexpected-token", foreseenMistake ?? SourceRange(.start, .start), "Unexpected input.")
        found = diagnostics
      }
      return ParseResult(syntax: syntax, diagnostics: Parser.sorted(found + lateDiagnostics(of: syntax)))
    }
    // Where the grammar found nothing, this parser's own finding stands.
    if found.isEmpty { found = diagnostics }
    return ParseResult(syntax: nil, diagnostics: Parser.sorted(found))
  }

  private func diagnostic(_ finding: Recognizer.Finding) -> Diagnostic {
    let at = min(finding.token, tokens.count - 1)
    let token = tokens[at]
    var result = Diagnostic(
      id: SyntaxAdvice.identifier(finding.message), severity: .error, range: token.range, message: finding.message)
    if finding.kind != .typeName {
      (result.notes, result.fix) = SyntaxAdvice.advice(at, self)
    }
    return result
  }

  /// What the official compiler finds when it builds its own tree, as far as it can be seen without scopes.
  func lateDiagnostics(of syntax: RulesetSyntax) -> [Diagnostic] {
    var found = lateDiagnostics
    if let version = syntax.version, version.value != "1", version.value != "2" {
      found.append(
        Diagnostic(
          id: "unsupported-version", severity: .error, range: version.range,
          message: "Unsupported rules version \(version.value)."))
    }
    if let first = syntax.imports.first {
      found.append(
        Diagnostic(
          id: "import", severity: .error, range: first.range, message: "Import statements are not allowed."))
    }
    for statement in syntax.imports {
      found.append(
        Diagnostic(
          id: "unknown-module", severity: .error, range: statement.range,
          message: "Module \"\(statement.module)\" is not part of the standard library."))
    }
    return found
  }

  /// The token that starts at a position.
  func tokenIndex(at position: SourcePosition) -> Int? {
    var (low, high) = (0, tokens.count - 1)
    while low < high {
      let middle = (low + high) / 2
      if Int(tokens[middle].startByte) < position.byte { low = middle + 1 } else { high = middle }
    }
    return tokens.indices.contains(low) && Int(tokens[low].startByte) == position.byte ? low : nil
  }

  /// By place, then by text.
  static func sorted(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
    if diagnostics.count < 2 { return diagnostics }
    return diagnostics.enumerated().sorted { a, b in
      let x = a.element.range?.start ?? .start, y = b.element.range?.start ?? .start
      if x.byte != y.byte { return x.byte < y.byte }
      if a.element.message != b.element.message { return a.element.message < b.element.message }
      return a.offset < b.offset
    }.map(\.element)
  }
}
