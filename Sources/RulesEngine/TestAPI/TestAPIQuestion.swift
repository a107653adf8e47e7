import JSON
import RulesSyntax
import RulesValues

/// One case of a TestSuite, as the Rules Test API takes it: what the case gives, the rules see, and nothing else.
public struct TestAPIQuestion: Sendable {
  /// What a function that the case mocks answers.
  public struct Mock: Sendable {
    public enum Argument: Sendable {
      case any
      /// Equal to this; a path is written as text.
      case exactly(JSONValue)
    }

    /// `get`, `exists`, …; in rules for Storage with `firestore.` before it.
    public var function: String
    public var arguments: [Argument]
    /// `nil`: undefined.
    public var result: JSONValue?

    public init(function: String, arguments: [Argument], result: JSONValue?) {
      self.function = function
      self.arguments = arguments
      self.result = result
    }
  }

  /// One, or those that `read` or `write` stand for, which must all be granted.
  public var methods: [RequestMethod]
  /// Segments of the whole path, decoded.
  public var path: [String]
  /// What `request` stands for: `path` is a path, `time` a timestamp, `resource.__name__` a path.
  public var request: JSONObject
  /// What `resource` stands for; `nil`: using it is an error.
  public var resource: JSONValue?
  public var mocks: [Mock]
  /// Percent escapes in paths are decoded.
  public var decodesPaths: Bool

  public init(
    methods: [RequestMethod], path: [String], request: JSONObject, resource: JSONValue? = nil, mocks: [Mock] = [],
    decodesPaths: Bool = true
  ) {
    self.methods = methods
    self.path = path
    self.request = request
    self.resource = resource
    self.mocks = mocks
    self.decodesPaths = decodesPaths
  }

  /// The segments of a path that is written as text. Escapes that are none stay as they are.
  public static func segments(_ text: String, decoded: Bool) -> [String] {
    text.split(separator: "/").map { segment in
      guard decoded, segment.utf8.contains(0x25) else { return String(segment) }
      return URLText.decoded(segment)
    }
  }
}

/// What the Rules Test API makes of a case.
public struct TestAPIVerdict: Sendable {
  /// The condition of an `allow` that was evaluated without an error.
  public struct Visit: Sendable {
    /// Its first token.
    public let range: SourceRange
    public let value: Bool
  }

  /// The first error of the case.
  public struct Failure: Sendable {
    /// In the official words.
    public let message: String
    /// The first token of the expression that failed.
    public let range: SourceRange?
  }

  public struct Call: Sendable {
    public let function: String
    public let arguments: [JSONValue]
  }

  /// The values that an expression took.
  public struct Values: Sendable {
    /// Different values with how often each was taken, in the order of their first time.
    public internal(set) var counts: [(value: JSONValue, count: Int)] = []

    mutating func count(_ value: JSONValue) {
      if let i = counts.firstIndex(where: { $0.value == value }) {
        counts[i].count += 1
      } else {
        counts.append((value, 1))
      }
    }
  }

  public internal(set) var isAllowed = false
  /// Of a denied case.
  public internal(set) var failure: Failure?
  public internal(set) var visits: [Visit] = []
  /// Functions that only the case can tell of, in the order in which they were called, mocked or not.
  public internal(set) var calls: [Call] = []
  /// The conditions that were tried, in order, with the values of their parts.
  public internal(set) var conditions: [Explanation.Node] = []
  /// By `Expression.id`.
  public internal(set) var values: [Int: Values] = [:]
}

/// Percent escapes in URLs.
enum URLText {
  static func decoded(_ text: Substring) -> String {
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    var i = 0
    while i < bytes.count {
      if bytes[i] == 0x25, i + 2 < bytes.count, let high = digit(bytes[i + 1]), let low = digit(bytes[i + 2]) {
        result.append(high << 4 | low)
        i += 3
      } else {
        result.append(bytes[i])
        i += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x37
    case 0x61...0x66: byte - 0x57
    default: nil
    }
  }
}
