import RulesValues

/// Numbers of both kinds in their mathematical order.
enum NumberOrder {
  /// Whether a is less than, equal to or greater than b: -1, 0, 1; `nil` when one is NaN.
  static func compare(_ a: DataValue, _ b: DataValue) -> Int? {
    switch (a, b) {
    case (.int(let x), .int(let y)): x < y ? -1 : x > y ? 1 : 0
    case (.double(let x), .double(let y)): x.isNaN || y.isNaN ? nil : x < y ? -1 : x > y ? 1 : 0
    case (.int(let x), .double(let y)): compare(x, y)
    case (.double(let x), .int(let y)): compare(y, x).map { -$0 }
    default: nil
    }
  }

  /// Exact: 2^63 - 1 is less than 2^63 as a double.
  private static func compare(_ int: Int64, _ double: Double) -> Int? {
    if double.isNaN { return nil }
    if double >= 0x1p63 { return -1 }
    if double < -0x1p63 { return 1 }
    let whole = double.rounded(.towardZero)
    let truncated = Int64(whole)
    if int != truncated { return int < truncated ? -1 : 1 }
    return double == whole ? 0 : double > whole ? -1 : 1
  }
}

extension DataValue {
  /// Equality as arrays of Firestore know it: 1 and 1.0 are one element, NaN is one with itself.
  func isSameElement(as other: DataValue) -> Bool {
    switch (self, other) {
    case (.int, .double), (.double, .int): NumberOrder.compare(self, other) == 0
    case (.array(let a), .array(let b)):
      a.count == b.count && zip(a, b).allSatisfy { $0.isSameElement(as: $1) }
    case (.map(let a), .map(let b)):
      a.count == b.count && a.allSatisfy { key, value in b[key]?.isSameElement(as: value) ?? false }
    default: self == other
    }
  }
}
