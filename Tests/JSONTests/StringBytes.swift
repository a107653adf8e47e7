import Testing

@testable import JSON

/// Strings are read eight bytes at a time; every byte must count at every place.
@Suite struct StringBytes {
  @Test(arguments: [UInt8.min ... .max])
  func `every byte means the same wherever it stands`(_ bytes: ClosedRange<UInt8>) throws {
    for length in 1...18 {
      for place in 0..<length {
        for byte in bytes {
          var text = [UInt8](repeating: UInt8(ascii: "a") &+ UInt8(length), count: length)
          text[place] = byte
          let rest = Array(text[(place + 1)...])
          let read = try? JSONValue(parsing: [UInt8(ascii: "\"")] + text + [UInt8(ascii: "\"")])
          switch byte {
          // A quote ends the string, where nothing may follow; what follows a backslash here is no escape but for b,
          // f, n, r and t, or it takes the closing quote with it.
          case UInt8(ascii: "\""): #expect(read == nil, "\(length) \(place)")
          case UInt8(ascii: "\\"):
            if let next = rest.first, "bfnrt".utf8.contains(next) { continue }
            #expect(read == nil, "\(length) \(place)")
          case 0x20..<0x80: #expect(read == .string(String(decoding: text, as: UTF8.self)), "\(byte) \(length) \(place)")
          // A control character, or a part of a character alone.
          default: #expect(read == nil, "\(byte) \(length) \(place)")
          }
        }
      }
    }
  }

  @Test(arguments: ["é", "€", "😀", "\u{7F}", "\u{80}", "\u{7FF}", "\u{800}", "\u{10FFFF}"])
  func `longer characters stand anywhere`(_ character: String) throws {
    for before in 0...17 {
      for after in 0...9 {
        let text = String(repeating: "x", count: before) + character + String(repeating: "y", count: after)
        #expect(try JSONValue(parsing: "\"\(text)\"") == .string(text))
        #expect(try JSONValue(parsing: "\"\(text)\\n\(text)\"") == .string(text + "\n" + text))
      }
    }
  }
}
