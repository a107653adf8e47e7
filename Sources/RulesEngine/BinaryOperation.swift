import RulesValues

/// An operator as a type, so that its node calls it directly.
protocol BinaryOperation: Sendable {
  static func apply(_ a: Value, _ b: Value, _ arena: Arena) -> Value
}

enum Equal: BinaryOperation {
  @inline(__always)
  static func apply(_ a: Value, _ b: Value, _ arena: Arena) -> Value { Operators.equal(a, b, arena) }
}

enum NotEqual: BinaryOperation {
  @inline(__always)
  static func apply(_ a: Value, _ b: Value, _ arena: Arena) -> Value { Operators.notEqual(a, b, arena) }
}

enum Less: BinaryOperation {
  @inline(__always)
  static func apply(_ a: Value, _ b: Value, _ arena: Arena) -> Value { Operators.less(a, b, arena) }
}

enum LessOrEqual: BinaryOperation {
  @inline(__always)
  static func apply(_ a: Value, _ b: Value, _ arena: Arena) -> Value { Operators.lessOrEqual(a, b, arena) }
}

enum Greater: BinaryOperation {
  @inline(__always)
  static func apply(_ a: Value, _ b: Value, _ arena: Arena) -> Value { Operators.greater(a, b, arena) }
}

enum GreaterOrEqual: BinaryOperation {
  @inline(__always)
  static func apply(_ a: Value, _ b: Value, _ arena: Arena) -> Value { Operators.greaterOrEqual(a, b, arena) }
}

enum Add: BinaryOperation {
  @inline(__always)
  static func apply(_ a: Value, _ b: Value, _ arena: Arena) -> Value { Operators.add(a, b, arena) }
}

enum Subtract: BinaryOperation {
  @inline(__always)
  static func apply(_ a: Value, _ b: Value, _ arena: Arena) -> Value { Operators.subtract(a, b, arena) }
}

enum Multiply: BinaryOperation {
  @inline(__always)
  static func apply(_ a: Value, _ b: Value, _ arena: Arena) -> Value { Operators.multiply(a, b, arena) }
}

enum Divide: BinaryOperation {
  @inline(__always)
  static func apply(_ a: Value, _ b: Value, _ arena: Arena) -> Value { Operators.divide(a, b, arena) }
}

enum Remainder: BinaryOperation {
  @inline(__always)
  static func apply(_ a: Value, _ b: Value, _ arena: Arena) -> Value { Operators.remainder(a, b, arena) }
}
