import Identity
import Testing

@Suite("Errors")
struct ErrorCodes {
  /// The table of the iOS SDK: what it makes of each of the server's codes.
  @Test("a server code has the SDK's name and number", arguments: [
    ("EMAIL_EXISTS", "emailAlreadyInUse", 17007),
    ("WEAK_PASSWORD : Password should be at least 6 characters", "weakPassword", 17026),
    ("INVALID_EMAIL", "invalidEmail", 17008), ("INVALID_IDENTIFIER", "invalidEmail", 17008),
    ("USER_NOT_FOUND", "userNotFound", 17011), ("EMAIL_NOT_FOUND", "userNotFound", 17011),
    ("INVALID_PASSWORD", "wrongPassword", 17009),
    ("INVALID_LOGIN_CREDENTIALS", "invalidCredential", 17004), ("INVALID_IDP_RESPONSE : x", "invalidCredential", 17004),
    ("INVALID_PENDING_TOKEN", "invalidCredential", 17004),
    ("USER_DISABLED", "userDisabled", 17005), ("NETWORK_ERROR", "networkError", 17020),
    ("CREDENTIAL_TOO_OLD_LOGIN_AGAIN", "requiresRecentLogin", 17014),
    ("FEDERATED_USER_ID_ALREADY_LINKED", "credentialAlreadyInUse", 17025),
    ("TEMPORARY_PROOF", "credentialAlreadyInUse", 17025),
    ("NEED_CONFIRMATION", "accountExistsWithDifferentCredential", 17012),
    ("SECOND_FACTOR_REQUIRED", "secondFactorRequired", 17078),
    ("TOKEN_EXPIRED", "userTokenExpired", 17021), ("INVALID_ID_TOKEN", "invalidUserToken", 17017),
    ("OPERATION_NOT_ALLOWED", "operationNotAllowed", 17006), ("PASSWORD_LOGIN_DISABLED", "operationNotAllowed", 17006),
    ("ADMIN_ONLY_OPERATION", "adminRestrictedOperation", 17085),
    ("TOO_MANY_ATTEMPTS_TRY_LATER", "tooManyRequests", 17010),
    ("INVALID_OOB_CODE", "invalidActionCode", 17030), ("EXPIRED_OOB_CODE", "expiredActionCode", 17029),
    ("INVALID_CODE", "invalidVerificationCode", 17044), ("INVALID_SESSION_INFO", "invalidVerificationID", 17046),
    ("SESSION_EXPIRED", "sessionExpired", 17051),
    ("INVALID_PHONE_NUMBER : Invalid format.", "invalidPhoneNumber", 17042),
    ("INVALID_CUSTOM_TOKEN : x", "invalidCustomToken", 17000), ("CREDENTIAL_MISMATCH", "customTokenMismatch", 17002),
    ("MISSING_OR_INVALID_NONCE : x", "missingOrInvalidNonce", 17094),
    ("SECOND_FACTOR_EXISTS", "secondFactorAlreadyEnrolled", 17087),
    ("SECOND_FACTOR_LIMIT_EXCEEDED", "maximumSecondFactorCountExceeded", 17088),
    ("MFA_ENROLLMENT_NOT_FOUND", "multiFactorInfoNotFound", 17084),
    ("INVALID_MFA_PENDING_CREDENTIAL", "invalidMultiFactorSession", 17083),
    ("UNSUPPORTED_FIRST_FACTOR", "unsupportedFirstFactor", 17089), ("UNVERIFIED_EMAIL", "unverifiedEmail", 17086),
    ("EMAIL_CHANGE_NEEDS_VERIFICATION", "emailChangeNeedsVerification", 17090),
    ("BLOCKING_FUNCTION_ERROR_RESPONSE", "blockingCloudFunctionError", 17105),
    ("PROVIDER_ALREADY_LINKED", "providerAlreadyLinked", 17015), ("NO_SUCH_PROVIDER", "noSuchProvider", 17016),
    ("USER_MISMATCH", "userMismatch", 17024), ("KEYCHAIN_ERROR", "keychainError", 17995),
    ("MALFORMED_JWT", "malformedJWT", 18000),
    ("INTERNAL_ERROR", "internalError", 17999),
    // Not in the SDK's list.
    ("CLAIMS_TOO_LARGE", "internalError", 17999), ("PHONE_NUMBER_EXISTS", "internalError", 17999),
    ("", "internalError", 17999),
  ])
  func table(server: String, name: String, number: Int) {
    let error = IdentityError(code: server, message: "m")
    #expect("\(error.clientCode)" == name)
    #expect(error.clientCode.rawValue == number)
  }
}
