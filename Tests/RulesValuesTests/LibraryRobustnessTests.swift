import Testing

@testable import RulesValues

/// No operand may make a function trap, whatever it answers.
struct LibraryRobustnessTests {
  static let methods = [
    "size", "lower", "upper", "trim", "toUtf8", "toBase64", "toHexString", "year", "month", "day", "hours", "minutes",
    "date", "time", "dayOfWeek", "dayOfYear", "toMillis", "seconds", "nanos", "latitude", "longitude", "distance",
    "matches", "replace", "split",
  ]
  static let functions = [
    ("math", "abs"), ("math", "ceil"), ("math", "floor"), ("math", "round"), ("math", "sqrt"), ("math", "pow"),
    ("math", "isNaN"), ("duration", "value"), ("duration", "time"), ("duration", "abs"), ("timestamp", "value"),
    ("timestamp", "date"), ("latlng", "value"), ("hashing", "crc32"), ("hashing", "crc32c"), ("hashing", "md5"),
    ("hashing", "sha256"),
  ]
  static let builtins = ["int", "float", "string", "path", "debug"]
  static let integers: [Int64] = [.min, .min + 1, -1, 0, 1, 59, 86400, 1 << 31, 1 << 32, 1 << 53, .max - 1, .max]

  /// A generator that gives the same numbers each time.
  struct Dice: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var z = state
      z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
      z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
      return z ^ z >> 31
    }
  }

  static func operand(_ dice: inout Dice, _ arena: Arena) -> Value {
    let integer = Bool.random(using: &dice) ? integers.randomElement(using: &dice) ?? 0 : Int64(bitPattern: dice.next())
    switch Int.random(in: 0..<12, using: &dice) {
    case 0: return .null
    case 1: return .bool(Bool.random(using: &dice))
    case 2, 3: return .int(integer)
    case 4: return .float(Double(bitPattern: dice.next()))
    case 5: return .timestamp(seconds: integer, nanos: UInt32.random(in: 0..<1_000_000_000, using: &dice))
    case 6: return .duration(seconds: integer, nanos: Int32.random(in: -999_999_999...999_999_999, using: &dice))
    case 7: return arena.latlng(latitude: Double(bitPattern: dice.next()), longitude: Double(bitPattern: dice.next()))
    case 8:
      let count = Int.random(in: 0..<40, using: &dice)
      return arena.bytes((0..<count).map { _ in UInt8(truncatingIfNeeded: dice.next()) })
    case 9: return arena.list([.int(1)])
    default: return text(&dice, arena)
    }
  }

  /// Strings that look like numbers, dates, units and patterns, with odd characters among them.
  static func text(_ dice: inout Dice, _ arena: Arena) -> Value {
    let pieces: [[UInt16]] = [
      Array("2020-01-01T00:00:00Z".utf16), Array("1e".utf16), Array("0x".utf16), Array("999999999999".utf16),
      Array("ms".utf16), Array("(a)".utf16), Array("$1".utf16), Array("[^".utf16), [0xD83D], [0xDE00], [0xE9], [0x663],
      Array("-".utf16), Array("+".utf16), Array(".".utf16), Array(":".utf16), Array("NaN".utf16), [0x221E], [0],
      Array("p1".utf16), Array("E-".utf16), Array("a".utf16), Array("*".utf16),
    ]
    let count = Int.random(in: 0..<8, using: &dice)
    return arena.string(WTF8.bytes(utf16: (0..<count).flatMap { _ in pieces.randomElement(using: &dice) ?? [] }))
  }

  @Test("Any function takes any operands", arguments: [1, 2, 3])
  func anything(seed: UInt64) {
    let owner = ArenaOwner()
    defer { withExtendedLifetime(owner) {} }
    let arena = owner.arena
    var dice = Dice(state: seed)
    for _ in 0..<1500 {
      arena.reset()
      let arguments = Arguments((0..<Int.random(in: 0..<6, using: &dice)).map { _ in Self.operand(&dice, arena) })
      let receiver = Self.operand(&dice, arena)
      let results = [
        Self.methods.randomElement(using: &dice).flatMap { Library.method($0) }?(receiver, arguments, arena),
        Self.functions.randomElement(using: &dice).flatMap { Library.function(package: $0.0, $0.1) }?(arguments, arena),
        Self.builtins.randomElement(using: &dice).flatMap { Library.builtin($0) }?(arguments, arena),
        receiver.has(.string) ? StringAccess.unit(at: arguments.a, of: receiver, arena) : nil,
        receiver.has(.string) ? StringAccess.slice(receiver, from: arguments.a, to: arguments.b, arena) : nil,
      ]
      for result in results.compactMap(\.self) {
        _ = arena.message(result)
        let json = arena.json(result)
        // Operands are made out of range on purpose, and `debug` passes them on.
        if !result.isFailure, !result.has(.timestamp), !result.has(.duration) {
          #expect(arena.value(json: json) != nil)
        }
        #expect(CharacterWidth.columns(arena.display(result, width: 40)) <= 40)
      }
    }
  }

  @Test("Any double is printed and read back as itself")
  func doubles() {
    var dice = Dice(state: 5)
    for _ in 0..<5000 {
      let d = Double(bitPattern: dice.next())
      guard d.isFinite else { continue }
      let read = JavaDouble.parse(Array(JavaDouble.text(d).utf8))
      #expect(read?.bitPattern == d.bitPattern)
    }
  }

  @Test("When memory runs out, what is made is an error")
  func memory() {
    let owner = ArenaOwner(limit: 6000)
    defer { withExtendedLifetime(owner) {} }
    let arena = owner.arena
    let text = arena.string(String(repeating: "a,", count: 2000))
    #expect(!text.isFailure)
    for name in ["upper", "toUtf8", "split", "replace"] {
      let arguments =
        switch name {
        case "split": Arguments(arena.string("," as StaticString))
        case "replace": Arguments(arena.string("a" as StaticString), arena.string("bbbb" as StaticString))
        default: Arguments()
        }
      let result = Library.method(name)?(text, arguments, arena) ?? .null
      // Bytes share the memory of the string they come from.
      if name != "toUtf8" { #expect(result.failureKind == .memory) }
    }
  }

  @Test("Replacing cannot grow without bounds")
  func replacing() {
    let owner = ArenaOwner()
    defer { withExtendedLifetime(owner) {} }
    let arena = owner.arena
    let text = arena.string(String(repeating: "a", count: 100_000))
    let replacement = arena.string(String(repeating: "$0", count: 10_000))
    let result = StringMethods.replace(text, Arguments(arena.string("a*" as StaticString), replacement), arena)
    #expect(result.isFailure)
  }

  @Test("Numbers of a million digits are read")
  func longNumbers() {
    let digits = [UInt8](repeating: 0x39, count: 1_000_000)
    #expect(JavaDouble.parse(digits) == .infinity)
    #expect(JavaDouble.parse(Array("0.".utf8) + digits) == 1)
    #expect(JavaDouble.parse(Array("0x.".utf8) + digits + Array("p4".utf8)) == 9.6)
    #expect(JavaLong.parse(digits.map { UInt16($0) }) == nil)
    let many = digits.prefix(100_000)
    #expect(
      Timestamp(lenient: Array("2020-01-01T00:00:".utf8) + many + Array("Z".utf8))
        == Timestamp(rfc3339: "2088-01-19T03:14:07Z"))
  }
}
