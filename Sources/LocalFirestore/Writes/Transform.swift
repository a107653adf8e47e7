import RulesValues

/// A change of a field that is worked out from what is stored. Results as observed on the official emulator 1.19.9.
public enum Transform: Sendable, Equatable {
  case serverTimestamp
  /// By an int or a double. Ints saturate; what is no number counts as absent.
  case increment(DataValue)
  case maximum(DataValue)
  case minimum(DataValue)
  case arrayUnion([DataValue])
  case arrayRemove([DataValue])

  /// The new value of a field.
  /// - Parameters:
  ///   - old: what is there, if anything.
  ///   - time: `request.time`.
  public func apply(to old: DataValue?, time: Timestamp) -> DataValue {
    switch self {
    case .serverTimestamp: return .timestamp(time)
    case .increment(let step):
      switch (old, step) {
      case (.int(let a), .int(let b)):
        let (sum, overflow) = a.addingReportingOverflow(b)
        return .int(overflow ? (b < 0 ? .min : .max) : sum)
      case (.int(let a), .double(let b)): return .double(Double(a) + b)
      case (.double(let a), .int(let b)): return .double(a + Double(b))
      case (.double(let a), .double(let b)): return .double(a + b)
      default: return step
      }
    case .maximum(let bound): return Self.extreme(old, bound, keepIf: { $0 >= 0 })
    case .minimum(let bound): return Self.extreme(old, bound, keepIf: { $0 <= 0 })
    case .arrayUnion(let added):
      var items = Self.items(old)
      for item in added where !items.contains(where: { $0.isSameElement(as: item) }) { items.append(item) }
      return .array(items)
    case .arrayRemove(let removed):
      return .array(Self.items(old).filter { item in !removed.contains { $0.isSameElement(as: item) } })
    }
  }

  /// Of equal numbers the stored one stays; NaN wins over any number.
  private static func extreme(_ old: DataValue?, _ bound: DataValue, keepIf: (Int) -> Bool) -> DataValue {
    switch old {
    case .int, .double: break
    default: return bound
    }
    guard let old else { return bound }
    if case .double(let d) = old, d.isNaN { return old }
    guard let order = NumberOrder.compare(old, bound) else { return bound }
    return keepIf(order) ? old : bound
  }

  private static func items(_ old: DataValue?) -> [DataValue] {
    if case .array(let items) = old { items } else { [] }
  }

  /// Transforms of arrays report no result.
  var isOfArray: Bool {
    switch self {
    case .arrayUnion, .arrayRemove: true
    default: false
    }
  }

  /// - Throws: INVALID_ARGUMENT for an operand that is no number.
  func check() throws(FirestoreError) {
    switch self {
    case .increment(.int), .increment(.double), .maximum(.int), .maximum(.double), .minimum(.int), .minimum(.double):
      break
    case .increment, .maximum, .minimum:
      throw FirestoreError(.invalidArgument, "Input must be int64 or double.")
    case .serverTimestamp, .arrayUnion, .arrayRemove: break
    }
  }
}

/// A field of a write, as a client gives it.
public indirect enum FieldValue: Sendable, Equatable {
  case value(DataValue)
  /// A map that may hold transforms.
  case map([Text: FieldValue])
  case transform(Transform)
  /// Takes the field away; not in `create` and in `set` without merge.
  case delete

  public static let serverTimestamp = FieldValue.transform(.serverTimestamp)
  public static func increment(_ by: some BinaryInteger) -> FieldValue {
    .transform(.increment(.int(Int64(clamping: by))))
  }
  public static func increment(_ by: Double) -> FieldValue { .transform(.increment(.double(by))) }
  public static func arrayUnion(_ items: [DataValue]) -> FieldValue { .transform(.arrayUnion(items)) }
  public static func arrayRemove(_ items: [DataValue]) -> FieldValue { .transform(.arrayRemove(items)) }
}

extension FieldValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByDictionaryLiteral
{
  public init(nilLiteral: ()) { self = .value(.null) }
  public init(booleanLiteral value: Bool) { self = .value(.bool(value)) }
  public init(integerLiteral value: Int64) { self = .value(.int(value)) }
  public init(floatLiteral value: Double) { self = .value(.double(value)) }
  public init(stringLiteral value: String) { self = .value(.string(value)) }
  /// Of a name that is given twice the last value counts.
  public init(dictionaryLiteral members: (Text, FieldValue)...) {
    self = .map(Dictionary(members, uniquingKeysWith: { $1 }))
  }
}
