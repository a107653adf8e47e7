import JSON

extension Arena {
  /// The value that `json(_:)` wrote; `nil` for what is no such JSON, and for failures, whose cause is not in it.
  public func value(json: JSONValue, depth: Int = 0) -> Value? {
    guard depth < Self.maximumValueDepth, let members = json.objectValue?.members, members.count == 1,
      let (name, content) = members.first.map({ ($0.key, $0.value) })
    else { return nil }
    switch name {
    case "nullValue": return .null
    case "boolValue": return content.boolValue.map { .bool($0) }
    case "intValue": return (content.stringValue.flatMap { Int64($0) } ?? content.intValue).map { .int($0) }
    case "floatValue": return float(content).map { .float($0) }
    case "stringValue": return content.stringValue.map { string($0) }
    case "bytesValue": return content.stringValue.flatMap { Base64.decode($0) }.map { bytes($0) }
    case "timestampValue":
      return content.stringValue.flatMap { Timestamp(rfc3339: $0) }.map { .timestamp($0) }
    case "durationValue": return content.stringValue.flatMap { duration($0) }
    case "latlngValue":
      guard content.objectValue != nil, let latitude = float(content["latitude"] ?? 0),
        let longitude = float(content["longitude"] ?? 0)
      else { return nil }
      return latlng(latitude: latitude, longitude: longitude)
    case "pathValue": return path(content, depth: depth)
    case "listValue": return elements(content, .list, depth: depth)
    case "setValue": return elements(content, .set, depth: depth)
    case "vectorValue": return elements(content, .vector, depth: depth)
    case "mapValue":
      guard content.objectValue != nil else { return nil }
      guard let fields = content["fields"] else { return map([]) }
      guard let members = fields.objectValue?.members else { return nil }
      var pairs: [(key: Value, value: Value)] = []
      for member in members {
        guard let v = value(json: member.value, depth: depth + 1) else { return nil }
        pairs.append((string(member.key), v))
      }
      return map(pairs)
    case "mapDiffValue": return diff(content)
    case "constraintValue": return constraint(content, depth: depth)
    default: return nil
    }
  }

  private func float(_ json: JSONValue) -> Double? {
    if let d = json.doubleValue { return d }
    return switch json.stringValue {
    case "NaN": .nan
    case "Infinity": .infinity
    case "-Infinity": -.infinity
    default: nil
    }
  }

  /// `-1.500s`
  private func duration(_ text: String) -> Value? {
    var rest = text.utf8[...]
    guard rest.popLast() == UInt8(ascii: "s") else { return nil }
    let negative = rest.first == UInt8(ascii: "-")
    if negative { rest = rest.dropFirst() }
    let parts = rest.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard let whole = parts.first, whole.count <= 12, let seconds = Int64(String(Substring(whole))), parts.count <= 2
    else { return nil }
    var nanos: Int32 = 0
    if parts.count == 2 {
      guard (1...9).contains(parts[1].count), let fraction = Int32(String(Substring(parts[1]))), fraction >= 0 else {
        return nil
      }
      nanos = (parts[1].count..<9).reduce(fraction) { n, _ in n * 10 }
    }
    return .duration(seconds: negative ? -seconds : seconds, nanos: negative ? -nanos : nanos)
  }

  private func elements(_ json: JSONValue, _ tag: Value.Tag, depth: Int) -> Value? {
    guard json.objectValue != nil else { return nil }
    var values: [Value] = []
    if let items = json["values"] {
      guard let items = items.arrayValue else { return nil }
      for item in items {
        guard let v = value(json: item, depth: depth + 1) else { return nil }
        values.append(v)
      }
    }
    return collection(tag, values)
  }

  private func path(_ json: JSONValue, depth: Int) -> Value? {
    guard depth < Self.maximumValueDepth, json.objectValue != nil else { return nil }
    var segments: [Value] = []
    for item in json["segments"]?.arrayValue ?? [] {
      if let simple = item["simple"]?.stringValue {
        segments.append(string(simple))
        continue
      }
      guard let content = item["capture"] ?? item["globCapture"], let name = content["variableName"]?.stringValue
      else { return nil }
      let isGlob = item["globCapture"] != nil
      var bound: Value?
      if let json = content["boundValue"] {
        bound = isGlob ? path(json, depth: depth + 1) : json.stringValue.map { string($0) }
        if bound == nil { return nil }
      }
      segments.append(capture(name: string(name), glob: isGlob, bound: bound))
    }
    return collection(.path, segments)
  }
}
