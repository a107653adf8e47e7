import Identity
import JSON
import Testing

@testable import EmulatorServer

/// What emulators alone have: section 3b, the pages, the hooks for tests.
@Suite("Auth REST: emulator only")
struct EmulatorFlows {
  @Test("it is there")
  func ready() {
    #expect(Town().send("GET", "/")["authEmulator"]?["ready"] == true)
    let paths = Town().send("GET", "/emulator/openapi.json")["paths"]?.objectValue
    #expect(paths?.contains("/identitytoolkit.googleapis.com/v1/accounts:signUp") == true)
  }

  @Test("all accounts are thrown away, and what waited for them")
  func deleteAll() throws {
    let town = Town()
    let alice = try town.signUp()
    _ = town.v1("accounts:sendOobCode", ["requestType": "PASSWORD_RESET", "email": "alice@example.com"])
    _ = try town.sms()
    #expect(town.send("DELETE", "/emulator/v1/projects/demo/accounts").json == [:])
    #expect(town.v1("accounts:lookup", ["idToken": .string(try alice.string("idToken"))]).error == "USER_NOT_FOUND")
    #expect(town.send("GET", "/emulator/v1/projects/demo/oobCodes").json == ["oobCodes": []])
    #expect(town.send("GET", "/emulator/v1/projects/demo/verificationCodes").json == ["verificationCodes": []])
  }

  @Test("codes can be read until they are used")
  func codes() throws {
    let town = Town()
    try town.signUp()
    _ = town.v1("accounts:sendOobCode", ["requestType": "PASSWORD_RESET", "email": "alice@example.com"])
    let code = try town.mail("PASSWORD_RESET")
    let answer = town.send("GET", "/emulator/v1/projects/demo/oobCodes", headers: ["host": "example.test:1"])
    #expect(
      answer["oobCodes"] == [
        [
          "email": "alice@example.com", "requestType": "PASSWORD_RESET", "oobCode": .string(code),
          "oobLink": .string(
            "http://example.test:1/emulator/action?mode=resetPassword&lang=en&oobCode=\(code)&apiKey=fake-api-key"),
        ]
      ])
    let (session, sms) = try town.sms()
    #expect(
      town.send("GET", "/emulator/v1/projects/demo/verificationCodes").json
        == ["verificationCodes": [["phoneNumber": "+15555550100", "code": sms, "sessionInfo": session]]])
    _ = town.v1("accounts:signInWithPhoneNumber", ["sessionInfo": session, "code": sms])
    #expect(town.send("GET", "/emulator/v1/projects/demo/verificationCodes").json == ["verificationCodes": []])
  }

  // MARK: The pages

  private func code(_ town: Town, _ type: String) throws -> String {
    let token = JSONValue.string(try town.signUp().string("idToken"))
    _ = town.v1(
      "accounts:sendOobCode",
      ["requestType": .string(type), "email": "alice@example.com", "newEmail": "new@b.c", "idToken": token])
    return try town.mail(type)
  }

  @Test(
    "the link in a mail does it, once",
    arguments: [
      ("VERIFY_EMAIL", "verifyEmail", "The email has been successfully verified."),
      ("VERIFY_AND_CHANGE_EMAIL", "verifyAndChangeEmail", "The email has been successfully changed."),
    ])
  func action(type: String, mode: String, text: String) throws {
    let town = Town()
    let path = "/emulator/action?mode=\(mode)&oobCode=\(try code(town, type))&apiKey=any"
    let field = type == "VERIFY_EMAIL" ? ("email", "alice@example.com") : ("newEmail", "new@b.c")
    #expect(
      town.send("GET", path).json == ["authEmulator": ["success": .string(text), field.0: .string(field.1)]])
    let again = town.send("GET", path)
    #expect(again.status == 400)
    #expect(
      again["authEmulator"]?["error"]?.stringValue?.contains("has expired or the link has already been used.") == true)
    let page = town.send("GET", path, headers: ["accept": "text/html,*/*"])
    #expect(page.status == 400)
    #expect(page.header("Content-Type") == "text/html; charset=utf-8")
    #expect(page.text.contains("<h1>This link does not work</h1>"))
  }

  @Test("a change of address is taken back")
  func recover() throws {
    let town = Town()
    let change = try code(town, "VERIFY_AND_CHANGE_EMAIL")
    _ = town.send("GET", "/emulator/action?mode=verifyAndChangeEmail&oobCode=\(change)&apiKey=any")
    let back = try town.mail("RECOVER_EMAIL")
    #expect(
      town.send("GET", "/emulator/action?mode=recoverEmail&oobCode=\(back)&apiKey=any").json
        == ["authEmulator": ["success": "The email has been successfully reset.", "email": "alice@example.com"]])
  }

  @Test("a new password: by an address, or by a page with a form")
  func resetPassword() throws {
    let town = Town()
    let code = try code(town, "PASSWORD_RESET")
    let path = "/emulator/action?mode=resetPassword&oobCode=\(code)&apiKey=any"
    let bare = town.send("GET", path)
    #expect(bare.status == 400)
    #expect(bare["authEmulator"]?["error"] == "missing newPassword query parameter")
    #expect(bare["authEmulator"]?["urlTemplate"]?.stringValue?.hasSuffix("&newPassword=NEW_PASSWORD_HERE") == true)
    #expect(town.send("GET", path + "&newPassword=NEW_PASSWORD_HERE").status == 400)
    let form = town.send("GET", path, headers: ["accept": "text/html"])
    #expect(form.status == 200)
    #expect(form.text.contains("<label for=\"newPassword\">New password</label>"))
    #expect(form.text.contains("<input type=\"hidden\" name=\"oobCode\" value=\"\(code)\">"))
    let weak = town.send("GET", path + "&newPassword=abc", headers: ["accept": "text/html"])
    #expect(weak.status == 400)
    #expect(weak.text.contains("role=\"alert\""))
    #expect(town.send("GET", path + "&newPassword=abc").error?.hasPrefix("WEAK_PASSWORD") == true)
    let done = town.send("GET", path + "&newPassword=secret2&continueUrl=https%3A%2F%2Fapp.example%2F")
    #expect(done.status == 303)
    #expect(done.header("Location") == "https://app.example/")
    #expect(
      town.v1("accounts:signInWithPassword", ["email": "alice@example.com", "password": "secret2"]).status == 200)
  }

  @Test("an e-mail link goes on to the app, with all that it had")
  func signInLink() {
    let town = Town()
    let path = "/emulator/action?mode=signIn&oobCode=c%26d&apiKey=any"
    #expect(town.send("GET", path)["authEmulator"]?["error"] == "Missing continueUrl query parameter")
    let answer = town.send("GET", path + "&continueUrl=" + Encoded.query("https://app.example/p?x=1#frag"))
    #expect(answer.status == 303)
    #expect(
      answer.header("Location") == "https://app.example/p?x=1&mode=signIn&oobCode=c%26d&apiKey=any#frag")
    for target in ["javascript:alert(1)", "/relative", "data:text/html,x", "JavaScript://x/%0aalert(1)"] {
      let refused = town.send("GET", path + "&continueUrl=" + Encoded.query(target))
      #expect(refused.status == 400)
      #expect(refused.header("Location") == nil)
    }
  }

  @Test("what the link lacks")
  func brokenLinks() throws {
    let town = Town()
    #expect(
      town.send("GET", "/emulator/action?mode=verifyEmail&oobCode=x")["authEmulator"]?["error"]
        == "missing apiKey query parameter")
    #expect(
      town.send("GET", "/emulator/action?mode=verifyEmail&apiKey=x")["authEmulator"]?["error"]
        == "missing oobCode query parameter")
    #expect(town.send("GET", "/emulator/action?mode=x&apiKey=x&oobCode=x")["authEmulator"]?["error"] == "Invalid mode")
    let code = try code(town, "VERIFY_EMAIL")
    #expect(
      town.send("GET", "/emulator/action?mode=recoverEmail&apiKey=x&oobCode=\(code)")["authEmulator"]?["error"]
        == "Requested mode does not match the OOB code provided.")
  }

  @Test("the page that stands for a provider: who was here, who is new; nothing of it is run")
  func providerPage() throws {
    let town = Town()
    let evil = "<script>alert('x')</script>\"&"
    _ = town.google("raw-1", ["email": "a@b.c", "name": .string(evil)])
    let path =
      "/emulator/auth/handler?apiKey=any&providerId=google.com&appName=app&authType=signInViaPopup&eventId="
      + Encoded.query(evil)
    let page = town.send("GET", path)
    #expect(page.status == 200)
    #expect(page.text.contains("<html lang=\"en\">"))
    #expect(!page.text.contains(evil))
    #expect(!page.text.contains("<script"))
    #expect(page.text.contains("value=\"raw-1\">&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&quot;&amp;"))
    #expect(page.text.contains("<label for=\"newEmail\">"))
    #expect(page.header("Content-Security-Policy")?.contains("script-src 'none'") == true)
    let less = town.send("GET", "/emulator/auth/handler?apiKey=any")
    #expect(less.status == 400)
    #expect(less["authEmulator"]?["error"] == "missing apiKey or providerId query parameters")
  }

  @Test("back to a web app: an event that it can sign in with")
  func webApp() throws {
    let town = Town()
    _ = town.google("raw-1", ["email": "a@b.c"])
    let evil = "</script><script>alert(1)</script>"
    let page = town.send(
      "GET",
      "/emulator/auth/finish?apiKey=any&providerId=google.com&appName=app&authType=signInViaRedirect&chosen=raw-1"
        + "&redirectUrl=http%3A%2F%2Flocalhost%2F&eventId=" + Encoded.query(evil))
    #expect(page.status == 200)
    #expect(!page.text.contains(evil))
    let start = try #require(page.text.range(of: "var data = "))
    let end = try #require(page.text[start.upperBound...].range(of: ";\n"))
    let data = try JSONValue(parsing: String(page.text[start.upperBound..<end.lowerBound]))
    #expect(data["storageKey"] == "any:app")
    #expect(data["redirectUrl"] == "http://localhost/")
    #expect(data["event"]?["type"] == "signInViaRedirect")
    #expect(data["event"]?["eventId"] == .string(evil))
    let url = try #require(data["event"]?["urlResponse"]?.stringValue)
    let entered = town.v1("accounts:signInWithIdp", ["requestUri": .string(url), "sessionId": "s"])
    #expect(entered["isNewUser"] == false)
    #expect(entered["email"] == "a@b.c")
    let nowhere = town.send(
      "GET", "/emulator/auth/finish?apiKey=any&providerId=google.com&appName=app&redirectUrl=javascript%3Aalert(1)")
    #expect(!nowhere.text.contains("javascript:"))
    #expect(town.send("GET", "/emulator/auth/finish?apiKey=any&providerId=google.com").status == 400)
    #expect(
      town.send("GET", "/emulator/auth/iframe?apiKey=any&appName=app").header("Content-Type")
        == "text/html; charset=utf-8")
  }

  @Test(
    "back to an iPhone: the address that its SDK waits for",
    arguments: [
      ("clientId=1-a.apps.googleusercontent.com", "com.googleusercontent.apps.1-a"),
      ("appId=1%3A2%3Aios%3Aff", "app-1-2-ios-ff"),
    ])
  func iPhone(query: String, scheme: String) throws {
    let town = Town()
    let path =
      "/emulator/auth/finish?apiKey=any&providerId=github.com&ibi=com.example.app&authType=signInWithRedirect"
      + "&eventId=e1&newEmail=new%40b.c&newName=New"
    let answer = town.send("GET", path + "&" + query)
    #expect(answer.status == 303)
    let location = try #require(answer.header("Location"))
    #expect(location.hasPrefix(scheme + "://firebaseauth/link?deep_link_id="))
    let link = try #require(WebAddress(location).flatMap { WebFields($0.query)["deep_link_id"] })
    let fields = WebFields(try #require(WebAddress(link)).query)
    #expect(fields["eventId"] == "e1")
    #expect(fields["authType"] == "signInWithRedirect")
    let response = try #require(fields["link"])
    let entered = town.post(Town.v3 + "verifyAssertion", ["requestUri": .string(response), "sessionId": "s"])
    #expect(entered["isNewUser"] == true)
    #expect(entered["email"] == "new@b.c")
    #expect(entered["displayName"] == "New")
    for bad in ["", "&clientId=x:javascript", "&appId=", "&clientId=" + Encoded.query("\" onload=\"")] {
      let refused = town.send("GET", path + bad)
      #expect(refused.header("Location")?.lowercased().hasPrefix("javascript") != true)
    }
  }

  // MARK: Hooks

  @Test("the clock is a test's to move, if the server says so")
  func clock() throws {
    let town = Town { $0.hasTestHooks = true }
    #expect(town.send("GET", "/emulator/v1/clock").json == ["time": "2026-01-01T00:00:00.000Z"])
    #expect(
      town.send("POST", "/emulator/v1/clock", "{\"advanceSeconds\":3600}").json == ["time": "2026-01-01T01:00:00.000Z"])
    let anna = try town.anonymous()
    #expect(try anna.payload["iat"] == 1_767_229_200)
    #expect(
      town.send("POST", "/emulator/v1/clock", "{\"time\":\"2030-01-01T00:00:00Z\",\"frozen\":true}").json
        == ["time": "2030-01-01T00:00:00.000Z"])
    town.clock.advance(seconds: 5)
    #expect(town.send("GET", "/emulator/v1/clock").json == ["time": "2030-01-01T00:00:00.000Z"])
    for body in ["{}", "{\"time\":\"now\"}", "{\"time\":\"-1\"}", "{\"advanceSeconds\":\"x\"}"] {
      #expect(town.send("POST", "/emulator/v1/clock", body).status == 400)
    }
    _ = town.send("POST", "/emulator/v1/clock", "{\"advanceSeconds\":9223372036854775807}")
    #expect(town.send("GET", "/emulator/v1/clock").json == ["time": "9999-12-31T23:59:59.999Z"])
    #expect(town.send("POST", "/emulator/v1/reset").json == [:])
    #expect(town.send("GET", "/emulator/v1/clock").json == ["time": "2026-01-01T00:00:05.000Z"])
    #expect(town.v1("accounts:lookup", ["idToken": .string(try anna.string("idToken"))]).error == "USER_NOT_FOUND")
  }

  @Test("a header sets the time of one request")
  func header() throws {
    let hooked = Town { $0.hasTestHooks = true }
    let plain = Town()
    for (town, expected): (Town, Int64) in [(hooked, 1_893_456_000), (plain, 1_767_225_600)] {
      let answer = town.send(
        "POST", Town.v1 + "accounts:signUp?key=any", "{}", headers: ["x-rules-test-time": "2030-01-01T00:00:00Z"])
      #expect(try answer.payload["iat"] == .int(expected))
      #expect(try town.anonymous().payload["iat"] == 1_767_225_600)
    }
    #expect(hooked.send("GET", "/", headers: ["x-rules-test-time": "never"]).error?.hasPrefix("INVALID_TIME") == true)
    #expect(plain.send("POST", "/emulator/v1/reset").status == 404)
  }
}
