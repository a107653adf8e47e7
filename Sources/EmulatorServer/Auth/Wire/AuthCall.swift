import Identity
import JSON

extension HTTPRequest {
  /// The path's parts, decoded; empty ones do not count.
  var names: [String] { segments.filter { !$0.isEmpty } }

  /// Whether whoever asks would rather have a page than JSON.
  var wantsPage: Bool { headers["accept"]?.lowercased().contains("text/html") ?? false }
}

/// A request with what it is about, for the handler of a route.
struct AuthCall: Sendable {
  let emulator: AuthEmulator
  let request: HTTPRequest
  /// The parts of the path that have a name in the route.
  let variables: [String: String]
  let fields: [(name: String, value: String)]
  let body: AuthBody
  /// Whether it carries a service account's credential: `Bearer owner`.
  let isAdmin: Bool
  let project: AuthProject
  let tenant: String?
  /// The accounts of the project, or of the tenant.
  let server: AuthServer

  var admin: AuthAdmin { server.admin }

  /// The first value of a query field; nil if it is missing or empty.
  func query(_ name: String) -> String? {
    let value = fields.first { $0.name == name }?.value
    return value?.isEmpty == true ? nil : value
  }

  /// A query field that is a number.
  func number(_ name: String) throws(IdentityError) -> Int? {
    guard let text = query(name) else { return nil }
    guard let number = Int(text) else { throw AuthBody.invalid("Query parameter '\(name)' must be integer") }
    return number
  }

  /// The paths of `updateMask`; nil without one.
  var mask: [String]? {
    query("updateMask").map { $0.split(separator: ",").map(String.init) }
  }

  func variable(_ name: String) -> String { variables[name] ?? "" }

  /// Where this server is, as the caller reached it.
  var base: String {
    let host = request.headers["host"] ?? ""
    let isHost =
      !host.isEmpty && host.utf8.count <= 255
      && host.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
          || ".-:[]_".utf8.contains(byte)
      }
    return "http://" + (isHost ? host : "localhost:9099")
  }

  /// - Throws: `INSUFFICIENT_PERMISSION`.
  func mustBeAdmin(for what: String) throws(IdentityError) {
    guard isAdmin else {
      throw IdentityError(code: "INSUFFICIENT_PERMISSION", message: "\(what) needs a service account: Bearer owner")
    }
  }

  /// The account that a sign-in was for; nil if it is gone meanwhile.
  func account(_ uid: String) throws(IdentityError) -> Account? { try admin.find(uid) }
}
