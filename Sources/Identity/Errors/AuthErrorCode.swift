/// The errors of the iOS SDK, `AuthErrorCode`, with its names and numbers.
public enum AuthErrorCode: Int, Sendable, CaseIterable {
  case invalidCustomToken = 17000
  case customTokenMismatch = 17002
  case invalidCredential = 17004
  case userDisabled = 17005
  case operationNotAllowed = 17006
  case emailAlreadyInUse = 17007
  case invalidEmail = 17008
  case wrongPassword = 17009
  case tooManyRequests = 17010
  case userNotFound = 17011
  case accountExistsWithDifferentCredential = 17012
  case requiresRecentLogin = 17014
  case providerAlreadyLinked = 17015
  case noSuchProvider = 17016
  case invalidUserToken = 17017
  case networkError = 17020
  case userTokenExpired = 17021
  case userMismatch = 17024
  case credentialAlreadyInUse = 17025
  case weakPassword = 17026
  case expiredActionCode = 17029
  case invalidActionCode = 17030
  case invalidPhoneNumber = 17042
  case invalidVerificationCode = 17044
  case invalidVerificationID = 17046
  case sessionExpired = 17051
  case secondFactorRequired = 17078
  case invalidMultiFactorSession = 17083
  case multiFactorInfoNotFound = 17084
  case adminRestrictedOperation = 17085
  case unverifiedEmail = 17086
  case secondFactorAlreadyEnrolled = 17087
  case maximumSecondFactorCountExceeded = 17088
  case unsupportedFirstFactor = 17089
  case emailChangeNeedsVerification = 17090
  case missingOrInvalidNonce = 17094
  case blockingCloudFunctionError = 17105
  case keychainError = 17995
  case internalError = 17999
  case malformedJWT = 18000

  /// What the SDK makes of a server's code: the text before the first `:` decides, and a code that it
  /// does not know is an internal error.
  public init(serverCode: String) {
    self = Self.byServerCode[Self.plain(serverCode)] ?? .internalError
  }

  static func plain(_ code: String) -> String {
    var text = code.prefix { $0 != ":" }
    while text.last == " " { text.removeLast() }
    return String(text)
  }

  /// Server codes, and the words in their manner that we use for what only a client finds.
  private static let byServerCode: [String: AuthErrorCode] = [
    "EMAIL_EXISTS": .emailAlreadyInUse,
    "WEAK_PASSWORD": .weakPassword,
    "INVALID_EMAIL": .invalidEmail, "INVALID_IDENTIFIER": .invalidEmail,
    "USER_NOT_FOUND": .userNotFound, "EMAIL_NOT_FOUND": .userNotFound,
    "INVALID_PASSWORD": .wrongPassword,
    "INVALID_LOGIN_CREDENTIALS": .invalidCredential, "INVALID_IDP_RESPONSE": .invalidCredential,
    "INVALID_PENDING_TOKEN": .invalidCredential,
    "USER_DISABLED": .userDisabled,
    "CREDENTIAL_TOO_OLD_LOGIN_AGAIN": .requiresRecentLogin,
    "FEDERATED_USER_ID_ALREADY_LINKED": .credentialAlreadyInUse,
    "TOKEN_EXPIRED": .userTokenExpired,
    "INVALID_ID_TOKEN": .invalidUserToken,
    "OPERATION_NOT_ALLOWED": .operationNotAllowed, "PASSWORD_LOGIN_DISABLED": .operationNotAllowed,
    "ADMIN_ONLY_OPERATION": .adminRestrictedOperation,
    "TOO_MANY_ATTEMPTS_TRY_LATER": .tooManyRequests,
    "INVALID_OOB_CODE": .invalidActionCode, "EXPIRED_OOB_CODE": .expiredActionCode,
    "INVALID_CODE": .invalidVerificationCode, "INVALID_SESSION_INFO": .invalidVerificationID,
    "SESSION_EXPIRED": .sessionExpired, "INVALID_PHONE_NUMBER": .invalidPhoneNumber,
    "INVALID_CUSTOM_TOKEN": .invalidCustomToken, "CREDENTIAL_MISMATCH": .customTokenMismatch,
    "MISSING_OR_INVALID_NONCE": .missingOrInvalidNonce,
    "SECOND_FACTOR_EXISTS": .secondFactorAlreadyEnrolled,
    "SECOND_FACTOR_LIMIT_EXCEEDED": .maximumSecondFactorCountExceeded,
    "MFA_ENROLLMENT_NOT_FOUND": .multiFactorInfoNotFound,
    "INVALID_MFA_PENDING_CREDENTIAL": .invalidMultiFactorSession,
    "UNSUPPORTED_FIRST_FACTOR": .unsupportedFirstFactor, "UNVERIFIED_EMAIL": .unverifiedEmail,
    "EMAIL_CHANGE_NEEDS_VERIFICATION": .emailChangeNeedsVerification,
    "BLOCKING_FUNCTION_ERROR_RESPONSE": .blockingCloudFunctionError,
    // Answers that are no errors to the server, but are to its client.
    ClientOnly.needConfirmation: .accountExistsWithDifferentCredential,
    ClientOnly.secondFactorRequired: .secondFactorRequired,
    ClientOnly.phoneNumberInUse: .credentialAlreadyInUse,
    // What the client finds without asking.
    ClientOnly.networkError: .networkError,
    ClientOnly.providerAlreadyLinked: .providerAlreadyLinked,
    ClientOnly.noSuchProvider: .noSuchProvider,
    ClientOnly.userMismatch: .userMismatch,
    ClientOnly.keychainError: .keychainError,
    ClientOnly.malformedJWT: .malformedJWT,
  ]
}

/// Codes, in the server's manner, of errors that only a client makes.
enum ClientOnly {
  static let needConfirmation = "NEED_CONFIRMATION"
  static let secondFactorRequired = "SECOND_FACTOR_REQUIRED"
  static let phoneNumberInUse = "TEMPORARY_PROOF"
  static let networkError = "NETWORK_ERROR"
  static let providerAlreadyLinked = "PROVIDER_ALREADY_LINKED"
  static let noSuchProvider = "NO_SUCH_PROVIDER"
  static let userMismatch = "USER_MISMATCH"
  static let keychainError = "KEYCHAIN_ERROR"
  static let malformedJWT = "MALFORMED_JWT"
}
