import Identity
import LocalFirestore
import RulesEngine
import RulesValues

/// Who calls, as the `Authorization` header says it.
enum FirestoreCaller: Sendable {
  /// `Bearer owner`, or an access token of Google's: no rules.
  case server
  /// An ID token, signed or not; without a header nobody.
  case user(Auth?)

  /// As the official emulator 1.19.9 takes it: signatures and the end of a token's life are not looked at, and of a
  /// header that begins otherwise nothing is said.
  /// - Throws: INVALID_ARGUMENT for what is no token.
  init(_ header: String?) throws(FirestoreError) {
    guard let header else {
      self = .user(nil)
      return
    }
    let words = header.split(separator: " ", maxSplits: 1)
    guard words.count == 2, words[0].lowercased() == "bearer" else {
      throw FirestoreError(
        .unauthenticated, "invalid authorization header",
        note: "It is written Authorization: Bearer TOKEN, with owner or an ID token.")
    }
    let token = words[1].drop { $0 == " " }
    if token.lowercased() == "owner" || token.hasPrefix("ya29.") {
      self = .server
      return
    }
    do throws(IdentityError) {
      self = .user(try Auth(idToken: String(token)))
    } catch {
      throw FirestoreError(.invalidArgument, "invalid jwt", note: error.message)
    }
  }

  func client(_ firestore: LocalFirestore, _ database: Text) -> Client {
    switch self {
    case .server: firestore.admin(database: database)
    case .user(let auth): firestore.client(as: auth, database: database)
    }
  }
}
