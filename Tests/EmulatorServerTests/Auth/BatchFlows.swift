import Identity
import JSON
import Testing

@testable import EmulatorServer

/// Many accounts at once.
@Suite("Auth REST: batches")
struct BatchFlows {
  private static let get = Town.projects + "accounts:batchGet"

  @Test("pages, of which a full one always names a next")
  func pages() throws {
    let town = Town()
    var uids: [String] = []
    for _ in 0..<3 { uids.append(try town.anonymous().string("localId")) }
    uids.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    let all = town.admin("GET", Self.get)
    #expect(all["kind"] == "identitytoolkit#DownloadAccountResponse")
    #expect(all["users"]?.arrayValue?.map { $0["localId"]?.stringValue } == uids)
    #expect(all["nextPageToken"] == nil)
    let first = town.admin("GET", Self.get + "?maxResults=2")
    #expect(first["users"]?.arrayValue?.count == 2)
    let next = try first.string("nextPageToken")
    let second = town.admin("GET", Self.get + "?maxResults=1&nextPageToken=\(next)")
    #expect(second["users"]?[0]?["localId"]?.stringValue == uids[2])
    let end = town.admin("GET", Self.get + "?nextPageToken=" + (try second.string("nextPageToken")))
    #expect(end["users"] == [])
    #expect(end["nextPageToken"] == nil)
    let old = town.admin(
      Town.v3 + "downloadAccount", ["targetProjectId": "demo", "maxResults": 2, "nextPageToken": .string(uids[0])])
    #expect(old["users"]?.arrayValue?.map { $0["localId"]?.stringValue } == Array(uids[1...]))
    #expect(town.admin("GET", Self.get + "?maxResults=0").error == "INVALID_PAGE_SIZE")
    #expect(
      town.admin("GET", Self.get + "?maxResults=x").error
        == "Invalid JSON payload received. Query parameter 'maxResults' must be integer")
  }

  @Test("counts and expressions")
  func query() throws {
    let town = Town()
    let anna = try town.anonymous().string("localId")
    try town.signUp()
    #expect(town.project("accounts:query", ["returnUserInfo": false]).json == ["recordsCount": "2"])
    let all = town.project("accounts:query", [:])
    #expect(all["recordsCount"] == "2")
    let uids = try #require(all["userInfo"]?.arrayValue).compactMap { $0["localId"]?.stringValue }
    #expect(uids == uids.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
    let found = town.admin(
      Town.v1 + "projects/demo:queryAccounts",
      ["expression": [["email": "ALICE@example.com"], ["userId": .string(anna)], ["phoneNumber": "+15555550100"]]])
    #expect(found["recordsCount"] == "2")
    let last = town.project("accounts:query", ["order": "DESC", "limit": "1"])
    #expect(last["userInfo"]?.arrayValue?.count == 1)
    #expect(last["userInfo"]?[0]?["localId"]?.stringValue == uids.last)
    #expect(town.project("accounts:query", ["offset": 5])["userInfo"] == [])
  }

  @Test("deletion: of the disabled, or of all")
  func delete() throws {
    let town = Town()
    let anna = try town.anonymous().string("localId")
    let dan = try town.anonymous().string("localId")
    town.disable(dan)
    let uids: JSONValue = [.string(anna), .string(dan), "nobody"]
    #expect(
      town.project("accounts:batchDelete", ["localIds": uids]).json == [
        "errors": [
          [
            "index": 0, "localId": .string(anna),
            "message": "NOT_DISABLED : Disable the account before batch deletion.",
          ]
        ]
      ])
    #expect(town.project("accounts:batchDelete", ["localIds": uids, "force": true]).json == [:])
    #expect(town.project("accounts:query", ["returnUserInfo": false])["recordsCount"] == "0")
    #expect(town.project("accounts:batchDelete", ["localIds": []]).error == "LOCAL_ID_LIST_EXCEEDS_LIMIT")
    let many = JSONValue.array((0...1000).map { .string("u\($0)") })
    #expect(town.project("accounts:batchDelete", ["localIds": many]).error == "LOCAL_ID_LIST_EXCEEDS_LIMIT")
  }

  @Test("import: everything that an account has, and out again")
  func create() throws {
    let town = Town()
    let answer = town.project(
      "accounts:batchCreate",
      [
        "users": [
          ["localId": "foo", "email": "FOO@example.com", "rawPassword": "notasecret"],
          ["localId": "bar", "phoneNumber": "+15555550100", "customAttributes": "{\"hello\": \"world\"}"],
          [
            "localId": "gil", "email": "gil@example.com", "emailVerified": true, "createdAt": "1600000000000",
            "lastLoginAt": "1600000001000", "validSince": 1_600_000_000, "disabled": false, "displayName": "Gil",
            "providerUserInfo": [["providerId": "google.com", "rawId": "0123", "displayName": "G", "email": "g@g.c"]],
            "mfaInfo": [["phoneInfo": "+15555550199", "enrolledAt": "2020-04-05T06:07:28.990Z", "displayName": "p"]],
          ],
        ]
      ])
    #expect(answer.json == ["kind": "identitytoolkit#UploadAccountResponse"])
    #expect(
      town.v1("accounts:signInWithPassword", ["email": "foo@example.com", "password": "notasecret"])["localId"] == "foo"
    )
    #expect(try town.phone().payload["hello"] == "world")
    let gil = try town.user("gil")
    #expect(gil["createdAt"] == "1600000000000")
    #expect(gil["lastLoginAt"] == "1600000001000")
    #expect(gil["validSince"] == "1600000000")
    #expect(gil["mfaInfo"]?[0]?["enrolledAt"] == "2020-04-05T06:07:28.990Z")
    #expect(gil["mfaInfo"]?[0]?["unobfuscatedPhoneInfo"] == "+15555550199")
    #expect(
      gil["providerUserInfo"]?[0] == [
        "providerId": "google.com", "rawId": "0123", "federatedId": "https://accounts.google.com/0123",
        "email": "g@g.c",
        "displayName": "G",
      ])

    // What is exported can be imported elsewhere, passwords and all.
    let users = try #require(town.admin("GET", Self.get)["users"])
    let other = Town()
    #expect(other.admin(Town.v3 + "uploadAccount", ["targetProjectId": "demo", "users": users])["error"] == nil)
    #expect(other.admin("GET", Self.get)["users"]?.arrayValue?.count == 3)
    #expect(
      other.v1("accounts:signInWithPassword", ["email": "foo@example.com", "password": "notasecret"]).status == 200)
    #expect(
      other.v1("accounts:signInWithPassword", ["email": "foo@example.com", "password": "wrong-one"]).error
        == "INVALID_PASSWORD")
    #expect(other.google("0123")["mfaInfo"]?[0]?["phoneInfo"] == "+*******0199")
  }

  @Test("hashes of elsewhere: Firebase's scrypt, RFC 7914's, the official emulator's text")
  func hashes() throws {
    let town = Town()
    // The example of Firebase's documentation of its modified scrypt.
    let firebase = town.project(
      "accounts:batchCreate",
      [
        "hashAlgorithm": "SCRYPT", "memoryCost": 14, "rounds": 8, "saltSeparator": "Bw==",
        "signerKey": "jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==",
        "users": [
          [
            "localId": "f", "email": "f@b.c", "salt": "42xEC+ixf3L2lw==",
            "passwordHash": "lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==",
          ]
        ],
      ])
    #expect(firebase["error"] == nil, "\(firebase.text)")
    #expect(town.v1("accounts:signInWithPassword", ["email": "f@b.c", "password": "user1password"]).status == 200)
    // RFC 7914, section 12: scrypt("password", "NaCl", N 1024, r 8, p 16).
    let standard = town.project(
      "accounts:batchCreate",
      [
        "hashAlgorithm": "STANDARD_SCRYPT", "cpuMemCost": 1024, "blockSize": 8, "parallelization": 16, "dkLen": 64,
        "users": [
          [
            "localId": "s", "email": "s@b.c", "salt": "TmFDbA==",
            "passwordHash": "/bq+HJ00cgB4VucZDQHp/nxq18vII3gw53N2Y0s3MWIurzDZLiKjiG/xCSedmDDaxyevuUqD7m2DYMvfoswGQA==",
          ]
        ],
      ])
    #expect(standard["error"] == nil, "\(standard.text)")
    #expect(town.v1("accounts:signInWithPassword", ["email": "s@b.c", "password": "password"]).status == 200)
    let fake = town.project(
      "accounts:batchCreate",
      ["users": [["localId": "e", "email": "e@b.c", "salt": "x", "passwordHash": "fakeHash:salt=x:password=hawaii"]]])
    #expect(fake["error"] == nil)
    #expect(town.v1("accounts:signInWithPassword", ["email": "e@b.c", "password": "hawaii"]).status == 200)
    let unknown = town.project("accounts:batchCreate", ["hashAlgorithm": "BCRYPT", "users": [["localId": "b"]]])
    #expect(unknown.error?.hasPrefix("INVALID_HASH_ALGORITHM") == true)
    let impossible = town.project(
      "accounts:batchCreate", ["hashAlgorithm": "STANDARD_SCRYPT", "cpuMemCost": 3, "users": [["localId": "b"]]])
    #expect(impossible.error == "INVALID_MEMORY_COST")
  }

  @Test("what is wrong with each, by its place")
  func complaints() throws {
    let town = Town()
    let long = String(repeating: "x", count: 998)
    let answer = town.project(
      "accounts:batchCreate",
      [
        "users": [
          ["email": "foo@example.com"], ["localId": "test1"], ["localId": "test2", "email": "not#an$email"],
          ["localId": "test3", "phoneNumber": "not#a$phone%number"],
          ["localId": "test4", "customAttributes": "not#a$json%object"],
          ["localId": "test5", "customAttributes": "{\"sub\": \"123\"}"],
          ["localId": "test6", "customAttributes": .string("{\"a\":\"\(long)\"}")],
          ["localId": "test7", "providerUserInfo": [["providerId": "google.com"]]],
          ["localId": "test8", "providerUserInfo": [["rawId": "012345"]]],
          ["localId": "test9", "providerUserInfo": [["federatedId": "foo-bar"]]],
          ["localId": "test10", "mfaInfo": [["phoneInfo": "+15555550100"]]],
          ["localId": "test11", "email": "someone@example.com", "mfaInfo": [["phoneInfo": "+15555550100"]]],
          ["localId": "test12", "tenantId": "other"],
        ]
      ])
    let expected: [(Int64, String)] = [
      (0, "localId is missing"), (2, "email is invalid"), (3, "phone number format is invalid"),
      (4, "Invalid custom claims provided."), (5, "Custom claims provided include a reserved claim."),
      (6, "Custom claims provided are too large."), (7, "federatedId or (providerId & rawId) is required"),
      (8, "federatedId or (providerId & rawId) is required"),
      (
        9,
        "((Parsing federatedId is not implemented in Auth Emulator; please specify providerId AND rawId as a workaround.))"
      ),
      (10, "Second factor account requires email to be presented."),
      (11, "Second factor account requires email to be verified."),
      (12, "Tenant id in userInfo does not match the tenant id in request."),
    ]
    #expect(
      answer["error"] == .array(expected.map { ["index": .int($0.0), "message": .string($0.1)] }), "\(answer.text)")
  }

  @Test("what is there already, and what is there twice")
  func duplicates() throws {
    let town = Town()
    func create(_ users: JSONValue, _ more: JSONObject = [:]) -> Answer {
      var body = more
      body["users"] = users
      return town.project("accounts:batchCreate", body)
    }
    #expect(create([]).error == "MISSING_USER_ACCOUNT")
    #expect(town.project("accounts:batchCreate", [:]).error == "MISSING_USER_ACCOUNT")
    #expect(create([["localId": "test1"], ["localId": "test1"]]).error == "DUPLICATE_LOCAL_ID : test1")
    let check: JSONObject = ["sanityCheck": true]
    #expect(
      create([["localId": "a", "email": "x@b.c"], ["localId": "b", "email": "x@b.c"]], check).error
        == "DUPLICATE_EMAIL : x@b.c")
    let google: JSONValue = [["providerId": "google.com", "rawId": "dup"]]
    #expect(
      create([["localId": "a", "providerUserInfo": google], ["localId": "b", "providerUserInfo": google]], check).error
        == "DUPLICATE_RAW_ID : Provider id(google.com), Raw id(dup)")
    let uid = try town.signUp("bar@example.com").string("localId")
    #expect(
      create([["localId": .string(uid)]])["error"]
        == [["index": 0, "message": "localId belongs to an existing account - can not overwrite."]])
    #expect(
      create([["localId": "t", "email": "bar@example.com"]], check)["error"]
        == [["index": 0, "message": "email exists in other account in database"]])
    _ = town.google("dup")
    #expect(
      create([["localId": "t", "providerUserInfo": google]], check)["error"]
        == [["index": 0, "message": "raw id exists in other account in database"]])
    // Replaced as a whole.
    #expect(create([["localId": .string(uid), "displayName": "New"]], ["allowOverwrite": true])["error"] == nil)
    let user = try town.user(uid)
    #expect(user["displayName"] == "New")
    #expect(user["email"] == nil)
    #expect(user["passwordHash"] == nil)
  }
}
