extension Library {
  /// `size()` of whatever has one.
  @inlinable
  public static func size(_ receiver: Value, _ arguments: Arguments, _ arena: Arena) -> Value {
    switch receiver.tag {
    case .string: StringMethods.size(receiver, arguments, arena)
    case .bytes: BytesMethods.size(receiver, arguments, arena)
    case .list: ListMethods.size(receiver, arguments, arena)
    case .set: SetMethods.size(receiver, arguments, arena)
    case .map: MapMethods.size(receiver, arguments, arena)
    case .open: OpenValues.unanswered(receiver, arguments, arena)
    default: arena.noMethod(receiver, "size")
    }
  }

  /// The method `name` of whatever types have one; `nil` when no type does.
  public static func method(_ name: String) -> LibraryMethod? {
    switch name {
    case "size":
      return { size($0, $1, $2) }
    case "lower": return only(.string, "lower", StringMethods.lower)
    case "upper": return only(.string, "upper", StringMethods.upper)
    case "trim": return only(.string, "trim", StringMethods.trim)
    case "matches": return only(.string, "matches", StringMethods.matches)
    case "replace": return only(.string, "replace", StringMethods.replace)
    case "split": return only(.string, "split", StringMethods.split)
    case "toUtf8": return only(.string, "toUtf8", StringMethods.toUtf8)
    case "toBase64": return only(.bytes, "toBase64", BytesMethods.toBase64)
    case "toHexString": return only(.bytes, "toHexString", BytesMethods.toHexString)
    case "year": return only(.timestamp, "year", TimestampMethods.year)
    case "month": return only(.timestamp, "month", TimestampMethods.month)
    case "day": return only(.timestamp, "day", TimestampMethods.day)
    case "hours": return only(.timestamp, "hours", TimestampMethods.hours)
    case "minutes": return only(.timestamp, "minutes", TimestampMethods.minutes)
    case "date": return only(.timestamp, "date", TimestampMethods.date)
    case "time": return only(.timestamp, "time", TimestampMethods.time)
    case "dayOfWeek": return only(.timestamp, "dayOfWeek", TimestampMethods.dayOfWeek)
    case "dayOfYear": return only(.timestamp, "dayOfYear", TimestampMethods.dayOfYear)
    case "toMillis": return only(.timestamp, "toMillis", TimestampMethods.toMillis)
    case "seconds":
      return { receiver, arguments, arena in
        switch receiver.tag {
        case .timestamp: TimestampMethods.seconds(receiver, arguments, arena)
        case .duration: DurationMethods.seconds(receiver, arguments, arena)
        default: arena.noMethod(receiver, "seconds")
        }
      }
    case "nanos":
      return { receiver, arguments, arena in
        switch receiver.tag {
        case .timestamp: TimestampMethods.nanos(receiver, arguments, arena)
        case .duration: DurationMethods.nanos(receiver, arguments, arena)
        default: arena.noMethod(receiver, "nanos")
        }
      }
    case "latitude": return only(.latlng, "latitude", LatLngMethods.latitude)
    case "longitude": return only(.latlng, "longitude", LatLngMethods.longitude)
    case "distance": return only(.latlng, "distance", LatLngMethods.distance)
    default:
      return collectionMethod(name)
    }
  }

  private static func collectionMethod(_ name: String) -> LibraryMethod? {
    switch name {
    case "join": return only(.list, "join", ListMethods.join)
    case "concat": return only(.list, "concat", ListMethods.concat)
    case "removeAll": return only(.list, "removeAll", ListMethods.removeAll)
    case "toSet": return only(.list, "toSet", ListMethods.toSet, open: OpenValues.toSet)
    case "hasAll":
      return { receiver, arguments, arena in
        switch receiver.tag {
        case .list: ListMethods.hasAll(receiver, arguments, arena)
        case .set: SetMethods.hasAll(receiver, arguments, arena)
        case .open: OpenValues.hasAll(receiver, arguments, arena)
        default: arena.noMethod(receiver, "hasAll")
        }
      }
    case "hasAny":
      return { receiver, arguments, arena in
        switch receiver.tag {
        case .list: ListMethods.hasAny(receiver, arguments, arena)
        case .set: SetMethods.hasAny(receiver, arguments, arena)
        case .constraint: Constraints.hasAny(receiver, arguments, arena)
        case .open: OpenValues.hasAny(receiver, arguments, arena)
        default: arena.noMethod(receiver, "hasAny")
        }
      }
    case "hasOnly":
      return { receiver, arguments, arena in
        switch receiver.tag {
        case .list: ListMethods.hasOnly(receiver, arguments, arena)
        case .set: SetMethods.hasOnly(receiver, arguments, arena)
        case .open: OpenValues.hasOnly(receiver, arguments, arena)
        default: arena.noMethod(receiver, "hasOnly")
        }
      }
    case "difference": return only(.set, "difference", SetMethods.difference)
    case "intersection": return only(.set, "intersection", SetMethods.intersection)
    case "union": return only(.set, "union", SetMethods.union)
    case "keys": return only(.map, "keys", MapMethods.keys, open: OpenValues.keys)
    case "values": return only(.map, "values", MapMethods.values, open: OpenValues.unanswered)
    case "get": return only(.map, "get", MapMethods.get, open: OpenValues.get)
    case "diff": return only(.map, "diff", MapMethods.diff, open: OpenValues.unanswered)
    case "addedKeys": return only(.mapDiff, "addedKeys", MapDiffMethods.addedKeys)
    case "removedKeys": return only(.mapDiff, "removedKeys", MapDiffMethods.removedKeys)
    case "changedKeys": return only(.mapDiff, "changedKeys", MapDiffMethods.changedKeys)
    case "affectedKeys": return only(.mapDiff, "affectedKeys", MapDiffMethods.affectedKeys)
    case "unchangedKeys": return only(.mapDiff, "unchangedKeys", MapDiffMethods.unchangedKeys)
    case "bind": return only(.path, "bind", PathMethods.bind)
    default: return nil
    }
  }

  /// A method that one type has.
  private static func only(
    _ tag: Value.Tag, _ name: StaticString, _ method: @escaping LibraryMethod, open: LibraryMethod? = nil
  ) -> LibraryMethod {
    { receiver, arguments, arena in
      if receiver.has(tag) { return method(receiver, arguments, arena) }
      if let open, receiver.has(.open) { return open(receiver, arguments, arena) }
      return arena.noMethod(receiver, name)
    }
  }
}
