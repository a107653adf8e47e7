import RulesValues

/// A type of the app that a field can be compared with as it is: `where("owner", .equal, user.id)`.
public protocol FieldConvertible {
  var dataValue: DataValue { get }
}

extension Bool: FieldConvertible { public var dataValue: DataValue { .bool(self) } }
extension Int: FieldConvertible { public var dataValue: DataValue { .int(Int64(self)) } }
extension Int64: FieldConvertible { public var dataValue: DataValue { .int(self) } }
extension Double: FieldConvertible { public var dataValue: DataValue { .double(self) } }
extension String: FieldConvertible { public var dataValue: DataValue { .string(self) } }
extension Timestamp: FieldConvertible { public var dataValue: DataValue { .timestamp(self) } }
extension ResourcePath: FieldConvertible { public var dataValue: DataValue { .reference(self) } }
extension Array: FieldConvertible where Element: FieldConvertible {
  public var dataValue: DataValue { .array(map(\.dataValue)) }
}

extension StructuredQuery {
  /// Adds a comparison with a value of the app.
  public func `where`(
    _ field: FieldPath, _ comparison: Filter.Comparison, _ value: some FieldConvertible
  ) -> StructuredQuery { self.where(field, comparison, value.dataValue) }
}

extension FieldValue {
  /// A value of the app as what is written.
  public static func of(_ value: some FieldConvertible) -> FieldValue { .value(value.dataValue) }
}
