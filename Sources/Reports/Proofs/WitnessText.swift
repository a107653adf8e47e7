import Isolation
import JSON
import RulesEngine
import RulesValues

/// A request that was found, with the documents that it needs: in the words of the test language, and as JSON.
enum WitnessText {
  static func lines(_ witness: Witness) -> [StyledLine] {
    var lines = witness.documents.sorted { $0.key.relative < $1.key.relative }.map { path, fields in
      StyledLine("        given \(SafeText.line(path.relative)) \(data(fields))")
    }
    var line = StyledLine("        ")
    line.add(step(witness), .bold)
    if witness.query != nil { line.add("   returns \(SafeText.line(witness.path.relative))") }
    lines.append(line)
    lines.append(StyledLine("        as \(SafeText.line(Caller(witness.auth).line))"))
    return lines
  }

  static func json(_ witness: Witness) -> JSONValue {
    let documents = witness.documents.sorted { $0.key.relative < $1.key.relative }
    return [
      "documents": .array(
        documents.map {
          ["path": .string($0.key.relative), "fields": DataValue.rest(fields: $0.value, project: "demo-project")]
        }),
      "auth": witness.auth.map {
        ["uid": .string($0.uid), "token": DataValue.rest(fields: $0.token, project: "demo-project")]
      } ?? .null,
      "method": .string(witness.query == nil ? witness.method.rawValue : "list"),
      "path": .string(witness.path.relative),
      "data": witness.data.map { DataValue.rest(fields: $0, project: "demo-project") } ?? .null,
      "step": .string(step(witness)),
    ]
  }

  static func data(_ fields: Fields) -> String { SafeText.line(DataText.text(.map(fields), width: 10_000)) }

  /// What was done, as a step of a test.
  static func step(_ witness: Witness) -> String {
    if let query = witness.query {
      let path = query.allDescendants ? "/{any=**}" : SafeText.line(query.parent.relative)
      var text = "list \(path)/\(SafeText.line(query.collectionID?.string ?? ""))"
      if let filter = query.filter { text += " where \(SafeText.line(written(filter)))" }
      if let limit = query.limit { text += " limit \(limit)" }
      return text
    }
    let path = SafeText.line(witness.path.relative)
    guard let data = witness.data else { return "\(witness.method.rawValue) \(path)" }
    return "\(witness.method == .update ? "set" : witness.method.rawValue) \(path) \(self.data(data))"
  }

  private static func written(_ filter: QueryFilter) -> String {
    switch filter {
    case .compare(let field, .arrayContains, let value): "\(DataText.text(value, width: 1_000)) in \(field)"
    case .compare(let field, let op, let value): "\(field) \(op.symbol) \(DataText.text(value, width: 1_000))"
    case .unary(let field, .isNull): "\(field) == null"
    case .unary(let field, let test): "\(field) \(test.rawValue)"
    case .and(let parts): parts.map(written).joined(separator: " && ")
    case .or(let parts): parts.map { "(\(written($0)))" }.joined(separator: " || ")
    }
  }
}
