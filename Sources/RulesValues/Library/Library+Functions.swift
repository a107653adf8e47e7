extension Library {
  /// The function `name` of a package: `math.abs`, `duration.value`, …; `nil` when there is none
  /// (`Function not found error: Name: [math.cube].`).
  public static func function(package: String, _ name: String) -> LibraryFunction? {
    switch "\(package).\(name)" {
    case "math.abs": MathFunctions.abs
    case "math.ceil": MathFunctions.ceil
    case "math.floor": MathFunctions.floor
    case "math.round": MathFunctions.round
    case "math.sqrt": MathFunctions.sqrt
    case "math.pow": MathFunctions.pow
    case "math.isNaN": MathFunctions.isNaN
    case "duration.value": DurationFunctions.value
    case "duration.time": DurationFunctions.time
    case "duration.abs": DurationFunctions.abs
    case "timestamp.value": TimestampFunctions.value
    case "timestamp.date": TimestampFunctions.date
    case "latlng.value": LatLngFunctions.value
    case "hashing.crc32": HashingFunctions.crc32
    case "hashing.crc32c": HashingFunctions.crc32c
    case "hashing.md5": HashingFunctions.md5
    case "hashing.sha256": HashingFunctions.sha256
    default: nil
    }
  }

  /// A function that belongs to no package and needs nothing but its arguments.
  public static func builtin(_ name: String) -> LibraryFunction? {
    switch name {
    case "int": Conversions.int
    case "float": Conversions.float
    case "string": Conversions.string
    case "path": Paths.parse
    case "debug": Conversions.debug
    default: nil
    }
  }
}
