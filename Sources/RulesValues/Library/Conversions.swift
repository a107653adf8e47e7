/// The functions that turn a value into one of another type: `int`, `float`, `string`, `path`; and `debug`.
public enum Conversions {
  public static func int(_ arguments: Arguments, _ arena: Arena) -> Value {
    guard arguments.count == 1 else { return arena.argumentCount(.int, arguments) }
    let v = arguments.a
    switch v.tag {
    case .int: return v
    case .float: return .int(truncated(v.asDouble))
    case .string:
      if v.isASCII {
        return parseASCII(v, arena).map { .int($0) } ?? notConvertible(v, to: .int, arena)
      }
      return JavaLong.parse(WTF8.utf16(arena.copyBytes(v))).map { .int($0) } ?? notConvertible(v, to: .int, arena)
    default: return arena.unsupported(.int, v)
    }
  }

  public static func float(_ arguments: Arguments, _ arena: Arena) -> Value {
    guard arguments.count == 1 else { return arena.argumentCount(.float, arguments) }
    let v = arguments.a
    switch v.tag {
    case .int: return .float(Double(v.asInt))
    case .float: return v
    case .string:
      return JavaDouble.parse(arena.copyBytes(v)).map { .float($0) } ?? notConvertible(v, to: .float, arena)
    default: return arena.unsupported(.float, v)
    }
  }

  public static func string(_ arguments: Arguments, _ arena: Arena) -> Value {
    guard arguments.count == 1 else { return arena.argumentCount(.string, arguments) }
    return text(of: arguments.a, arena) ?? arena.unsupported(.string, arguments.a)
  }

  /// Gives back its first argument. The emulators only; production has no such function.
  public static func debug(_ arguments: Arguments, _ arena: Arena) -> Value {
    guard arguments.count > 0 else {
      return arena.error(text: "Service call error. Function: [debug], Argument: [].")
    }
    return arguments.a
  }

  // MARK: Parts

  /// The text of an int, float, null, string, bool or path, as `string()`, `list.join` and path segments have it;
  /// `nil` for any other type.
  public static func text(of v: Value, _ arena: Arena) -> Value? {
    switch v.tag {
    case .string: v
    case .int: arena.string(String(v.asInt))
    case .float: arena.string(JavaDouble.bytes(v.asDouble))
    case .null: arena.string("null" as StaticString)
    case .bool: arena.string(v.isTrue ? "true" as StaticString : "false")
    case .path: arena.string(pathBytes(v, arena))
    default: nil
    }
  }

  /// `/a/b`. A bound capture as what it is bound to, an unbound one as nothing. An empty path is `/`.
  public static func pathBytes(_ path: Value, _ arena: Arena) -> [UInt8] {
    if path.count == 0 { return [0x2F] }
    var out: [UInt8] = []
    appendSegments(of: path, to: &out, arena, depth: 0)
    return out
  }

  private static func appendSegments(of path: Value, to out: inout [UInt8], _ arena: Arena, depth: Int) {
    for i in 0..<path.count {
      var segment = arena.element(path, i)
      if segment.has(.capture) {
        let isBound = segment.flags & Value.bound != 0
        segment = isBound ? arena.element(segment, 1) : .null
      }
      if segment.has(.path), depth < 4 {
        appendSegments(of: segment, to: &out, arena, depth: depth + 1)
      } else {
        out.append(0x2F)
        if segment.has(.string) { out += arena.copyBytes(segment) }
      }
    }
  }

  private static func notConvertible(_ v: Value, to tag: Value.Tag, _ arena: Arena) -> Value {
    arena.error(.conversion, v, .int(Int64(tag.rawValue)))
  }

  /// Toward zero; NaN is 0, what is too large the nearest int.
  static func truncated(_ d: Double) -> Int64 {
    if d.isNaN { return 0 }
    if d >= 0x1p63 { return .max }
    if d <= -0x1p63 { return .min }
    return Int64(d)
  }

  private static func parseASCII(_ v: Value, _ arena: Arena) -> Int64? {
    let first = arena.byte(v, 0)
    let negative = first == 0x2D
    var i = negative || first == 0x2B ? 1 : 0
    guard i < v.count else { return nil }
    var total: Int64 = 0
    while i < v.count {
      let c = arena.byte(v, i)
      guard c >= 0x30, c <= 0x39 else { return nil }
      let (product, tooBig) = total.multipliedReportingOverflow(by: 10)
      let (sum, overflow) = product.subtractingReportingOverflow(Int64(c) - 0x30)
      if tooBig || overflow { return nil }
      total = sum
      i += 1
    }
    if negative { return total }
    return total == .min ? nil : -total
  }
}
