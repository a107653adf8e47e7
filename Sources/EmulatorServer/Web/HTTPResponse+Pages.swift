import JSON

extension HTTPResponse {
  /// A page. It may show styles of its own, and run the one script that carries the nonce.
  init(status: Int = 200, html: String, scripts: String = "'none'", frames: String = "'none'") {
    self.init(
      status: status,
      headers: HTTPHeaders([
        ("Content-Type", "text/html; charset=utf-8"), ("Cache-Control", "no-store"),
        ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
        (
          "Content-Security-Policy",
          "default-src 'none'; style-src 'unsafe-inline'; img-src http: https: data:; script-src \(scripts); "
            + "frame-src \(frames); base-uri 'none'"
        ),
      ]),
      body: .bytes(Array(html.utf8)))
  }

  /// On to another address.
  init(redirectingTo address: String) {
    self.init(status: 303, headers: HTTPHeaders([("Location", address), ("Cache-Control", "no-store")]))
  }
}
