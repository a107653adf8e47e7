/// One way to call an operator, function or method.
struct Overload {
  /// The receiver of a method is the first.
  let parameters: [TypeSet]
  let result: TypeSet
}

/// What the official compiler knows of the library: names, numbers of arguments, types. It picks overloads by name
/// and number of arguments only, whatever the receiver, and then by the type that is expected of the result.
///
/// The order of the overloads is that in which messages list their types (observed on the official emulator 1.19.9).
enum Signatures {
  static let debugName = "debug"

  /// Functions of the service `cloud.firestore`. What they return is not known at compile time.
  static let service: [String: [Overload]] = [
    "get": [overload([.path], .any)], "exists": [overload([.path], .any)],
    "getAfter": [overload([.path], .any)], "existsAfter": [overload([.path], .any)],
  ]

  static let debug = [overload([.any], .any)]

  static let conversions: [String: [Overload]] = [
    "int": [overload([.int], [.int]), overload([.float], [.int]), overload([.string], [.int])],
    "float": [overload([.int], [.float]), overload([.float], [.float]), overload([.string], [.float])],
    "string": [
      overload([.int], [.string]), overload([.float], [.string]), overload([.null], [.string]),
      overload([.string], [.string]), overload([.bool], [.string]), overload([.path], [.string]),
    ],
    "path": [overload([.string], [.path])],
  ]

  static let packages: [String: [String: [Overload]]] = [
    "math": [
      "abs": [overload([.int], [.int]), overload([.float], [.float])],
      "ceil": [overload([number], [.float])], "floor": [overload([number], [.float])],
      "round": [overload([number], [.int])], "sqrt": [overload([number], [.float])],
      "pow": [overload([number, number], [.float])], "isNaN": [overload([number], [.bool])],
    ],
    "duration": [
      "value": [overload([[.int], [.string]], [.duration])],
      "time": [overload([[.int], [.int], [.int], [.int]], [.duration])],
      "abs": [overload([[.duration]], [.duration])],
    ],
    "timestamp": [
      "date": [overload([[.int], [.int], [.int]], [.timestamp])],
      "value": [overload([[.int]], [.timestamp]), overload([[.string]], [.timestamp])],
    ],
    "latlng": ["value": [overload([number, number], [.latlng])]],
    "hashing": [
      "crc32": hash, "crc32c": hash, "md5": hash, "sha256": hash,
    ],
  ]

  static let methods: [String: [Overload]] = [
    "size": [
      overload([.string], [.int]), overload([.bytes], [.int]), overload([.list], [.int]), overload([.set], [.int]),
      overload([.map], [.int]),
    ],
    "lower": [overload([.string], [.string])], "upper": [overload([.string], [.string])],
    "trim": [overload([.string], [.string])],
    "matches": [overload([[.string], [.string]], [.bool])],
    "replace": [overload([[.string], [.string], [.string]], [.string])],
    "split": [overload([[.string], [.string]], [.list])],
    "toUtf8": [overload([.string], [.bytes])],
    "toBase64": [overload([.bytes], [.string])], "toHexString": [overload([.bytes], [.string])],
    "join": [overload([[.list], [.string]], [.string])],
    "concat": [overload([[.list], [.list]], [.list])],
    "hasAll": membership, "hasAny": membership, "hasOnly": membership,
    "removeAll": [overload([[.list], [.list]], [.list])],
    "toSet": [overload([.list], [.set])],
    "difference": sets, "intersection": sets, "union": sets,
    "keys": [overload([.map], [.list])], "values": [overload([.map], [.list])],
    "get": [overload([[.map], [.string], .any], .any), overload([[.map], [.list], .any], .any)],
    "diff": [overload([[.map], [.map]], [.mapDiff])],
    "addedKeys": keySets, "removedKeys": keySets, "changedKeys": keySets, "affectedKeys": keySets,
    "unchangedKeys": keySets,
    "bind": [overload([[.path], [.map]], [.path])],
    "seconds": [overload([.duration], [.int]), overload([.timestamp], [.int])],
    "nanos": [overload([.duration], [.int]), overload([.timestamp], [.int])],
    "year": timePart, "month": timePart, "day": timePart, "hours": timePart, "minutes": timePart,
    "dayOfWeek": timePart, "dayOfYear": timePart, "toMillis": timePart,
    "date": [overload([.timestamp], [.timestamp])], "time": [overload([.timestamp], [.duration])],
    "latitude": [overload([.latlng], [.float])], "longitude": [overload([.latlng], [.float])],
    "distance": [overload([[.latlng], [.latlng]], [.float])],
  ]

  // MARK: Operators

  static let not = [overload([.bool], [.bool])]
  static let negate = [overload([.int], [.int]), overload([.float], [.float]), overload([.duration], [.duration])]
  static let logical = [overload([[.bool], [.bool]], [.bool])]
  static let multiplicative = [overload([[.int], [.int]], [.int]), overload([[.float], [.float]], [.float])]
  static let add =
    multiplicative + [
      overload([[.string], [.string]], [.string]), overload([[.duration], [.duration]], [.duration]),
      overload([[.duration], [.timestamp]], [.timestamp]), overload([[.timestamp], [.duration]], [.timestamp]),
    ]
  static let subtract =
    multiplicative + [
      overload([[.duration], [.duration]], [.duration]), overload([[.timestamp], [.duration]], [.timestamp]),
      overload([[.timestamp], [.timestamp]], [.duration]),
    ]
  /// Anything can be compared with a constraint, so nothing is wrong at compile time.
  static let ordering = [
    overload(
      [
        .any(preferring: .string, .bytes, .int, .float, .duration, .timestamp, .constraint),
        .any(preferring: .string, .bytes, .int, .float, .duration, .timestamp),
      ], [.bool])
  ]
  static let contains = [
    overload([.any, [.list]], [.bool]), overload([.any, [.set]], [.bool]), overload([.any, [.map]], [.bool]),
    overload([.any, [.constraint]], [.bool]),
  ]
  static let index = [
    overload([[.string], [.int]], [.string]), overload([[.list], [.int]], .any), overload([[.map], [.string]], .any),
    overload([[.path], [.string]], .any), overload([[.path], [.int]], .any),
  ]
  /// The receiver only: any bound may be left out.
  static let slice = [
    overload([.string], [.string]), overload([.list], [.list]), overload([.path], [.path]),
  ]
  static let member = [overload([.map], .any)]

  /// What may stand in `$(…)`.
  static let pathSegment: TypeSet = [.path, .null, .int, .float, .string, .bool]

  // MARK: Common shapes

  private static let number: TypeSet = [.float, .int]
  static let sliceBound: TypeSet = [.null, .int]
  private static let hash = [overload([[.bytes]], [.bytes]), overload([[.string]], [.bytes])]
  private static let membership = [
    overload([[.list], [.list]], [.bool]), overload([[.set], [.set]], [.bool]), overload([[.set], [.list]], [.bool]),
  ]
  private static let sets = [overload([[.set], [.set]], [.set])]
  private static let keySets = [overload([.mapDiff], [.set])]
  private static let timePart = [overload([.timestamp], [.int])]

  private static func overload(_ parameters: [TypeSet], _ result: TypeSet) -> Overload {
    Overload(parameters: parameters, result: result)
  }

  /// One parameter, the receiver of a method without arguments or the only argument.
  private static func overload(_ parameter: [RulesType], _ result: TypeSet) -> Overload {
    var only: TypeSet = []
    for type in parameter { only.formUnion(TypeSet(type)) }
    return Overload(parameters: [only], result: result)
  }
}
