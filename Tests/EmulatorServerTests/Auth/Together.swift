import Identity
import JSON
import Synchronization
import Testing

@testable import EmulatorServer

/// Many callers at once, and accounts that outlive the server.
@Suite("Auth REST: together, and again")
struct Together {
  @Test("who asks for one address at the same time: one gets it")
  func race() async throws {
    let town = Town { $0.seed = nil }
    let results = await withTaskGroup(of: (Int, String?).self) { group in
      for caller in 0..<64 {
        group.addTask {
          let body = "{\"email\":\"user\(caller % 8)@example.com\",\"password\":\"secret1\"}"
          let answer = town.send("POST", Town.v1 + "accounts:signUp?key=any", body)
          return (answer.status, answer.error)
        }
      }
      var results: [(Int, String?)] = []
      for await result in group { results.append(result) }
      return results
    }
    #expect(results.count { $0.0 == 200 } == 8)
    #expect(results.count { $0.1 == "EMAIL_EXISTS" } == 56)
    #expect(town.project("accounts:query", ["returnUserInfo": false])["recordsCount"] == "8")
    #expect(try AccountAudit.findings(town.emulator.project().server()).isEmpty)
  }

  @Test("tenants and projects that are made while others are asked")
  func manyTenants() async throws {
    let town = Town()
    await withTaskGroup(of: Void.self) { group in
      for caller in 0..<32 {
        group.addTask {
          let tenant = JSONValue.string("tenant-\(caller % 4)")
          #expect(town.v1("accounts:signUp", ["tenantId": tenant]).status == 200)
          let path = Town.v1 + "projects/p\(caller % 4)/accounts"
          #expect(town.admin(path, ["localId": .string("u\(caller)")]).status == 200)
        }
      }
    }
    for number in 0..<4 {
      for path in ["projects/demo/tenants/tenant-\(number)", "projects/p\(number)"] {
        let count = town.admin(Town.v1 + path + "/accounts:query", ["returnUserInfo": false])["recordsCount"]
        #expect(count == "8", "\(path)")
      }
    }
  }

  @Test("in SQLite accounts and sessions outlive the server, those of a tenant too")
  func storage() throws {
    let files = Mutex<[String: SQLiteIdentityStorage]>([:])
    let open: @Sendable (String, String?) throws(IdentityError) -> any IdentityStorage = {
      (project, tenant) throws(IdentityError) in
      let key = project + "/" + (tenant ?? "")
      if let known = files.withLock({ $0[key] }) { return known }
      let new = try SQLiteIdentityStorage(path: ":memory:")
      files.withLock { $0[key] = new }
      return new
    }
    let before = Town { $0.storage = open }
    let alice = try before.verified()
    _ = try before.enrol(try alice.string("idToken"))
    _ = before.v2(
      "accounts/passkeyEnrollment:finalize",
      ["idToken": .string(try alice.string("idToken")), "authenticatorRegistrationResponse": ["id": "c"]])
    let tess = try before.signUp("tess@example.com", "secret1", ["tenantId": "t"])
    let shown = try before.user(try alice.string("localId"))
    let after = Town { $0.storage = open }
    #expect(try after.user(try alice.string("localId")) == shown)
    #expect(shown["passkeyInfo"]?[0]?["credentialId"] == "c")
    #expect(shown["passwordUpdatedAt"] == 1_767_225_600_000)
    for token in [alice, tess] {
      // A tenant is known again once somebody names it.
      _ = after.admin("GET", Town.v2 + "projects/demo/tenants/t")
      let refreshed = after.post(
        "/securetoken.googleapis.com/v1/token",
        ["grant_type": "refresh_token", "refresh_token": .string(try token.string("refreshToken"))])
      #expect(refreshed["user_id"] == token["localId"], "\(refreshed.text)")
    }
    let passkey = after.v2("accounts/passkeySignIn:finalize", ["authenticatorAuthenticationResponse": ["id": "c"]])
    #expect(passkey["localId"] == alice["localId"])
  }

  @Test("a page shows no more than a hundred people, and the limits of projects hold")
  func limits() throws {
    let town = Town()
    for index in 0..<150 { _ = town.google("raw-\(index)") }
    let page = town.send("GET", "/emulator/auth/handler?apiKey=any&providerId=google.com")
    #expect(page.text.components(separatedBy: "name=\"chosen\"") == 101)
    for index in 0..<AuthEmulator.mostProjects { _ = try? town.emulator.project("p\(index)") }
    #expect(town.admin("GET", Town.v1 + "projects/onemore/accounts:batchGet").error == "PROJECT_NOT_FOUND")
    #expect(town.admin("GET", Town.v1 + "projects/demo/accounts:batchGet").status == 200)
  }
}

extension String {
  /// How many parts a text has between the separators.
  fileprivate func components(separatedBy separator: String) -> Int { ranges(of: separator).count + 1 }
}
