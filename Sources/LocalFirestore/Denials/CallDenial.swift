import RulesEngine

/// A refusal by the rules: the official message, and beyond it what became of each statement, and for a query what it
/// lacks.
///
/// Of a call that was only asked about, what is told is told of the documents as they were. Of a call that failed the
/// rules are asked again when somebody wants to know, on the documents as they are then.
public struct CallDenial: Sendable, CustomStringConvertible {
  /// As the official implementation words it.
  public let official: Denial
  private let details: @Sendable () -> DenialDetails?

  init(_ official: Denial, _ details: @escaping @Sendable () -> DenialDetails? = { nil }) {
    self.official = official
    self.details = details
  }

  /// The official message: `false for 'get' @ L5`.
  public var message: String { official.message }
  /// What became of each `allow`, pass by pass.
  public var entries: [Denial.Entry] { official.entries }

  /// Who was refused what, and by which statements, a line each, with the values that decided:
  ///
  ///     get /users/bob is denied to 'alice':
  ///       firestore.rules:5, allow get: `request.auth.uid == uid` is false, `request.auth.uid` being 'alice', …
  ///
  /// The official message where there is no more to tell.
  public var explanation: String {
    guard let text = details()?.text, !text.isEmpty else { return message }
    return text
  }

  /// What a refused query would have to add to be allowed, as the test language writes it: `where owner == 'alice'`.
  /// The rules were asked. `nil` where no such filter was found.
  public var suggestion: String? { details()?.query?.advice?.proposal }

  /// The refused query with what it would have to add. The rules allow it.
  public var suggestedQuery: StructuredQuery? { details()?.suggestedQuery }

  /// The values that the conditions took; one for each refused document, none for a query.
  public var explanations: [Explanation] { details()?.documents ?? [] }

  /// The same for a query.
  public var queryExplanation: QueryExplanation? { details()?.query }

  public var description: String { explanation }
}

/// What the rules said to a refused call.
struct DenialDetails: Sendable {
  var documents: [Explanation] = []
  var query: QueryExplanation?
  var asked: StructuredQuery?
  let text: String

  /// - Parameter isStale: the documents may have changed since the call was refused.
  init(documents: [Explanation], _ ruleset: Ruleset?, isStale: Bool) {
    self.documents = documents.filter { !$0.decision.isAllowed }
    text = DenialText(ruleset).text(self.documents, isStale: isStale)
  }

  init(_ query: QueryExplanation, _ asked: StructuredQuery, _ ruleset: Ruleset?, isStale: Bool) {
    self.query = query
    self.asked = asked
    text = DenialText(ruleset).text(query, isStale: isStale)
  }

  var suggestedQuery: StructuredQuery? {
    guard let advice = query?.advice, advice.proposal != nil, var changed = asked else { return nil }
    for filter in advice.filters { changed = changed.where(Filter(filter)) }
    if let limit = advice.limit { changed.limit = Int(clamping: limit) }
    // What Firestore would not run is no help.
    return (try? QueryLaws.check(changed)).map { changed }
  }
}

extension Filter {
  // Depth is that of the filter that was asked with.
  fileprivate init(_ filter: QueryFilter) {
    switch filter {
    case .and(let filters): self = .and(filters.map { Filter($0) })
    case .or(let filters): self = .or(filters.map { Filter($0) })
    case .unary(let field, let test):
      let unary: Unary =
        switch test {
        case .isNull: .isNull
        case .isNaN: .isNaN
        case .isNotNull: .isNotNull
        case .isNotNaN: .isNotNaN
        }
      self = .unary(FieldPath(names: field.names), unary)
    case .compare(let field, let op, let value):
      self = .compare(FieldPath(names: field.names), Comparison(rawValue: op.rawValue) ?? .equal, value)
    }
  }
}
