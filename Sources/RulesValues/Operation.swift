/// Every operator, method and function that the language defines for certain operand types only. Each knows the
/// official words of its complaint, `Unsupported operation error. Received: int + string. Expected: int + int, ….`
/// (observed on the official emulator 1.19.9).
public enum Operation: UInt8, Sendable, CaseIterable {
  // Operators
  case add, subtract, multiply, divide, remainder
  case less, lessOrEqual, greater, greaterOrEqual
  case negate, not
  case mapIn
  case stringIndex, listIndex, mapIndex, pathIndex
  case stringSlice, listSlice, pathSlice
  // Methods
  case stringSize, stringLower, stringUpper, stringTrim, stringMatches, stringReplace, stringSplit, stringToUtf8
  case bytesSize, bytesToBase64, bytesToHexString
  case listSize, listJoin, listConcat, listHasAll, listHasAny, listHasOnly, listRemoveAll, listToSet
  case setSize, setHasAll, setHasAny, setHasOnly, setDifference, setIntersection, setUnion
  case mapSize, mapKeys, mapValues, mapGet, mapDiff
  case diffAddedKeys, diffRemovedKeys, diffChangedKeys, diffAffectedKeys, diffUnchangedKeys
  case pathBind
  case timestampSeconds, timestampNanos, timestampYear, timestampMonth, timestampDay, timestampHours
  case timestampMinutes, timestampDateMethod, timestampTime, timestampDayOfWeek, timestampDayOfYear
  case timestampToMillis
  case durationSeconds, durationNanos
  case latlngLatitude, latlngLongitude, latlngDistance
  case constraintHasAny
  // Functions
  case int, float, string, path
  case get, exists, getAfter, existsAfter
  case mathAbs, mathCeil, mathFloor, mathRound, mathSqrt, mathPow, mathIsNaN
  case durationValue, durationTime, durationAbs
  case timestampValue, timestampDate
  case latlngValue
  case hashingCrc32, hashingCrc32c, hashingMd5, hashingSha256
}

extension Operation {
  /// How an operation is spelled, and the operand types it takes.
  struct Signature {
    enum Spelling {
      /// `int + string`
      case binary(String)
      /// `!int`
      case prefix(String)
      /// `math.abs(string)`, `list.join(int)`: the operands are the arguments.
      case call(String)
      /// `string[string]`
      case index
      /// `string[null:int]`
      case slice
    }

    let spelling: Spelling
    /// How the variants are spelled, where that differs.
    var listedAs: Spelling?
    /// One list of operand types for each variant.
    let variants: [[String]]

    /// The operation upon operands of these types.
    func applied(to types: [String]) -> String { Self.spelled(spelling, types) }

    private static func spelled(_ spelling: Spelling, _ types: [String]) -> String {
      func type(_ i: Int) -> String { i < types.count ? types[i] : "" }
      switch spelling {
      case .binary(let symbol): return "\(type(0)) \(symbol) \(type(1))"
      case .prefix(let symbol): return symbol + type(0)
      case .call(let name): return "\(name)(\(types.joined(separator: ", ")))"
      case .index: return "\(type(0))[\(type(1))]"
      case .slice: return "\(type(0))[\(type(1)):\(type(2))]"
      }
    }

    /// The text after `Expected: `.
    var expected: String { variants.map { Self.spelled(listedAs ?? spelling, $0) }.joined(separator: ", ") }
  }

  /// What the text after `Expected: ` says.
  public var expected: String { signature.expected }

  var signature: Signature {
    switch self {
    case .add:
      binary(
        "+", "int int", "float float", "string string", "duration duration", "duration timestamp",
        "timestamp duration")
    case .subtract:
      binary(
        "-", "int int", "float float", "duration duration", "timestamp duration", "timestamp timestamp")
    case .multiply: binary("*", "int int", "float float")
    case .divide: binary("/", "int int", "float float")
    case .remainder: binary("%", "int int", "float float")
    case .less: ordering("<")
    case .lessOrEqual: ordering("<=")
    case .greater: ordering(">")
    case .greaterOrEqual: ordering(">=")
    case .negate: Signature(spelling: .prefix("-"), variants: [["int"], ["float"], ["duration"]])
    case .not: Signature(spelling: .prefix("!"), variants: [["bool"]])
    case .stringIndex: Signature(spelling: .index, variants: [["string", "int"]])
    case .listIndex: Signature(spelling: .index, variants: [["list", "int"]])
    case .mapIndex: Signature(spelling: .index, variants: [["map", "string"]])
    case .pathIndex: Signature(spelling: .index, variants: [["path", "string"], ["path", "int"]])
    case .stringSlice: slice("string", "null null", "null int", "int null", "int int")
    case .listSlice: slice("list", "null null", "null int", "int null", "int int")
    case .pathSlice: slice("path", "null null", "int int", "int null", "null int")
    default: callSignature
    }
  }

  private func binary(_ symbol: String, _ variants: String...) -> Signature {
    Signature(
      spelling: .binary(symbol), variants: variants.map { $0.split(separator: " ").map { String($0) } })
  }

  private func slice(_ type: String, _ bounds: String...) -> Signature {
    Signature(
      spelling: .slice, variants: bounds.map { [type] + $0.split(separator: " ").map { String($0) } })
  }

  private func ordering(_ symbol: String) -> Signature {
    binary(
      symbol, "string string", "bytes bytes", "int int", "float float", "duration duration",
      "timestamp timestamp", "constraint any", "any constraint")
  }
}
