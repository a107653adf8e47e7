import JSON

/// What is answered. Length, connection and cross-origin headers are the HTTP server's to add.
public struct AuthReply: Sendable {
  public var status = 200
  public var headers: [(name: String, value: String)]
  public var body: [UInt8]

  /// Indented by two, as the official emulator writes it.
  init(status: Int = 200, json: JSONObject) {
    self.status = status
    headers = [("Content-Type", "application/json; charset=utf-8")]
    body = Array(json.serialized(pretty: true).utf8)
  }

  /// A page. It may show styles of its own, and run the one script that carries the nonce.
  init(status: Int = 200, html: String, scripts: String = "'none'", frames: String = "'none'") {
    self.status = status
    headers = [
      ("Content-Type", "text/html; charset=utf-8"), ("Cache-Control", "no-store"),
      ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
      (
        "Content-Security-Policy",
        "default-src 'none'; style-src 'unsafe-inline'; img-src http: https: data:; script-src \(scripts); "
          + "frame-src \(frames); base-uri 'none'"
      ),
    ]
    body = Array(html.utf8)
  }

  /// On to another address.
  init(redirectingTo address: String) {
    status = 303
    headers = [("Location", address), ("Cache-Control", "no-store")]
    body = []
  }
}
