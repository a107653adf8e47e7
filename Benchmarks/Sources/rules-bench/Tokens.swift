import Identity
import JSON

/// ID tokens and accounts.
enum Tokens {
  private static let now: Int64 = 1_767_225_600

  /// Always the same: looking for primes takes more than what is measured, and each time something else.
  private static func key() throws -> SigningKey {
    try SigningKey(privatePEM: privatePEM, validity: now - 1...now + 1_000_000)
  }

  /// What the token of a password user says: 400 bytes.
  private static func payload() throws -> JSONObject {
    var user = UserProfile(provider: .password, uid: "kRw2bXyuWqYp7s0LJmR4cGdTz9f1")
    user.email = "alice@example.com"
    user.emailVerified = true
    user.name = "Alice"
    user.claims = ["role": "admin"]
    return try ProviderClaims.payload(for: user, at: now, project: "demo-project")
  }

  static func sign(_ times: Int) throws {
    let key = try key()
    let payload = try payload()
    for _ in 0..<times { Measurement.check(try key.sign(payload).utf8.count > 600) }
  }

  static func verify(_ times: Int) throws {
    let key = try key()
    let token = try key.sign(payload())
    let verifier = try TokenVerifier(project: "demo-project", certificates: [key.keyID: .string(key.certificatePEM)])
    for _ in 0..<times { Measurement.check(try verifier.verify(token, at: now)["email"] == "alice@example.com") }
  }

  /// 100,000 accounts in a SQLite file; then one is looked up by each kind of key.
  static func lookUp(_ times: Int) throws {
    let server = try AccountsFile.server()
    for n in 0..<times { Measurement.check(try AccountsFile.lookUp(n * 7919 % AccountsFile.count, server)) }
  }

  /// Of no use anywhere else.
  private static let privatePEM = """
    -----BEGIN PRIVATE KEY-----
    MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQDBi8B40SLgd2Sf
    StsNPD65tBIpihrgy1HupSUlfALlaqRYKzWQZVUTnY8ApP93NvJA7xgCEvDk4HWN
    aT6BMEW2xIdngf8UG9SCHJSqOfiDxljpLRF7g4HJ88rBHKDZzsTi0bgVJ3kHOSM0
    AG7xIAOj8AAVODK6lq4QLMR1cXfR0tfvIP3A1VHhkoDDEWgtxwX3pF67SoatvPos
    wuGubD7/T2cS72CblBtKEPaOrIJvXmmB11QppqGx7auv0vwx+mclj5cQFO42IDQs
    lxVvINO+0hwZN/qDLW1G3NthUkjOYhX/2geHmOdsmErKa1qlP6wp50Udz8jMIzaR
    FU7gFNf3AgMBAAECggEAAiWBeCA4UaKmrYjq1AM/3ixhP9pbFkolpE7APOGwCzOl
    vfVAuKi/CvgmNAd1w9s1UENhPJ38KPWqUsFWOErnmFwmn58WoUuhDY5b7GVh3F2b
    R9QVoQ03fRy55MQOA/cMl51kJsE+JjaGguxMTq/1tQro3VNhu1Bc1CttmbCCooOT
    Vy8TpFtvxa84GVZ4XEXZs3LWuN6WtBxRd2wQ3MuJ9YprBNLdmLPa79pucRwKgxJc
    DL+uDf1WTXOg1eRDGqCLJfY7qM8WJoopTbCrfOXl8imfJg0vTXPrBXaiKCOk3FRC
    meCirZTw9ULr9Fwv1+/h8aRbCycSYoYLWrHdoWBD6QKBgQDfsuUqbwKvadg3Wcw7
    /KLt/j/KXHZmg/gu4MPVdg+lGfx0HRwAhyT1IqAXr85NDRKJIgYPGO0I6iFsF9ET
    r1zSWxC1iaRzbb9xguVrLQ3W9DFR1tAaprrXky/6hUy1pUhCwdcnRYfDiJHhAQcw
    hoZzhP3s9v8fpTOi1pP+um7T/wKBgQDdfj54PLiVgrVBhmu6k5GkG7g6iqDaWtYG
    gFjhEHqgNSS6wYELWUAFUylihmjwBFwJE05u60CgT12NbQDLX8/Zw5xOhS2/466Y
    kSp4Vl3UNPj37Wew6N+ajqNxlOLhxaz1EJwgsfhLj4lNN4Z+BTnSJD+SNIK/9B/u
    kuvNNwCcCQKBgBlfB+DVMF/GyHAWrjRLhgsqIAAKlp8v7pEaivuF5WZbWSeuOYPR
    0B5BbBjjpqlUhzqocjl6IUA2lc3Vsa/i3ss46t88GjvBQcpVB0ItnPk5PvLCQ14S
    dPSITBPE1JtxgI2ZwJZCq5BAyBLV9APL7inh9o7OwMbNDNs2LRjh+jnvAoGAHtih
    DI+wSSod4hU9VYuNoeQ2YPjDdAVofxlKx3VLDpq4FcYzGYiBcPxm7BC59os04hKt
    PqdGpczHw5Vloe0i/jnOv+SuPWYQ/7Bf0Mh+YrpJ3gVTBoE3+sdYnc3VVwn3j12T
    0L3YTXWc8oMEGPLTXZ+stsjXWLI/7DLL4hWB4TkCgYEAslFTfqZ7YW6VxqDv95a8
    Or2W6z2ORsH4U4skFmtkBnIvUK5z1VxEMxLvGD/AvGEqRjvXL4IcEay9+CqGB0jS
    Wem/EjEYVMjlurXCL8JJYq7RVPpCocgTS1wO4snyPYosGbH1TlyzTOSINM8BzVj1
    YSExl2vkzE8vZNNsZ+BIKU4=
    -----END PRIVATE KEY-----
    """
}
