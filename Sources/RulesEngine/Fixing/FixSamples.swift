import RulesValues

extension FixClues {
  /// Texts that patterns often ask for.
  static let texts = [
    "text", "alice@example.com", "https://example.com", "2026-01-01", "12345", "abc-123", "ABC", "+15550100",
  ]

  /// A value of a type that rules name; `nil` where no document holds such values.
  static func sample(ofType type: String, _ state: FixedQuestion) -> DataValue? {
    switch type {
    case "string": .string("text")
    case "int", "number": .int(1)
    case "float": .double(1.5)
    case "bool": .bool(true)
    case "list": .array([])
    case "map": .map([:])
    case "null": .null
    case "timestamp": .timestamp(state.request.time)
    case "latlng": .geoPoint(latitude: 0, longitude: 0)
    case "bytes": .bytes([])
    case "path": .reference(state.request.path)
    default: nil
    }
  }

  /// Another value of the same type; of null something that is there.
  static func other(than value: DataValue, _ state: FixedQuestion) -> DataValue {
    switch value {
    case .bool(let b): .bool(!b)
    case .int(let i): .int(i &+ 1)
    case .double(let d): .double(d + 1)
    case .string(let s): .string(s == "text" ? "other" : "text")
    case .timestamp(let t): .timestamp(Timestamp(seconds: t.seconds + 1, nanos: t.nanos))
    case .array(let items): .array(items.isEmpty ? [.string("text")] : [])
    default: .string("text")
    }
  }

  /// The value a little less or more: by one, of times by a second.
  static func moved(_ value: DataValue, by step: Int) -> DataValue? {
    switch value {
    case .int(let i): .int(i &+ Int64(step))
    case .double(let d): .double(d + Double(step))
    case .timestamp(let t): .timestamp(Timestamp(seconds: t.seconds + Int64(step), nanos: t.nanos))
    case .string(let s): step < 0 ? .string("") : .string(step == 0 ? s : s + "x")
    default: nil
    }
  }
}
