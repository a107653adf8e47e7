import Identity
import JSON

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// 100,000 accounts in a SQLite file.
enum AccountsFile {
  static let count = 100_000

  /// In the folder for temporary files; made once.
  static func server() throws -> AuthServer {
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    let storage = try SQLiteIdentityStorage(path: folder + "/rules-bench-accounts.sqlite")
    let server = AuthServer(settings: .articles, clock: ManualAuthClock(), seed: 1, storage: storage)
    for n in try server.admin.accountCount()..<count {
      var account = NewAccount(uid: uid(n), email: email(n))
      account.phoneNumber = phone(n)
      account.customClaims = ["level": .int(Int64(n % 5))]
      try server.admin.create(account)
    }
    return server
  }

  static func uid(_ n: Int) -> String { "account\(n)" }
  static func email(_ n: Int) -> String { "person\(n)@example.com" }
  static func phone(_ n: Int) -> String { "+1555\(1_000_000 + n)" }

  /// By uid, by address, by number.
  static func lookUp(_ n: Int, _ server: AuthServer) throws -> Bool {
    let uid = uid(n)
    return try server.admin.account(uid).uid == uid && server.admin.account(email: email(n))?.uid == uid
      && server.admin.account(for: .phone(phone(n)))?.uid == uid
  }

  /// Microseconds of one account looked up by all three, and of the same among a hundred accounts' worth of keys.
  static func clocked(_ times: Int) throws {
    let server = try server()
    let clock = ContinuousClock()
    func time(_ span: Int) throws -> Double {
      let taken = try clock.measure {
        for n in 0..<times { Measurement.check(try lookUp(n * 7919 % span, server)) }
      }
      return Double(taken.components.attoseconds) / 1e12 / Double(times)
        + Double(taken.components.seconds) * 1e6 / Double(times)
    }
    _ = try time(100)
    print("\(try time(count)) \(try time(100))")
  }
}
