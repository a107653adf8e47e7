import Testing

@testable import RulesValues

struct ValueTextTests {
  let owner = ArenaOwner()
  var arena: Arena { owner.arena }

  private func check(_ v: Value, _ text: String, width: Int = 100, _ place: SourceLocation = #_sourceLocation) {
    #expect(arena.display(v, width: width) == text, sourceLocation: place)
    withExtendedLifetime(owner) {}
  }

  @Test("Scalars read as the language writes them")
  func scalars() {
    check(.null, "null")
    check(.true, "true")
    check(.int(.min), "-9223372036854775808")
    check(.float(2), "2.0")
    check(.float(-0.0), "-0.0")
    check(.float(1e7), "float('1.0E7')")
    check(.float(.nan), "float('NaN')")
    check(.unknown, "unknown")
  }

  @Test("Strings are quoted and escaped")
  func strings() {
    check(arena.string("it's a \\ \"b\""), "'it\\'s a \\\\ \"b\"'")
    check(arena.string("a\n\r\t\u{0}\u{1B}[31m\u{7F}"), "'a\\n\\r\\t\\u0000\\u001b[31m\\u007f'")
    check(arena.string("\u{202E}abc\u{200B}\u{FEFF}\u{2028}"), "'\\u202eabc\\u200b\\ufeff\\u2028'")
    check(arena.string("é日😀"), "'é日😀'")
    check(arena.string(WTF8.bytes(utf16: [0x61, 0xD83D])), "'a\\ud83d'")
    check(arena.string("\u{E0041}"), "'\\udb40\\udc41'")
    check(arena.bytes([0x61, 0x27, 0x00, 0xFF]), "b'a\\'\\x00\\xff'")
  }

  @Test("Collections, paths and the like")
  func collections() {
    check(arena.list([.int(1), .list(arena)]), "[1, []]")
    check(arena.collection(.set, [.int(1)]), "[1].toSet()")
    check(arena.collection(.vector, [.float(1)]), "vector([1.0])")
    check(arena.map([(arena.string("b'"), .int(1)), (arena.string("a"), .null)]), "{'a': null, 'b\\'': 1}")
    check(arena.map([]), "{}")
    check(arena.latlng(latitude: 1.5, longitude: -2), "latlng.value(1.5, -2.0)")
    check(
      arena.path(ResourcePath(segments: ["users", "a b", "x.y"])),
      "/databases/(default)/documents/users/$('a b')/x.y")
    check(arena.collection(.path, []), "/")
    let capture = arena.capture(name: arena.string("x"), glob: false)
    let glob = arena.capture(name: arena.string("y"), glob: true)
    check(arena.collection(.path, [arena.string("a"), capture, glob]), "/a/{x}/{y=**}")
    let bound = arena.capture(name: arena.string("x"), glob: false, bound: arena.string("v"))
    check(arena.collection(.path, [arena.string("a"), bound]), "/a/v")
  }

  @Test("Times")
  func times() {
    check(.timestamp(seconds: 1_767_225_600, nanos: 0), "timestamp.date(2026, 1, 1)")
    check(.timestamp(seconds: 1_767_225_601, nanos: 5), "timestamp.value('2026-01-01T00:00:01.000000005Z')")
    check(.duration(seconds: 0, nanos: 0), "duration.value(0, 's')")
    check(.duration(seconds: 90, nanos: 0), "duration.value(90, 's')")
    check(.duration(seconds: -7200, nanos: 0), "duration.value(-2, 'h')")
    check(.duration(seconds: 1_209_600, nanos: 0), "duration.value(2, 'w')")
    check(.duration(seconds: -1, nanos: -500_000_000), "duration.value(-1500, 'ms')")
    check(.duration(seconds: 1, nanos: 1), "duration.time(0, 0, 1, 1)")
  }

  @Test("Failures read as their message")
  func failures() {
    check(.error(.divideByZero), "Divide by zero error.")
    check(arena.error(.undefinedProperty, arena.string("a\u{1B}b")), "Property a\\u001bb is undefined on object.")
  }

  @Test("What is too long ends in dots and is no wider than asked")
  func widths() {
    check(arena.string("abcdefgh"), "'abcdefgh'", width: 10)
    check(arena.string("abcdefgh"), "'abcdefg…", width: 9)
    // Each of these takes two columns.
    check(arena.string("日本語"), "'日本…", width: 7)
    check(arena.string("日本語"), "'日…", width: 5)
    check(arena.string("e\u{301}e\u{301}e\u{301}"), "'e\u{301}e\u{301}…", width: 4)
    check(arena.list((0..<100_000).map { .int($0) }), "[0, 1, 2, …", width: 11)
    check(.true, "…", width: 1)
    check(.true, "…", width: -5)
  }
}

extension Value {
  fileprivate static func list(_ arena: Arena) -> Value { arena.list([]) }
}
