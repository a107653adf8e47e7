import JSON

/// Values as the official coverage report writes them: `{"intValue": "1"}`, `{"listValue": {"values": […]}}`.
/// (Observed on the official emulator 1.19.9: empty lists, sets, maps and paths leave their member out, a latlng its
/// zeros; NaN and the infinities are strings; an unpaired surrogate is `?`.)
extension Arena {
  /// Depth of nesting beyond which a value is written as `{}`.
  static let maximumValueDepth = 110

  /// The JSON of a value. A failure or unknown is `{"undefined": {}}`; its cause and place are the caller's to add.
  public func json(_ v: Value, depth: Int = 0) -> JSONValue {
    guard depth < Self.maximumValueDepth else { return [:] }
    switch v.tag {
    case .null: return ["nullValue": nil]
    case .bool: return ["boolValue": .bool(v.isTrue)]
    case .int: return ["intValue": .string(String(v.asInt))]
    case .float: return ["floatValue": floatJSON(v.asDouble)]
    case .string: return ["stringValue": .string(text(v))]
    case .bytes:
      return ["bytesValue": .string(String(decoding: Base64.encode(copyBytes(v)), as: UTF8.self))]
    case .timestamp: return ["timestampValue": .string(v.asTimestamp.rfc3339)]
    case .duration: return ["durationValue": .string(durationText(v))]
    case .latlng: return ["latlngValue": latlngJSON(v)]
    case .path: return ["pathValue": pathJSON(v, depth: depth)]
    case .list: return ["listValue": elementsJSON(v, depth: depth)]
    case .set: return ["setValue": elementsJSON(v, depth: depth)]
    case .vector: return ["vectorValue": elementsJSON(v, depth: depth)]
    case .map:
      var fields = JSONObject()
      for i in 0..<v.count { fields[text(key(v, i))] = json(value(v, i), depth: depth + 1) }
      return ["mapValue": fields.isEmpty ? [:] : ["fields": .object(fields)]]
    case .mapDiff: return ["mapDiffValue": diffJSON(v)]
    case .constraint: return ["constraintValue": constraintJSON(v, depth: depth)]
    case .open: return json(known(of: v), depth: depth + 1)
    case .capture, .unknown, .error, .exhausted: return ["undefined": [:]]
    }
  }

  private func floatJSON(_ d: Double) -> JSONValue {
    d.isFinite ? .double(d) : .string(JavaDouble.text(d))
  }

  /// `-1.500s`, with as many fraction digits (none, 3, 6 or 9) as needed.
  func durationText(_ v: Value) -> String {
    let sign = v.asInt < 0 || v.nanos < 0 ? "-" : ""
    return sign + String(v.asInt.magnitude) + Timestamp.fraction(v.nanos) + "s"
  }

  private func latlngJSON(_ v: Value) -> JSONValue {
    var members = JSONObject()
    for (name, degrees) in [("latitude", latitude(v)), ("longitude", longitude(v))]
    where degrees.bitPattern != 0 {
      members[name] = floatJSON(degrees)
    }
    return .object(members)
  }

  private func elementsJSON(_ v: Value, depth: Int) -> JSONValue {
    if v.count == 0 { return [:] }
    return ["values": .array((0..<v.count).map { json(element(v, $0), depth: depth + 1) })]
  }

  private func pathJSON(_ v: Value, depth: Int) -> JSONValue {
    if v.count == 0 || depth >= Self.maximumValueDepth { return [:] }
    return ["segments": .array((0..<v.count).map { segmentJSON(element(v, $0), depth: depth + 1) })]
  }

  private func segmentJSON(_ segment: Value, depth: Int) -> JSONValue {
    guard segment.has(.capture) else { return ["simple": .string(text(segment))] }
    let isGlob = segment.flags & Value.glob != 0
    var members: JSONObject = ["variableName": .string(text(element(segment, 0)))]
    if segment.flags & Value.bound != 0 {
      let bound = element(segment, 1)
      members["boundValue"] = bound.has(.path) ? pathJSON(bound, depth: depth) : .string(text(bound))
    }
    return isGlob ? ["globCapture": .object(members)] : ["capture": .object(members)]
  }
}
