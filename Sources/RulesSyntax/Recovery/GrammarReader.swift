/// One element of the grammar; the elements inside it are numbers of other elements.
struct GrammarNode: Sendable {
  enum Kind: Sendable {
    case sequence([Int])
    /// One token of a set.
    case token(TokenSet)
    case rule(Int, precedence: Int)
    /// An official message of a mistake the grammar knows, reported at the current token.
    case action(String)
    /// The operators of a left-recursive rule: only where the caller binds no tighter.
    case precedence(Int)
    case choice([Int])
    case optional(Int)
    case star(Int)
    case plus(Int)
  }

  let kind: Kind
  /// The state before the element; of a decision, the state where it is taken.
  var state = -1
  /// The state after one round of a loop.
  var loopBack = -1
  /// The state where a loop decides to go on.
  var decision = -1
  /// For decisions: which tokens lead to which alternative, when one token is enough; else `nil`.
  var lookahead: [TokenSet]?

  init(_ kind: Kind) { self.kind = kind }
}

struct GrammarRule: Sendable {
  let name: String
  /// The number of its element.
  let body: Int
  let isLeftRecursive: Bool
}

/// Reads the notation of `Grammar.text`: `name : alternatives ;` with quoted tokens, rules in lower case, tokens in
/// capitals, `( )`, `|`, `?`, `*`, `+`, `rule[precedence]`, `<precedence>` and `{message}`.
struct GrammarReader {
  private var words: [String]
  private var index = 0
  private let numbers: [String: Int]
  private let kinds: [String: Token.Kind]
  private(set) var rules: [GrammarRule] = []
  private(set) var nodes: [GrammarNode] = []

  init(_ text: String) {
    var kinds: [String: Token.Kind] = ["EOF": .endOfFile]
    for kind in Token.Kind.allCases { kinds[kind.officialName] = kind }
    self.kinds = kinds
    words = GrammarReader.split(text)
    var numbers: [String: Int] = [:]
    for (i, word) in words.enumerated() where word == ":" && i > 0 { numbers[words[i - 1]] = numbers.count }
    self.numbers = numbers
    while index < words.count { readRule() }
  }

  func number(_ name: String) -> Int { numbers[name] ?? 0 }

  private static func split(_ text: String) -> [String] {
    var words: [String] = []
    var rest = Substring(text)
    func end(after close: Character) -> String.Index {
      let tail = rest.dropFirst()
      return tail.firstIndex(of: close).map { rest.index(after: $0) } ?? rest.endIndex
    }
    while let c = rest.first {
      var stop = rest.index(after: rest.startIndex)
      if c == "'" {
        stop = end(after: "'")
      } else if c == "{" {
        // A message ends where a brace stands before white space or the end of the group.
        stop = rest.startIndex
        repeat {
          stop = rest[stop...].dropFirst().firstIndex(of: "}") ?? rest.index(before: rest.endIndex)
        } while stop < rest.index(before: rest.endIndex) && rest[rest.index(after: stop)] == "'"
        stop = rest.index(after: stop)
      } else if c.isLetter {
        stop = rest.firstIndex { !($0.isLetter || $0 == "_") } ?? rest.endIndex
      } else if c.isNumber {
        stop = rest.firstIndex { !$0.isNumber } ?? rest.endIndex
      }
      if !c.isWhitespace { words.append(String(rest[..<stop])) }
      rest = rest[stop...]
    }
    return words
  }

  private var word: String { index < words.count ? words[index] : ";" }

  private mutating func take(_ text: String) -> Bool {
    guard word == text else { return false }
    index += 1
    return true
  }

  private mutating func readRule() {
    let name = word
    index += 2  // the name and its colon
    let body = readAlternatives()
    index += 1  // the semicolon
    rules.append(GrammarRule(name: name, body: body, isLeftRecursive: name == Grammar.leftRecursiveRule))
  }

  private mutating func add(_ kind: GrammarNode.Kind) -> Int {
    nodes.append(GrammarNode(kind))
    return nodes.count - 1
  }

  private mutating func readAlternatives() -> Int {
    var alternatives = [readSequence()]
    while take("|") { alternatives.append(readSequence()) }
    if alternatives.count == 1 { return alternatives[0] }
    // As in the official tool, alternatives of single tokens are one set.
    var set = TokenSet()
    for alternative in alternatives {
      guard case .sequence(let items) = nodes[alternative].kind, items.count == 1,
        case .token(let one) = nodes[items[0]].kind
      else { return add(.choice(alternatives)) }
      set.formUnion(one)
    }
    return add(.token(set))
  }

  private mutating func readSequence() -> Int {
    var items: [Int] = []
    while word != "|" && word != ")" && word != ";" {
      var item = readElement()
      if take("?") {
        item = add(.optional(item))
      } else if take("*") {
        item = add(.star(item))
      } else if take("+") {
        item = add(.plus(item))
      }
      items.append(item)
    }
    return add(.sequence(items))
  }

  private mutating func readElement() -> Int {
    let text = word
    index += 1
    switch text {
    case "(":
      let inner = readAlternatives()
      index += 1
      return inner
    case "<":
      let level = Int(word) ?? 0
      index += 2
      return add(.precedence(level))
    default: break
    }
    if text.hasPrefix("{") { return add(.action(String(text.dropFirst().dropLast()))) }
    if let kind = kinds[text] { return add(.token(TokenSet(kind))) }
    var precedence = 0
    if take("[") {
      precedence = Int(word) ?? 0
      index += 2
    }
    return add(.rule(number(text), precedence: precedence))
  }
}
