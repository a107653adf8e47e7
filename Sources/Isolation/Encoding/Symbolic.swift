/// When a condition is definitely true and when definitely false. An error is neither.
struct Truth {
  var yes: Term
  var no: Term
}

/// A value that may be of any kind.
struct Scalar {
  var value: Term
  /// Whether there is one, rather than an error.
  var isThere: Term
  /// Read from what a query says of its documents, not from a document: see `World.law`.
  var isLaw = false
}

struct MapView {
  var id: Term
  var isThere: Term
  var isLaw = false
}

/// `{data, id, __name__}` or null.
struct DocumentView {
  var exists: Term
  var data: Term
  /// Whether asking for it is no error.
  var isThere: Term
  var path: SymbolicPath?
  var isLaw = false
}

/// A path of which all segments are known one by one, but for a gap of any length (at least one segment).
struct SymbolicPath {
  /// Codes.
  var segments: [Term]
  /// The gap lies before this segment.
  var gap: Int?
  var isThere: Term
}

/// What an expression comes to.
indirect enum Symbolic {
  case error
  case truth(Truth)
  case scalar(Scalar)
  case map(MapView)
  case literalMap([(key: [UInt8], value: Symbolic)], isThere: Term)
  case list([Symbolic])
  /// Names of a map's fields as a list (`keys()`) or as a set.
  case keys(MapView)
  /// A set of literal members.
  case set([Symbolic])
  case difference(new: MapView, old: MapView)
  case changedKeys(new: MapView, old: MapView, Change)
  case path(SymbolicPath)
  /// A path with a variable that is not bound, which equals no path, not even itself. Its segments tell it from others.
  case unboundPath(SymbolicPath)
  case document(DocumentView)
  case request
  case auth
  case query
  /// One of several, of which at most one condition holds; none: an error.
  case either([(condition: Term, value: Symbolic)])

  enum Change { case added, removed, changed, affected, unchanged }
}

extension Symbolic {
  var isUnboundPath: Bool { if case .unboundPath = self { true } else { false } }

  /// The path whose segments a path takes in where this stands in it.
  var splicedPath: SymbolicPath? {
    switch self {
    case .path(let path), .unboundPath(let path): path
    default: nil
    }
  }
}
