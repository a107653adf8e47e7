import RulesEngine

/// Why a call failed: Firestore's status, its message, and what we can say beyond it.
public struct FirestoreError: Error, Sendable, CustomStringConvertible {
  public enum Code: String, Sendable {
    case invalidArgument = "INVALID_ARGUMENT"
    case notFound = "NOT_FOUND"
    case alreadyExists = "ALREADY_EXISTS"
    case permissionDenied = "PERMISSION_DENIED"
    /// It cannot be told who calls.
    case unauthenticated = "UNAUTHENTICATED"
    case failedPrecondition = "FAILED_PRECONDITION"
    case aborted = "ABORTED"
    case resourceExhausted = "RESOURCE_EXHAUSTED"
    case unimplemented = "UNIMPLEMENTED"
    case unavailable = "UNAVAILABLE"
    case internalError = "INTERNAL"
    case dataLoss = "DATA_LOSS"

    /// As gRPC numbers it, which `batchWrite` answers.
    public var number: Int {
      switch self {
      case .invalidArgument: 3
      case .notFound: 5
      case .alreadyExists: 6
      case .permissionDenied: 7
      case .resourceExhausted: 8
      case .failedPrecondition: 9
      case .aborted: 10
      case .unimplemented: 12
      case .internalError: 13
      case .unavailable: 14
      case .dataLoss: 15
      case .unauthenticated: 16
      }
    }

    /// The status of the answer over HTTP.
    public var httpStatus: Int {
      switch self {
      case .invalidArgument, .failedPrecondition: 400
      case .unauthenticated: 401
      case .permissionDenied: 403
      case .notFound: 404
      case .alreadyExists, .aborted: 409
      case .resourceExhausted: 429
      case .internalError, .dataLoss: 500
      case .unimplemented: 501
      case .unavailable: 503
      }
    }
  }

  public let code: Code
  /// In the words of Firestore where they are known.
  public let message: String
  /// What is wrong and what would be right, where Firestore's words don't say.
  public let note: String?
  /// Of a call that the rules refused.
  public let denial: CallDenial?

  public init(_ code: Code, _ message: String, note: String? = nil) {
    self.code = code
    self.message = message
    self.note = note
    denial = nil
  }

  init(_ denial: CallDenial) {
    code = .permissionDenied
    message = denial.message
    note = nil
    self.denial = denial
  }

  /// Of a refusal with its explanation, for which the rules are asked again.
  public var description: String {
    let text = code.rawValue + ": " + message + (note.map { " \($0)" } ?? "")
    guard let explanation = denial?.explanation, explanation != message, !explanation.isEmpty else { return text }
    return text + "\n" + explanation
  }
}
