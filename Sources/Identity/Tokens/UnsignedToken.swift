import JSON

/// The emulators' ID token: a JSON Web Token that nobody signed, `header.payload.` with an empty third
/// part. It proves nothing and must never be taken for a production token.
public struct UnsignedToken {
  /// The longest token that is read, in bytes. Real ones have one or two thousand.
  public static let maxBytes = 1 << 20

  /// How deep the claims may be nested. (The official emulator was seen to take 300 levels.)
  static let maxDepth = 400

  /// The token with this payload, under the header `{"alg":"none","typ":"JWT"}`.
  public static func encode(_ payload: JSONObject) -> String {
    Base64URL.encode("{\"alg\":\"none\",\"typ\":\"JWT\"}".utf8) + "." + Base64URL.encode(payload.serialized().utf8)
      + "."
  }

  /// The payload of a token, as the official Firestore emulator takes it (observed on 1.19.9): three
  /// parts in base64url, padded or not; header and payload each a JSON object. What the header says
  /// does not matter (`{"alg":"none","type":"JWT"}`, a signed token), nor does the signature, nor when
  /// the token expired; of a claim that is given twice the last value counts.
  ///
  /// Stricter than the emulator in two points that no client makes use of: the JSON must be JSON
  /// (the emulator takes `{sub:'u1'}`) and valid UTF-8.
  /// - Throws: `INVALID_ID_TOKEN`.
  public static func decode(_ text: String) throws(IdentityError) -> JSONObject {
    guard text.utf8.count <= maxBytes else {
      throw invalid("the token has \(text.utf8.count) bytes; at most \(maxBytes) are read")
    }
    let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 3 else {
      throw invalid(
        "a token has three parts, header.payload.signature, found \(parts.count); "
          + "the second dot stays when the signature is empty")
    }
    guard Base64URL.decode(parts[2]) != nil else { throw invalid("the signature is not base64url") }
    _ = try object(in: parts[0], named: "header")
    return try object(in: parts[1], named: "payload")
  }

  private static func object(in part: Substring.UTF8View, named name: String) throws(IdentityError) -> JSONObject {
    guard let bytes = Base64URL.decode(part) else { throw invalid("the \(name) is not base64url") }
    let value: JSONValue
    do {
      value = try JSONValue(
        parsing: bytes, limits: JSONLimits(maxDepth: maxDepth, maxBytes: maxBytes, duplicateKeys: .lastWins))
    } catch {
      throw invalid("the \(name) is not JSON: \(error)")
    }
    guard let object = value.objectValue else { throw invalid("the \(name) is \(value.kind); expected an object") }
    return object
  }

  private static func invalid(_ message: String) -> IdentityError {
    IdentityError(code: "INVALID_ID_TOKEN", message: "invalid jwt: " + message)
  }
}
