import JSON

/// Checks production ID tokens without a network, against certificates that the caller has: those that Google publishes
/// for `securetoken@system.gserviceaccount.com`, or our own.
///
/// It is stricter than the Admin SDKs where no real token comes near: base64url must be canonical, no member may be
/// named twice, the header may bring no key of its own.
public struct TokenVerifier: Sendable {
  /// Against which of a token's times a revocation is held: the Admin SDK for Python takes `iat`, that for Node
  /// `auth_time`. After a refresh they differ.
  public enum RevocationRule: Sendable { case issuedAt, authTime }

  /// The longest token that is read, in bytes.
  public static let maxBytes = 16_384
  private static let maxDepth = 400
  private static let customTokenAudience = CustomToken.audience

  public let project: String
  /// By how many seconds clocks may differ, 0 to 60.
  public let clockSkew: Int64
  /// Only tokens of this tenant are taken; nil for any.
  public var tenant: String?
  public var revocationRule = RevocationRule.issuedAt
  /// Whether the certificate has to be valid itself. The Admin SDKs do not ask.
  public var checksCertificateDates = true
  private let issuer: String
  private let certificates: [String: Certificate?]
  /// The first part of almost every token, as Google and we write it, with the key that it names: such a header need not
  /// be read.
  private let usualHeaders: [(text: [UInt8], key: Key)]

  /// - Parameters:
  ///   - project: the id of the project.
  ///   - certificates: `{ kid: x509 in PEM }`.
  ///   - clockSkew: seconds by which clocks may differ.
  /// - Throws: `INVALID_PROJECT_ID`, and `INVALID_ARGUMENT` for a skew beyond 0 to 60 and for certificates that are no
  ///   texts.
  public init(project: String, certificates: JSONObject, clockSkew: Int64 = 0) throws(IdentityError) {
    guard !project.isEmpty else {
      throw IdentityError(code: "INVALID_PROJECT_ID", message: "the project id is empty; write one like 'demo-project'")
    }
    guard (0...60).contains(clockSkew) else {
      throw IdentityError(
        code: "INVALID_ARGUMENT : clockSkew", message: "clocks may differ by 0 to 60 seconds, not by \(clockSkew)")
    }
    self.project = project
    issuer = "https://securetoken.google.com/" + project
    self.clockSkew = clockSkew
    var read: [String: Certificate?] = [:]
    for (keyID, pem) in certificates.members {
      guard let pem = pem.stringValue else {
        throw IdentityError(
          code: "INVALID_ARGUMENT : certificates",
          message: "the certificate '\(keyID)' is \(pem.kind); expected PEM text")
      }
      read[keyID] = .some(Certificate(pem: pem))
    }
    self.certificates = read
    usualHeaders = read.compactMap { keyID, certificate in
      guard let certificate, let key = try? Key(certificate, id: keyID) else { return nil }
      let header: JSONObject = ["alg": "RS256", "kid": .string(keyID), "typ": "JWT"]
      return (Array(Base64URL.encode(header.serialized().utf8).utf8), key)
    }
  }

  /// The payload of a token that is genuine, meant for this project, and valid at this time.
  /// - Throws: the reason why it is not.
  public func verify(_ token: String, at seconds: Int64) throws(TokenFault) -> JSONObject {
    let bytes = Array(token.utf8)
    do throws(TokenFault) {
      return try verify(bytes, at: seconds)
    } catch {
      // The likelier reason, whatever else came of it. White space is no digit of base64: no token with any is taken.
      guard !bytes.isEmpty, bytes.count <= Self.maxBytes, error != .bearerPrefix, Self.hasWhiteSpace(bytes) else {
        throw error
      }
      throw .whiteSpace
    }
  }

  private func verify(_ token: [UInt8], at seconds: Int64) throws(TokenFault) -> JSONObject {
    let parts = try Self.split(token)
    let usual = usualHeaders.first { parts.header.elementsEqual($0.text) }?.key
    let header = usual == nil ? try Self.object(in: parts.header, .header) : [:]
    let payload = try Self.object(in: parts.payload, .payload)
    // In the order of the Admin SDKs, so that the reason is the same where both have one.
    let audience = payload["aud"]
    if audience?.stringValue == Self.customTokenAudience { throw .customToken }
    let key = if let usual { usual } else { try key(for: header) }
    try checkNames(payload, audience: audience)
    try Self.checkSignature(parts.signature, of: parts.signed, by: key)
    if checksCertificateDates {
      guard seconds >= key.validity.lowerBound else { throw .certificateNotYetValid(key.id) }
      guard seconds <= key.validity.upperBound else { throw .certificateExpired(key.id) }
    }
    try checkTimes(payload, at: seconds)
    try checkSession(payload)
    return payload
  }

  /// As `verify`, and whether the account is there, enabled and not revoked since. Expired tokens are told from revoked
  /// ones.
  /// - Parameters:
  ///   - token: an ID token.
  ///   - seconds: when, since 1970.
  ///   - account: finds the account of a uid.
  public func verify(
    _ token: String, at seconds: Int64, account: (String) -> Account?
  ) throws(TokenFault) -> JSONObject {
    let payload = try verify(token, at: seconds)
    guard let account = payload["sub"]?.stringValue.flatMap(account) else { throw .userNotFound }
    guard !account.isDisabled else { throw .userDisabled }
    let time = payload[revocationRule == .issuedAt ? "iat" : "auth_time"]?.intValue ?? .min
    guard time >= account.validSince else { throw .revoked }
    return payload
  }

  // MARK: The text

  private struct Parts {
    let header: ArraySlice<UInt8>
    let payload: ArraySlice<UInt8>
    let signature: ArraySlice<UInt8>
    let signed: [UInt8]
  }

  private static func split(_ token: [UInt8]) throws(TokenFault) -> Parts {
    guard !token.isEmpty else { throw .empty }
    guard token.count <= maxBytes else { throw .tooLong(bytes: token.count) }
    if token.starts(with: "Bearer ".utf8) { throw .bearerPrefix }
    let dot = UInt8(ascii: ".")
    guard let first = token.firstIndex(of: dot), let last = token.lastIndex(of: dot), first < last,
      !token[(first + 1)..<last].contains(dot)
    else { throw .parts(token.count { $0 == dot } + 1) }
    return Parts(
      header: token[..<first], payload: token[(first + 1)..<last], signature: token[(last + 1)...],
      signed: Array(token[..<last]))
  }

  private static func hasWhiteSpace(_ bytes: [UInt8]) -> Bool {
    bytes.contains { $0 == 0x20 || (0x09...0x0D).contains($0) }
  }

  private static func decode(_ text: ArraySlice<UInt8>, _ part: TokenFault.Part) throws(TokenFault) -> [UInt8] {
    switch Base64URL.strictlyDecode(text) {
    case .success(let bytes): return bytes
    case .failure(.standardAlphabet): throw .standardAlphabet(part)
    case .failure(.character): throw .character(part)
    case .failure(.padding): throw .padding(part)
    case .failure(.length): throw .length(part)
    case .failure(.leftOverBits): throw .leftOverBits(part)
    }
  }

  private static func object(in text: ArraySlice<UInt8>, _ part: TokenFault.Part) throws(TokenFault) -> JSONObject {
    guard !text.isEmpty else { throw .emptyPart(part) }
    let bytes = try decode(text, part)
    let value: JSONValue
    do {
      value = try JSONValue(parsing: bytes, limits: JSONLimits(maxDepth: maxDepth, maxBytes: maxBytes))
    } catch {
      guard String(validating: bytes, as: UTF8.self) != nil else { throw .notUTF8(part) }
      // Which limit was it? Those that allow more know.
      let deeper = JSONLimits(maxDepth: JSONLimits.deepestValue, maxBytes: maxBytes, duplicateKeys: .lastWins)
      guard (try? JSONValue(parsing: bytes, limits: deeper)) != nil else { throw .notJSON(part, "\(error)") }
      let shallow = JSONLimits(maxDepth: maxDepth, maxBytes: maxBytes, duplicateKeys: .lastWins)
      guard (try? JSONValue(parsing: bytes, limits: shallow)) != nil else { throw .tooDeep(part) }
      throw .duplicateName(part)
    }
    guard let object = value.objectValue else { throw .notAnObject(part, found: value.kind) }
    return object
  }

  // MARK: The signature

  private struct Key {
    let key: RSAKey
    let id: String
    let validity: ClosedRange<Int64>

    init(_ certificate: Certificate, id: String) throws(TokenFault) {
      key = certificate.publicKey
      self.id = id
      validity = certificate.validity
      guard key.isRSA else { throw .keyNotRSA(id) }
      guard key.bits >= 2048 else { throw .keyTooShort(id, bits: key.bits) }
    }
  }

  private func key(for header: JSONObject) throws(TokenFault) -> Key {
    guard let algorithm = header["alg"] else { throw .algorithmMissing }
    guard let name = algorithm.stringValue else { throw .algorithmNotText }
    switch name {
    case "RS256": break
    case _ where name.lowercased() == "none": throw .unsigned
    case _ where name.uppercased().hasPrefix("HS"): throw .symmetric(name)
    default: throw .otherAlgorithm(name)
    }
    if header.contains("crit") { throw .critical }
    if let name = ["jwk", "jku", "x5u", "x5c"].first(where: header.contains) { throw .embeddedKey(name) }
    if let type = header["typ"], type.stringValue?.uppercased() != "JWT" {
      throw .typeNot(type.stringValue ?? type.kind)
    }
    guard let keyID = header["kid"] else { throw .keyIDMissing }
    guard let id = keyID.stringValue else { throw .keyIDNotText }
    guard let entry = certificates[id] else { throw .keyUnknown(id) }
    guard let certificate = entry else { throw .certificateUnreadable(id) }
    return try Key(certificate, id: id)
  }

  private static func checkSignature(
    _ text: ArraySlice<UInt8>, of signed: [UInt8], by key: Key
  ) throws(TokenFault) {
    guard !text.isEmpty else { throw .signatureMissing }
    let signature = try decode(text, .signature)
    guard signature.count == key.key.signatureLength else {
      throw .signatureLength(signature.count, expected: key.key.signatureLength)
    }
    guard key.key.verifies(signature, of: signed) else { throw .signatureWrong }
  }

  // MARK: The claims

  private func checkNames(_ payload: JSONObject, audience: JSONValue?) throws(TokenFault) {
    let found = payload["iss"]
    if let name = found?.stringValue, !name.isExactly(issuer), name.hasPrefix("https://session.firebase.google.com/") {
      throw .sessionCookie
    }
    guard let audience else { throw .audienceMissing }
    guard let name = audience.stringValue else { throw .audienceNotText }
    guard name.isExactly(project) else { throw .audience(name, expected: project) }
    guard let found else { throw .issuerMissing }
    guard let name = found.stringValue else { throw .issuerNotText }
    guard name.isExactly(issuer) else { throw .issuer(name, expected: issuer) }
    guard let subject = payload["sub"] else { throw .subjectMissing }
    guard let uid = subject.stringValue else { throw .subjectNotText }
    guard !uid.isEmpty else { throw .subjectEmpty }
    guard uid.utf16.count <= 128 else { throw .subjectTooLong(uid.utf16.count) }
    if let other = payload["user_id"], other != subject { throw .userIDDiffers }
  }

  private func checkTimes(_ payload: JSONObject, at now: Int64) throws(TokenFault) {
    let issued = try Self.time("iat", payload)
    let expires = try Self.time("exp", payload)
    let begun = try Self.time("auth_time", payload)
    guard expires >= issued else { throw .expiresBeforeIssued }
    guard Self.difference(issued, now) <= clockSkew else { throw .issuedInFuture(issued, now: now) }
    guard Self.difference(now, expires) < clockSkew else { throw .expired(expires, now: now) }
    if payload.contains("nbf") {
      let begin = try Self.time("nbf", payload)
      guard Self.difference(begin, now) <= clockSkew else { throw .notYetValid(begin, now: now) }
    }
    guard Self.difference(begun, now) <= clockSkew else { throw .authenticatedInFuture }
    guard begun <= issued else { throw .authenticatedAfterIssued }
    guard Self.difference(expires, issued) <= ProviderClaims.lifetime else {
      throw .livesTooLong(Self.difference(expires, issued))
    }
  }

  private func checkSession(_ payload: JSONObject) throws(TokenFault) {
    guard let firebase = payload["firebase"]?.objectValue else { throw .firebaseMissing }
    guard firebase["sign_in_provider"]?.stringValue != nil else { throw .signInProviderMissing }
    guard let tenant else { return }
    let found = firebase["tenant"]?.stringValue
    guard let found, found.utf8.elementsEqual(tenant.utf8) else { throw .tenant(found: found, expected: tenant) }
  }

  private static func time(_ name: String, _ payload: JSONObject) throws(TokenFault) -> Int64 {
    switch payload[name] {
    case nil: throw .timeMissing(name)
    case .int(let seconds): return seconds
    case .double(let seconds):
      guard let whole = Int64(exactly: seconds) else { throw .timeNotWhole(name) }
      return whole
    default: throw .timeNotWhole(name)
    }
  }

  /// At the ends of the numbers, the end.
  private static func difference(_ left: Int64, _ right: Int64) -> Int64 {
    let (difference, overflow) = left.subtractingReportingOverflow(right)
    return overflow ? (left < right ? .min : .max) : difference
  }
}
