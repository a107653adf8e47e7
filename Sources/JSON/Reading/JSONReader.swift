/// Reads a JSON text (RFC 8259, strictly) piece by piece, without building a tree: for callers that
/// decode straight into their own storage.
///
/// ```swift
/// var reader = try JSONReader(bytes)
/// while true {
///   switch try reader.next() {
///   case .key, .string: use(reader.text)
///   case .end: return
///   …
///   }
/// }
/// ```
///
/// Strings are handed out unescaped, in WTF-8: UTF-8 in which an escaped surrogate without its
/// partner (`\ud83d`) keeps its three bytes. Raw bytes that are not UTF-8 are an error. Member names
/// may repeat; what that means is for the caller to decide. The reader keeps no line count while it
/// works: `position(at:)` counts when somebody asks. A byte order mark at the start is skipped, as
/// the RFC allows.
///
/// After an error the reader may be asked again without harm, but its answers mean nothing.
public struct JSONReader: ~Copyable, Sendable {
  /// One piece of a JSON text.
  public enum Event: Sendable, Equatable {
    case null
    case bool(Bool)
    /// A number without fraction and exponent that fits; `rawText` has its digits.
    case int(Int64)
    /// Any other number; `rawText` has it as written.
    case double(Double)
    /// A string value, unescaped in `text`.
    case string
    /// A member name, unescaped in `text`; the member's value comes next.
    case key
    case beginArray
    case endArray
    case beginObject
    case endObject
    /// The text is over; every further call answers this again.
    case end
  }

  enum Expected { case value, elementOrEnd, keyOrEnd, commaOrEnd, end }

  let bytes: [UInt8]
  let limits: JSONLimits
  /// Where the text starts: after the byte order mark, if there is one.
  let start: Int
  /// The next byte to be read.
  var cursor: Int
  var expected = Expected.value
  /// The open containers, outermost first; true is an object.
  var isObject: [Bool] = []
  var token: Range<Int>
  /// Where the last string lies in `bytes`, without its quotes; unused if it had escapes.
  var plainText: Range<Int> = 0..<0
  var unescaped: [UInt8] = []
  var hasEscapes = false

  /// Whether the last string held an escaped surrogate without its partner.
  public internal(set) var textHasLoneSurrogate = false

  /// - Throws: if the text is longer than the limit, or written in UTF-16.
  public init(_ bytes: [UInt8], limits: JSONLimits = .standard) throws(JSONError) {
    guard bytes.count <= limits.maxBytes else {
      throw JSONError(
        line: 1, column: 1, message: "the text has \(bytes.count) bytes; at most \(limits.maxBytes) are read")
    }
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      throw JSONError(line: 1, column: 1, message: "the text is in UTF-16; JSON must be saved as UTF-8")
    }
    self.bytes = bytes
    self.limits = limits
    start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    cursor = start
    token = start..<start
  }

  /// How many arrays and objects are open.
  public var depth: Int { isObject.count }

  /// The bytes of the last piece: offsets into the text, for `position(at:)`.
  public var tokenRange: Range<Int> { token }

  /// The last piece as it stands in the text, escapes and quotes included.
  public var rawText: ArraySlice<UInt8> { bytes[token] }

  /// The last string or member name, unescaped, in WTF-8.
  public var text: ArraySlice<UInt8> { hasEscapes ? unescaped[...] : bytes[plainText] }

  /// Where the last string or member name lies in the text, if it stands there as it is; `nil` when it has escapes.
  public var plainRange: Range<Int>? { hasEscapes ? nil : plainText }

  /// The last string or member name. A lone surrogate, which a `String` cannot hold, becomes U+FFFD.
  public var string: String {
    guard textHasLoneSurrogate else { return String(decoding: text, as: UTF8.self) }
    var replaced: [UInt8] = []
    replaced.reserveCapacity(unescaped.count)
    var index = 0
    while index < unescaped.count {
      if unescaped[index] == 0xED, index + 2 < unescaped.count, unescaped[index + 1] >= 0xA0 {
        replaced += [0xEF, 0xBF, 0xBD]
        index += 3
      } else {
        replaced.append(unescaped[index])
        index += 1
      }
    }
    return String(decoding: replaced, as: UTF8.self)
  }

  /// The next piece of the text.
  public mutating func next() throws(JSONError) -> Event {
    skipWhitespace()
    switch expected {
    case .value:
      return try readValue()
    case .elementOrEnd:
      return peek == UInt8(ascii: "]") ? close() : try readValue()
    case .keyOrEnd:
      return peek == UInt8(ascii: "}") ? close() : try readKey()
    case .commaOrEnd:
      return try readSeparator()
    case .end:
      guard cursor >= bytes.count else { throw complaint(expecting: "the end of the text") }
      token = cursor..<cursor
      return .end
    }
  }

  /// Passes over the rest of a value whose first piece was `event`: to the end of the array or object
  /// it opened. Other events are whole already.
  public mutating func skip(_ event: Event) throws(JSONError) {
    guard event == .beginArray || event == .beginObject else { return }
    let outside = depth - 1
    while depth > outside { _ = try next() }
  }

  // MARK: Structure

  /// The byte at the cursor; nil at the end.
  var peek: UInt8? { cursor < bytes.count ? bytes[cursor] : nil }

  mutating func skipWhitespace() {
    while cursor < bytes.count {
      switch bytes[cursor] {
      case 0x20, 0x09, 0x0A, 0x0D: cursor += 1
      default: return
      }
    }
  }

  private mutating func readSeparator() throws(JSONError) -> Event {
    let inObject = isObject.last == true
    switch peek {
    case UInt8(ascii: ","):
      let comma = cursor
      cursor += 1
      skipWhitespace()
      if peek == UInt8(ascii: inObject ? "}" : "]") {
        throw error("a comma may not stand before the closing \(inObject ? "}" : "]"); remove it", at: comma)
      }
      return inObject ? try readKey() : try readValue()
    case UInt8(ascii: inObject ? "}" : "]"):
      return close()
    default:
      throw complaint(expecting: inObject ? "\",\" or \"}\"" : "\",\" or \"]\"")
    }
  }

  private mutating func readValue() throws(JSONError) -> Event {
    switch peek {
    case UInt8(ascii: "\""):
      try readString()
      finishValue()
      return .string
    case let byte? where byte == UInt8(ascii: "-") || byte.isDigit:
      let event = try readNumber()
      finishValue()
      return event
    case UInt8(ascii: "["):
      return try open(object: false)
    case UInt8(ascii: "{"):
      return try open(object: true)
    case UInt8(ascii: "t"):
      return try readWord("true", as: .bool(true))
    case UInt8(ascii: "f"):
      return try readWord("false", as: .bool(false))
    case UInt8(ascii: "n"):
      return try readWord("null", as: .null)
    default:
      throw complaint(expecting: expected == .elementOrEnd ? "a value or \"]\"" : "a value")
    }
  }

  private mutating func readKey() throws(JSONError) -> Event {
    guard peek == UInt8(ascii: "\"") else {
      throw complaint(expecting: expected == .keyOrEnd ? "a member name in double quotes or \"}\"" : "a member name in double quotes")
    }
    try readString()
    skipWhitespace()
    guard peek == UInt8(ascii: ":") else { throw complaint(expecting: "\":\" after the member name") }
    cursor += 1
    expected = .value
    return .key
  }

  private mutating func readWord(_ word: StaticString, as event: Event) throws(JSONError) -> Event {
    let length = word.utf8CodeUnitCount
    guard stands(word, at: cursor), !continuesWord(at: cursor + length) else {
      throw complaint(expecting: "a value")
    }
    token = cursor..<cursor + length
    cursor += length
    finishValue()
    return event
  }

  private func continuesWord(at offset: Int) -> Bool {
    offset < bytes.count && bytes[offset].continuesWord
  }

  private mutating func open(object: Bool) throws(JSONError) -> Event {
    guard isObject.count < limits.maxDepth else {
      throw error("arrays and objects are nested more than \(limits.maxDepth) deep", at: cursor)
    }
    isObject.append(object)
    token = cursor..<cursor + 1
    cursor += 1
    expected = object ? .keyOrEnd : .elementOrEnd
    return object ? .beginObject : .beginArray
  }

  /// Called at the closing bracket of the innermost container.
  private mutating func close() -> Event {
    let wasObject = isObject.popLast() == true
    token = cursor..<cursor + 1
    cursor += 1
    finishValue()
    return wasObject ? .endObject : .endArray
  }

  private mutating func finishValue() {
    expected = isObject.isEmpty ? .end : .commaOrEnd
  }
}
