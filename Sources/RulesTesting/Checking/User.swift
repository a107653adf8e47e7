import Identity
import JSON
import RulesEngine
import RulesSyntax
import RulesValues

/// A user of a test file.
public struct User: Sendable {
  public let name: String
  public let profile: UserProfile
  /// As `request.auth` shows the user when a test begins.
  public let auth: Auth
  let session: Int64

  /// - Throws: `IdentityError` for a user that cannot be.
  init(_ name: String, _ profile: UserProfile, now: Timestamp, project: String) throws(IdentityError) {
    self.name = name
    self.profile = profile
    session = profile.authTime ?? now.seconds
    auth = try User.auth(profile, at: now.seconds, session: session, project: project)
  }

  /// With a token that is issued at `time`, of the session that began with the test.
  /// - Throws: `IdentityError` when the time is before the session that the test file gives the user.
  func auth(at time: Timestamp, project: String) throws(IdentityError) -> Auth {
    let session = profile.authTime ?? min(session, time.seconds)
    return try User.auth(profile, at: time.seconds, session: session, project: project)
  }

  private static func auth(
    _ profile: UserProfile, at seconds: Int64, session: Int64, project: String
  ) throws(IdentityError) -> Auth {
    var profile = profile
    profile.authTime = session
    let payload = try ProviderClaims.payload(for: profile, at: seconds, project: project)
    do {
      return Auth(uid: profile.uid, token: try DataValue.fields(plain: .object(payload)))
    } catch {
      throw IdentityError(code: "INVALID_CLAIMS", message: "\(error)")
    }
  }
}

extension JSONValue {
  /// Data as JSON, for claims; `nil` for what JSON does not know: timestamps, bytes, references, …
  init?(claim data: DataValue) {
    switch data {
    case .null: self = .null
    case .bool(let b): self = .bool(b)
    case .int(let i): self = .int(i)
    case .double(let d):
      guard d.isFinite else { return nil }
      self = .double(d)
    case .string(let s): self = .string(s)
    case .array(let items):
      var elements: [JSONValue] = []
      for item in items {
        guard let element = JSONValue(claim: item) else { return nil }
        elements.append(element)
      }
      self = .array(elements)
    case .map(let fields):
      var object = JSONObject()
      for (key, value) in fields.sorted(by: { $0.key < $1.key }) {
        guard let member = JSONValue(claim: value) else { return nil }
        object[key.string] = member
      }
      self = .object(object)
    case .bytes, .timestamp, .geoPoint, .reference, .vector: return nil
    }
  }
}
