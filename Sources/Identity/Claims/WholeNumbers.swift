import JSON

extension JSONObject {
  /// The claims as rules see them: a number that is whole and fits 64 bits is an integer, however it is
  /// written (`1.0`, `1e3`), at any depth (observed on the official Firestore emulator 1.19.9). The
  /// Authentication emulator, written in JavaScript, would not even write `1.0`.
  public var withWholeNumbers: JSONObject {
    let changed = JSONValue.object(self).mappingScalars { scalar in
      // The reader has made an integer of -2^63 itself; a double there was written with more digits.
      guard case .double(let number) = scalar, number > -0x1p63 else { return scalar }
      return Int64(exactly: number).map(JSONValue.int) ?? scalar
    }
    return changed.objectValue ?? self
  }
}
