extension Arena {
  /// The official words for a failure; `nil` for an unknown, which has no cause to tell.
  public func message(_ failure: Value) -> String? {
    switch failure.tag {
    case .exhausted:
      return "Unable to evaluate the expression as the maximum of 1000 expressions to evaluate has been reached."
    case .error:
      guard let kind = failure.failureKind else { return nil }
      return message(kind, failure)
    default:
      return nil
    }
  }

  private func message(_ kind: FailureKind, _ failure: Value) -> String {
    switch kind {
    case .undefinedProperty:
      return "Property \(text(argument(failure, 0))) is undefined on object."
    case .nullValue:
      return "Null value error."
    case .type:
      let received = Value.Tag(rawValue: UInt8(truncatingIfNeeded: failure.bits))?.typeName ?? ""
      let expected = ExpectedTypes(rawValue: Int64(failure.bits >> 8))?.text ?? ""
      return "Type error. Received: [\(received)] Expected: [\(expected)]."
    case .unsupported:
      let (operation, types) = operands(failure)
      guard let signature = operation?.signature else { return "Unsupported operation error." }
      return "Unsupported operation error. Received: \(signature.applied(to: types)). "
        + "Expected: \(signature.expected)."
    case .argumentCount:
      let (operation, _) = operands(failure)
      return Self.argumentCountText(received: Int(failure.bits >> 16), expected: operation?.expected ?? "")
    case .functionNotFound:
      return "Function not found error: Name: [\(text(argument(failure, 0)))]."
    case .divideByZero:
      return "Divide by zero error."
    case .integerRange:
      return "Integer value is out of the [-9223372036854775808, 9223372036854775807] range."
    case .indexOutOfBounds:
      return "Index out of bound error. Index: [\(argument(failure, 0).asInt)] , "
        + "size: [\(argument(failure, 1).asInt)]."
    case .illegalRange:
      return "Illegal range error. From index: [\(argument(failure, 0).asInt)] , "
        + "To index: [\(argument(failure, 1).asInt)]."
    case .conversion:
      let wanted = Value.Tag(rawValue: UInt8(truncatingIfNeeded: argument(failure, 1).asInt))?.typeName ?? ""
      return "Type conversion error. Argument: [\(text(argument(failure, 0)))], From type: [string], "
        + "To type: [\(wanted)]."
    case .invalidPattern:
      return "Invalid regular expression pattern. Pattern: \(text(argument(failure, 0)))."
    case .timestampRange:
      return "Timestamp is not valid. Seconds must be in range [-62,135,596,800, +253,402,300,799]. "
        + "Nanos must be in range [0, +999,999,999]."
    case .durationRange:
      return "Duration is not valid. Seconds must be in range [-315,576,000,000, +315,576,000,000]. "
        + "Nanos must be in range [-999,999,999, +999,999,999]. Nanos must have the same sign as seconds."
    case .yearRange:
      return "Timestamp should be between 0001-01-01T00.00.00Z and 9999-12-31T23.59.59Z. "
        + "year: \(argument(failure, 0).asInt)."
    case .invalidDate:
      return "Date is not valid. year: \(argument(failure, 0).asInt), month: \(argument(failure, 1).asInt) "
        + "day: \(argument(failure, 2).asInt)."
    case .latlngRange:
      return "Latitude should be in [-90,90] range and longitude should be in [-180,180] range. "
        + "latitude: \(JavaDouble.text(argument(failure, 0).asDouble)), "
        + "longitude: \(JavaDouble.text(argument(failure, 1).asDouble))."
    case .text:
      return text(argument(failure, 0))
    case .unboundVariable:
      return "Variable \(text(argument(failure, 0))) is not bound in path template."
    case .constraintEquality:
      return "Equality is not defined for type CONSTRAINT_VALUE"
    case .memory:
      return "The request needs more memory or work than it may use."
    }
  }

  private static func argumentCountText(received: Int, expected: String) -> String {
    "Incorrect number of arguments. Received: \(received). Expected: \(expected)."
  }
}

// MARK: - Complaints about operands

extension Arena {
  /// `Type error. Received: [int] Expected: [bool].`
  public func typeError(_ received: Value, _ expected: ExpectedTypes) -> Value {
    Value(
      .error, flags: FailureKind.type.rawValue,
      bits: UInt64(received.tag.rawValue) | UInt64(expected.rawValue) << 8)
  }

  /// `Unsupported operation error. Received: int + string. Expected: ….` For methods the operands are the
  /// arguments without the receiver, for index and slice the receiver comes first.
  public func unsupported(_ operation: Operation, _ operands: Value...) -> Value {
    var bits = UInt64(operation.rawValue) | UInt64(min(operands.count, 6)) << 8
    for (i, operand) in operands.prefix(6).enumerated() {
      bits |= UInt64(operand.tag.rawValue) << UInt64(16 + 8 * i)
    }
    return Value(.error, flags: FailureKind.unsupported.rawValue, bits: bits)
  }

  /// The same for all arguments of a call.
  public func unsupported(_ operation: Operation, _ arguments: Arguments) -> Value {
    switch arguments.count {
    case 0: unsupported(operation)
    case 1: unsupported(operation, arguments.a)
    case 2: unsupported(operation, arguments.a, arguments.b)
    case 3: unsupported(operation, arguments.a, arguments.b, arguments.c)
    default: unsupported(operation, arguments.a, arguments.b, arguments.c, arguments.d)
    }
  }

  /// `Incorrect number of arguments. Received: 1. Expected: ….` The number is checked before the types.
  public func argumentCount(_ operation: Operation, _ arguments: Arguments) -> Value {
    Value(
      .error, flags: FailureKind.argumentCount.rawValue,
      bits: UInt64(operation.rawValue) | UInt64(UInt32(truncatingIfNeeded: arguments.count)) << 16)
  }

  /// The same for a function of the ruleset, `expected` being its head: `f(a, b)`.
  public func argumentCount(received: Int, expected: String) -> Value {
    error(text: Self.argumentCountText(received: received, expected: expected))
  }

  private func operands(_ failure: Value) -> (Operation?, [String]) {
    let count = Int(failure.bits >> 8 & 0xFF)
    let types = (0..<min(count, 6)).map { i in
      Value.Tag(rawValue: UInt8(truncatingIfNeeded: failure.bits >> UInt64(16 + 8 * i)))?.typeName ?? ""
    }
    return (Operation(rawValue: UInt8(truncatingIfNeeded: failure.bits)), types)
  }
}
