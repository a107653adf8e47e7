/// What must hold for a server at any time.
public enum AccountAudit {
  /// What does not hold; nothing if all is well. Looks at every account, so it is for tests.
  public static func findings(_ server: AuthServer) throws(IdentityError) -> [String] {
    try server.run { (core) throws(IdentityError) in
      var findings: [String] = []
      let index = try core.storage.indexEntries
      var expected: [AccountKey: String] = [:]
      var uids: Set<String> = []
      for uid in try core.storage.uids(after: nil, limit: .max) {
        uids.insert(uid)
        guard let account = try core.storage.account(uid) else {
          findings.append("\(uid) is listed and not there")
          continue
        }
        if account.uid != uid { findings.append("\(uid) is stored as \(account.uid)") }
        for key in account.keys {
          if let other = expected[key] { findings.append("\(key.kind) '\(key.value)' belongs to \(other) and \(uid)") }
          expected[key] = uid
        }
        findings += complaints(account)
      }
      for (key, uid) in expected where index[key] != uid {
        findings.append("\(key.kind) '\(key.value)' leads to \(index[key] ?? "nobody"), not to \(uid)")
      }
      for (key, uid) in index where expected[key] == nil {
        findings.append("\(key.kind) '\(key.value)' leads to \(uid), which does not have it")
      }
      for session in try core.storage.sessions where !uids.contains(session.uid) {
        findings.append("a session of \(session.uid), which is gone")
      }
      for pending in core.pendingSignIns.values where !uids.contains(pending.session.uid) {
        findings.append("a sign-in of \(pending.session.uid) waits, which is gone")
      }
      return findings
    }
  }

  private static func complaints(_ account: Account) -> [String] {
    var complaints: [String] = []
    if Set(account.providerIDs).count != account.providers.count { complaints.append("a provider twice") }
    if account.email == nil,
      account.emailVerified || account.hasPassword || account.emailLinkSignIn
        || account.provider(ProviderID.password) != nil
    {
      complaints.append("without an address it has what needs one")
    }
    if let email = account.email, email != email.lowercased() { complaints.append("an address in upper case") }
    if (account.hasPassword || account.emailLinkSignIn) != (account.provider(ProviderID.password) != nil) {
      complaints.append("password and provider list disagree")
    }
    if let provider = account.provider(ProviderID.password), provider.rawID != account.email {
      complaints.append("the password is for another address")
    }
    if !account.secondFactors.isEmpty, account.email == nil { complaints.append("second factors without an address") }
    if Set(account.secondFactors.map(\.id)).count != account.secondFactors.count {
      complaints.append("a second factor twice")
    }
    if account.uid.isEmpty || account.uid.utf16.count > 128 { complaints.append("a uid that cannot be") }
    if account.createdAt > account.lastLoginAt { complaints.append("a login before it was made") }
    return complaints.map { "\(account.uid): \($0)" }
  }
}
