/// The types that the compiler tells apart, in the order in which it lists them where nothing else gives an order.
enum RulesType: UInt8 {
  case null, bool, int, float, string, bytes, duration, timestamp, latlng, list, vector, set, map, mapDiff, path
  case constraint

  /// As messages write it.
  var name: String {
    switch self {
    case .int: "int"
    case .float: "float"
    case .string: "string"
    case .bool: "bool"
    case .null: "null"
    case .bytes: "bytes"
    case .duration: "duration"
    case .timestamp: "timestamp"
    case .latlng: "latlng"
    case .list: "list"
    case .set: "set"
    case .map: "map"
    case .mapDiff: "map_diff"
    case .path: "path"
    case .vector: "vector"
    case .constraint: "constraint"
    }
  }
}

/// The types an expression may have, or may be expected to have. Remembers their order, since messages list them.
struct TypeSet: Equatable, ExpressibleByArrayLiteral {
  /// One bit per type; all bits for `any`.
  private(set) var mask: UInt16
  private(set) var types: [RulesType]

  /// Nothing is known.
  static let any = TypeSet(mask: .max, types: [])

  /// Nothing is known, but these types come first where they are listed.
  static func any(preferring first: RulesType...) -> TypeSet {
    let rest = (0...RulesType.constraint.rawValue).compactMap { RulesType(rawValue: $0) }
    return TypeSet(mask: .max, types: first + rest.filter { !first.contains($0) })
  }

  private init(mask: UInt16, types: [RulesType]) {
    self.mask = mask
    self.types = types
  }

  init(_ type: RulesType) { self.init(mask: 1 << type.rawValue, types: [type]) }

  init(arrayLiteral elements: RulesType...) {
    self.init(mask: 0, types: [])
    for type in elements { insert(type) }
  }

  static func == (a: TypeSet, b: TypeSet) -> Bool { a.mask == b.mask }

  var isAny: Bool { mask == .max }
  var isEmpty: Bool { mask == 0 }

  func isDisjoint(with other: TypeSet) -> Bool { mask & other.mask == 0 }

  private mutating func insert(_ type: RulesType) {
    let bit: UInt16 = 1 << type.rawValue
    guard mask & bit == 0 else { return }
    mask |= bit
    types.append(type)
  }

  mutating func formUnion(_ other: TypeSet) {
    if isAny { return }
    if other.isAny {
      self = .any
      return
    }
    for type in other.types { insert(type) }
  }

  /// In the order of `self`; `any` has the order of the types themselves.
  func intersection(_ other: TypeSet) -> TypeSet {
    if other.isAny { return self }
    if isAny, types.isEmpty {
      return TypeSet(mask: other.mask, types: other.types.sorted { $0.rawValue < $1.rawValue })
    }
    return TypeSet(mask: mask & other.mask, types: types.filter { other.mask & (1 << $0.rawValue) != 0 })
  }

  /// `int, float`
  var description: String { types.map(\.name).joined(separator: ", ") }
}
