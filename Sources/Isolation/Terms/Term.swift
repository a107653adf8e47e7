/// A formula or a value of the solver's language. Terms are made by a `TermStore`, each once, so that equal ones are
/// one and folding sees what they are made of.
struct Term: Hashable, Sendable {
  let index: Int32
}

/// What a term stands for.
enum Sort: String, Sendable {
  case bool = "Bool"
  case int = "Int"
  case real = "Real"
  /// A value of the rules language: see `ValueKind`.
  case value = "V"
}

/// The kinds of values, constructors of the solver's flat datatype `V`. Lists, maps and the like are numbers that
/// stand for their whole content, so that equal numbers mean equal content.
enum ValueKind: String, Sendable, CaseIterable {
  /// No value at all: what a map holds under a key that it lacks.
  case absent
  case null
  case bool = "vbool"
  case int = "vint"
  /// Kind (0 finite, 1 NaN, 2 and 3 the infinities, 4 negative zero) and the number of a finite one.
  case float = "vflt"
  /// A code that stands for the text.
  case string = "vstr"
  /// Nanoseconds since 1970.
  case timestamp = "vts"
  /// Nanoseconds.
  case duration = "vdur"
  case list = "vlist"
  case map = "vmap"
  case bytes = "vbytes"
  case latlng = "vgeo"
  case path = "vpath"
  case vector = "vvec"
  /// Of another kind, which no document holds: sets, map differences.
  case other = "voth"

  /// Names and sorts of what it is made of.
  var fields: [(name: String, sort: Sort)] {
    switch self {
    case .absent, .null: []
    case .bool: [("b", .bool)]
    case .float: [("fk", .int), ("fr", .real)]
    default: [("x" + rawValue, .int)]
    }
  }
}

enum FloatKind {
  static let finite: Int64 = 0, nan: Int64 = 1, infinity: Int64 = 2, minusInfinity: Int64 = 3, minusZero: Int64 = 4
}

/// What a term is made with.
enum Operation: Hashable, Sendable {
  case bool(Bool)
  case int(Int64)
  /// An exact fraction; the denominator is a power of two.
  case real(Int64, over: Int64)
  /// An unknown, by its number in the store.
  case unknown(Int)
  /// A function of which nothing but its arguments is known, by its number in the store.
  case apply(Int)
  case make(ValueKind)
  case part(ValueKind, Int)
  case has(ValueKind)
  case not, and, or, ite, equal, less, lessOrEqual, add, subtract, multiply, toReal
}
