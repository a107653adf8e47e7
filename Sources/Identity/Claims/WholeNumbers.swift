import JSON

extension JSONObject {
  /// The claims as rules see them: a number that is whole and fits 64 bits is an integer, however it is
  /// written (`1.0`, `1e3`), at any depth (observed on the official Firestore emulator 1.19.9). The
  /// Authentication emulator, written in JavaScript, would not even write `1.0`.
  var withWholeNumbers: JSONObject {
    var object = JSONObject()
    for (name, value) in members { object[name] = value.withWholeNumbers }
    return object
  }
}

extension JSONValue {
  /// Recurses as deep as the value is, which `JSONLimits.deepestValue` bounds for anything parsed.
  fileprivate var withWholeNumbers: JSONValue {
    switch self {
    case .double(let number):
      // The reader has made an integer of -2^63 itself; a double there was written with more digits.
      number > -0x1p63 ? Int64(exactly: number).map(JSONValue.int) ?? self : self
    case .array(let elements): .array(elements.map(\.withWholeNumbers))
    case .object(let object): .object(object.withWholeNumbers)
    default: self
    }
  }
}
