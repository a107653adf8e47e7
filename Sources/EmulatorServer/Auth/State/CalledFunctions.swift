import Identity
import JSON

/// Blocking functions that are asked over HTTP, as Firebase asks them: with an unsigned token about the account.
struct CalledFunctions: BlockingFunctions {
  let project: String
  let tenant: String?
  let triggers: [BlockingEvent.Kind: String]
  let caller: any FunctionCaller

  /// Seconds that a function has, as in production.
  static let timeout = 60

  func handles(_ kind: BlockingEvent.Kind) -> Bool { triggers[kind] != nil }

  func answer(_ event: BlockingEvent) throws(IdentityError) -> BlockingVerdict {
    guard let url = triggers[event.kind] else { return BlockingVerdict() }
    let request: JSONObject = ["data": ["jwt": .string(UnsignedToken.encode(payload(event, url)))]]
    guard let (status, body) = caller.post(url, json: Array(request.serialized().utf8), timeout: Self.timeout) else {
      throw failure("Failed to make request to \(url).")
    }
    let limits = JSONLimits(maxDepth: 100, maxBytes: 1 << 20, duplicateKeys: .lastWins)
    let value = try? JSONValue(parsing: body, limits: limits)
    guard (200..<300).contains(status) else {
      let error = value?["error"]
      throw failure(
        "HTTP Cloud Function returned error. Code: \(status), Status: \"\(error?["status"]?.stringValue ?? "")\", "
          + "Message: \"\(error?["message"]?.stringValue ?? "")\"")
    }
    guard body.contains(where: { $0 > 0x20 }) else { return BlockingVerdict() }
    guard let object = value?.objectValue else { throw failure("Response body is not valid JSON.") }
    guard let record = object["userRecord"]?.objectValue else { return BlockingVerdict() }
    return try verdict(AuthBody(record, at: "/userRecord"), event.kind)
  }

  private func failure(_ message: String) -> IdentityError {
    IdentityError(code: "BLOCKING_FUNCTION_ERROR_RESPONSE : ((\(message)))", message: message)
  }

  /// Only what the mask names is changed.
  private func verdict(_ record: AuthBody, _ kind: BlockingEvent.Kind) throws(IdentityError) -> BlockingVerdict {
    var verdict = BlockingVerdict()
    let mask = try record.text("updateMask") ?? ""
    for field in mask.split(separator: ",").map({ $0.trimmed }) {
      switch field {
      case "displayName": verdict.displayName = .some(try record.text("displayName"))
      case "photoUrl": verdict.photoURL = .some(try record.text("photoUrl"))
      case "disabled": verdict.isDisabled = try record.flag("disabled") ?? false
      case "emailVerified": verdict.emailVerified = try record.flag("emailVerified") ?? false
      case "customClaims": verdict.customClaims = try record.part("customClaims")?.object ?? [:]
      case "sessionClaims":
        guard kind == .beforeSignIn else { continue }
        verdict.sessionClaims = try record.part("sessionClaims")?.object ?? [:]
      default: continue
      }
    }
    return verdict
  }

  private func payload(_ event: BlockingEvent, _ url: String) -> JSONObject {
    let account = event.account
    var payload: JSONObject = [
      "iss": .string("https://securetoken.google.com/" + project), "aud": .string(url), "iat": .int(event.time),
      "exp": .int(event.time + 3600), "event_id": .string("\(account.uid)-\(event.kind.rawValue)-\(event.time)"),
      "event_type": .string(event.kind.rawValue), "user_agent": "rules-test",
      "ip_address": "127.0.0.1", "locale": "en", "sub": .string(account.uid),
      "sign_in_method": .string(event.session.signInProvider), "user_record": .object(record(account)),
    ]
    payload["tenant_id"] = tenant.map(JSONValue.string)
    payload["sign_in_second_factor"] = (event.session.secondFactor?.kind.rawValue).map(JSONValue.string)
    payload["sign_in_attributes"] = event.session.attributes.map(JSONValue.object)
    payload["raw_user_info"] = event.profile.map { .string($0.serialized()) }
    return payload
  }

  private func record(_ account: Account) -> JSONObject {
    var record: JSONObject = ["uid": .string(account.uid)]
    record["email"] = account.email.map(JSONValue.string)
    record["email_verified"] = .bool(account.emailVerified)
    record["display_name"] = account.displayName.map(JSONValue.string)
    record["photo_url"] = account.photoURL.map(JSONValue.string)
    record["phone_number"] = account.phoneNumber.map(JSONValue.string)
    record["disabled"] = .bool(account.isDisabled)
    record["metadata"] = [
      "creation_time": .int(account.createdAt / 1000), "last_sign_in_time": .int(account.lastLoginAt / 1000),
    ]
    record["provider_data"] = .array(
      account.providers.map { provider in
        var data: JSONObject = ["provider_id": .string(provider.id), "uid": .string(provider.rawID)]
        data["email"] = provider.email.map(JSONValue.string)
        data["display_name"] = provider.displayName.map(JSONValue.string)
        data["photo_url"] = provider.photoURL.map(JSONValue.string)
        if provider.id == ProviderID.phone { data["phone_number"] = .string(provider.rawID) }
        return .object(data)
      })
    if !account.customClaims.isEmpty { record["custom_claims"] = .object(account.customClaims) }
    record["tenant_id"] = account.tenant.map(JSONValue.string)
    record["tokens_valid_after_time"] = .int(account.validSince)
    return record
  }
}

extension Substring {
  fileprivate var trimmed: String {
    var text = drop { $0 == " " }
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
