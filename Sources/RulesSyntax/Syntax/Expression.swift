/// A name in the source with its place.
public struct Name: Sendable, Equatable {
  public let text: String
  public let range: SourceRange

  public init(_ text: String, _ range: SourceRange) {
    self.text = text
    self.range = range
  }
}

public enum UnaryOperator: String, Sendable, CaseIterable {
  case not = "!"
  case negate = "-"
}

public enum BinaryOperator: String, Sendable, CaseIterable {
  case multiply = "*"
  case divide = "/"
  case remainder = "%"
  case add = "+"
  case subtract = "-"
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="
  case equal = "=="
  case notEqual = "!="
  case `in` = "in"
  case and = "&&"
  case or = "||"
}

/// One node of an expression. Immutable, so that trees can be shared between threads.
///
/// Trees are at most `Parser.maximumTreeDepth` deep, so that walking them by recursion is safe.
public final class Expression: Sendable {
  public let kind: Kind
  /// What the official coverage report gives as the node's place: from the first token (or the first `(` around
  /// it) to the last token of the last operand; closing punctuation and `()` are not part of it.
  public let range: SourceRange
  /// The token at which diagnostics and evaluation errors are reported: the operator of a binary or unary
  /// operation, the name of a member, function or method, else the first token of the node (without parentheses).
  public let anchor: SourceRange
  /// Number of the node in its file, dense from 0 in the order in which the parser finished the nodes, so that
  /// facts about nodes can be kept in arrays.
  public let id: Int
  /// How many pairs of parentheses stand directly around the node.
  public let parentheses: Int

  /// The range the node would have without the outermost pair of parentheses around it; `nil` when there is none.
  public let rangeInsideParenthesis: SourceRange?

  public init(
    _ kind: Kind, range: SourceRange, anchor: SourceRange, id: Int, parentheses: Int = 0,
    rangeInsideParenthesis: SourceRange? = nil
  ) {
    self.kind = kind
    self.range = range
    self.anchor = anchor
    self.id = id
    self.parentheses = parentheses
    self.rangeInsideParenthesis = rangeInsideParenthesis
  }

  public enum Kind: Sendable {
    case null
    case bool(Bool)
    case int(Int64)
    case float(Double)
    /// The value as WTF-8: UTF-8 in which an unpaired surrogate (from `\ud83d`) is encoded in three bytes.
    case string([UInt8])
    case bytes([UInt8])
    case identifier(String)
    case list([Expression])
    case map([MapEntry])
    case path([PathSegment])
    /// `receiver.name`
    case member(Expression, Name)
    /// `receiver[index]`
    case index(Expression, Expression)
    /// `receiver[lower:upper]`; either bound may be left out.
    case slice(Expression, lower: Expression?, upper: Expression?)
    /// `name(arguments)`
    case call(Name, [Expression])
    /// `receiver.name(arguments)`; `math.abs(1)` is one whose receiver is the identifier `math`.
    case methodCall(Expression, Name, [Expression])
    case unary(UnaryOperator, Expression)
    case binary(BinaryOperator, Expression, Expression)
    /// `operand is type`
    case typeTest(Expression, Name)
    case ternary(Expression, Expression, Expression)
  }

  public struct MapEntry: Sendable {
    public let key: Expression
    public let value: Expression

    public init(key: Expression, value: Expression) {
      self.key = key
      self.value = value
    }
  }

  /// A segment of a path, in expressions and in match patterns alike.
  public struct PathSegment: Sendable {
    public enum Kind: Sendable {
      /// Percent escapes decoded; `(default)` keeps its parentheses.
      case literal(String)
      /// `/{name}` (also written `{name=*}`)
      case capture(Name)
      /// `/{name=**}`
      case glob(Name)
      /// `/$(expression)`; not in match patterns.
      case interpolation(Expression)
    }
    public let kind: Kind
    /// Includes the slash.
    public let range: SourceRange

    public init(_ kind: Kind, range: SourceRange) {
      self.kind = kind
      self.range = range
    }
  }
}
