import Identity
import JSON

enum TokenProperties {
  static func check(_ bytes: [UInt8]) throws(BrokenProperty) {
    try checkText(String(decoding: bytes, as: UTF8.self))
    // As the payload of a token, which random bytes hardly ever are.
    if case .success(let value) = JSONProperties.parsed(bytes, JSONLimits(duplicateKeys: .lastWins)), let object = value.objectValue {
      try checkText(UnsignedToken.encode(object), payload: object)
    }
  }

  private static func checkText(_ text: String, payload: JSONObject? = nil) throws(BrokenProperty) {
    let decoded: JSONObject
    do throws(IdentityError) {
      decoded = try UnsignedToken.decode(text)
    } catch {
      try require(payload == nil || (try? JSONValue.object(payload ?? [:]).strictlySerialized()) == nil, "an encoded token is refused: \(error)")
      return try require(error.code == "INVALID_ID_TOKEN" && !error.message.isEmpty, "another error: \(error)")
    }
    let finite = (try? JSONValue.object(payload ?? decoded).strictlySerialized()) != nil
    if let payload, finite { try require(JSONValue.object(decoded) == .object(payload), "the payload changes on its way") }
    guard payload == nil, finite else { return }
    try checkText(UnsignedToken.encode(decoded), payload: decoded)
  }
}
