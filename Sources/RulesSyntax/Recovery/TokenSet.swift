/// A set of token kinds, and whether the end of the rule can be reached without any token.
struct TokenSet: Equatable, Sendable {
  private var bits: UInt64 = 0
  var reachesEnd = false

  init() {}
  init(_ kind: Token.Kind) { insert(kind) }

  var isEmpty: Bool { bits == 0 && !reachesEnd }
  var count: Int { bits.nonzeroBitCount }
  mutating func insert(_ kind: Token.Kind) { bits |= 1 << UInt64(kind.rawValue) }
  func contains(_ kind: Token.Kind) -> Bool { bits & (1 << UInt64(kind.rawValue)) != 0 }
  func intersects(_ other: TokenSet) -> Bool { bits & other.bits != 0 }
  /// Adds the tokens, not the end.
  mutating func formUnion(_ other: TokenSet) { bits |= other.bits }
  /// In the order of the official token numbers.
  var kinds: [Token.Kind] { Token.Kind.allCases.filter(contains) }
}

extension Token.Kind {
  /// How official messages name a kind of token.
  var officialName: String {
    switch self {
    case .pathSegment: "PATH_SEGMENT"
    case .identifier: "IDENTIFIER"
    case .integer: "NUM_INT"
    case .float: "NUM_FLOAT"
    case .string: "STRING"
    case .bytes: "BYTES"
    case .reservedWord: "RESERVED_WORD"
    case .serviceName: "SERVICE_NAME"
    case .unpairedSingleQuote: "UNPAIRED_SINGLE_QUOTE"
    case .unpairedDoubleQuote: "UNPAIRED_DOUBLE_QUOTE"
    case .endOfFile: "<EOF>"
    default: "'\(spelling)'"
    }
  }

  /// The text of a token that is always written the same; empty for the others.
  var spelling: String {
    switch self {
    case .and: "&&"
    case .colon: ":"
    case .comma: ","
    case .decrement: "--"
    case .dot: "."
    case .equal: "=="
    case .greater: ">"
    case .greaterOrEqual: ">="
    case .increment: "++"
    case .leftBrace: "{"
    case .leftBracket: "["
    case .leftParenthesis: "("
    case .less: "<"
    case .lessOrEqual: "<="
    case .minus: "-"
    case .percent: "%"
    case .notEqual: "!="
    case .not: "!"
    case .or: "||"
    case .plus: "+"
    case .rightBrace: "}"
    case .rightBracket: "]"
    case .rightParenthesis: ")"
    case .semicolon: ";"
    case .slash: "/"
    case .star: "*"
    case .question: "?"
    case .assign: "="
    case .doubleStar: "**"
    case .dollar: "$"
    case .at: "@"
    case .allow: "allow"
    case .false: "false"
    case .function: "function"
    case .if: "if"
    case .import: "import"
    case .in: "in"
    case .is: "is"
    case .let: "let"
    case .match: "match"
    case .null: "null"
    case .return: "return"
    case .service: "service"
    case .rulesVersion: "rules_version"
    case .true: "true"
    default: ""
    }
  }
}
