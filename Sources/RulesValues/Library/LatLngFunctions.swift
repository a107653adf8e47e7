#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The package `latlng`.
public enum LatLngFunctions {
  public static func value(_ arguments: Arguments, _ arena: Arena) -> Value {
    guard arguments.count == 2 else { return arena.argumentCount(.latlngValue, arguments) }
    guard let latitude = MathFunctions.number(arguments.a), let longitude = MathFunctions.number(arguments.b) else {
      return arena.unsupported(.latlngValue, arguments)
    }
    // Not a number is in no range.
    guard latitude >= -90, latitude <= 90, longitude >= -180, longitude <= 180 else {
      return arena.error(.latlngRange, .float(latitude), .float(longitude))
    }
    return arena.latlng(latitude: latitude, longitude: longitude)
  }
}

/// The methods of points on the globe.
public enum LatLngMethods {
  /// Metres, by the haversine formula on a sphere of this radius.
  private static let earthRadius = 6_371_009.0

  public static func latitude(_ receiver: Value, _ arguments: Arguments, _ arena: Arena) -> Value {
    guard arguments.count == 0 else { return arena.argumentCount(.latlngLatitude, arguments) }
    return .float(arena.latitude(receiver))
  }

  public static func longitude(_ receiver: Value, _ arguments: Arguments, _ arena: Arena) -> Value {
    guard arguments.count == 0 else { return arena.argumentCount(.latlngLongitude, arguments) }
    return .float(arena.longitude(receiver))
  }

  /// In metres. The official implementation computes the arc sine in Java, whose last bits may differ from the C
  /// library's: of 408 recorded distances, 21 differ in the sixteenth digit.
  public static func distance(_ receiver: Value, _ arguments: Arguments, _ arena: Arena) -> Value {
    guard arguments.count == 1 else { return arena.argumentCount(.latlngDistance, arguments) }
    guard arguments.a.has(.latlng) else { return arena.unsupported(.latlngDistance, arguments.a) }
    func radians(_ degrees: Double) -> Double { degrees * (Double.pi / 180) }
    let latitude1 = radians(arena.latitude(receiver))
    let latitude2 = radians(arena.latitude(arguments.a))
    let longitude1 = radians(arena.longitude(receiver))
    let longitude2 = radians(arena.longitude(arguments.a))
    let a = sin(0.5 * (latitude2 - latitude1))
    let b = sin(0.5 * (longitude2 - longitude1))
    let x = a * a + b * b * cos(latitude1) * cos(latitude2)
    return .float(2 * asin(min(1, x.squareRoot())) * earthRadius)
  }
}
