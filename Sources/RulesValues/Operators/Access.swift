extension Operators {
  /// `receiver.name`
  @inlinable
  public static func member(_ receiver: Value, _ name: Value, _ arena: Arena) -> Value {
    if receiver.has(.map), let value = arena.lookup(receiver, name) { return value }
    return memberSlowly(receiver, name, arena)
  }

  @usableFromInline
  static func memberSlowly(_ receiver: Value, _ name: Value, _ arena: Arena) -> Value {
    switch receiver.tag {
    case .map: arena.error(.undefinedProperty, name)
    case .path: Paths.variable(name, of: receiver, arena)
    case .null: .error(.nullValue)
    case .open: OpenValues.member(receiver, name, arena)
    default: arena.typeError(receiver, .mapOrPath)
    }
  }

  /// `receiver[i]`
  public static func index(_ receiver: Value, _ i: Value, _ arena: Arena) -> Value {
    if i.isFailure { return failed(receiver, i, hasOperator: receiver.has(.map), "[]", arena) }
    switch receiver.tag {
    case .map: return i.has(.string) ? member(receiver, i, arena) : arena.unsupported(.mapIndex, receiver, i)
    case .list: return element(receiver, i, arena)
    case .open where i.has(.string): return OpenValues.member(receiver, i, arena)
    case .string: return StringAccess.unit(at: i, of: receiver, arena)
    case .path:
      switch i.tag {
      case .string: return Paths.variable(i, of: receiver, arena)
      case .int: return Paths.segment(i, of: receiver, arena)
      default: return arena.unsupported(.pathIndex, receiver, i)
      }
    case .unknown, .error, .exhausted: return receiver
    default: return arena.noMethod(receiver, "[]")
    }
  }

  /// `receiver[lower:upper]`; a bound that is left out is `nil`, which is the same as null.
  public static func slice(_ receiver: Value, lower: Value?, upper: Value?, _ arena: Arena) -> Value {
    let lower = lower ?? .null
    let upper = upper ?? .null
    if lower.isFailure || upper.isFailure {
      return failed(receiver, lower.isFailure && !upper.has(.exhausted) ? lower : upper, hasOperator: false, "@range", arena)
    }
    switch receiver.tag {
    case .string: return StringAccess.slice(receiver, from: lower, to: upper, arena)
    case .path: return Paths.slice(receiver, from: lower, to: upper, arena)
    case .list:
      guard lower.has(.int) || lower.has(.null), upper.has(.int) || upper.has(.null) else {
        return arena.unsupported(.listSlice, receiver, lower, upper)
      }
      switch SliceBounds.check(lower, upper, size: receiver.count, arena) {
      case .range(let from, let to): return arena.slice(receiver, from, to)
      case .failure(let failure): return failure
      }
    case .unknown, .error, .exhausted: return receiver
    default: return arena.noMethod(receiver, "@range")
    }
  }

  /// What comes of a failed index or bound: the receiver's failure or complaint, else the operand's.
  private static func failed(
    _ receiver: Value, _ failure: Value, hasOperator: Bool, _ name: StaticString, _ arena: Arena
  ) -> Value {
    if failure.has(.exhausted) { return failure }
    if receiver.isFailure { return receiver }
    switch receiver.tag {
    case .string, .list, .path: return failure
    default: return hasOperator ? failure : arena.noMethod(receiver, name)
    }
  }

  private static func element(_ list: Value, _ i: Value, _ arena: Arena) -> Value {
    guard i.has(.int) else { return arena.unsupported(.listIndex, list, i) }
    guard i.asInt >= 0, i.asInt < Int64(list.count) else {
      return arena.error(.indexOutOfBounds, i, .int(Int64(list.count)))
    }
    return arena.element(list, Int(i.asInt))
  }
}
