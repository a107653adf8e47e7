import RulesValues

/// A query as the rules see it. Whether it may run is decided by what it asks, never by the documents it would find.
///
/// Counts, sums and averages are judged as the query they run over. Cursors play no part.
public struct ListRequest: Sendable, Equatable {
  /// The document below which the collection lies; without segments the root of the database.
  public var parent: ResourcePath
  /// `nil`: every collection, which Firestore knows for groups only.
  public var collectionID: Text?
  /// A collection group: every collection of this id at any depth below `parent`.
  public var allDescendants: Bool
  public var filter: QueryFilter?
  /// The orders that the query names (not those that follow from its filters): `request.query.orderBy`.
  public var orders: [Order]
  /// `request.query.limit`; `nil` when there is none, which the rules see as null.
  public var limit: Int64?
  /// `request.query.offset`
  public var offset: Int64
  /// The fields that are wanted, `nil` for whole documents; none when only names are: `request.fields`.
  public var fields: [QueryField]?
  /// In a transaction that may write.
  public var inTransaction: Bool
  /// `nil`: signed out.
  public var auth: Auth?
  /// `request.time`; Firestore gives it in milliseconds.
  public var time: Timestamp

  public struct Order: Sendable, Equatable {
    public var field: QueryField
    public var isDescending: Bool

    public init(_ field: QueryField, isDescending: Bool = false) {
      self.field = field
      self.isDescending = isDescending
    }
  }

  public init(
    _ collectionID: Text?, in parent: ResourcePath = ResourcePath(segments: []), allDescendants: Bool = false,
    filter: QueryFilter? = nil, orders: [Order] = [], limit: Int64? = nil, offset: Int64 = 0,
    fields: [QueryField]? = nil, inTransaction: Bool = false, auth: Auth?, time: Timestamp
  ) {
    self.parent = parent
    self.collectionID = collectionID
    self.allDescendants = allDescendants
    self.filter = filter
    self.orders = orders
    self.limit = limit
    self.offset = offset
    self.fields = fields
    self.inTransaction = inTransaction
    self.auth = auth
    self.time = time
  }
}
