import Identity
import JSON

/// Looking accounts up, and deleting them.
enum AccountEndpoints {
  static let routes: [AuthRoute] =
    AuthRoutes.client("accounts:lookup", "getAccountInfo", lookup) + AuthRoutes.admin("POST", "accounts:lookup", lookup)
    + AuthRoutes.client("accounts:delete", "deleteAccount", delete)
    + AuthRoutes.admin("POST", "accounts:delete", delete)

  /// How many accounts can be asked for in one call.
  private static let mostKeys = 1000

  private static func lookup(_ call: AuthCall) throws(IdentityError) -> JSONObject {
    let body = call.body
    var users: [Account] = []
    func add(_ account: Account?) {
      if let account, !users.contains(where: { $0.uid == account.uid }) { users.append(account) }
    }
    if call.isAdmin, !body.has("idToken") {
      let uids = try body.texts("localId")
      let emails = try body.texts("email")
      let numbers = try body.texts("phoneNumber")
      let federated = try body.parts("federatedUserId")
      guard uids.count + emails.count + numbers.count + federated.count <= mostKeys else {
        throw IdentityError(code: "TOO_MANY_IDENTIFIERS", message: "at most \(mostKeys) accounts are looked up at once")
      }
      for uid in uids { add(try call.admin.find(uid)) }
      for email in emails { add(try call.admin.account(email: email, tenant: call.tenant)) }
      for number in numbers { add(try call.admin.account(for: .phone(number, call.tenant))) }
      for part in federated {
        guard let id = try part.filled("providerId"), let rawID = try part.filled("rawId") else { continue }
        add(try call.admin.account(for: .provider(id, rawID, call.tenant)))
      }
    } else {
      add(try call.server.lookup(idToken: call.body.needed("idToken", else: "MISSING_ID_TOKEN")))
    }
    var reply: JSONObject = ["kind": "identitytoolkit#GetAccountInfoResponse"]
    if !users.isEmpty {
      reply["users"] = .array(users.map { .object(AccountJSON.user($0, showsPassword: call.isAdmin)) })
    }
    return reply
  }

  private static func delete(_ call: AuthCall) throws(IdentityError) -> JSONObject {
    if call.isAdmin, !call.body.has("idToken") {
      try call.admin.delete(call.body.needed("localId", else: "MISSING_LOCAL_ID"))
    } else {
      try call.server.delete(idToken: call.body.needed("idToken", else: "MISSING_ID_TOKEN"))
    }
    return ["kind": "identitytoolkit#DeleteAccountResponse"]
  }
}
