/// The names that may follow `is`.
public enum RulesType: String, CaseIterable, Sendable {
  case bool, bytes, constraint, duration, float, int, latlng, list, vector, set, number, map, string, timestamp
  case path
  case mapDiff = "map_diff"
}

extension Operators {
  /// `v is type`. Null is of no type.
  @inlinable
  public static func isType(_ v: Value, _ type: RulesType) -> Value {
    let holds: Bool =
      switch type {
      case .bool: v.has(.bool)
      case .bytes: v.has(.bytes)
      case .constraint: v.has(.constraint)
      case .duration: v.has(.duration)
      case .float: v.has(.float)
      case .int: v.has(.int)
      case .latlng: v.has(.latlng)
      case .list: v.has(.list)
      case .vector: v.has(.vector)
      // Sets are no sets to the official emulator 1.19.9. Should another implementation turn out to know better,
      // this is the place where its dialect would say so.
      case .set: false
      case .number: v.has(.int) || v.has(.float)
      case .map: v.has(.map)
      case .string: v.has(.string)
      case .timestamp: v.has(.timestamp)
      case .path: v.has(.path)
      case .mapDiff: v.has(.mapDiff)
      }
    return v.has(.open) ? .unknown : .bool(holds)
  }
}
