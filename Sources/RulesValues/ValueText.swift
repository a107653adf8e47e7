/// Values as text that a person reads, in the syntax of the rules language: `'a'`, `[1, 2]`, `{'a': 1}`, `/a/b`,
/// `timestamp.date(2026, 1, 1)`, `[1].toSet()`. Safe to show: control characters and what would turn or hide the
/// text around it are escaped; what is longer than the width ends in `…`.
extension Arena {
  /// - Parameters:
  ///   - v: of this arena.
  ///   - width: columns of a terminal that the text may take, at least 1.
  public func display(_ v: Value, width: Int = 100) -> String {
    var out = DisplayText(width: width)
    write(v, to: &out, depth: 0)
    return out.finished
  }

  private func write(_ v: Value, to out: inout DisplayText, depth: Int) {
    guard !out.isFull else { return }
    guard depth < Self.maximumValueDepth else { return out.append("…") }
    switch v.tag {
    case .null: out.append("null")
    case .bool: out.append(v.isTrue ? "true" : "false")
    case .int: out.append(String(v.asInt))
    case .float: out.append(floatText(v.asDouble))
    case .string: out.appendQuoted(WTF8.utf16(copyBytes(v)))
    case .bytes: writeBytes(v, to: &out)
    case .timestamp: out.append(timestampText(v.asTimestamp))
    case .duration: out.append(durationLiteral(v))
    case .latlng:
      out.append("latlng.value(\(floatText(latitude(v))), \(floatText(longitude(v))))")
    case .path: writePath(v, to: &out, depth: depth)
    case .list: writeElements(v, to: &out, depth: depth)
    case .set:
      writeElements(v, to: &out, depth: depth)
      out.append(".toSet()")
    case .vector:
      out.append("vector(")
      writeElements(v, to: &out, depth: depth)
      out.append(")")
    case .map:
      writeSeries("{", v.count, "}", to: &out) { i, out in
        out.appendQuoted(WTF8.utf16(copyBytes(key(v, i))))
        out.append(": ")
        write(value(v, i), to: &out, depth: depth + 1)
      }
    case .mapDiff: writeDiff(v, to: &out)
    case .constraint:
      writeSeries("constraint(", v.count, ")", to: &out) { i, out in
        out.append((ConstraintOperator(rawValue: key(v, i).asInt)?.symbol ?? "?") + " ")
        write(value(v, i), to: &out, depth: depth + 1)
      }
    case .open: write(known(of: v), to: &out, depth: depth + 1)
    case .capture: writeSegment(v, to: &out, depth: depth)
    case .unknown: out.append("unknown")
    case .error, .exhausted: out.appendPlain(Array((message(v) ?? "error").utf16))
    }
  }

  private func writeSeries(
    _ open: String, _ count: Int, _ close: String, to out: inout DisplayText,
    _ item: (Int, inout DisplayText) -> Void
  ) {
    out.append(open)
    for i in 0..<count where !out.isFull {
      if i > 0 { out.append(", ") }
      item(i, &out)
    }
    out.append(close)
  }

  private func writeElements(_ v: Value, to out: inout DisplayText, depth: Int) {
    writeSeries("[", v.count, "]", to: &out) { i, out in write(element(v, i), to: &out, depth: depth + 1) }
  }

  private func writeBytes(_ v: Value, to out: inout DisplayText) {
    out.append("b'")
    for byte in copyBytes(v) where !out.isFull {
      switch byte {
      case 0x27, 0x5C: out.append("\\" + String(UnicodeScalar(byte)))
      case 0x20..<0x7F: out.append(String(UnicodeScalar(byte)))
      default:
        let digits = String(byte, radix: 16)
        out.append("\\x" + (digits.count < 2 ? "0" : "") + digits)
      }
    }
    out.append("'")
  }

  /// `added 'a', changed 'b'`; keys that did not change are left out.
  private func writeDiff(_ v: Value, to out: inout DisplayText) {
    let entries = (0..<v.count).filter { value(v, $0).asInt != DiffStatus.unchanged.rawValue }
    writeSeries("diff(", entries.count, ")", to: &out) { i, out in
      let status = DiffStatus(rawValue: value(v, entries[i]).asInt)
      out.append((status?.officialName.lowercased() ?? "?") + " ")
      out.appendQuoted(WTF8.utf16(copyBytes(key(v, entries[i]))))
    }
  }

  private func writePath(_ v: Value, to out: inout DisplayText, depth: Int) {
    if v.count == 0 { out.append("/") }
    for i in 0..<v.count where !out.isFull { writeSegment(element(v, i), to: &out, depth: depth + 1) }
  }

  private func writeSegment(_ segment: Value, to out: inout DisplayText, depth: Int) {
    if segment.has(.capture) {
      let bound = element(segment, 1)
      if segment.flags & Value.bound == 0 {
        out.append("/{")
        out.appendPlain(WTF8.utf16(copyBytes(element(segment, 0))))
        out.append(segment.flags & Value.glob != 0 ? "=**}" : "}")
      } else if bound.has(.path), depth < Self.maximumValueDepth {
        for i in 0..<bound.count where !out.isFull { writeSegment(element(bound, i), to: &out, depth: depth + 1) }
      } else {
        writeSegment(bound, to: &out, depth: depth)
      }
      return
    }
    let units = WTF8.utf16(copyBytes(segment))
    if Self.isPlainSegment(units[...]) {
      out.append("/")
      out.appendPlain(units)
    } else {
      out.append("/$(")
      out.appendQuoted(units)
      out.append(")")
    }
  }

  /// Can the segment stand in a path literal as it is?
  private static func isPlainSegment(_ units: ArraySlice<UInt16>) -> Bool {
    if units.count > 2, units.first == 0x28, units.last == 0x29 {
      return units.dropFirst().dropLast().allSatisfy { isSegmentUnit($0) }
    }
    return !units.isEmpty && units.allSatisfy { isSegmentUnit($0) }
  }

  private static func isSegmentUnit(_ unit: UInt16) -> Bool {
    switch unit {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    // _ - . ~ : @
    case 0x5F, 0x2D, 0x2E, 0x7E, 0x3A, 0x40: true
    default: false
    }
  }

  /// The language's float literals have no exponent and no NaN.
  private func floatText(_ d: Double) -> String {
    let text = JavaDouble.text(d)
    return d.isFinite && !text.utf8.contains(0x45) ? text : "float('\(text)')"
  }

  private func timestampText(_ t: Timestamp) -> String {
    let c = t.civil
    if t.nanos == 0, c.hours == 0, c.minutes == 0, c.seconds == 0 {
      return "timestamp.date(\(c.year), \(c.month), \(c.day))"
    }
    return "timestamp.value('\(t.rfc3339)')"
  }

  private func durationLiteral(_ v: Value) -> String {
    let seconds = v.asInt
    if v.nanos == 0 {
      let units: [(Int64, String)] = [(604_800, "w"), (86400, "d"), (3600, "h"), (60, "m")]
      for (factor, name) in units where seconds != 0 && seconds % factor == 0 {
        return "duration.value(\(seconds / factor), '\(name)')"
      }
      return "duration.value(\(seconds), 's')"
    }
    if v.nanos % 1_000_000 == 0, seconds.magnitude < 9_000_000_000 {
      return "duration.value(\(seconds * 1000 + Int64(v.nanos) / 1_000_000), 'ms')"
    }
    return "duration.time(0, 0, \(seconds), \(v.nanos))"
  }
}
