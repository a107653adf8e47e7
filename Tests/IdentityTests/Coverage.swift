import Foundation
import Identity
import JSON
import Testing

/// That the lists are whole.
@Suite("Coverage")
struct Coverage {
  private static func text(_ path: String) throws -> String {
    try String(contentsOf: repository.appending(path: path), encoding: .utf8)
  }

  /// All sources of the tests of the room.
  private static func tests() throws -> String {
    let folder = repository.appending(path: "Tests/IdentityTests")
    let files = FileManager.default.enumerator(atPath: folder.path())?.compactMap { $0 as? String } ?? []
    return try files.filter { $0.hasSuffix(".swift") }
      .map { try text("Tests/IdentityTests/" + $0) }.joined(separator: "\n")
  }

  @Test("the tests that the list of coverage names are there")
  func named() throws {
    // Names hold no quotes.
    let quoted = Set(try Self.tests().split(separator: "\""))
    let list = try Self.text("docs/identity-coverage.md")
    var count = 0
    for line in list.split(separator: "\n") where line.hasPrefix("| ") && line != "| behaviour | test |" {
      guard let cell = line.split(separator: "|").last else { continue }
      for (index, name) in cell.split(separator: "`", omittingEmptySubsequences: false).enumerated()
      where !index.isMultiple(of: 2) && name != "UserActionTests" {
        count += 1
        #expect(quoted.contains(name), "no test is called: \(name)")
      }
    }
    #expect(count >= 100)
  }

  @Test("every reason for which a token is refused has a token that is refused for it")
  func reasons() throws {
    let source = try Self.text("Sources/Identity/Tokens/TokenFault.swift")
    let tests = try Self.text("Tests/IdentityTests/Tokens/TokenVerification.swift")
    var reasons: Set<Substring> = []
    let cases = source[..<(source.range(of: "public var description")?.lowerBound ?? source.endIndex)]
    for line in cases.split(separator: "\n") where line.hasPrefix("  case ") {
      reasons.insert(line.dropFirst("  case ".count).prefix { $0.isLetter || $0.isNumber })
    }
    #expect(reasons.count >= 60)
    for reason in reasons {
      // Compared with what a token was refused for, or matched by a pattern.
      let isTested =
        tests.contains("== .\(reason)") || tests.contains("case .\(reason)(")
      #expect(isTested, "no token is refused for the reason \(reason)")
    }
  }

  @Test("every sign_in_provider that a token can name", arguments: Provider.signInProviders)
  func signInProviders(id: String) throws {
    let world = World()
    let device = world.device()
    switch id {
    case "password": try device.createUser(email: "a@b.c", password: "secret1")
    case "phone": try device.signIn(with: world.phoneCredential("+15555550100", on: device))
    case "anonymous": try device.signInAnonymously()
    case "custom": try device.signIn(customToken: CustomToken.make(uid: "u", at: world.now))
    case "passkey":
      try device.createUser(email: "a@b.c", password: "secret1")
      _ = try world.server.enrolPasskey("key", idToken: device.idToken())
      guard case .signedIn(let session) = try world.server.signIn(passkey: "key") else {
        Issue.record("the passkey did not sign in")
        return
      }
      #expect(session.signInProvider == id)
      #expect(
        try UnsignedToken.decode(session.tokens.idToken)["firebase"]
          == ["identities": ["email": ["a@b.c"]], "sign_in_provider": "passkey"])
      return
    default: try device.signIn(with: world.credential(id, ["sub": "7"]))
    }
    #expect(try device.signInProvider == id)
  }
}
