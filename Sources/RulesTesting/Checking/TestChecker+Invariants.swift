import RulesSyntax

extension TestChecker {
  mutating func checkInvariant(_ invariant: InvariantDeclaration) {
    var captures: Set<String> = []
    for segment in invariant.path.segments {
      guard case .capture(let name) = segment.kind else {
        if case .glob(let name) = segment.kind { addCapture(name, &captures) }
        continue
      }
      addCapture(name, &captures)
    }
    let hasGlob = invariant.path.segments.contains { if case .glob = $0.kind { true } else { false } }
    if !hasGlob, !invariant.path.segments.count.isMultiple(of: 2) {
      error(
        "collection-path", invariant.path.range, "This path names a collection: an invariant is about documents.",
        notes: ["For every document in it, add a capture: \(syntax.file.text(invariant.path.range))/{id}"])
    }
    for expression in [invariant.condition?.expression, invariant.owner].compactMap(\.self) {
      checkNames(expression, .invariant(captures))
      checkProviderIDs(expression)
    }
    if let user = invariant.user { useUser(user) }
    var fields: Set<String> = []
    for field in invariant.fields where !fields.insert(field.text).inserted {
      error("repeated-name", field.range, "The field '\(field.text)' is named twice.")
    }
  }

  private mutating func addCapture(_ name: Name, _ captures: inout Set<String>) {
    if !captures.insert(name.text).inserted {
      error("repeated-name", name.range, "The capture '\(name.text)' is named twice.")
    }
    if TestChecker.reservedNames.contains(name.text) {
      error("reserved-name", name.range, "'\(name.text)' has a meaning of its own and cannot name a capture.")
    }
  }
}
