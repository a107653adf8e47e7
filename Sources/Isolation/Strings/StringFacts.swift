import RulesPatterns
import RulesValues

/// What the solver knows of texts. It sees codes only: equal codes are equal texts. Which patterns a text can match at
/// once, and how long it then is, is worked out here and told as plain facts about each text of a question.
final class StringFacts {
  private let store: TermStore
  /// In WTF-8; the code of each is its place.
  private(set) var literals: [[UInt8]] = []
  private var codes: [[UInt8]: Int64] = [:]
  private var patterns: [(source: [UInt8], pattern: Pattern)] = []
  /// Codes that are not literal, of which something was asked.
  private(set) var subjects: [Term] = []
  private var known: Set<Term> = []
  /// Set by `facts()`; `nil` when the patterns are too large together, so that nothing is told of them.
  private(set) var automaton: JointAutomaton?

  /// Ids of documents and collections, and uids.
  static let segmentPattern = Array("[^/]+".utf8)

  init(_ store: TermStore) { self.store = store }

  // MARK: Texts

  func code(_ text: [UInt8]) -> Term {
    if let code = codes[text] { return store.int(code) }
    let code = Int64(literals.count)
    literals.append(text)
    codes[text] = code
    return store.int(code)
  }

  func code(_ text: String) -> Term { code(Array(text.utf8)) }

  /// The text of a literal's code.
  func literal(_ code: Term) -> [UInt8]? {
    guard case .int(let i) = store[code].operation, i >= 0, i < literals.count else { return nil }
    return literals[Int(i)]
  }

  private func isSubject(_ code: Term) {
    if known.insert(code).inserted { subjects.append(code) }
  }

  func length(_ code: Term) -> Term {
    if let text = literal(code) { return store.int(Int64(WTF8.utf16(text).count)) }
    isSubject(code)
    return store.apply("len", [code], .int)
  }

  /// Whether the whole text matches; `nil` where the pattern is none.
  func matches(_ code: Term, _ source: [UInt8]) -> Term? {
    guard let number = number(of: source) else { return nil }
    if let text = literal(code) { return (try? patterns[number].pattern.matches(text)).map { store.bool($0) } }
    isSubject(code)
    return store.apply("re\(number)", [code], .bool)
  }

  private func number(of source: [UInt8]) -> Int? {
    if let i = patterns.firstIndex(where: { $0.source == source }) { return i }
    guard let pattern = try? Pattern(wtf8: source) else { return nil }
    patterns.append((source, pattern))
    return patterns.count - 1
  }

  // MARK: Facts

  /// What is true of all texts that were asked of. To be called when the question is complete.
  func facts() -> [Term] {
    guard !subjects.isEmpty else { return [] }
    var facts: [Term] = []
    automaton = JointAutomaton(patterns.map(\.pattern.tree))
    let empty = code([])
    var finite: [[UInt8]] = []
    for subject in subjects {
      let length = store.apply("len", [subject], .int)
      facts.append(store.lessOrEqual(store.int(0), length))
      facts.append(store.equal(store.equal(length, store.int(0)), store.equal(subject, empty)))
      guard let automaton, !patterns.isEmpty else { continue }
      facts.append(
        store.or(
          automaton.classes.map { one in
            var parts = one.accepted.enumerated().map { i, accepted in
              let matches = store.apply("re\(i)", [subject], .bool)
              return accepted ? matches : store.not(matches)
            }
            parts.append(store.lessOrEqual(store.int(Int64(one.shortest)), length))
            if let longest = one.longest { parts.append(store.lessOrEqual(length, store.int(Int64(longest)))) }
            if let words = one.words {
              finite.append(contentsOf: words)
              parts.append(store.or(words.map { store.equal(subject, code($0)) }))
            }
            return store.and(parts)
          }))
    }
    // A text may turn out to be a literal. Those in use by now, the words of finite classes among them.
    for (i, text) in literals.enumerated() {
      let code = store.int(Int64(i))
      facts.append(store.equal(store.apply("len", [code], .int), store.int(Int64(WTF8.utf16(text).count))))
      for (number, entry) in patterns.enumerated() {
        guard let matches = try? entry.pattern.matches(text) else { continue }
        let asked = store.apply("re\(number)", [code], .bool)
        facts.append(matches ? asked : store.not(asked))
      }
    }
    return facts
  }

  /// The terms that tell a text apart, for asking a model: one for each pattern, and its length.
  func features(of code: Term) -> [Term] {
    guard known.contains(code) else { return [] }
    return patterns.indices.map { store.apply("re\($0)", [code], .bool) } + [store.apply("len", [code], .int)]
  }

  var patternCount: Int { patterns.count }

  /// Whether a text matches a pattern of this question.
  func matches(_ text: [UInt8], number: Int) -> Bool { (try? patterns[number].pattern.matches(text)) ?? false }
}
