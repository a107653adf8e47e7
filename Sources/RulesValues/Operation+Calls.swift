extension Operation {
  /// The signatures of methods and functions.
  var callSignature: Signature {
    switch self {
    case .mapIn: call("map.in", "string")

    case .stringSize: call("string.size", "")
    case .stringLower: call("string.lower", "")
    case .stringUpper: call("string.upper", "")
    case .stringTrim: call("string.trim", "")
    case .stringMatches: call("string.matches", "string")
    case .stringReplace: call("string.replace", "string string")
    case .stringSplit: call("string.split", "string")
    case .stringToUtf8: call("string.toUtf8", "")

    case .bytesSize: call("bytes.size", "")
    case .bytesToBase64: call("bytes.toBase64", "")
    case .bytesToHexString: call("bytes.toHexString", "")

    case .listSize: call("list.size", "")
    case .listJoin: call("list.join", "string")
    case .listConcat: call("list.concat", "list")
    case .listHasAll: call("list.hasAll", "list")
    case .listHasAny: call("list.hasAny", "list")
    case .listHasOnly: call("list.hasOnly", "list")
    case .listRemoveAll: call("list.removeAll", "list")
    case .listToSet: call("list.toSet", "")

    case .setSize: call("set.size", "")
    case .setHasAll: call("set.hasAll", "set", "list")
    case .setHasAny: call("set.hasAny", "set", "list")
    case .setHasOnly: call("set.hasOnly", "set", "list")
    case .setDifference: call("set.difference", "set")
    case .setIntersection: call("set.intersection", "set")
    case .setUnion: call("set.union", "set")

    case .mapSize: call("map.size", "")
    case .mapKeys: call("map.keys", "")
    case .mapValues: call("map.values", "")
    case .mapGet: call("map.get", "string any", "list any")
    case .mapDiff: call("map.diff", "map")

    case .diffAddedKeys: call("map_diff.addedKeys", "")
    case .diffRemovedKeys: call("map_diff.removedKeys", "")
    case .diffChangedKeys: call("map_diff.changedKeys", "")
    case .diffAffectedKeys: call("map_diff.affectedKeys", "")
    case .diffUnchangedKeys: call("map_diff.unchangedKeys", "")

    case .pathBind: call("path.bind", "map")

    case .timestampSeconds: call("timestamp.seconds", "")
    case .timestampNanos: call("timestamp.nanos", "")
    case .timestampYear: call("timestamp.year", "")
    case .timestampMonth: call("timestamp.month", "")
    case .timestampDay: call("timestamp.day", "")
    case .timestampHours: call("timestamp.hours", "")
    case .timestampMinutes: call("timestamp.minutes", "")
    case .timestampDateMethod: call("timestamp.date", "")
    case .timestampTime: call("timestamp.time", "")
    case .timestampDayOfWeek: call("timestamp.dayOfWeek", "")
    case .timestampDayOfYear: call("timestamp.dayOfYear", "")
    case .timestampToMillis: call("timestamp.toMillis", "")

    case .durationSeconds: call("duration.seconds", "")
    case .durationNanos: call("duration.nanos", "")

    case .latlngLatitude: call("latlng.latitude", "")
    case .latlngLongitude: call("latlng.longitude", "")
    case .latlngDistance: call("latlng.distance", "latlng")

    case .constraintHasAny:
      Signature(spelling: .call("constraint.hasAny"), listedAs: .call("list.hasAny"), variants: [["list"]])

    case .int: call("int", "int", "float", "string")
    case .float: call("float", "int", "float", "string")
    case .string: call("string", "int", "float", "null", "string", "bool", "path")
    case .path: call("path", "string")
    case .get: call("get", "path")
    case .exists: call("exists", "path")
    case .getAfter: call("getAfter", "path")
    case .existsAfter: call("existsAfter", "path")

    case .mathAbs: call("math.abs", "int", "float")
    case .mathCeil: call("math.ceil", "float")
    case .mathFloor: call("math.floor", "float")
    case .mathRound: call("math.round", "float")
    case .mathSqrt: call("math.sqrt", "float")
    case .mathPow: call("math.pow", "float float")
    case .mathIsNaN: call("math.isNaN", "float")

    case .durationValue: call("duration.value", "int string")
    case .durationTime: call("duration.time", "int int int int")
    case .durationAbs: call("duration.abs", "duration")

    case .timestampValue: call("timestamp.value", "int", "string")
    case .timestampDate: call("timestamp.date", "int int int")

    case .latlngValue: call("latlng.value", "float float")

    case .hashingCrc32: call("hashing.crc32", "bytes", "string")
    case .hashingCrc32c: call("hashing.crc32c", "bytes", "string")
    case .hashingMd5: call("hashing.md5", "bytes", "string")
    case .hashingSha256: call("hashing.sha256", "bytes", "string")

    default: Signature(spelling: .call(""), variants: [])
    }
  }

  private func call(_ name: String, _ variants: String...) -> Signature {
    Signature(spelling: .call(name), variants: variants.map { $0.split(separator: " ").map { String($0) } })
  }
}
