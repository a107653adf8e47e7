import RulesValues

/// A question for documents, in the form in which Firestore's protocol carries it: of which collection, which of its
/// documents, in which order, how many, and what of them.
///
///     StructuredQuery(collection: "cities").where("people", .greaterThan, 1_000_000).order(by: "people").limit(10)
public struct StructuredQuery: Sendable, Equatable {
  /// The document that holds the collection, or with no segments the database.
  public var parent: ResourcePath
  /// `nil`: every collection, which Firestore knows for whole databases only.
  public var collection: Text?
  /// A collection group: all collections of this id at any depth below `parent`.
  public var allDescendants: Bool
  public var filter: Filter?
  public var orders: [Order] = []
  public var start: Cursor?
  public var end: Cursor?
  /// How many results are passed over.
  public var offset = 0
  public var limit: Int?
  /// Of all results the last `limit` ones are wanted, in the same order. Not a part of the protocol: clients turn the
  /// question around, and the rules see it so.
  public var isLimitedToLast = false
  /// The fields that are wanted; `nil`: all.
  public var projection: [FieldPath]?

  public init(collection: Text?, in parent: ResourcePath = ResourcePath(segments: []), allDescendants: Bool = false) {
    self.parent = parent
    self.collection = collection
    self.allDescendants = allDescendants
  }

  /// A place in the order of the results.
  public struct Cursor: Sendable, Equatable {
    /// Of the first orders; fewer than there are mean all that agree so far.
    public var values: [DataValue]
    /// The place lies just before what has these values, not just behind it.
    public var isBefore: Bool

    public init(_ values: [DataValue], isBefore: Bool) {
      self.values = values
      self.isBefore = isBefore
    }
  }

  public struct Order: Sendable, Equatable {
    public var field: FieldPath
    public var isDescending: Bool

    public init(_ field: FieldPath, isDescending: Bool = false) {
      self.field = field
      self.isDescending = isDescending
    }
  }
}

/// What documents must satisfy to be results.
public indirect enum Filter: Sendable, Equatable {
  case compare(FieldPath, Comparison, DataValue)
  case unary(FieldPath, Unary)
  case and([Filter])
  case or([Filter])

  /// Named as in the protocol.
  public enum Comparison: String, Sendable, CaseIterable {
    case lessThan = "LESS_THAN"
    case lessThanOrEqual = "LESS_THAN_OR_EQUAL"
    case greaterThan = "GREATER_THAN"
    case greaterThanOrEqual = "GREATER_THAN_OR_EQUAL"
    case equal = "EQUAL"
    case notEqual = "NOT_EQUAL"
    case arrayContains = "ARRAY_CONTAINS"
    case arrayContainsAny = "ARRAY_CONTAINS_ANY"
    case `in` = "IN"
    case notIn = "NOT_IN"
  }

  /// Named as in the protocol.
  public enum Unary: String, Sendable, CaseIterable {
    case isNaN = "IS_NAN"
    case isNull = "IS_NULL"
    case isNotNaN = "IS_NOT_NAN"
    case isNotNull = "IS_NOT_NULL"
  }

  /// A comparison as client libraries make it: that with null or NaN, for equality or inequality, is a filter of its
  /// own kind (observed on the official emulator 1.19.9: `EQUAL` with null finds nothing).
  public static func field(_ path: FieldPath, _ comparison: Comparison, _ value: DataValue) -> Filter {
    switch (comparison, value) {
    case (.equal, .null): .unary(path, .isNull)
    case (.notEqual, .null): .unary(path, .isNotNull)
    case (.equal, .double(let d)) where d.isNaN: .unary(path, .isNaN)
    case (.notEqual, .double(let d)) where d.isNaN: .unary(path, .isNotNaN)
    default: .compare(path, comparison, value)
    }
  }
}

extension FieldPath {
  /// `__name__`: the path of the document itself.
  public static let documentName = FieldPath("__name__")
  public var isDocumentName: Bool { names == ["__name__"] }
}
