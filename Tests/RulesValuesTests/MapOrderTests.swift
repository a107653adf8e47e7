import Testing

@testable import RulesValues

/// Maps keep their keys in the order of UTF-16 code units, whatever order they come in.
@Suite struct MapOrderTests {
  /// In that order.
  static let keys = [
    "", "\u{0}", "a", "a\u{0}", "a\u{0}b", "ab", "abcdefg", "abcdefgh", "abcdefgh\u{0}", "abcdefghi", "abcdefgi", "b", "z", "é",
    "éa", "\u{D7FF}", "\u{1F600}", "\u{1F601}", "\u{E000}", "\u{FFEE}",
  ]

  @Test(arguments: 0..<200)
  func `every order of insertion gives the same map`(_ seed: Int) {
    var random = SeededNumbers(seed: UInt64(seed))
    let owner = ArenaOwner()
    let arena = owner.arena
    let chosen = Self.keys.indices.filter { _ in random.next() & 1 == 0 }
    let pairs = chosen.shuffled(using: &random).map {
      (key: arena.string(Self.keys[$0]), value: Value.int(Int64($0)))
    }
    let map = arena.map(pairs)
    #expect((0..<map.count).map { arena.value(map, $0).asInt } == chosen.map(Int64.init))
    for i in chosen { #expect(arena.lookup(map, arena.string(Self.keys[i]))?.asInt == Int64(i)) }
    // Of equal keys the last counts.
    if let first = pairs.first {
      let again = arena.map(pairs + [(key: arena.string(arena.text(first.key)), value: Value.null)])
      #expect(again.count == map.count)
      #expect(arena.lookup(again, first.key)?.has(.null) == true)
    }
    let list = arena.list(pairs.map(\.key).sorted { arena.compareStrings($0, $1) < 0 })
    #expect(arena.containsKeys(of: map, sorted: list))
    for i in pairs.indices {
      let fewer = arena.list((0..<list.count).filter { $0 != i }.map { arena.element(list, $0) })
      #expect(!arena.containsKeys(of: map, sorted: fewer))
    }
  }

  @Test(arguments: keys + ["0123456789abcdef", "0123456é", "é1234567", "1234567é9", "\u{1F600}\u{1F600}"])
  func `strings know whether they are ASCII and how long they are`(_ text: String) {
    let owner = ArenaOwner()
    for padding in ["", "x"] {
      // With and without memory behind it.
      if padding.isEmpty { _ = owner.arena.row((4096 - 64) / 16) }
      let value = owner.arena.string(text)
      #expect(value.isASCII == text.utf8.allSatisfy { $0 < 0x80 })
      #expect(value.utf16Count == text.utf16.count)
      #expect(owner.arena.text(value) == text)
      owner.arena.reset()
    }
  }
}

/// Tags are read by hand, for speed.
@Suite struct TagTests {
  @Test(arguments: Value.Tag.allCases)
  func `a value has the tag that it was made with`(_ tag: Value.Tag) {
    let value = Value(tag, flags: 0xFF, length: .max, bits: .max)
    #expect(value.tag == tag)
    #expect(Value.Tag.allCases.filter { value.has($0) } == [tag])
    #expect(value.isFailure == [.unknown, .error, .exhausted].contains(tag))
  }
}

private struct SeededNumbers: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state ^ state >> 29
  }
}
