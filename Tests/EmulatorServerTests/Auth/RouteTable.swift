import Foundation
import JSON
import Testing

@testable import EmulatorServer

/// That every endpoint of the specification is there, and that all that is there is documented.
@Suite("Auth REST: routes")
struct RouteTable {
  private static let routes = Set(AuthRoutes(hasTestHooks: true).all.map { $0.method + " " + $0.path })

  /// Section 3a beside the rows of `ErrorRows`, and 3b.
  private static let others: [String] = {
    var paths: [String] = []
    let v1 = "/identitytoolkit.googleapis.com/v1/"
    let v2 = "/identitytoolkit.googleapis.com/v2/"
    let v3 = "/www.googleapis.com/identitytoolkit/v3/relyingparty/"
    paths += [
      "GET \(v1)projects", "GET \(v1)recaptchaParams", "GET \(v3)getProjectConfig", "GET \(v3)getRecaptchaParam",
    ]
    paths.append("POST /securetoken.googleapis.com/v1/token")
    for name in ["start", "finalize", "withdraw"] { paths.append("POST \(v2)accounts/mfaEnrollment:\(name)") }
    for name in ["start", "finalize"] {
      paths.append("POST \(v2)accounts/mfaSignIn:\(name)")
      paths.append("POST \(v2)accounts/passkeyEnrollment:\(name)")
      paths.append("POST \(v2)accounts/passkeySignIn:\(name)")
    }
    paths.append("POST \(v2)accounts:revokeToken")
    for name in ["passwordPolicy", "recaptchaConfig", "defaultSupportedIdps"] { paths.append("GET \(v2)\(name)") }
    paths += ["GET \(v2)projects/{project}/config", "PATCH \(v2)projects/{project}/config"]
    let tenants = "\(v2)projects/{project}/tenants"
    paths += ["POST \(tenants)", "GET \(tenants)"]
    for method in ["GET", "PATCH", "DELETE"] { paths.append("\(method) \(tenants)/{tenantId}") }
    for kind in ["oauthIdpConfigs", "inboundSamlConfigs", "defaultSupportedIdpConfigs"] {
      for parent in ["projects/{project}/", "projects/{project}/tenants/{tenant}/"] {
        let path = v2 + parent + kind
        paths += ["POST \(path)", "GET \(path)", "GET \(path)/{id}", "PATCH \(path)/{id}", "DELETE \(path)/{id}"]
      }
    }
    for parent in ["projects/{project}/", "projects/{project}/tenants/{tenant}/"] {
      paths.append("POST \(v1)\(parent)accounts")
      for name in ["lookup", "update", "delete", "batchCreate", "batchDelete", "query", "sendOobCode"] {
        paths.append("POST \(v1)\(parent)accounts:\(name)")
      }
      paths.append("GET \(v1)\(parent)accounts:batchGet")
      paths.append("DELETE /emulator/v1/\(parent)accounts")
      paths.append("GET /emulator/v1/\(parent)oobCodes")
      paths.append("GET /emulator/v1/\(parent)verificationCodes")
    }
    paths += ["POST \(v1)projects/{project}:createSessionCookie", "POST \(v1)projects/{project}:queryAccounts"]
    paths += ["GET /emulator/v1/projects/{project}/config", "PATCH /emulator/v1/projects/{project}/config"]
    paths += ["GET /emulator/action", "GET /emulator/auth/handler", "GET /emulator/auth/iframe", "GET /"]
    paths.append("GET /emulator/openapi.json")
    return paths
  }()

  @Test("of the specification")
  func specified() {
    var expected = Self.others
    for (name, old, _) in ErrorRows.rows where name != "token" {
      expected.append("POST /identitytoolkit.googleapis.com/v1/" + name)
      if let old { expected.append("POST /www.googleapis.com/identitytoolkit/v3/relyingparty/" + old) }
    }
    for path in expected { #expect(Self.routes.contains(path), "\(path) is not answered") }
  }

  @Test("each once, and each in docs/auth-server.md")
  func documented() throws {
    let all = AuthRoutes(hasTestHooks: true).all
    #expect(all.count == Self.routes.count)
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appending(path: "docs/auth-server.md")
    let text = try String(contentsOf: file, encoding: .utf8)
    for route in all {
      let short = route.path
        .replacingOccurrences(of: "/identitytoolkit.googleapis.com/", with: "")
        .replacingOccurrences(of: "/www.googleapis.com/identitytoolkit/v3/relyingparty/", with: "v3/")
        .replacingOccurrences(of: "projects/{project}/tenants/{tenant}", with: "projects/{project}")
      #expect(text.contains("`\(short)`"), "\(route.method) \(short) is not documented")
    }
  }

  @Test("not found, and methods that are not there")
  func notFound() {
    let town = Town()
    for (method, path) in [
      ("POST", "/"), ("GET", Town.v1 + "accounts:signUp"), ("POST", Town.v1 + "accounts:nothing"),
      ("GET", "/nowhere"), ("POST", Town.v1 + "projects/a/b/c"), ("POST", "//" + Town.v1 + "projects/:x"),
      ("POST", "/emulator/v1/clock"),
    ] {
      let answer = town.admin(method, path, [:])
      #expect(answer.status == 404)
      #expect(answer.error == "Not Found")
      #expect(answer["error"]?["status"] == "NOT_FOUND")
    }
  }
}
