/// Kinds of evaluation errors. What belongs to one (operand types, names, numbers) lies beside it in the arena, so
/// that an error which is absorbed never costs a text; `Arena.message(_:)` writes the official words on demand.
@frozen
public enum FailureKind: UInt8, Sendable, CaseIterable {
  /// Arguments: the property's name.
  case undefinedProperty
  case nullValue
  /// In the payload itself: received type tag, `ExpectedTypes` raw value.
  case type
  /// In the payload itself: `Operation` raw value, number of operands, their type tags.
  case unsupported
  /// In the payload itself: `Operation` raw value, number of arguments received.
  case argumentCount
  /// Arguments: the function's name.
  case functionNotFound
  case divideByZero
  case integerRange
  /// Arguments: index, size.
  case indexOutOfBounds
  /// Arguments: lower, upper.
  case illegalRange
  /// Arguments: the string, the tag of the type wanted.
  case conversion
  /// Arguments: the pattern.
  case invalidPattern
  case timestampRange
  case durationRange
  /// Arguments: the year.
  case yearRange
  /// Arguments: year, month, day.
  case invalidDate
  /// Arguments: latitude, longitude.
  case latlngRange
  /// Arguments: the whole message. For errors too rare to be worth a form of their own.
  case text
  /// Arguments: the capture's name.
  case unboundVariable
  /// A set or map diff would have to compare a query constraint.
  case constraintEquality
  /// The request needs more memory than it may use. Ours; the official implementation has no such text.
  case memory
}

/// The type lists that the official `Type error. Received: [x] Expected: […].` ends with.
public enum ExpectedTypes: Int64, Sendable {
  case bool, mapOrPath, string, path
  /// What can be compared with a constraint by `<` and its like, and by `==`.
  case ordered, comparable

  public var text: String {
    switch self {
    case .bool: "bool"
    case .mapOrPath: "map,path"
    case .string: "string"
    case .path: "path"
    case .ordered: "timestamp,duration,float,int,string,bytes"
    case .comparable: "bool,duration,float,int,latlng,map,null,string,bytes,timestamp,path,list,vector,set"
    }
  }
}

extension Value {
  /// An error without arguments.
  @inlinable
  public static func error(_ kind: FailureKind) -> Value { Value(.error, flags: kind.rawValue) }

  public var failureKind: FailureKind? { has(.error) ? FailureKind(rawValue: flags) : nil }

  /// The node (`Expression.id`) at which an error arose; `nil` while it has not been stamped.
  public var failureNode: Int? { isFailure && length > 0 ? Int(length) - 1 : nil }

  /// The failure with the node at which it arose, unless it carries one already.
  @inlinable
  public func stamped(node: Int) -> Value {
    guard isFailure, length == 0 else { return self }
    return Value(meta: meta | UInt64(UInt32(truncatingIfNeeded: node &+ 1)) << 32, bits: bits)
  }
}

extension Arena {
  /// An error with up to three arguments.
  public func error(_ kind: FailureKind, _ a: Value, _ b: Value = .null, _ c: Value = .null) -> Value {
    guard let row = row(3) else { return .error(.memory) }
    set(row, 0, a)
    set(row, 1, b)
    set(row, 2, c)
    var v = Value(.error, flags: kind.rawValue, bits: UInt64(row.offset))
    #if DEBUG
      v.meta |= UInt64(state.pointee.generation) << 16
    #endif
    return v
  }

  /// An error with a message of its own.
  public func error(text: String) -> Value { error(.text, string(text)) }

  /// Argument `i` (0 … 2) of an error that has arguments.
  func argument(_ error: Value, _ i: Int) -> Value {
    // An error's flags are its kind, not a region: read it as a row of three in the request's memory.
    let row = Value(meta: UInt64(Value.Tag.list.rawValue) | (error.meta & 0xFFFF_0000) | 3 << 32, bits: error.bits)
    return element(row, i)
  }
}
