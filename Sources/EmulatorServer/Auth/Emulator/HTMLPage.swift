/// A page for a person: plain HTML that works without scripts, with a keyboard, and read aloud.
struct HTMLPage {
  let title: String
  /// HTML; every text from elsewhere in it is escaped.
  var content: String
  /// Run with the nonce, after the content.
  var script: (code: String, nonce: String)?

  init(_ title: String, _ content: String) {
    self.title = title
    self.content = content
  }

  private static let style = """
    :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
    body { margin: 0; padding: 1.5rem; display: flex; justify-content: center; }
    main { width: 100%; max-width: 28rem; }
    h1 { font-size: 1.4rem; margin: 0 0 .5rem; }
    h2 { font-size: 1.1rem; margin: 1.5rem 0 .5rem; }
    label { display: block; margin: .75rem 0 .25rem; }
    input[type=text], input[type=email], input[type=url], input[type=password] {
      box-sizing: border-box; width: 100%; padding: .5rem; font: inherit;
      border: 1px solid #767676; border-radius: .25rem;
    }
    button {
      font: inherit; padding: .5rem 1rem; margin-top: 1rem; cursor: pointer;
      border: 1px solid #767676; border-radius: .25rem;
    }
    ul { list-style: none; margin: 0; padding: 0; }
    li button { width: 100%; text-align: left; margin-top: .5rem; overflow-wrap: anywhere; }
    small { display: block; }
    .note { border-left: .25rem solid #b06000; padding-left: .75rem; }
    """

  var text: String {
    var text = """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>\(Encoded.html(title))</title>
      <style>
      \(Self.style)
      </style>
      </head>
      <body>
      <main>
      <h1>\(Encoded.html(title))</h1>
      \(content)
      </main>

      """
    if let script { text += "<script nonce=\"\(Encoded.html(script.nonce))\">\n\(script.code)\n</script>\n" }
    return text + "</body>\n</html>\n"
  }

  func reply(status: Int = 200) -> HTTPResponse {
    HTTPResponse(status: status, html: text, scripts: script.map { "'nonce-\($0.nonce)'" } ?? "'none'")
  }

  static func paragraph(_ text: String) -> String { "<p>\(Encoded.html(text))</p>" }

  /// A field of a form that is not shown.
  static func hidden(_ name: String, _ value: String) -> String {
    "<input type=\"hidden\" name=\"\(Encoded.html(name))\" value=\"\(Encoded.html(value))\">"
  }

  static func field(_ label: String, _ name: String, type: String = "text", _ attributes: String = "") -> String {
    "<label for=\"\(name)\">\(Encoded.html(label))</label>\n"
      + "<input type=\"\(type)\" id=\"\(name)\" name=\"\(name)\"\(attributes.isEmpty ? "" : " " + attributes)>"
  }
}
