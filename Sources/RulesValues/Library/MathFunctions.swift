#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The package `math`. An int is taken where a float is expected.
public enum MathFunctions {
  public static func abs(_ arguments: Arguments, _ arena: Arena) -> Value {
    guard arguments.count == 1 else { return arena.argumentCount(.mathAbs, arguments) }
    let v = arguments.a
    switch v.tag {
    // The least int has no counterpart and stays as it is.
    case .int: return .int(v.asInt < 0 ? 0 &- v.asInt : v.asInt)
    case .float: return .float(v.asDouble.magnitude)
    default: return arena.unsupported(.mathAbs, v)
    }
  }

  /// A float, for ints as well.
  public static func ceil(_ arguments: Arguments, _ arena: Arena) -> Value {
    unary(.mathCeil, arguments, arena) { .float($0.rounded(.up)) }
  }

  /// A float, for ints as well.
  public static func floor(_ arguments: Arguments, _ arena: Arena) -> Value {
    unary(.mathFloor, arguments, arena) { .float($0.rounded(.down)) }
  }

  /// The nearest int, halves up; NaN is 0, what is too large the nearest int there is.
  public static func round(_ arguments: Arguments, _ arena: Arena) -> Value {
    unary(.mathRound, arguments, arena) { d in
      let whole = d.rounded(.down)
      return .int(Conversions.truncated(d - whole >= 0.5 ? whole + 1 : whole))
    }
  }

  public static func sqrt(_ arguments: Arguments, _ arena: Arena) -> Value {
    unary(.mathSqrt, arguments, arena) { .float($0.squareRoot()) }
  }

  public static func isNaN(_ arguments: Arguments, _ arena: Arena) -> Value {
    unary(.mathIsNaN, arguments, arena) { .bool($0.isNaN) }
  }

  public static func pow(_ arguments: Arguments, _ arena: Arena) -> Value {
    guard arguments.count == 2 else { return arena.argumentCount(.mathPow, arguments) }
    guard let base = number(arguments.a), let exponent = number(arguments.b) else {
      return arena.unsupported(.mathPow, arguments)
    }
    // Java differs from C in these: NaN wins over 1, and 1 to the infinite is NaN.
    if exponent.isNaN || (exponent.isInfinite && base.magnitude == 1) { return .float(.nan) }
    return .float(_pow(base, exponent))
  }

  private static func _pow(_ base: Double, _ exponent: Double) -> Double {
    #if canImport(Glibc)
      Glibc.pow(base, exponent)
    #elseif canImport(Musl)
      Musl.pow(base, exponent)
    #else
      Darwin.pow(base, exponent)
    #endif
  }

  /// The number of an int or float; `nil` for any other type.
  static func number(_ v: Value) -> Double? {
    switch v.tag {
    case .int: Double(v.asInt)
    case .float: v.asDouble
    default: nil
    }
  }

  private static func unary(
    _ operation: Operation, _ arguments: Arguments, _ arena: Arena, _ body: (Double) -> Value
  ) -> Value {
    guard arguments.count == 1 else { return arena.argumentCount(operation, arguments) }
    guard let d = number(arguments.a) else { return arena.unsupported(operation, arguments.a) }
    return body(d)
  }
}
