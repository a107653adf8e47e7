import JSON
import Testing

@testable import EmulatorServer

/// A call that is refused.
struct Refused: Sendable, CustomTestStringConvertible {
  let endpoint: String
  /// The message, or how it begins if it ends with `…`.
  let error: String
  /// Makes the body, in a town that it may change first.
  let body: @Sendable (Town) throws -> JSONObject
  var isAdmin = false

  init(
    _ endpoint: String, _ error: String, admin: Bool = false, _ body: @escaping @Sendable (Town) throws -> JSONObject
  ) {
    self.endpoint = endpoint
    self.error = error
    self.body = body
    isAdmin = admin
  }

  var testDescription: String { "\(endpoint) \(error)" }
}
