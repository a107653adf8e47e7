import JSON
import Testing

/// A fixed sequence of numbers, so that a failure can be seen again (SplitMix64).
struct SeededNumbers: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}

@Suite("Random trees")
struct RandomTrees {
  @Test("any tree reads back as it was written, bit by bit", arguments: 1...300)
  func roundTrip(seed: Int) throws {
    var numbers = SeededNumbers(state: UInt64(seed))
    let tree = Self.tree(depth: 6, &numbers)
    let text = tree.serialized()
    let again = try JSONValue(parsing: text)
    #expect(again == tree, "seed \(seed)")
    #expect(again.serialized() == text, "seed \(seed)")
    #expect(try JSONValue(parsing: tree.serialized(pretty: true, sortedKeys: true)) == tree, "seed \(seed)")
  }

  @Test("a damaged text gives a value or an error, never a crash", arguments: 1...300)
  func damage(seed: Int) throws {
    var numbers = SeededNumbers(state: UInt64(seed))
    var bytes = Array(Self.tree(depth: 4, &numbers).serialized().utf8)
    for _ in 0..<40 {
      guard let place = bytes.indices.randomElement(using: &numbers) else { break }
      switch Int.random(in: 0..<4, using: &numbers) {
      case 0: bytes[place] = UInt8.random(in: .min ... .max, using: &numbers)
      case 1: bytes.remove(at: place)
      case 2: bytes.insert(Array("[]{}\",:\\u0-eE.+n".utf8).randomElement(using: &numbers) ?? 0, at: place)
      default: bytes.removeLast(min(3, bytes.count))
      }
      if let value = try? JSONValue(parsing: bytes, limits: JSONLimits(duplicateKeys: .lastWins)) {
        #expect(try JSONValue(parsing: value.serialized()) == value, "seed \(seed)")
      }
    }
  }

  @Test("a double reads as the nearest one, as the standard library reads it", arguments: 1...50)
  func doubles(seed: Int) throws {
    var numbers = SeededNumbers(state: UInt64(seed))
    for _ in 0..<100 {
      let digits = (0..<Int.random(in: 1...25, using: &numbers)).map { _ in String(Int.random(in: 0...9, using: &numbers)) }.joined()
      let text = "\(Int.random(in: 0...99, using: &numbers)).\(digits)e\(Int.random(in: -320...300, using: &numbers))"
      #expect(try JSONValue(parsing: text) == .double(try #require(Double(text))))
    }
  }

  static func tree(depth: Int, _ numbers: inout SeededNumbers) -> JSONValue {
    switch Int.random(in: 0..<(depth > 0 ? 9 : 6), using: &numbers) {
    case 0: return .null
    case 1: return .bool(Bool.random(using: &numbers))
    case 2: return .int(Int64(bitPattern: numbers.next()) >> Int64.random(in: 0..<64, using: &numbers))
    case 3:
      let double = Double(bitPattern: numbers.next())
      return .double(double.isFinite ? double : 0.5)
    case 4: return .double(Double(Int.random(in: -1000...1000, using: &numbers)) / 8)
    case 5: return .string(string(&numbers))
    case 6, 7: return .array((0..<Int.random(in: 0...5, using: &numbers)).map { _ in tree(depth: depth - 1, &numbers) })
    default:
      var object = JSONObject()
      for _ in 0..<Int.random(in: 0...16, using: &numbers) { object[string(&numbers)] = tree(depth: depth - 2, &numbers) }
      return .object(object)
    }
  }

  static func string(_ numbers: inout SeededNumbers) -> String {
    let scalars = (0..<Int.random(in: 0...12, using: &numbers)).compactMap { _ -> Unicode.Scalar? in
      let widths: [UInt32] = [0x20, 0x7F, 0x7FF, 0xFFFF, 0x10FFFF]
      return Unicode.Scalar(UInt32.random(in: 0...(widths.randomElement(using: &numbers) ?? 0), using: &numbers))
    }
    return scalars.reduce(into: "") { $0.unicodeScalars.append($1) }
  }
}
