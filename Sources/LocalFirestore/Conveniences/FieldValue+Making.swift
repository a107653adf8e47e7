import RulesValues

// Values of an app as what is written: `["title": .string(title), "members": ["alice", "bob"]]`.

extension FieldValue {
  public static func bool(_ value: Bool) -> FieldValue { .value(.bool(value)) }
  public static func int(_ value: some BinaryInteger) -> FieldValue { .value(.int(Int64(clamping: value))) }
  public static func double(_ value: Double) -> FieldValue { .value(.double(value)) }
  public static func string(_ value: String) -> FieldValue { .value(.string(value)) }
  public static func bytes(_ value: [UInt8]) -> FieldValue { .value(.bytes(value)) }
  public static func timestamp(_ value: Timestamp) -> FieldValue { .value(.timestamp(value)) }
  public static func reference(_ value: ResourcePath) -> FieldValue { .value(.reference(value)) }
  public static func array(_ value: [DataValue]) -> FieldValue { .value(.array(value)) }
  public static func strings(_ value: some Sequence<String>) -> FieldValue { .value(.array(value.map { .string($0) })) }
  public static func geoPoint(latitude: Double, longitude: Double) -> FieldValue {
    .value(.geoPoint(latitude: latitude, longitude: longitude))
  }
  public static func vector(_ value: [Double]) -> FieldValue { .value(.vector(value)) }
}

extension FieldValue: ExpressibleByArrayLiteral, ExpressibleByStringInterpolation {
  public init(arrayLiteral elements: DataValue...) { self = .value(.array(elements)) }
}

extension DataValue: ExpressibleByStringInterpolation {}
