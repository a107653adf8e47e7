/// Writes a JSON text piece by piece, with commas and indentation where they belong.
///
/// ```swift
/// var writer = JSONWriter(pretty: true)
/// writer.beginObject()
/// writer.key("passed"); writer.int(3)
/// writer.endObject()
/// print(writer.text)
/// ```
///
/// Objects are the caller's to balance; the writer does not check that names differ.
public struct JSONWriter: Sendable {
  /// What was written, in UTF-8.
  public private(set) var bytes: [UInt8] = []

  private let pretty: Bool
  private var depth = 0
  /// Whether the next piece is the first in its container (or in the text).
  private var isFirst = true
  private var followsKey = false

  /// - Parameter pretty: one member or element a line, indented by two spaces.
  public init(pretty: Bool = false) { self.pretty = pretty }

  public var text: String { String(decoding: bytes, as: UTF8.self) }

  public mutating func beginArray() { open(UInt8(ascii: "[")) }
  public mutating func endArray() { close(UInt8(ascii: "]")) }
  public mutating func beginObject() { open(UInt8(ascii: "{")) }
  public mutating func endObject() { close(UInt8(ascii: "}")) }

  public mutating func key(_ name: String) {
    startPiece()
    append(quoted: name)
    bytes.append(UInt8(ascii: ":"))
    if pretty { bytes.append(0x20) }
    followsKey = true
  }

  public mutating func null() { append(word: "null") }
  public mutating func bool(_ value: Bool) { append(word: value ? "true" : "false") }
  public mutating func int(_ value: Int64) { append(word: value.description) }

  /// The shortest digits that read back as the same double; always with a point or an exponent, so
  /// that it reads back as a double. What JSON cannot write becomes the string `"NaN"`, `"Infinity"`
  /// or `"-Infinity"`, as in protobuf's JSON.
  public mutating func double(_ value: Double) {
    if value.isFinite {
      append(word: value.description)
    } else {
      string(value.isNaN ? "NaN" : value < 0 ? "-Infinity" : "Infinity")
    }
  }

  public mutating func string(_ value: String) {
    startPiece()
    append(quoted: value)
  }

  /// A string in WTF-8, as `JSONReader.text` hands it out: lone surrogates become `\ud83d` again.
  public mutating func string(wtf8 value: ArraySlice<UInt8>) {
    startPiece()
    append(quotedWTF8: value)
  }

  // MARK: Pieces

  private mutating func startPiece() {
    if followsKey {
      followsKey = false
      return
    }
    if !isFirst { bytes.append(UInt8(ascii: ",")) }
    if pretty, depth > 0 { breakLine() }
    isFirst = false
  }

  private mutating func open(_ bracket: UInt8) {
    startPiece()
    bytes.append(bracket)
    depth += 1
    isFirst = true
  }

  private mutating func close(_ bracket: UInt8) {
    depth = max(0, depth - 1)
    if pretty, !isFirst { breakLine() }
    bytes.append(bracket)
    isFirst = false
  }

  private mutating func breakLine() {
    bytes.append(0x0A)
    bytes.append(contentsOf: repeatElement(0x20, count: depth * 2))
  }

  private mutating func append(word: String) {
    startPiece()
    bytes.append(contentsOf: word.utf8)
  }

  private mutating func append(quoted text: String) {
    bytes.append(UInt8(ascii: "\""))
    if text.needsNoEscapes {
      bytes.append(contentsOf: text.utf8)
    } else {
      for byte in text.utf8 {
        if byte.needsEscape { append(escaped: byte) } else { bytes.append(byte) }
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func append(quotedWTF8 text: ArraySlice<UInt8>) {
    bytes.append(UInt8(ascii: "\""))
    var index = text.startIndex
    while index < text.endIndex {
      let byte = text[index]
      if byte == 0xED, index + 2 < text.endIndex, text[index + 1] >= 0xA0 {
        // A surrogate: no other sequence that starts with ED has so great a second byte.
        let (second, third) = (text[index + 1], text[index + 2])
        bytes.append(contentsOf: "\\ud".utf8)
        append(hexadecimal: second >> 2 & 0x0F)
        append(hexadecimal: (second & 0x03) << 2 | third >> 4 & 0x03)
        append(hexadecimal: third & 0x0F)
        index += 3
        continue
      }
      if byte.needsEscape { append(escaped: byte) } else { bytes.append(byte) }
      index += 1
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func append(escaped byte: UInt8) {
    bytes.append(UInt8(ascii: "\\"))
    switch byte {
    case 0x08: bytes.append(UInt8(ascii: "b"))
    case 0x09: bytes.append(UInt8(ascii: "t"))
    case 0x0A: bytes.append(UInt8(ascii: "n"))
    case 0x0C: bytes.append(UInt8(ascii: "f"))
    case 0x0D: bytes.append(UInt8(ascii: "r"))
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
    default:
      bytes.append(contentsOf: "u00".utf8)
      append(hexadecimal: byte >> 4)
      append(hexadecimal: byte & 0x0F)
    }
  }

  private mutating func append(hexadecimal digit: UInt8) {
    bytes.append(digit < 10 ? UInt8(ascii: "0") &+ digit : UInt8(ascii: "a") &+ (digit &- 10))
  }
}

extension UInt8 {
  /// A control character, `"` or `\`: what may not stand in a JSON string as it is.
  var needsEscape: Bool { self < 0x20 || self == 0x22 || self == 0x5C }
}
