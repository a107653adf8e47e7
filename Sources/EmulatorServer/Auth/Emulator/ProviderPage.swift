import Identity
import JSON

/// The page that stands for every identity provider when an app opens one in a browser: who signs in is chosen from
/// those who did before, or made up.
enum ProviderPage {
  static let routes: [AuthRoute] = [
    AuthRoute("GET", "/emulator/auth/handler", .open, needsAuth: false, reply: choose),
    AuthRoute("GET", "/emulator/auth/finish", .open, needsAuth: false, reply: finish),
    AuthRoute("GET", "/emulator/auth/iframe", .open, needsAuth: false, reply: ProviderRelay.iframe),
  ]

  /// What an SDK said when it opened the page.
  private struct Visit {
    let providerID: String
    let apiKey: String
    let call: AuthCall
    var tenant: String? { call.query("tenantId") ?? call.query("tid") }

    init?(_ call: AuthCall) {
      guard let key = call.query("apiKey"), let provider = call.query("providerId") else { return nil }
      apiKey = key
      providerID = provider
      self.call = call
    }
  }

  private static func needsMore(_ call: AuthCall) -> HTTPResponse {
    let error = "missing apiKey or providerId query parameters"
    if call.request.wantsPage { return HTMLPage("Sign in", HTMLPage.paragraph(error)).reply(status: 400) }
    return HTTPResponse(status: 400, json: ["authEmulator": ["error": .string(error)]])
  }

  // MARK: Who is it?

  /// How many people are offered.
  private static let mostPeople = 100

  private static func choose(_ call: AuthCall) throws(IdentityError) -> HTTPResponse {
    guard let visit = Visit(call) else { return needsMore(call) }
    let server = try call.project.server(visit.tenant)
    var people: [LinkedProvider] = []
    for account in try server.admin.accounts(limit: 10_000) {
      if let known = account.provider(visit.providerID), people.count < mostPeople { people.append(known) }
    }
    let hidden = call.fields.map { HTMLPage.hidden($0.name, $0.value) }.joined(separator: "\n")
    var content = HTMLPage.paragraph("This page stands for \(visit.providerID). Nobody real is asked.")
    if !people.isEmpty {
      content +=
        "\n<h2>Who was here before</h2>\n<form method=\"get\" action=\"/emulator/auth/finish\">\n\(hidden)\n<ul>\n"
      for person in people {
        let name = person.displayName ?? person.email ?? person.rawID
        content += "<li><button name=\"chosen\" value=\"\(Encoded.html(person.rawID))\">\(Encoded.html(name))"
        if let email = person.email, person.displayName != nil { content += "<small>\(Encoded.html(email))</small>" }
        content += "</button></li>\n"
      }
      content += "</ul>\n</form>"
    }
    content += """

      <h2>Somebody new</h2>
      <form method="get" action="/emulator/auth/finish">
      \(hidden)
      \(HTMLPage.field("E-mail (may be empty)", "newEmail", type: "email", "autocomplete=\"off\""))
      \(HTMLPage.field("Name (may be empty)", "newName", "autocomplete=\"off\""))
      \(HTMLPage.field("Screen name (may be empty)", "newScreenName", "autocomplete=\"off\""))
      \(HTMLPage.field("Address of a picture (may be empty)", "newPicture", type: "url", "autocomplete=\"off\""))
      <button>Sign in</button>
      </form>
      """
    return HTMLPage("Sign in with \(visit.providerID)", content).reply()
  }

  // MARK: Back to the app

  private static func finish(_ call: AuthCall) throws(IdentityError) -> HTTPResponse {
    guard let visit = Visit(call) else { return needsMore(call) }
    let server = try call.project.server(visit.tenant)
    let response = response(of: try claims(visit, server), visit)
    if call.query("ibi") != nil { return phone(response, visit) }
    guard let appName = call.query("appName") else {
      return HTMLPage(
        "Sign in", HTMLPage.paragraph("The app did not say its name (appName), so there is no way back to it.")
      ).reply(status: 400)
    }
    return ProviderRelay.web(response, appName: appName, call, nonce: server.randomText(22))
  }

  /// What the provider would put into its token.
  private static func claims(_ visit: Visit, _ server: AuthServer) throws(IdentityError) -> JSONObject {
    let call = visit.call
    if let id = call.query("chosen"),
      let account = try server.admin.account(for: .provider(visit.providerID, id, visit.tenant)),
      let known = account.provider(visit.providerID)
    {
      return claims(
        id, email: known.email, name: known.displayName, screenName: nil, picture: known.photoURL)
    }
    return claims(
      server.randomText(21), email: call.query("newEmail"), name: call.query("newName"),
      screenName: call.query("newScreenName"), picture: call.query("newPicture"))
  }

  private static func claims(
    _ id: String, email: String?, name: String?, screenName: String?, picture: String?
  ) -> JSONObject {
    var claims: JSONObject = ["sub": .string(id), "iss": "", "aud": "", "exp": 0, "iat": 0]
    claims["name"] = name.map(JSONValue.string)
    claims["screen_name"] = screenName.map(JSONValue.string)
    claims["email"] = email.map(JSONValue.string)
    if email != nil { claims["email_verified"] = true }
    claims["picture"] = picture.map(JSONValue.string)
    return claims
  }

  /// The address to which a provider would go back.
  private static func response(of claims: JSONObject, _ visit: Visit) -> String {
    var fields = [("providerId", visit.providerID)]
    if visit.providerID.hasPrefix("saml.") {
      let name = claims["email"] ?? claims["sub"] ?? ""
      let assertion: JSONObject = ["assertion": ["subject": ["nameId": name]]]
      fields.append(("SAMLResponse", assertion.serialized()))
    } else {
      fields.append(("id_token", claims.serialized()))
    }
    return WebAddress.adding(fields, to: visit.call.base + "/emulator/auth/handler")
  }

  /// To an app on an iPhone, by the address that belongs to it.
  private static func phone(_ response: String, _ visit: Visit) -> HTTPResponse {
    let call = visit.call
    let scheme: String
    if let client = call.query("clientId") {
      scheme = client.split(separator: ".").reversed().joined(separator: ".")
    } else if let app = call.query("appId") {
      scheme = "app-" + app.split(separator: ":").joined(separator: "-")
    } else {
      scheme = ""
    }
    let isScheme = scheme.utf8.first.map { (0x61...0x7A).contains($0 | 0x20) } ?? false
    guard isScheme, WebAddress(scheme + "://firebaseauth")?.isSafeToVisit == true else {
      return HTMLPage(
        "Sign in", HTMLPage.paragraph("The app gave neither clientId nor appId, so there is no way back to it.")
      ).reply(status: 400)
    }
    let link = WebAddress.adding(
      [
        ("authType", call.query("authType") ?? "signInWithRedirect"), ("eventId", call.query("eventId") ?? ""),
        ("link", response),
      ], to: call.base + "/__/auth/callback")
    return HTTPResponse(redirectingTo: WebAddress.adding([("deep_link_id", link)], to: scheme + "://firebaseauth/link"))
  }
}
