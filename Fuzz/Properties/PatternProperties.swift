import RulesPatterns

enum PatternProperties {
  static func check(_ bytes: [UInt8]) throws(BrokenProperty) {
    let parts = bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
    let source = Array(parts[0])
    // The bytes become what the values of the language are: never anything but UTF-8 here.
    let text = Array(String(decoding: parts.count > 1 ? parts[1] : parts[0], as: UTF8.self).utf8)
    try check(source, text)
  }

  static func checkGenerated(_ bytes: [UInt8]) throws(BrokenProperty) {
    var choices = Choices(bytes)
    let source = PatternGrammar.pattern(&choices, depth: 3)
    try check(Array(source.utf8), PatternGrammar.text(&choices))
  }

  /// Every engine gives the same answers, or says that it cannot.
  private static func check(_ source: [UInt8], _ text: [UInt8]) throws(BrokenProperty) {
    let (both, alone): (Pattern, Pattern)
    do throws(PatternError) {
      both = try Pattern(wtf8: source)
      alone = try Pattern(wtf8: source, engine: .automatonOnly)
    } catch {
      try require((0...source.count).contains(error.offset), "offset \(error.offset) in \(source.count) bytes")
      return try require(!error.message.isEmpty, "a refusal without words")
    }
    var question: String { "/\(String(decoding: source, as: UTF8.self))/ on \(String(decoding: text, as: UTF8.self).debugDescription)" }
    let matches = outcome { () throws(PatternFailure) in try both.matches(text) }
    try compare(matches, outcome { () throws(PatternFailure) in try alone.matches(text) }, "matches \(question)")
    if case .success(let answer) = matches, let units = utf16(text) {
      var reference = ReferenceMatcher(units)
      if let expected = reference.matchesWhole(both.tree) {
        try require(answer == expected, "\(question) is \(answer); by the meaning of its tree it is \(expected)")
      }
    }
    for replacement in ["<$0>", "[$1]", "-"] {
      let replacement = Array(replacement.utf8)
      let replaced = outcome { () throws(PatternFailure) in try both.replace(text, with: replacement) }
      try compare(replaced, outcome { () throws(PatternFailure) in try alone.replace(text, with: replacement) }, "replace \(question)")
    }
    let pieces = outcome { () throws(PatternFailure) in try both.split(text) }
    try compare(pieces, outcome { () throws(PatternFailure) in try alone.split(text) }, "split \(question)")
  }

  private static func outcome<T>(_ question: () throws(PatternFailure) -> T) -> Result<T, PatternFailure> {
    do throws(PatternFailure) { return .success(try question()) } catch { return .failure(error) }
  }

  private static func compare<T: Equatable>(
    _ both: Result<T, PatternFailure>, _ alone: Result<T, PatternFailure>, _ question: String
  ) throws(BrokenProperty) {
    switch (both, alone) {
    // The automaton may run out of steps where PCRE2 has an answer or a complaint, and the other way round never.
    case (_, .failure(.tooComplex)): break
    case (.success(let a), .success(let b)): try require(a == b, "\(question): \(a), the automaton alone \(b)")
    case (.failure(let a), .failure(let b)): try require(a == b, "\(question): \(a), the automaton alone \(b)")
    case (.failure(let a), .success), (.success, .failure(let a)): throw BrokenProperty("\(question): only one engine fails, \(a)")
    }
  }

  /// `nil` for texts with lone surrogates.
  private static func utf16(_ text: [UInt8]) -> [UInt16]? {
    String(validating: text, as: UTF8.self).map { Array($0.utf16) }
  }
}
