import Foundation
import Identity
import JSON
import Testing

@Suite("Unsigned tokens")
struct UnsignedTokens {
  @Test("a token is the header, the payload, and nothing after the second dot")
  func encoding() {
    // {"alg":"none","typ":"JWT"} and {"sub":"u1"} in base64url, by coreutils' basenc.
    #expect(UnsignedToken.encode(["sub": "u1"]) == "eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0.eyJzdWIiOiJ1MSJ9.")
  }

  @Test("what is encoded is decoded, whatever its length and characters", arguments: 0...64)
  func roundTrip(length: Int) throws {
    let payload: JSONObject = [
      "sub": .string(String(String(repeating: "?>~ÿ€😀", count: 12).prefix(length))), "n": 1, "d": 1.0,
    ]
    let token = UnsignedToken.encode(payload)
    let again = try UnsignedToken.decode(token)
    #expect(again == payload)
    #expect(again.keys == payload.keys)
    let part = String(token.split(separator: ".")[1]).replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
    let padded = part + String(repeating: "=", count: (4 - part.count % 4) % 4)
    #expect(Data(base64Encoded: padded) == Data(payload.serialized().utf8))
  }

  static func part(_ text: String, padded: Bool = false) -> String {
    let encoded = Data(text.utf8).base64EncodedString()
      .replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
    return padded ? encoded : encoded.replacingOccurrences(of: "=", with: "")
  }

  static let header = part("{\"alg\":\"none\",\"typ\":\"JWT\"}")
  static let body = part("{\"sub\":\"u1\",\"iat\":0,\"exp\":3600}")

  /// Each verdict was observed on the official Firestore emulator 1.19.9.
  @Test("what the emulator takes for a token is one", arguments: [
    ("alg none", "\(header).\(body)."),
    ("the header of createMockUserToken", part("{\"alg\":\"none\",\"type\":\"JWT\"}") + ".\(body)."),
    ("a signature that nobody checks", "\(header).\(body).abc"),
    ("a signed token", part("{\"alg\":\"RS256\",\"typ\":\"JWT\",\"kid\":\"x\"}") + ".\(body).c2ln"),
    ("RS256 without a signature", part("{\"alg\":\"RS256\",\"typ\":\"JWT\"}") + ".\(body)."),
    ("an empty header object", part("{}") + ".\(body)."),
    ("an unknown algorithm", part("{\"alg\":\"foo\"}") + ".\(body)."),
    ("padding by one", part("{\"alg\":\"none\",\"typ\":\"JWT\"}", padded: true) + "."
      + part("{\"sub\":\"u1\",\"x\":\"a\"}", padded: true) + "."),
    ("padding by two", header + "." + part("{\"sub\":\"u1\",\"x\":\"ab\"}", padded: true) + "."),
    ("the URL alphabet", header + "." + part("{\"sub\":\"u1\",\"x\":\"???>>>~~~\"}") + "."),
    ("an expired token", header + "." + part("{\"sub\":\"u1\",\"iat\":0,\"exp\":1}") + "."),
    ("the last of two subs", header + "." + part("{\"sub\":\"u2\",\"sub\":\"u1\"}") + "."),
    ("300 levels", header + "."
      + part("{\"sub\":\"u1\",\"x\":\(String(repeating: "[", count: 300))\(String(repeating: "]", count: 300))}")
        + "."),
  ])
  func accepted(title: String, token: String) throws {
    #expect(try UnsignedToken.decode(token)["sub"] == "u1")
  }

  @Test("what the emulator calls an invalid jwt is none", arguments: [
    ("", "a token has three parts, header.payload.signature, found 1; the second dot stays when the signature is empty"),
    ("hello", "a token has three parts, header.payload.signature, found 1; the second dot stays when the signature is empty"),
    ("\(header).\(body)", "a token has three parts, header.payload.signature, found 2; the second dot stays when the signature is empty"),
    ("\(header).\(body)..", "a token has three parts, header.payload.signature, found 4; the second dot stays when the signature is empty"),
    ("\(header).\(body).!!", "the signature is not base64url"),
    (".\(body).", "the header is not JSON: line 1, column 1: the text is empty; expected a value"),
    (part("hello")
      + ".\(body).",
      "the header is not JSON: line 1, column 1: expected a value, found hello; names and strings stand in double quotes"),
    (part("[]") + ".\(body).", "the header is an array; expected an object"),
    ("\(header)..", "the payload is not JSON: line 1, column 1: the text is empty; expected a value"),
    ("\(header)." + part("[1]") + ".", "the payload is an array; expected an object"),
    ("\(header)." + part("\"x\"") + ".", "the payload is a string; expected an object"),
    ("\(header)." + part("hello")
      + ".", "the payload is not JSON: line 1, column 1: expected a value, found hello; names and strings stand in double quotes"),
    ("\(header).!!!!.", "the payload is not base64url"),
    ("\(header)." + part("{\"sub\":\"u1\"} x")
      + ".", "the payload is not JSON: line 1, column 14: expected the end of the text, found x; names and strings stand in double quotes"),
    ("\(header).eyJzdWIiOiJ1MSIsIngiOiI/Pz8+Pj5+fn4ifQ.", "the payload is not base64url"),
    ("\(header).eyJzd.", "the payload is not base64url"),
    ("a.b.c", "the signature is not base64url"),
  ])
  func refused(token: String, message: String) {
    #expect(throws: IdentityError(code: "INVALID_ID_TOKEN", message: "invalid jwt: "
      + message)) { try UnsignedToken.decode(token) }
  }

  @Test("where the emulator is lenient and no client needs it, we are not", arguments: [
    "\(header)." + part("{sub:'u1'}") + ".",
    "\(header).eyJzdWIiOiJ1MSIsIngiOiL_In0.",
  ])
  func stricter(token: String) {
    #expect(throws: IdentityError.self) { try UnsignedToken.decode(token) }
  }

  @Test("hostile tokens give an error, never a crash", arguments: [
    "\u{0}.\u{0}.\u{0}", "é.é.é", "=.=.=", "====.====.====", "A.A.A", "\(header).====.", "..",
  ])
  func hostile(token: String) {
    #expect(throws: IdentityError.self) { try UnsignedToken.decode(token) }
  }

  @Test("huge tokens give an error, never a crash", arguments: [(".", 100_000), ("A", 2_000_000), ("A.", 1_000)])
  func huge(piece: String, count: Int) {
    let token = String(repeating: piece, count: count)
    #expect(throws: IdentityError.self) { try UnsignedToken.decode(token) }
  }

  @Test("endless nesting in a payload gives an error, never a crash", arguments: ["[", "{\"a\":"])
  func endless(opening: String) {
    let token = Self.header + "." + Self.part(String(repeating: opening, count: 50_000)) + "."
    #expect(throws: IdentityError.self) { try UnsignedToken.decode(token) }
  }

  @Test("the deepest claims that are read can be turned into request.auth on half a megabyte of stack")
  func smallStack() async {
    let nested = { (levels: Int) in String(repeating: "{\"a\":[", count: levels / 2) + "1.0"
      + String(repeating: "]}", count: levels / 2) }
    let token = { (levels: Int) in Self.header + "." + Self.part("{\"sub\":\(nested(levels - 1))}") + "." }
    #expect(throws: IdentityError.self) { try UnsignedToken.decode(token(403)) }
    let deepest = token(399)
    let survived = await withCheckedContinuation { continuation in
      let thread = Thread {
        let payload = try? UnsignedToken.decode(deepest)
        continuation.resume(returning: payload.map { ProviderClaims.requestAuth(of: $0)["uid"] == .null } ?? false)
      }
      thread.stackSize = 512 << 10
      thread.start()
    }
    #expect(survived)
  }

  @Test("damaged tokens give a payload or an error", arguments: 1...200)
  func damaged(seed: Int) {
    var state = UInt64(seed)
    var bytes = Array((Self.header + "." + Self.body + ".").utf8)
    for _ in 0..<20 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      bytes[Int(state >> 33) % bytes.count] = UInt8(truncatingIfNeeded: state >> 20)
      _ = try? UnsignedToken.decode(String(decoding: bytes, as: UTF8.self))
    }
  }
}
