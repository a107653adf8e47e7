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
  /// The types in their order, four bits each, the first lowest: sets are made and copied all the time, so that they
  /// hold no array. Of `any` there may be none.
  private var order: UInt64 = 0
  private var count = 0

  /// Nothing is known.
  static let any = TypeSet(mask: .max)

  /// Nothing is known, but these types come first where they are listed.
  static func any(preferring first: RulesType...) -> TypeSet {
    var all = TypeSet(mask: 0)
    for type in first { all.insert(type) }
    for value in 0...RulesType.constraint.rawValue { RulesType(rawValue: value).map { all.insert($0) } }
    return all
  }

  private init(mask: UInt16) { self.mask = mask }

  init(_ type: RulesType) {
    self.init(mask: 0)
    insert(type)
  }

  init(arrayLiteral elements: RulesType...) {
    self.init(mask: 0)
    for type in elements { insert(type) }
  }

  static func == (a: TypeSet, b: TypeSet) -> Bool { a.mask == b.mask }

  var isAny: Bool { mask == .max }
  var isEmpty: Bool { mask == 0 }

  var types: [RulesType] { (0..<count).compactMap { type(at: $0) } }

  private func type(at i: Int) -> RulesType? { RulesType(rawValue: UInt8(order >> UInt64(i * 4) & 15)) }

  func isDisjoint(with other: TypeSet) -> Bool { mask & other.mask == 0 }

  /// There are 16 types, so that 16 places are enough for each once.
  private mutating func insert(_ type: RulesType) {
    let bit: UInt16 = 1 << type.rawValue
    guard mask & bit == 0 else { return }
    mask |= bit
    order |= UInt64(type.rawValue) << UInt64(count * 4)
    count += 1
  }

  mutating func formUnion(_ other: TypeSet) {
    if isAny { return }
    if other.isAny {
      self = .any
      return
    }
    for i in 0..<other.count { other.type(at: i).map { insert($0) } }
  }

  /// In the order of `self`; `any` has the order of the types themselves.
  func intersection(_ other: TypeSet) -> TypeSet {
    if other.isAny { return self }
    var common = TypeSet(mask: 0)
    if isAny, count == 0 {
      for value in 0...RulesType.constraint.rawValue where other.mask & (1 << value) != 0 {
        RulesType(rawValue: value).map { common.insert($0) }
      }
    } else {
      for i in 0..<count {
        guard let type = type(at: i), other.mask & (1 << type.rawValue) != 0 else { continue }
        common.insert(type)
      }
    }
    return common
  }

  /// `int, float`
  var description: String { types.map(\.name).joined(separator: ", ") }
}
