import Identity
import JSON

/// What clients may ask for and nobody can do here: said so, instead of not found.
enum UnansweredEndpoints {
  static let routes: [AuthRoute] =
    AuthRoutes.client("accounts:verifyIosClient", "verifyClient") { (_) throws(IdentityError) in
      throw AuthFailure.notImplemented(
        "No push message can be sent to an app from here. In the app set "
          + "Auth.auth().settings.isAppVerificationDisabledForTesting to true.")
    }
    + AuthRoutes.client("accounts:issueSamlResponse", nil) { (_) throws(IdentityError) in
      throw AuthFailure.notImplemented("This server is no SAML identity provider.")
    }
}
