import Foundation

/// One line of `Corpus/patterns.jsonl`: a question put to the official emulator, and its answer.
struct RecordedAnswer: Sendable {
  let fields: [String: Field]

  enum Field: Sendable, Equatable {
    case null
    case bool(Bool)
    case string([UInt8])
    case list([Field])
  }

  func bytes(_ name: String) -> [UInt8] {
    if case .string(let bytes)? = fields[name] { bytes } else { [] }
  }

  var operation: String { String(decoding: bytes("op"), as: UTF8.self) }
  var pattern: [UInt8] { bytes("pattern") }
  /// The question as one would write it, for messages.
  var description: String {
    "\(operation) /\(String(decoding: pattern, as: UTF8.self))/ on \(String(decoding: bytes("text"), as: UTF8.self).debugDescription)"
      + (fields["with"] == nil ? "" : " with \(String(decoding: bytes("with"), as: UTF8.self).debugDescription)")
      + ": \(fields["value"].map { "\($0)" } ?? "no value")"
  }

  static func all() throws -> [RecordedAnswer] {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Corpus/patterns.jsonl")
    return try Data(contentsOf: file).split(separator: UInt8(ascii: "\n")).map { line in
      var reader = LineReader(bytes: Array(line))
      return RecordedAnswer(fields: try reader.object())
    }
  }
}

/// Reads the JSON our recorder writes. Foundation's reader refuses lone surrogates.
private struct LineReader {
  let bytes: [UInt8]
  var position = 0

  struct Malformed: Error { let position: Int }

  mutating func object() throws -> [String: RecordedAnswer.Field] {
    var fields: [String: RecordedAnswer.Field] = [:]
    try expect("{")
    repeat {
      let name = String(decoding: try string(), as: UTF8.self)
      try expect(":")
      fields[name] = try value()
    } while take(",")
    try expect("}")
    return fields
  }

  private mutating func value() throws -> RecordedAnswer.Field {
    skipBlanks()
    if position < bytes.count, bytes[position] == UInt8(ascii: "\"") { return .string(try string()) }
    if take("[") {
      var items: [RecordedAnswer.Field] = []
      if take("]") { return .list([]) }
      repeat { items.append(try value()) } while take(",")
      try expect("]")
      return .list(items)
    }
    if take("true") { return .bool(true) }
    if take("false") { return .bool(false) }
    try expect("null")
    return .null
  }

  private mutating func string() throws -> [UInt8] {
    try expect("\"")
    var units: [UInt16] = []
    while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
      var unit = UInt16(bytes[position])
      position += 1
      if unit == 0x5C, position < bytes.count {
        let escape = bytes[position]
        position += 1
        switch escape {
        case UInt8(ascii: "u"):
          guard position + 4 <= bytes.count,
            let value = UInt16(String(decoding: bytes[position..<(position + 4)], as: UTF8.self), radix: 16)
          else { throw Malformed(position: position) }
          unit = value
          position += 4
        case UInt8(ascii: "n"): unit = 10
        case UInt8(ascii: "t"): unit = 9
        case UInt8(ascii: "r"): unit = 13
        case UInt8(ascii: "b"): unit = 8
        case UInt8(ascii: "f"): unit = 12
        default: unit = UInt16(escape)
        }
      }
      units.append(unit)
    }
    try expect("\"")
    return wtf8(units)
  }

  /// Written apart from the library's own conversion, so that a mistake there shows.
  private func wtf8(_ units: [UInt16]) -> [UInt8] {
    var result: [UInt8] = []
    var index = 0
    while index < units.count {
      let unit = units[index]
      if UTF16.isLeadSurrogate(unit), index + 1 < units.count, UTF16.isTrailSurrogate(units[index + 1]) {
        result += Array(String(decoding: units[index...(index + 1)], as: UTF16.self).utf8)
        index += 2
        continue
      }
      if UTF16.isSurrogate(unit) {
        result += [0xED, 0x80 | UInt8(unit >> 6 & 0x3F), 0x80 | UInt8(unit & 0x3F)]
      } else {
        result += Array(String(decoding: [unit], as: UTF16.self).utf8)
      }
      index += 1
    }
    return result
  }

  private mutating func skipBlanks() {
    while position < bytes.count, bytes[position] == 0x20 { position += 1 }
  }

  private mutating func take(_ text: StaticString) -> Bool {
    skipBlanks()
    let wanted = text.withUTF8Buffer { Array($0) }
    guard bytes[position...].starts(with: wanted) else { return false }
    position += wanted.count
    return true
  }

  private mutating func expect(_ text: StaticString) throws {
    guard take(text) else { throw Malformed(position: position) }
  }
}
