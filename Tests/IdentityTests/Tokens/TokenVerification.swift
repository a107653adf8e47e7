@testable import Identity
import JSON
import Testing

/// Tokens that are refused, each for its own reason.
@Suite("Token verification")
struct TokenVerification {
  static let now: Int64 = 1_767_225_600
  static let validity = now - 86_400...now + 86_400
  // Making keys takes a while: they are made once.
  static let key = try? SigningKey(validity: validity)
  static let other = try? SigningKey(validity: validity)
  static let expired = try? SigningKey(validity: now - 86_400...now - 1)
  static let young = try? SigningKey(validity: now + 1...now + 86_400)
  static let short = RSAKey.generate(bits: 1024).flatMap { key in
    Certificate.selfSigned(key, commonName: "short", serial: 1, validity: validity)?.pem.map { ($0, key) }
  }

  static var certificates: JSONObject {
    var all = JSONObject()
    for key in [key, expired, young] { if let key { all[key.keyID] = .string(key.certificatePEM) } }
    all["broken"] = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"
    all["text"] = "hello"
    all["short"] = (short?.0).map(JSONValue.string)
    all["elliptic"] = .string(ellipticCertificate)
    return all
  }

  static func payload(_ change: (inout JSONObject) -> Void = { _ in }) -> JSONObject {
    var payload: JSONObject = [
      "email": "a@b.c", "email_verified": false, "auth_time": .int(now - 60), "user_id": "U",
      "firebase": ["identities": ["email": ["a@b.c"]], "sign_in_provider": "password"], "iat": .int(now - 30),
      "exp": .int(now + 3570), "aud": "demo", "iss": "https://securetoken.google.com/demo", "sub": "U",
    ]
    change(&payload)
    return payload
  }

  static func part(_ text: String) -> String { Base64URL.encode(text.utf8) }

  /// A token with any header and payload text, signed by the first key.
  static func token(header: String, payload: String, key: RSAKey? = nil) throws -> String {
    let text = part(header) + "." + part(payload)
    let ours = try rsaKey(Self.key)
    let signature = try #require((key ?? ours).sign(Array(text.utf8)))
    return text + "." + Base64URL.encode(signature)
  }

  static func rsaKey(_ key: SigningKey?) throws -> RSAKey {
    let pem = try #require(key?.privatePEM)
    return try #require(RSAKey(privatePEM: pem))
  }

  static func header(_ change: (inout JSONObject) -> Void = { _ in }) throws -> String {
    var header: JSONObject = ["alg": "RS256", "kid": .string(try #require(key).keyID), "typ": "JWT"]
    change(&header)
    return header.serialized()
  }

  func fault(of token: String, at seconds: Int64 = now, skew: Int64 = 0, tenant: String? = nil) throws -> TokenFault? {
    var verifier = try TokenVerifier(project: "demo", certificates: Self.certificates, clockSkew: skew)
    verifier.tenant = tenant
    do throws(TokenFault) {
      _ = try verifier.verify(token, at: seconds)
      return nil
    } catch {
      return error
    }
  }

  func fault(_ change: (inout JSONObject) -> Void) throws -> TokenFault? {
    try fault(of: try Self.token(header: Self.header(), payload: Self.payload(change).serialized()))
  }

  func headerFault(_ change: (inout JSONObject) -> Void) throws -> TokenFault? {
    try fault(of: try Self.token(header: Self.header(change), payload: Self.payload().serialized()))
  }

  @Test("a good token is taken, and its payload given")
  func good() throws {
    let token = try #require(Self.key).sign(Self.payload())
    let verifier = try TokenVerifier(project: "demo", certificates: Self.certificates)
    #expect(try verifier.verify(token, at: Self.now) == Self.payload())
    #expect(try fault(of: token) == nil)
  }

  @Test("texts that are no token")
  func texts() throws {
    let good = try #require(Self.key).sign(Self.payload())
    let parts = good.split(separator: ".").map(String.init)
    #expect(try fault(of: "") == .empty)
    #expect(try fault(of: good + String(repeating: "A", count: 20_000)) == .tooLong(bytes: good.utf8.count + 20_000))
    #expect(try fault(of: good + "\n") == .whiteSpace)
    #expect(try fault(of: "Bearer " + good) == .bearerPrefix)
    #expect(try fault(of: "hello") == .parts(1))
    #expect(try fault(of: parts[0] + "." + parts[1]) == .parts(2))
    #expect(try fault(of: good + ".x") == .parts(4))
    #expect(try fault(of: "." + parts[1] + "." + parts[2]) == .emptyPart(.header))
    #expect(try fault(of: parts[0] + ".." + parts[2]) == .emptyPart(.payload))
    #expect(try fault(of: parts[0] + "." + parts[1] + ".") == .signatureMissing)
    #expect(try fault(of: String(good.dropLast(2))) == .signatureLength(255, expected: 256))
  }

  @Test(
    "parts that are no base64url, each for its own reason", arguments: [TokenFault.Part.header, .payload, .signature])
  func encoding(part: TokenFault.Part) throws {
    let good = try #require(Self.key).sign(Self.payload())
    var parts = good.split(separator: ".").map(String.init)
    let index = [TokenFault.Part.header, .payload, .signature].firstIndex(of: part) ?? 0
    let text = parts[index]
    func with(_ changed: String) -> String {
      parts[index] = changed
      return parts.joined(separator: ".")
    }
    #expect(try fault(of: with("*" + text.dropFirst())) == .character(part))
    #expect(try fault(of: with("é" + text.dropFirst())) == .character(part))
    #expect(try fault(of: with("+" + text.dropFirst())) == .standardAlphabet(part))
    #expect(try fault(of: with("/" + text.dropFirst())) == .standardAlphabet(part))
    #expect(try fault(of: with(text + "=")) == .padding(part))
    let cut = String(text.prefix(text.count - (text.count + 3) % 4))
    #expect(try fault(of: with(cut)) == .length(part))
  }

  @Test("left-over bits make another text of the same bytes, and are refused")
  func leftOverBits() throws {
    let good = try #require(Self.key).sign(Self.payload())
    // 256 bytes are 342 digits, of which the last has four bits to spare.
    let last = try #require(good.last)
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    let digit = try #require(alphabet.firstIndex(of: last))
    #expect(digit % 16 == 0)
    #expect(try fault(of: String(good.dropLast()) + String(alphabet[digit + 1])) == .leftOverBits(.signature))
    #expect(
      try fault(of: "e30B.e30.e30") == .notJSON(
        .header, "line 1, column 3: expected the end of the text, found U+0001"))
    #expect(try fault(of: "e31.e30.e30") == .leftOverBits(.header))
  }

  @Test("headers and payloads that are no JSON object")
  func json() throws {
    let header = try Self.header()
    let payload = Self.payload().serialized()
    #expect(try fault(of: "gICA." + Self.part(payload) + ".AA") == .notUTF8(.header))
    #expect(try fault(of: Self.part(header) + ".gICA.AA") == .notUTF8(.payload))
    #expect(try fault(of: Self.token(header: "[]", payload: payload)) == .notAnObject(.header, found: "an array"))
    #expect(try fault(of: Self.token(header: header, payload: "3")) == .notAnObject(.payload, found: "an integer"))
    guard case .notJSON(.header, _) = try fault(of: Self.token(header: "{alg}", payload: payload)) else {
      Issue.record("header")
      return
    }
    guard case .notJSON(.payload, _) = try fault(of: Self.token(header: header, payload: payload + "}")) else {
      Issue.record("payload")
      return
    }
    let deep = String(repeating: "[", count: 500) + String(repeating: "]", count: 500)
    #expect(try fault(of: Self.token(header: header, payload: "{\"x\":\(deep)}")) == .tooDeep(.payload))
    #expect(
      try fault(
        of: Self.token(header: String(header.dropLast())
          + ",\"alg\":\"RS256\"}", payload: payload)) == .duplicateName(.header))
    #expect(
      try fault(
        of: Self.token(header: header, payload: String(payload.dropLast())
          + ",\"sub\":\"root\"}")) == .duplicateName(.payload))
  }

  @Test("algorithms and headers that are not taken")
  func headers() throws {
    #expect(try headerFault({ $0["alg"] = nil }) == .algorithmMissing)
    #expect(try headerFault({ $0["alg"] = 256 }) == .algorithmNotText)
    for none in ["none", "None", "NONE", "nOnE"] {
      #expect(try headerFault({ $0["alg"] = .string(none) }) == .unsigned)
    }
    #expect(try fault(of: UnsignedToken.encode(Self.payload())) == .unsigned)
    for other in ["RS384", "RS512", "PS256", "ES256", "EdDSA", "rs256", "RS256 ", ""] {
      #expect(try headerFault({ $0["alg"] = .string(other) }) == .otherAlgorithm(other))
    }
    #expect(try headerFault({ $0["typ"] = "at+jwt" }) == .typeNot("at+jwt"))
    #expect(try headerFault({ $0["typ"] = 1 }) == .typeNot("an integer"))
    #expect(try headerFault({ $0["typ"] = nil }) == nil)
    #expect(try headerFault({ $0["crit"] = ["exp"] }) == .critical)
    for name in ["jwk", "jku", "x5u", "x5c"] { #expect(try headerFault({ $0[name] = "x" }) == .embeddedKey(name)) }
    #expect(try headerFault({ $0["kid"] = nil }) == .keyIDMissing)
    #expect(try headerFault({ $0["kid"] = 7 }) == .keyIDNotText)
    #expect(try headerFault({ $0["kid"] = "" }) == .keyUnknown(""))
    #expect(try headerFault({ $0["kid"] = "nobody" }) == .keyUnknown("nobody"))
  }

  @Test("a public key is no shared secret: HS256 over the certificate is refused")
  func swapped() throws {
    let key = try #require(Self.key)
    for algorithm in ["HS256", "HS384", "hs256"] {
      let text = Self.part("{\"alg\":\"\(algorithm)\",\"kid\":\"\(key.keyID)\"}") + "." + Self.part(
        Self.payload().serialized())
      let code = LibCrypto.hmac(.sha256, key: Array(key.certificatePEM.utf8), Array(text.utf8))
      #expect(try fault(of: text + "." + Base64URL.encode(code)) == .symmetric(algorithm))
    }
  }

  @Test("signatures and certificates that are not taken")
  func signatures() throws {
    let key = try #require(Self.key)
    let good = try key.sign(Self.payload())
    let parts = good.split(separator: ".").map(String.init)
    // Somebody else's key under the id of ours.
    let forger = try Self.rsaKey(Self.other)
    #expect(
      try fault(
        of: Self.token(header: Self.header(), payload: Self.payload().serialized(), key: forger)) == .signatureWrong)
    #expect(try fault(of: try #require(Self.other).sign(Self.payload())) == .keyUnknown(try #require(Self.other).keyID))
    // Another payload under a good signature, and another header.
    let changed = Self.part(Self.payload { $0["sub"] = "root"; $0["user_id"] = "root" }.serialized())
    #expect(try fault(of: parts[0] + "." + changed + "." + parts[2]) == .signatureWrong)
    #expect(
      try fault(of: Self.part(try Self.header { $0["x"] = 1 }) + "." + parts[1] + "." + parts[2]) == .signatureWrong)
    #expect(try fault(of: parts[0] + "." + parts[1] + "." + String(repeating: "A", count: 342)) == .signatureWrong)
    #expect(try fault(of: parts[0] + "." + parts[1] + ".AAAA") == .signatureLength(3, expected: 256))
    #expect(try fault(of: parts[0] + "." + parts[1] + "." + parts[2] + "AA") == .signatureLength(258, expected: 256))

    #expect(try headerFault({ $0["kid"] = "broken" }) == .certificateUnreadable("broken"))
    #expect(try headerFault({ $0["kid"] = "text" }) == .certificateUnreadable("text"))
    #expect(try headerFault({ $0["kid"] = "elliptic" }) == .keyNotRSA("elliptic"))
    #expect(try headerFault({ $0["kid"] = "short" }) == .keyTooShort("short", bits: 1024))
    let expired = try #require(Self.expired)
    #expect(try fault(of: expired.sign(Self.payload())) == .certificateExpired(expired.keyID))
    let young = try #require(Self.young)
    #expect(try fault(of: young.sign(Self.payload())) == .certificateNotYetValid(young.keyID))
  }

  @Test("tokens that are for somebody or something else")
  func names() throws {
    #expect(try fault { $0["aud"] = .string(CustomToken.audience) } == .customToken)
    #expect(try fault(of: UnsignedToken.encode(["aud": .string(CustomToken.audience)])) == .customToken)
    #expect(try fault { $0["iss"] = "https://session.firebase.google.com/demo" } == .sessionCookie)
    #expect(try fault { $0["aud"] = nil } == .audienceMissing)
    #expect(try fault { $0["aud"] = ["demo"] } == .audienceNotText)
    #expect(try fault { $0["aud"] = "other" } == .audience("other", expected: "demo"))
    #expect(try fault { $0["iss"] = nil } == .issuerMissing)
    #expect(try fault { $0["iss"] = 1 } == .issuerNotText)
    for issuer in [
      "https://securetoken.google.com/other", "http://securetoken.google.com/demo",
      "https://securetoken.google.com/demo/", "demo", "",
    ] {
      #expect(
        try fault { $0["iss"] = .string(issuer) } == .issuer(issuer, expected: "https://securetoken.google.com/demo"))
    }
    #expect(try fault { $0["sub"] = nil } == .subjectMissing)
    #expect(try fault { $0["sub"] = 5 } == .subjectNotText)
    #expect(try fault { $0["sub"] = nil; $0["user_id"] = "U" } == .subjectMissing)
    #expect(try fault { $0["sub"] = "" } == .subjectEmpty)
    #expect(try fault { $0["sub"] = .string(String(repeating: "u", count: 129)) } == .subjectTooLong(129))
    #expect(try fault { $0["user_id"] = "V" } == .userIDDiffers)
  }

  @Test("times that cannot be")
  func times() throws {
    for name in ["iat", "exp", "auth_time"] {
      #expect(try fault { $0[name] = nil } == .timeMissing(name))
      #expect(try fault { $0[name] = "1767225600" } == .timeNotWhole(name))
      #expect(try fault { $0[name] = 1767225600.5 } == .timeNotWhole(name))
      #expect(try fault { $0[name] = .null } == .timeNotWhole(name))
    }
    let now = Self.now
    #expect(try fault { $0["iat"] = .int(now + 1); $0["exp"] = .int(now + 3601) } == .issuedInFuture(now + 1, now: now))
    #expect(
      try fault { $0["exp"] = .int(now); $0["iat"] = .int(now - 3600); $0["auth_time"] = .int(now - 3600) } == .expired(now, now: now))
    #expect(
      try fault { $0["exp"] = .int(now + 1); $0["iat"] = .int(now - 3599); $0["auth_time"] = .int(now - 3599) } == nil)
    #expect(try fault { $0["exp"] = .int(now - 31) } == .expiresBeforeIssued)
    #expect(try fault { $0["exp"] = .int(now + 3571) } == .livesTooLong(3601))
    #expect(try fault { $0["exp"] = .int(.max) } == .livesTooLong(.max - now + 30))
    #expect(try fault { $0["iat"] = .int(.min) } == .authenticatedAfterIssued)
    #expect(try fault { $0["nbf"] = .int(now + 1) } == .notYetValid(now + 1, now: now))
    #expect(try fault { $0["nbf"] = "x" } == .timeNotWhole("nbf"))
    #expect(try fault { $0["auth_time"] = .int(now + 1) } == .authenticatedInFuture)
    #expect(try fault { $0["auth_time"] = .int(now - 29) } == .authenticatedAfterIssued)
  }

  @Test("clocks may differ by what is allowed, no second more")
  func skew() throws {
    let token = try #require(Self.key).sign(Self.payload())
    #expect(try fault(of: token, at: Self.now - 30 - 60, skew: 60) == nil)
    #expect(
      try fault(of: token, at: Self.now - 30 - 61, skew: 60) == .issuedInFuture(Self.now - 30, now: Self.now - 91))
    #expect(try fault(of: token, at: Self.now + 3570 + 59, skew: 60) == nil)
    #expect(try fault(of: token, at: Self.now + 3570 + 60, skew: 60) == .expired(Self.now + 3570, now: Self.now + 3630))
    for skew in [-1, 61] as [Int64] {
      #expect(throws: IdentityError.self) { try TokenVerifier(project: "demo", certificates: [:], clockSkew: skew) }
    }
    #expect(throws: IdentityError.self) { try TokenVerifier(project: "", certificates: [:]) }
    #expect(throws: IdentityError.self) { try TokenVerifier(project: "demo", certificates: ["k": 1]) }
  }

  @Test("sessions that say nothing, and those of another tenant")
  func sessions() throws {
    #expect(try fault { $0["firebase"] = nil } == .firebaseMissing)
    #expect(try fault { $0["firebase"] = "password" } == .firebaseMissing)
    #expect(try fault { $0["firebase"] = ["identities": [:]] } == .signInProviderMissing)
    let plain = try #require(Self.key).sign(Self.payload())
    #expect(try fault(of: plain, tenant: "t") == .tenant(found: nil, expected: "t"))
    let ofTenant = try #require(Self.key).sign(
      Self.payload { $0["firebase"] = ["identities": [:], "sign_in_provider": "password", "tenant": "u"] })
    #expect(try fault(of: ofTenant, tenant: "t") == .tenant(found: "u", expected: "t"))
    #expect(try fault(of: ofTenant, tenant: "u") == nil)
  }

  @Test("the account: gone, disabled, revoked by iat as in Python or by auth_time as in Node")
  func accounts() throws {
    let world = World { $0.tokens = .signed }
    let device = try world.signedUp()
    let uid = try device.uid
    let token = try #require(device.heldToken)
    var verifier = try TokenVerifier(project: "demo", certificates: world.server.keys.certificates)
    func accountFault() -> TokenFault? {
      do throws(TokenFault) {
        _ = try verifier.verify(token, at: world.now) { try? world.admin.account($0) }
        return nil
      } catch {
        return error
      }
    }
    #expect(accountFault() == nil)
    try world.admin.setDisabled(true, uid)
    #expect(accountFault() == .userDisabled)
    try world.admin.setDisabled(false, uid)
    // In whole seconds: what was issued in the second of the revocation passes.
    try world.admin.revokeRefreshTokens(of: uid)
    #expect(accountFault() == nil)
    world.clock.advance(seconds: 1)
    try world.admin.revokeRefreshTokens(of: uid)
    #expect(accountFault() == .revoked)
    verifier.revocationRule = .authTime
    #expect(accountFault() == .revoked)
    try world.admin.delete(uid)
    #expect(accountFault() == .userNotFound)
  }

  @Test("codes are those of the server")
  func codes() {
    #expect(TokenFault.expired(1, now: 2).error.clientCode == .userTokenExpired)
    #expect(TokenFault.revoked.error.clientCode == .userTokenExpired)
    #expect(TokenFault.userDisabled.error.clientCode == .userDisabled)
    #expect(TokenFault.userNotFound.error.clientCode == .userNotFound)
    #expect(TokenFault.signatureWrong.error.clientCode == .invalidUserToken)
  }

  /// A self-signed certificate of a P-256 key, made by `openssl req -x509 -newkey ec`.
  static let ellipticCertificate = """
    -----BEGIN CERTIFICATE-----
    MIIBfTCCASOgAwIBAgIUcrj+GqfuAeIJlZB2v8SzphgqLv0wCgYIKoZIzj0EAwIw
    EzERMA8GA1UEAwwIZWxsaXB0aWMwIBcNMjYxMTMwMTkyMDE4WhgPMjEyNjExMDYx
    OTIwMThaMBMxETAPBgNVBAMMCGVsbGlwdGljMFkwEwYHKoZIzj0CAQYIKoZIzj0D
    AQcDQgAEcf3Hec6nGAxSqvY0u7PRN87Yy+JsIJoMn402IsV5mBa0jhU7zw7DO4ey
    q94586FLp7JjdukiP2E00VXypmM+GKNTMFEwHQYDVR0OBBYEFIUkDpdq58H+qgcl
    xxka7bm96lvoMB8GA1UdIwQYMBaAFIUkDpdq58H+qgclxxka7bm96lvoMA8GA1Ud
    EwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDSAAwRQIhAKeNOlhkq5J9RhE2ps9vF0QJ
    DoxVABhBhh1Nue2t9ejiAiAFiFNn+TRXh68x6PaTkq3NgVNZX+9GFknrLLaKEBjt
    6A==
    -----END CERTIFICATE-----
    """
}
