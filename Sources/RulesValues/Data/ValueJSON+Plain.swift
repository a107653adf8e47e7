import JSON

/// Values as the Rules Test API reports them: plain JSON, in which an int, a timestamp and a path are what JSON has for
/// them. (Recorded from production in September 2026: a set is an array, a map diff says for each key what became of
/// it, a duration is `"90s"`, `(default)` in a path is percent-encoded, an error is `"||invalid_argument||"`.)
extension Arena {
  /// What stands for an error.
  public static let invalidText = "||invalid_argument||"

  public func plainJSON(_ v: Value, depth: Int = 0) -> JSONValue {
    guard depth < Self.maximumValueDepth else { return .null }
    switch v.tag {
    case .null: return .null
    case .bool: return .bool(v.isTrue)
    case .int: return .int(v.asInt)
    case .float:
      // JSON does not tell 9.0 from 9, nor does the official report.
      guard v.asDouble.isFinite else { return .string(JavaDouble.text(v.asDouble)) }
      return Int64(exactly: v.asDouble).map { .int($0) } ?? .double(v.asDouble)
    case .string: return .string(text(v))
    case .bytes: return .string(String(decoding: Base64.encode(copyBytes(v)), as: UTF8.self))
    case .timestamp: return .string(v.asTimestamp.rfc3339)
    case .duration: return .string(durationText(v))
    case .latlng: return ["latitude": .double(latitude(v)), "longitude": .double(longitude(v))]
    case .path: return .string(encodedPath(v))
    case .list, .set, .vector: return .array((0..<v.count).map { plainJSON(element(v, $0), depth: depth + 1) })
    case .map:
      var members = JSONObject()
      for place in 0..<v.count {
        let i = entry(v, at: place)
        members[text(key(v, i))] = plainJSON(value(v, i), depth: depth + 1)
      }
      return .object(members)
    case .mapDiff:
      var members = JSONObject()
      for i in 0..<v.count {
        members[text(key(v, i))] = .string(DiffStatus(rawValue: value(v, i).asInt)?.officialName ?? "")
      }
      return .object(members)
    case .open: return plainJSON(known(of: v), depth: depth + 1)
    case .constraint, .capture, .unknown, .error, .exhausted: return .string(Self.invalidText)
    }
  }

  /// `/databases/%28default%29/documents/users/alice`: what is no plain character of a segment is percent-encoded.
  func encodedPath(_ path: Value) -> String {
    if path.count == 0 { return "/" }
    var cursor = SegmentCursor(path, self)
    var text = ""
    while let segment = cursor.next() {
      text += "/"
      for byte in segment.has(.string) ? copyBytes(segment) : [] {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E:
          text.unicodeScalars.append(Unicode.Scalar(byte))
        default:
          let digits = String(byte, radix: 16, uppercase: true)
          text += "%" + (digits.utf8.count < 2 ? "0" : "") + digits
        }
      }
    }
    return text
  }

  /// Data of a TestSuite: whole numbers are ints, others floats. Maps keep the order in which they are written.
  public func load(plain json: JSONValue, depth: Int = 0) -> Value {
    guard depth < Self.maximumDataDepth else { return .error(.memory) }
    switch json {
    case .null: return .null
    case .bool(let b): return .bool(b)
    case .int(let i): return .int(i)
    case .double(let d): return Int64(exactly: d).map { .int($0) } ?? .float(d)
    case .string(let s): return string(s)
    case .array(let items):
      let values = items.map { load(plain: $0, depth: depth + 1) }
      return values.first(where: \.isFailure) ?? list(values)
    case .object(let object):
      return load(members: object.members.map { ($0.key, load(plain: $0.value, depth: depth + 1)) })
    }
  }

  /// A map of members that are values already, in an order of its own.
  public func load(members: [(name: String, value: Value)]) -> Value {
    if let failure = members.map(\.value).first(where: \.isFailure) { return failure }
    return map(members.map { (key: string($0.name), value: $0.value) }, ordered: true)
  }
}
