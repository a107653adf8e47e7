import RulesEngine
import RulesValues

/// A caller as the declaration of a user: the provider and the options from which such a token comes.
public enum UserText {
  /// `password({ email: 'a@example.com' })`; `nil` where the test language has no provider or no words for it.
  /// - Parameters:
  ///   - auth: what the rules saw.
  ///   - name: of the user, which is the uid where nothing else is said.
  public static func provider(of auth: Auth, name: String) -> String? {
    guard let provider = provider(auth) else { return nil }
    var options: [String] = auth.uid == name ? [] : ["uid: \(SourceText.quoted(auth.uid))"]
    for (claim, option) in ownOptions {
      guard let value = auth.token[Text(claim)] else { continue }
      guard let text = SourceText.value(value) else { return nil }
      options.append("\(option): \(text)")
    }
    let claims = auth.token.filter { !Auth.standardClaims.contains($0.key.string) }
    if !claims.isEmpty {
      guard let text = SourceText.map(claims) else { return nil }
      options.append("claims: \(text)")
    }
    return "\(provider)(\(options.isEmpty ? "" : "{ \(options.joined(separator: ", ")) }"))"
  }

  private static let ownOptions = [
    ("email", "email"), ("email_verified", "email_verified"), ("phone_number", "phone"), ("name", "name"),
    ("picture", "picture"),
  ]

  private static func provider(_ auth: Auth) -> String? {
    guard case .map(let firebase) = auth.token["firebase"], case .string(let name) = firebase["sign_in_provider"] else {
      return auth.token["email"] == nil ? "custom" : "password"
    }
    switch name {
    case "password", "phone", "anonymous", "custom": return name
    case "apple.com", "google.com", "facebook.com", "twitter.com", "github.com", "microsoft.com", "yahoo.com":
      return String(name.dropLast(4))
    default: return nil
    }
  }
}
