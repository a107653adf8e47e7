import JSON

/// The project's own functions that are asked before an account is made and before somebody is signed in.
///
/// They are asked outside of the server's lock, so a function may call the server while it is asked.
public protocol BlockingFunctions: Sendable {
  /// Whether there is one for this.
  func handles(_ kind: BlockingEvent.Kind) -> Bool
  /// What it says.
  /// - Throws: `BLOCKING_FUNCTION_ERROR_RESPONSE : …` if it refuses, or fails: the sign-in then fails too.
  func answer(_ event: BlockingEvent) throws(IdentityError) -> BlockingVerdict
}

/// What a function is asked.
public struct BlockingEvent: Sendable, Equatable {
  public enum Kind: String, Sendable { case beforeCreate, beforeSignIn }

  public let kind: Kind
  /// As it would be stored.
  public let account: Account
  public let session: AuthSession
  /// Everything that the identity provider said; nil without one.
  public let profile: JSONObject?
  /// Seconds since 1970.
  public let time: Int64
}

/// What a function wants to be changed. What is nil stays; an outer value of nil in nil is removed.
public struct BlockingVerdict: Sendable, Equatable {
  public var displayName: String??
  public var photoURL: String??
  public var isDisabled: Bool?
  public var emailVerified: Bool?
  public var customClaims: JSONObject?
  /// For this session alone: before sign-in only.
  public var sessionClaims: JSONObject?

  public init() {}
}

/// A question that stops a call until it is answered.
struct BlockingQuestion: Sendable, Equatable {
  let event: BlockingEvent
}

/// The answers that a call has so far.
struct BlockingHearing: Sendable {
  /// What there are functions for.
  var asks: Set<BlockingEvent.Kind> = []
  var verdicts: [BlockingEvent.Kind: BlockingVerdict] = [:]
  /// The uid that the first question was asked about: the new account keeps it.
  var uid: String?
}

extension ServerCore {
  /// Changes account and session as the function for this says.
  /// - Throws: the question, if it is not answered yet: a call that ends with one has stored nothing, and is made again
  ///   with the answer.
  mutating func ask(
    _ kind: BlockingEvent.Kind, _ account: inout Account, _ session: inout AuthSession, _ extras: SignInExtras
  ) throws(IdentityError) {
    guard hearing.asks.contains(kind) else { return }
    guard let verdict = hearing.verdicts[kind] else {
      var question = IdentityError(
        code: "INTERNAL_ERROR", message: "a blocking function has to be asked", details: ErrorDetails())
      question.details?.question = BlockingQuestion(
        event: BlockingEvent(kind: kind, account: account, session: session, profile: extras.profile, time: seconds))
      throw question
    }
    if let name = verdict.displayName { account.displayName = name }
    if let photo = verdict.photoURL { account.photoURL = photo }
    if let disabled = verdict.isDisabled { account.isDisabled = disabled }
    if let verified = verdict.emailVerified, account.email != nil { account.emailVerified = verified }
    if let claims = verdict.customClaims {
      try CustomClaims.check(claims)
      account.customClaims = claims.withWholeNumbers
    }
    if let claims = verdict.sessionClaims {
      try CustomClaims.check(claims)
      for (name, value) in claims.withWholeNumbers.members { session.claims[name] = value }
    }
  }
}

extension AuthServer {
  /// Does a call that may sign somebody in, and asks the blocking functions that there are.
  func runSigningIn<Answer: Sendable>(
    _ body: @Sendable (inout ServerCore) throws(IdentityError) -> Answer
  ) throws(IdentityError) -> Answer {
    guard let functions = blockingFunctions else { return try run(body) }
    var hearing = BlockingHearing()
    for kind in [BlockingEvent.Kind.beforeCreate, .beforeSignIn] where functions.handles(kind) {
      hearing.asks.insert(kind)
    }
    // Each round answers one question more, and there are two.
    while true {
      do throws(IdentityError) {
        let sofar = hearing
        return try run { (core) throws(IdentityError) in
          core.hearing = sofar
          defer { core.hearing = BlockingHearing() }
          return try body(&core)
        }
      } catch {
        guard let event = error.details?.question?.event, hearing.verdicts[event.kind] == nil else { throw error }
        hearing.verdicts[event.kind] = try functions.answer(event)
        if event.kind == .beforeCreate { hearing.uid = event.account.uid }
      }
    }
  }
}
