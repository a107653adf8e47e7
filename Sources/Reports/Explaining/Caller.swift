import RulesEngine
import RulesValues

/// Who asks, in one line: uid, provider, and what of the token is not the same for everybody.
public struct Caller: Sendable {
  public let auth: Auth?

  public init(_ auth: Auth?) { self.auth = auth }

  /// `bob (google.com, bob@example.com not verified, claims {'admin': true})`
  public var line: String {
    guard let auth else { return "nobody (signed out)" }
    var facts: [String] = []
    if case .map(let firebase) = auth.token["firebase"] {
      if let provider = firebase["sign_in_provider"]?.plainText { facts.append(provider) }
    }
    if let email = auth.token["email"]?.plainText {
      switch auth.token["email_verified"] {
      case .bool(true): facts.append("\(email) verified")
      case .bool(false): facts.append("\(email) not verified")
      default: facts.append(email)
      }
    }
    if let phone = auth.token["phone_number"]?.plainText { facts.append(phone) }
    if case .map(let firebase) = auth.token["firebase"] {
      if let tenant = firebase["tenant"]?.plainText { facts.append("tenant \(tenant)") }
      if let factor = firebase["sign_in_second_factor"]?.plainText { facts.append("second factor \(factor)") }
    }
    let claims = auth.token.filter { !Auth.standardClaims.contains($0.key.string) }
    if !claims.isEmpty { facts.append("claims \(DataText.text(.map(claims), width: 60))") }
    let uid = SafeText.line(auth.uid)
    return facts.isEmpty ? uid : "\(uid) (\(facts.joined(separator: ", ")))"
  }
}

/// Stored data as text, in the syntax of the rules language.
public enum DataText {
  public static func text(_ data: DataValue, width: Int) -> String {
    let owner = ArenaOwner()
    return owner.arena.display(owner.arena.load(data), width: width)
  }
}

extension DataValue {
  /// The text of a string, fit to be shown.
  var plainText: String? {
    if case .string(let text) = self { SafeText.line(text) } else { nil }
  }
}
