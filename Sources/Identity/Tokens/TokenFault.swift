/// Why a token is not taken. Each case is its own reason, and says what would be right.
public enum TokenFault: Error, Sendable, Equatable, CustomStringConvertible {
  /// A part of a token.
  public enum Part: String, Sendable { case header, payload, signature }

  // The text.
  case empty
  case tooLong(bytes: Int)
  case whiteSpace
  case bearerPrefix
  case parts(Int)
  case emptyPart(Part)
  case standardAlphabet(Part)
  case character(Part)
  case padding(Part)
  case length(Part)
  case leftOverBits(Part)
  case notUTF8(Part)
  case notJSON(Part, String)
  case tooDeep(Part)
  case duplicateName(Part)
  case notAnObject(Part, found: String)

  // The header.
  case algorithmMissing
  case algorithmNotText
  case unsigned
  case symmetric(String)
  case otherAlgorithm(String)
  case typeNot(String)
  case critical
  case embeddedKey(String)
  case keyIDMissing
  case keyIDNotText
  case keyUnknown(String)

  // The certificate and the signature.
  case certificateUnreadable(String)
  case keyNotRSA(String)
  case keyTooShort(String, bits: Int)
  case certificateNotYetValid(String)
  case certificateExpired(String)
  case signatureMissing
  case signatureLength(Int, expected: Int)
  case signatureWrong

  // The claims.
  case customToken
  case sessionCookie
  case audienceMissing
  case audienceNotText
  case audience(String, expected: String)
  case issuerMissing
  case issuerNotText
  case issuer(String, expected: String)
  case subjectMissing
  case subjectNotText
  case subjectEmpty
  case subjectTooLong(Int)
  case userIDDiffers
  case timeMissing(String)
  case timeNotWhole(String)
  case issuedInFuture(Int64, now: Int64)
  case expired(Int64, now: Int64)
  case expiresBeforeIssued
  case livesTooLong(Int64)
  case notYetValid(Int64, now: Int64)
  case authenticatedInFuture
  case authenticatedAfterIssued
  case firebaseMissing
  case signInProviderMissing
  case tenant(found: String?, expected: String)

  // The account, where it is asked for.
  case userNotFound
  case userDisabled
  case revoked

  public var description: String {
    switch self {
    case .empty: "the token is empty; an ID token is header.payload.signature"
    case .tooLong(let bytes): "the token has \(bytes) bytes; real ones have one or two thousand"
    case .whiteSpace: "the token has white space in it; pass it without line breaks and blanks"
    case .bearerPrefix: "this is the header's value; the token is what follows 'Bearer '"
    case .parts(let count): "a token has three parts, header.payload.signature, this one has \(count)"
    case .emptyPart(let part): "the \(part.rawValue) is empty"
    case .standardAlphabet(let part):
      "the \(part.rawValue) is in standard base64; tokens use '-' and '_' for '+' and '/'"
    case .character(let part): "the \(part.rawValue) has a character that base64url has not"
    case .padding(let part): "the \(part.rawValue) is padded with '='; tokens are not"
    case .length(let part): "the \(part.rawValue) is cut off: no base64url text has this length"
    case .leftOverBits(let part): "the \(part.rawValue) ends in bits that mean nothing; another text means the same"
    case .notUTF8(let part): "the \(part.rawValue) is not UTF-8"
    case .notJSON(let part, let message): "the \(part.rawValue) is not JSON: \(message)"
    case .tooDeep(let part): "the \(part.rawValue) is nested too deeply"
    case .duplicateName(let part): "the \(part.rawValue) names a member twice"
    case .notAnObject(let part, let found): "the \(part.rawValue) is \(found); expected an object"
    case .algorithmMissing: "the header does not say the algorithm; expected \"alg\":\"RS256\""
    case .algorithmNotText: "the algorithm is no text; expected \"alg\":\"RS256\""
    case .unsigned: "the token is unsigned (alg none), as emulators issue it; here a signed one is needed"
    case .symmetric(let name):
      "the algorithm \(name) signs with a shared secret, and a public key is none; expected RS256"
    case .otherAlgorithm(let name): "the algorithm is \(name); ID tokens are signed with RS256"
    case .typeNot(let name): "the type is \(name); expected JWT"
    case .critical: "the header asks for extensions (crit) that nobody here knows"
    case .embeddedKey(let name): "the header brings its own key (\(name)); only the published certificates count"
    case .keyIDMissing: "the header has no key id (kid); is it a custom token, or one of another service?"
    case .keyIDNotText: "the key id (kid) is no text"
    case .keyUnknown(let id): "no certificate has the key id '\(id)'; the set may be older than the token, or younger"
    case .certificateUnreadable(let id): "the certificate '\(id)' is no x509 certificate in PEM"
    case .keyNotRSA(let id): "the certificate '\(id)' has no RSA key"
    case .keyTooShort(let id, let bits): "the key of the certificate '\(id)' has \(bits) bits; at least 2048 are needed"
    case .certificateNotYetValid(let id): "the certificate '\(id)' is not valid yet"
    case .certificateExpired(let id): "the certificate '\(id)' has expired"
    case .signatureMissing: "the token is not signed: nothing follows its second dot"
    case .signatureLength(let found, let expected): "the signature has \(found) bytes; the key makes \(expected)"
    case .signatureWrong: "the signature is not the key's: the token was changed, or somebody else signed it"
    case .customToken: "this is a custom token; exchange it for an ID token by signing in with it"
    case .sessionCookie: "this is a session cookie; expected an ID token"
    case .audienceMissing: "the token does not say for whom it is (aud)"
    case .audienceNotText: "the audience (aud) is no text"
    case .audience(let found, let expected): "the token is for the project '\(found)'; expected '\(expected)'"
    case .issuerMissing: "the token does not say who issued it (iss)"
    case .issuerNotText: "the issuer (iss) is no text"
    case .issuer(let found, let expected): "the issuer is '\(found)'; expected '\(expected)'"
    case .subjectMissing: "the token does not say whose it is (sub)"
    case .subjectNotText: "the uid (sub) is no text"
    case .subjectEmpty: "the uid (sub) is empty"
    case .subjectTooLong(let count): "the uid (sub) has \(count) characters; at most 128 are allowed"
    case .userIDDiffers: "sub and user_id are different uids"
    case .timeMissing(let name): "the claim \(name) is missing"
    case .timeNotWhole(let name): "the claim \(name) is no whole number of seconds"
    case .issuedInFuture(let time, let now):
      "the token is used too early: issued at \(time), it is \(now); check that your clock is right"
    case .expired(let time, let now): "the token expired at \(time), it is \(now); get a fresh one from the client"
    case .expiresBeforeIssued: "the token expires before it was issued"
    case .livesTooLong(let seconds): "the token is valid for \(seconds) seconds; ID tokens are for 3600"
    case .notYetValid(let time, let now): "the token is not valid before \(time), it is \(now)"
    case .authenticatedInFuture: "the session begins in the future (auth_time)"
    case .authenticatedAfterIssued: "the session begins (auth_time) after the token was issued (iat)"
    case .firebaseMissing: "the claim firebase is missing, or no object"
    case .signInProviderMissing: "the claim firebase.sign_in_provider is missing, or no text"
    case .tenant(let found, let expected): "the tenant is \(found.map { "'\($0)'" } ?? "none"); expected '\(expected)'"
    case .userNotFound: "the account is gone"
    case .userDisabled: "the account is disabled"
    case .revoked: "the token was revoked: it was issued before the account's sessions were ended"
    }
  }

  /// In the words of the Authentication server.
  public var code: String {
    switch self {
    case .expired, .revoked: "TOKEN_EXPIRED"
    case .userNotFound: "USER_NOT_FOUND"
    case .userDisabled: "USER_DISABLED"
    default: "INVALID_ID_TOKEN"
    }
  }

  public var error: IdentityError { IdentityError(code: code, message: description) }
}
