extension Library {
  /// The method `name` of whatever types have one; `nil` when no type does.
  public static func method(_ name: String) -> LibraryMethod? {
    switch name {
    case "size":
      return { receiver, arguments, arena in
        switch receiver.tag {
        case .string: return StringMethods.size(receiver, arguments, arena)
        case .bytes: return BytesMethods.size(receiver, arguments, arena)
        case .list: return ListMethods.size(receiver, arguments, arena)
        default: return arena.noMethod(receiver, "size")
        }
      }
    case "lower": return only(.string, "lower", StringMethods.lower)
    case "upper": return only(.string, "upper", StringMethods.upper)
    case "trim": return only(.string, "trim", StringMethods.trim)
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
      return nil
    }
  }

  /// A method that one type has.
  private static func only(
    _ tag: Value.Tag, _ name: StaticString, _ method: @escaping LibraryMethod
  ) -> LibraryMethod {
    { receiver, arguments, arena in
      receiver.has(tag) ? method(receiver, arguments, arena) : arena.noMethod(receiver, name)
    }
  }
}
