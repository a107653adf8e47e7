import Synchronization

/// A compiled regular expression of the rules language: RE2 syntax as the official Java port reads it.
///
/// Immutable and safe to share between threads. PCRE2 answers where it can; the automaton of this
/// room answers where PCRE2 gives up or works differently, so that no pattern takes exponential time.
/// Texts are WTF-8 (see `WTF8`).
public final class Pattern: Sendable {
  /// What the pattern means.
  public let tree: PatternNode
  /// Capturing groups, not counting the whole match.
  public let groupCount: Int
  let groupNames: [String: Int]

  /// Whether PCRE2 may look for matches of this pattern in any text, or only the automaton.
  private let searchesLikePerl: Bool
  /// Whether matches may start or end inside a surrogate pair.
  private let mayDividePairs: Bool
  private let prefix: [UInt16]
  private let whole: PCRE2Matcher?

  /// Compiled when first needed.
  private struct Lazy {
    var search: PCRE2Matcher??
    var automaton: Automaton??
  }
  private let lazy = Mutex(Lazy())

  /// Which engines may answer; the tests put every question to each.
  package enum Engine: Sendable { case any, automatonOnly }
  private let engine: Engine

  /// - Throws: `PatternError` where the official implementation refuses the pattern.
  public convenience init(_ source: String) throws(PatternError) {
    try self.init(wtf8: Array(source.utf8))
  }

  public convenience init(wtf8 source: [UInt8]) throws(PatternError) {
    try self.init(wtf8: source, engine: .any)
  }

  package init(wtf8 source: [UInt8], engine: Engine) throws(PatternError) {
    let (tree, groups, names) = try PatternParser.parse(wtf8: source)
    self.tree = tree
    self.groupCount = groups
    self.groupNames = names
    self.searchesLikePerl = !tree.repeatsEmptyBody
    self.prefix = tree.lowSurrogatePrefix
    self.mayDividePairs = tree.isNullable || !prefix.isEmpty
    self.engine = engine
    self.whole = engine == .any ? PCRE2Translation.wholeMatch(tree).flatMap { PCRE2Matcher($0) } : nil
  }

  /// Whether the whole text matches. Allocates nothing where PCRE2 answers.
  /// - Throws: `tooComplex` when the bounds of the automaton are hit.
  public func matches(_ text: UnsafeRawBufferPointer) throws(PatternFailure) -> Bool {
    switch whole?.test(text) {
    case .yes: true
    case .no: false
    case .unknown, nil: try automatonMatches(Array(text))
    }
  }

  public func matches(_ text: [UInt8]) throws(PatternFailure) -> Bool {
    switch whole?.test(text) {
    case .yes: true
    case .no: false
    case .unknown, nil: try automatonMatches(text)
    }
  }

  private func automatonMatches(_ text: [UInt8]) throws(PatternFailure) -> Bool {
    guard let automaton else { throw .tooComplex }
    var machine = PikeMachine(automaton, units: WTF8.utf16(text))
    return try machine.matchesWhole()
  }

  /// All matches, as ranges of bytes of the text or as ranges of its UTF-16 units.
  enum Matches {
    case bytes([[Range<Int>?]])
    case units([[Range<Int>?]], of: [UInt16])
  }

  /// - Parameter groups: how many groups the caller wants to know of.
  func search(_ text: [UInt8], groups: Int) throws(PatternFailure) -> Matches {
    if engine == .any, searchesLikePerl, !(mayDividePairs && WTF8.hasPairs(text)),
      let matches = searcher?.matches(in: text, groups: groups)
    {
      return .bytes(matches)
    }
    guard let automaton else { throw .tooComplex }
    let units = WTF8.utf16(text)
    var machine = PikeMachine(automaton, units: units, groups: groups, prefix: prefix)
    return .units(try machine.matches(), of: units)
  }

  private var searcher: PCRE2Matcher? {
    lazy.withLock { lazy in
      if let known = lazy.search { return known }
      let made = PCRE2Translation.search(tree).flatMap { PCRE2Matcher($0) }
      lazy.search = .some(made)
      return made
    }
  }

  private var automaton: Automaton? {
    lazy.withLock { lazy in
      if let known = lazy.automaton { return known }
      let made = Automaton(tree)
      lazy.automaton = .some(made)
      return made
    }
  }
}
