import JSON
import LocalFirestore
import RulesEngine
import RulesSyntax
import RulesValues

/// The answer to an `EvaluationQuestion`.
public struct EvaluationAnswer: Sendable {
  public let decision: Decision
  /// What Firestore says beyond the rules: a query or write that it refuses whoever asks, or writes that the rules
  /// allow but that cannot be made, such as an update of a missing document.
  public let obstacle: FirestoreError?
  /// Of an allowed query: where it can return what its condition seems to forbid.
  public let warnings: [QueryWarning]
  /// Of a get or of writes, where it was asked for: of several writes the first that was refused, else the first.
  public let explanation: Explanation?
  /// The same of a query.
  public let queryExplanation: QueryExplanation?
  /// What each judged request takes of the official limits, where it was asked for.
  public let budgets: [RequestBudget]
  /// The same for several writes together.
  public let lookups: CommitLookups?
  /// All documents afterwards in the REST encoding, where they were asked for.
  public let documents: JSONValue?
}

/// Answers questions one after another; rules that stay the same are compiled once.
public struct Evaluation {
  private let dialect: Dialect
  private let queryMode: QueryMode
  private var known: (text: String, ruleset: Ruleset?, diagnostics: [Diagnostic])?

  public init(dialect: Dialect = .live, queryMode: QueryMode = .official) {
    self.dialect = dialect
    self.queryMode = queryMode
  }

  /// The compiled rules of a question, or the errors in them.
  public mutating func compile(_ question: EvaluationQuestion) -> (ruleset: Ruleset?, diagnostics: [Diagnostic]) {
    if let known, known.text == question.rules { return (known.ruleset, known.diagnostics) }
    let (ruleset, diagnostics) = Ruleset.compile(SourceFile(name: "firestore.rules", text: question.rules))
    known = (question.rules, ruleset, diagnostics)
    return (ruleset, diagnostics)
  }

  /// Judges what is asked, and does it when it is allowed.
  /// - Throws: INVALID_ARGUMENT when the documents that are there break a law of Firestore.
  public func answer(_ question: EvaluationQuestion, _ ruleset: Ruleset) throws(FirestoreError) -> EvaluationAnswer {
    let clock = ManualClock(question.time ?? TestFile.defaultNow)
    let firestore = LocalFirestore(clock: clock, dialect: dialect, queryMode: queryMode)
    let admin = firestore.admin(database: question.database)
    if !question.documents.isEmpty { try admin.commit(question.documents) }
    firestore.setRules(ruleset, database: question.database)
    let client = firestore.client(as: question.auth, database: question.database)
    var judged = try judge(question, client)
    if case .writes(let writes) = question.asked, judged.decision.isAllowed, judged.obstacle == nil {
      do throws(FirestoreError) {
        try admin.commit(writes)
      } catch {
        judged.obstacle = error
      }
    }
    return EvaluationAnswer(
      decision: judged.decision, obstacle: judged.obstacle, warnings: judged.warnings,
      explanation: judged.explanation, queryExplanation: judged.queryExplanation, budgets: judged.budgets,
      lookups: judged.lookups, documents: question.listsDocuments ? try firestore.export()["documents"] : nil)
  }

  private struct Judged {
    var decision: Decision
    var obstacle: FirestoreError?
    var warnings: [QueryWarning] = []
    var explanation: Explanation?
    var queryExplanation: QueryExplanation?
    var budgets: [RequestBudget] = []
    var lookups: CommitLookups?
  }

  private func judge(_ question: EvaluationQuestion, _ client: Client) throws(FirestoreError) -> Judged {
    let (explaining, fixing, measuring) = (question.isExplained, question.isFixed, question.isMeasured)
    switch question.asked {
    case .get(let path):
      let judgement = try client.judge(.get(path), explaining: explaining, fixing: fixing, measuring: measuring)
      return Judged(
        decision: judgement.decision, explanation: judgement.explanation,
        budgets: [judgement.budget].compactMap(\.self))
    case .query(let query):
      let judgement = try client.judge(query, explaining: explaining, measuring: measuring)
      return Judged(
        decision: judgement.decision, warnings: judgement.warnings, queryExplanation: judgement.explanation,
        budgets: [judgement.budget].compactMap(\.self))
    case .writes(let writes):
      let commit = try client.judge(writes, explaining: explaining, fixing: fixing, measuring: measuring)
      let shown = commit.judgements.first { !$0.isAllowed } ?? commit.judgements.first
      return Judged(
        decision: commit.denial.map { .denied($0) } ?? .allowed, obstacle: commit.isAllowed ? commit.obstacle : nil,
        explanation: shown?.explanation, budgets: commit.judgements.compactMap(\.budget),
        lookups: measuring ? commit.lookups : nil)
    }
  }
}
