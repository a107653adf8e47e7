import JSON
import LocalFirestore
import RulesEngine
import RulesValues

extension LocalFirestore {
  /// The access of whoever is signed in on a device, with the ID token that it has now, or gets now if that is at its
  /// end; of somebody who is signed out if nobody is. As in production the rules see the token, not the account: what
  /// has changed since it was issued shows with the next one, so ask for the client anew when time has passed.
  /// - Throws: what a refresh is refused for, where one is due.
  public func client(as device: Device, database: Text = defaultDatabase) throws(IdentityError) -> Client {
    guard device.currentUser != nil else { return client(as: nil, database: database) }
    return try client(withToken: try device.idToken(), database: database)
  }

  /// The access of whoever holds an ID token. As the emulator does, and unlike production, it takes unsigned and
  /// expired ones.
  /// - Throws: `INVALID_ID_TOKEN`.
  public func client(withToken token: String, database: Text = defaultDatabase) throws(IdentityError) -> Client {
    client(as: try Auth(idToken: token), database: database)
  }
}

extension Auth {
  /// `request.auth` as rules see it for an ID token, whose signature is not looked at.
  /// - Throws: `INVALID_ID_TOKEN`.
  public init(idToken: String) throws(IdentityError) {
    let payload = try UnsignedToken.decode(idToken)
    guard let uid = payload["sub"]?.stringValue else {
      throw IdentityError(code: "INVALID_ID_TOKEN", message: "the token names no uid (sub)")
    }
    do {
      self.init(uid: uid, token: try DataValue.fields(plain: .object(payload.withWholeNumbers)))
    } catch {
      throw IdentityError(code: "INVALID_ID_TOKEN", message: "the claims are no data of rules: \(error)")
    }
  }
}
