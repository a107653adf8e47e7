import RulesSyntax

/// What a step says must happen.
public enum Expectation: String, Sendable {
  case allow, deny
}

/// `deny update /users/alice { admin: true } as bob, nobody because 'false for';`
public struct StepDeclaration: Sendable {
  public let expectation: Expectation
  public let request: StepRequest
  public let users: [Name]
  /// A part of the official message of the denial.
  public let because: Name?
  /// From the first word to the semicolon.
  public let range: SourceRange
}

/// What a step asks for.
public enum StepRequest: Sendable {
  case document(DocumentRequest)
  case query(QueryDeclaration)
  case batch(BatchDeclaration)

  /// The words that may stand after `allow` and `deny`.
  public static let words =
    StepOperation.allCases.map(\.rawValue) + ["list"] + Aggregate.words + BatchDeclaration.Kind.allCases.map(\.rawValue)

  /// Where mistakes of the whole request are shown: its path, or the word `batch`.
  public var range: SourceRange {
    switch self {
    case .document(let request): request.data?.range ?? request.path.range
    case .query(let query): query.path.range
    case .batch(let batch): batch.word.range
    }
  }
}

extension StepRequest {
  /// The methods that messages of a denial may name.
  public var methods: [String] {
    switch self {
    case .document(let request): request.methods
    case .query: ["list"]
    case .batch(let batch): batch.requests.flatMap(\.methods)
    }
  }
}

/// What a request does to one document.
public enum StepOperation: String, Sendable, CaseIterable {
  case get, create, update, set, delete

  /// Whether a map of fields follows the path.
  public var takesData: Bool { self == .create || self == .update || self == .set }
}

/// `update /users/alice { admin: true }`
public struct DocumentRequest: Sendable {
  public let operation: StepOperation
  public let path: PathSyntax
  /// A map; present just when the operation takes data.
  public let data: Expression?

  var methods: [String] { operation == .set ? ["create", "update"] : [operation.rawValue] }
}

/// `batch { create /a/b { }; delete /c/d; }`, `transaction { get /a/b; update /a/b { n: 1 }; }`
public struct BatchDeclaration: Sendable {
  public enum Kind: String, Sendable, CaseIterable {
    case batch, transaction
  }

  public let kind: Kind
  public let word: Name
  /// In source order, at least one. Reads, of a transaction only, stand before writes.
  public let requests: [DocumentRequest]
}

/// `list /users/alice/lists where items < 10 order by title desc limit 20`
public struct QueryDeclaration: Sendable {
  public struct Order: Sendable {
    /// The name of a field, bare or quoted.
    public let field: Expression
    public let isDescending: Bool
  }

  /// Empty for `list`.
  public let aggregates: [Aggregate]
  /// A collection, or `/{any=**}/name` for all collections of that name.
  public let path: PathSyntax
  public let filter: FilterSyntax?
  public let orders: [Order]
  public let limit: Expression?
  public let offset: Expression?
}

/// `count`, `sum(items)`, `avg(items)`
public struct Aggregate: Sendable {
  public enum Kind: String, Sendable, CaseIterable {
    case count, sum, avg
  }

  public static let words = Kind.allCases.map(\.rawValue)

  public let kind: Kind
  /// The name of a field; not for `count`.
  public let field: Expression?
  public let range: SourceRange
}

/// What stands after `where`, as written.
public indirect enum FilterSyntax: Sendable {
  case all([FilterSyntax])
  case any([FilterSyntax])
  case comparison(FilterComparison)
}

/// `items < 10`, `'x' in tags`, `tags.hasAny(['x'])`. Which side is the field depends on the users of the file.
public struct FilterComparison: Sendable {
  public enum Operator: String, Sendable {
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case `in`
    case notIn = "not in"
    case hasAny
  }

  public let left: Expression
  public let `operator`: Operator
  public let right: Expression
  public let range: SourceRange
}
