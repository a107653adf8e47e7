import JSON
import RulesSyntax

extension SourcePosition {
  /// Lines and columns from 1, offset from 0, in Unicode scalars.
  public var json: JSONValue {
    ["line": .int(Int64(line)), "column": .int(Int64(column)), "offset": .int(Int64(offset))]
  }
}

extension SourceRange {
  /// The end is the first place after the range.
  public var json: JSONValue { ["start": start.json, "end": end.json] }
}

extension Diagnostic {
  public var json: JSONValue {
    var object: JSONObject = [
      "id": .string(id), "severity": .string(severity.rawValue), "message": .string(message),
      "range": range?.json ?? .null,
    ]
    if !notes.isEmpty { object["notes"] = .array(notes.map { .string($0) }) }
    if let fix {
      object["fix"] = [
        "message": .string(fix.message), "range": fix.range.json, "replacement": .string(fix.replacement),
      ]
    }
    return .object(object)
  }
}
