import Identity
import JSON

/// Many accounts at once.
enum BatchEndpoints {
  static let routes: [AuthRoute] =
    AuthRoutes.admin("GET", "accounts:batchGet", list) + AuthRoutes.admin("POST", "accounts:batchCreate", create)
    + AuthRoutes.admin("POST", "accounts:batchDelete", delete) + AuthRoutes.admin("POST", "accounts:query", query)
    + [
      AuthRoute("POST", AuthRoutes.v1 + "projects/{project}:queryAccounts", .admin, query),
      AuthRoute("POST", AuthRoutes.v3 + "downloadAccount", .admin, list),
      AuthRoute("POST", AuthRoutes.v3 + "uploadAccount", .admin, create),
    ]

  // MARK: Lists

  /// A page, in the order of uids. A full page always names a next one, be it empty.
  private static func list(_ call: AuthCall) throws(IdentityError) -> JSONObject {
    let inBody = try call.body.integer("maxResults").map { Int(clamping: $0) }
    let asked = try call.number("maxResults") ?? inBody ?? 20
    guard asked > 0 else {
      throw IdentityError(code: "INVALID_PAGE_SIZE", message: "a page has at least one account")
    }
    let limit = min(asked, 1000)
    let pageInBody = try call.body.filled("nextPageToken")
    let after = call.query("nextPageToken") ?? pageInBody
    let accounts = try call.admin.accounts(after: after, limit: limit)
    var reply: JSONObject = [
      "kind": "identitytoolkit#DownloadAccountResponse",
      "users": .array(accounts.map { .object(AccountJSON.user($0, showsPassword: true)) }),
    ]
    if accounts.count >= limit { reply["nextPageToken"] = accounts.last.map { .string($0.uid) } }
    return reply
  }

  /// Counts accounts, or shows those that an expression names.
  private static func query(_ call: AuthCall) throws(IdentityError) -> JSONObject {
    let body = call.body
    let shows = try body.flag("returnUserInfo") ?? true
    var found: [Account] = []
    let expressions = try body.parts("expression")
    if expressions.isEmpty {
      guard shows else { return ["recordsCount": .string(String(try call.admin.accountCount()))] }
      found = try call.admin.accounts(limit: .max)
    } else {
      for expression in expressions {
        var account: Account?
        if let uid = try expression.filled("userId") {
          account = try call.admin.find(uid)
        } else if let email = try expression.filled("email") {
          account = try call.admin.account(email: email, tenant: call.tenant)
        } else if let number = try expression.filled("phoneNumber") {
          account = try call.admin.account(for: .phone(number, call.tenant))
        }
        if let account, !found.contains(where: { $0.uid == account.uid }) { found.append(account) }
      }
    }
    let count = JSONValue.string(String(found.count))
    guard shows else { return ["recordsCount": count] }
    if try body.word("order", of: ["ORDER_UNSPECIFIED", "ASC", "DESC"]) == "DESC" { found.reverse() }
    let offset = max(try body.integer("offset") ?? 0, 0)
    let limit = min(max(try body.integer("limit") ?? 500, 0), 500)
    let page = found.dropFirst(Int(clamping: offset)).prefix(Int(clamping: limit))
    return [
      "recordsCount": count,
      "userInfo": .array(page.map { .object(AccountJSON.user($0, showsPassword: true)) }),
    ]
  }

  // MARK: Deletion

  private static func delete(_ call: AuthCall) throws(IdentityError) -> JSONObject {
    let uids = try call.body.texts("localIds")
    guard (1...1000).contains(uids.count) else {
      throw IdentityError(code: "LOCAL_ID_LIST_EXCEEDS_LIMIT", message: "name 1 to 1000 accounts, not \(uids.count)")
    }
    let isForced = try call.body.flag("force") ?? false
    var errors: [JSONValue] = []
    for (index, uid) in uids.enumerated() {
      guard let account = try call.admin.find(uid) else { continue }
      guard isForced || account.isDisabled else {
        errors.append([
          "index": .int(Int64(index)), "localId": .string(uid),
          "message": "NOT_DISABLED : Disable the account before batch deletion.",
        ])
        continue
      }
      do throws(IdentityError) {
        try call.admin.delete(uid)
      } catch  where error.code == "USER_NOT_FOUND" {
        continue
      }
    }
    return errors.isEmpty ? [:] : ["errors": .array(errors)]
  }

  // MARK: Import

  private static func create(_ call: AuthCall) throws(IdentityError) -> JSONObject {
    let users = try call.body.parts("users")
    guard !users.isEmpty else {
      throw IdentityError(code: "MISSING_USER_ACCOUNT", message: "there is no account to import")
    }
    let hashing = try ImportedHash.Algorithm(call.body, own: call.server.settings.passwordCost)
    let checksDuplicates = try call.body.flag("sanityCheck") ?? false
    let overwrites = try call.body.flag("allowOverwrite") ?? false
    if checksDuplicates { try refuseDuplicates(users) }
    if !overwrites || checksDuplicates { try refuseRepeatedUIDs(users) }
    var errors: [JSONValue] = []
    for (index, user) in users.enumerated() {
      if let message = try complaint(call, user, hashing, overwrites: overwrites) {
        errors.append(["index": .int(Int64(index)), "message": .string(message)])
      }
    }
    var reply: JSONObject = ["kind": "identitytoolkit#UploadAccountResponse"]
    if !errors.isEmpty { reply["error"] = .array(errors) }
    return reply
  }

  private static func refuseRepeatedUIDs(_ users: [AuthBody]) throws(IdentityError) {
    var seen: Set<String> = []
    for user in users {
      guard let uid = try user.filled("localId") else { continue }
      guard seen.insert(uid).inserted else {
        throw IdentityError(code: "DUPLICATE_LOCAL_ID : \(uid)", message: "the uid '\(uid)' is given twice")
      }
    }
  }

  private static func refuseDuplicates(_ users: [AuthBody]) throws(IdentityError) {
    var emails: Set<String> = []
    var identities: Set<String> = []
    for user in users {
      if let email = try user.filled("email"), !emails.insert(email.lowercased()).inserted {
        throw IdentityError(code: "DUPLICATE_EMAIL : \(email)", message: "an address is given twice")
      }
      for provider in try user.parts("providerUserInfo") {
        guard let id = try provider.filled("providerId"), let rawID = try provider.filled("rawId") else { continue }
        guard identities.insert(id + " " + rawID).inserted else {
          throw IdentityError(
            code: "DUPLICATE_RAW_ID : Provider id(\(id)), Raw id(\(rawID))", message: "an identity is given twice")
        }
      }
    }
  }

  /// Imports one account.
  /// - Returns: why not, in the words of the API.
  private static func complaint(
    _ call: AuthCall, _ user: AuthBody, _ hashing: ImportedHash.Algorithm, overwrites: Bool
  ) throws(IdentityError) -> String? {
    guard let uid = try user.filled("localId") else { return "localId is missing" }
    if let tenant = try user.filled("tenantId"), tenant != call.tenant {
      return "Tenant id in userInfo does not match the tenant id in request."
    }
    if !overwrites, try call.admin.find(uid) != nil {
      return "localId belongs to an existing account - can not overwrite."
    }
    do throws(IdentityError) {
      try call.admin.importAccount(try ImportedUser.account(user, uid: uid, tenant: call.tenant, hashing))
      return nil
    } catch {
      switch error.plainCode {
      case "INVALID_EMAIL": return "email is invalid"
      case "INVALID_PHONE_NUMBER": return "phone number format is invalid"
      case "INVALID_CLAIMS": return "Invalid custom claims provided."
      case "FORBIDDEN_CLAIM": return "Custom claims provided include a reserved claim."
      case "CLAIMS_TOO_LARGE": return "Custom claims provided are too large."
      case "MISSING_PROVIDER_ID", "MISSING_RAW_ID": return "federatedId or (providerId & rawId) is required"
      case "INVALID_MFA_ENROLLMENT": return "Second factor account requires email to be presented."
      case "UNVERIFIED_EMAIL": return "Second factor account requires email to be verified."
      case "EMAIL_EXISTS": return "email exists in other account in database"
      case "PHONE_NUMBER_EXISTS": return "phone number exists in other account in database"
      case "FEDERATED_USER_ID_ALREADY_LINKED": return "raw id exists in other account in database"
      case "INTERNAL_ERROR": throw error
      default: return error.code.hasPrefix(AuthFailure.invalidPayload) ? error.code : error.message
      }
    }
  }
}
