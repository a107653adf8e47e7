import JSON
import LocalFirestore
import RulesEngine
import RulesValues

extension LocalFirestore {
  /// The access of an app on a device: every call is made with the ID token that the device has then, or gets then if
  /// that is at its end, and signed out while nobody is signed in. As in production the rules see the token, not the
  /// account: what has changed since it was issued shows with the next one.
  ///
  /// A call for which no token is to be had, the refresh being refused or the device offline, fails with
  /// UNAUTHENTICATED.
  public func client(as device: Device, database: Text = defaultDatabase) -> Client {
    client(database: database) { () throws(FirestoreError) in
      do throws(IdentityError) {
        guard device.currentUser != nil else { return nil }
        return try Auth(idToken: device.idToken())
      } catch {
        throw FirestoreError(.unauthenticated, error.description)
      }
    }
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
