import RulesEngine

/// Why a call failed: Firestore's status, its message, and what we can say beyond it.
public struct FirestoreError: Error, Sendable, CustomStringConvertible {
  public enum Code: String, Sendable {
    case invalidArgument = "INVALID_ARGUMENT"
    case notFound = "NOT_FOUND"
    case alreadyExists = "ALREADY_EXISTS"
    case permissionDenied = "PERMISSION_DENIED"
    case failedPrecondition = "FAILED_PRECONDITION"
    case aborted = "ABORTED"
    case resourceExhausted = "RESOURCE_EXHAUSTED"
    case unimplemented = "UNIMPLEMENTED"
    case unavailable = "UNAVAILABLE"
    case internalError = "INTERNAL"
    case dataLoss = "DATA_LOSS"

    /// The status of the answer over HTTP.
    public var httpStatus: Int {
      switch self {
      case .invalidArgument, .failedPrecondition: 400
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
  public let denial: Denial?

  public init(_ code: Code, _ message: String, note: String? = nil) {
    self.code = code
    self.message = message
    self.note = note
    denial = nil
  }

  public init(_ denial: Denial) {
    code = .permissionDenied
    message = denial.message
    note = nil
    self.denial = denial
  }

  public var description: String {
    code.rawValue + ": " + message + (note.map { " \($0)" } ?? "")
  }
}
