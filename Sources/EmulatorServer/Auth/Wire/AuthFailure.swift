import Identity
import JSON

/// How the server says that something cannot be.
enum AuthFailure {
  /// How a code begins that tells of a body that is not as the API has it.
  static let invalidPayload = "Invalid JSON payload received. "

  /// Words that follow a code on the wire, where the room `Identity` has the code alone.
  private static let wording: [String: String] = [
    "UNVERIFIED_EMAIL": "UNVERIFIED_EMAIL : Need to verify email first before enrolling second factors.",
    "UNSUPPORTED_FIRST_FACTOR": "UNSUPPORTED_FIRST_FACTOR : MFA is not available for the given first factor.",
    "SECOND_FACTOR_EXISTS":
      "SECOND_FACTOR_EXISTS : Phone number already enrolled as second factor for this account.",
  ]

  static func notImplemented(_ what: String) -> IdentityError {
    IdentityError(code: "NOT_IMPLEMENTED : \(what)", message: what)
  }

  static func notFound(_ code: String, _ message: String) -> IdentityError {
    IdentityError(code: "NOT_FOUND : " + code, message: message)
  }

  /// The answer to a refused call.
  static func reply(_ error: IdentityError) -> HTTPResponse {
    switch error.plainCode {
    case "NOT_IMPLEMENTED":
      return reply(501, tail(error.code) ?? error.message, reason: "unimplemented", status: "NOT_IMPLEMENTED")
    case "NOT_FOUND":
      return reply(404, tail(error.code) ?? error.code, reason: "notFound", status: "NOT_FOUND")
    case "INTERNAL_ERROR":
      return reply(500, "INTERNAL_ERROR : \(error.message)", reason: "backendError", status: "INTERNAL")
    default: break
    }
    let isSchema = error.code.hasPrefix(invalidPayload)
    return reply(
      400, wording[error.code] ?? error.code, reason: "invalid", status: isSchema ? "INVALID_ARGUMENT" : nil)
  }

  /// What follows the code.
  private static func tail(_ code: String) -> String? {
    guard let colon = code.firstIndex(of: ":") else { return nil }
    let rest = code[code.index(after: colon)...].drop { $0 == " " }
    return rest.isEmpty ? nil : String(rest)
  }

  static let notFoundPath = reply(404, "Not Found", reason: "notFound", status: "NOT_FOUND")

  static let missingKey = reply(
    403, "The request is missing a valid API key.", reason: "forbidden", status: "PERMISSION_DENIED")

  static let badBearer = unauthenticated("Request had invalid authentication credentials. \(expected)")
  static let missingBearer = unauthenticated("Request is missing required authentication credential. \(expected)")

  private static let expected =
    "Expected OAuth 2 access token, login cookie or other valid authentication credential."

  private static func unauthenticated(_ message: String) -> HTTPResponse {
    var detail = self.detail(message, "authError")
    detail["location"] = "Authorization"
    detail["locationType"] = "header"
    return HTTPResponse(
      status: 401,
      json: [
        "error": [
          "code": 401, "message": .string(message), "errors": [.object(detail)], "status": "UNAUTHENTICATED",
        ]
      ])
  }

  private static func detail(_ message: String, _ reason: String) -> JSONObject {
    ["message": .string(message), "reason": .string(reason), "domain": "global"]
  }

  private static func reply(_ code: Int, _ message: String, reason: String, status: String?) -> HTTPResponse {
    var error: JSONObject = [
      "code": .int(Int64(code)), "message": .string(message), "errors": [.object(detail(message, reason))],
    ]
    error["status"] = status.map(JSONValue.string)
    return HTTPResponse(status: code, json: ["error": .object(error)])
  }
}
