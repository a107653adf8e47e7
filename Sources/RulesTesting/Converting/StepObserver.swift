import LocalFirestore
import RulesSyntax

/// Somebody who looks at the requests of steps, each with the documents that are there when it is made.
protocol StepObserver: AnyObject, Sendable {
  /// - Parameters:
  ///   - verdict: what the step came to for the user.
  ///   - client: the user; its database is as it is before the request.
  func look(_ request: PlannedRequest, _ step: StepDeclaration, _ verdict: Verdict, _ client: Client)
}
