import Testing

@testable import RulesPatterns

@Suite("Pattern")
struct PatternTests {
  @Test("the tree has flags resolved")
  func tree() throws {
    #expect(try Pattern("(?U)a*").tree == .repetition(.literal(0x61), minimum: 0, maximum: nil, greedy: false))
    #expect(try Pattern("(?i)k").tree == .set(CodePointSet([0x4B...0x4B, 0x6B...0x6B, 0x212A...0x212A])))
    #expect(try Pattern("(?P<n>^|[b])").tree == .group(index: 1, name: "n", .choice([.assertion(.textStart), .literal(0x62)])))
    #expect(try Pattern("(?m)^(?-m:$)").tree == .sequence([.assertion(.lineStart), .assertion(.textEnd)]))
  }

  @Test("an error says where", arguments: [
    ("a**", 2, "A repetition cannot be repeated."),
    ("é[z-a]", 3, "This range is in the wrong order."),
    ("(?P<n>a)(?P<n>b)", 12, "Two groups are named n."),
    ("a(?=b)", 1, "This kind of group is not known."),
    ("[[:foo:]]", 1, "There is no class [:foo:]."),
    ("\\p{greek}", 0, "There is no Unicode class greek."),
    ("a)", 1, "This parenthesis closes nothing."),
    ("[(]", 3, "A parenthesis is not closed."),
    ("x\\", 1, "A backslash cannot be last."),
    ("[a", 0, "This class is not closed with ']'."),
    ("*", 0, "There is nothing to repeat here."),
    ("a{2,1}", 1, "The counts of this repetition are in the wrong order."),
    ("\\1", 0, "This escape is not known."),
  ])
  func errors(pattern: String, offset: Int, message: String) {
    #expect(throws: PatternError(message, offset: offset)) { try Pattern(pattern) }
  }

  @Test("an empty buffer without an address is the empty text")
  func emptyBuffer() throws {
    #expect(try Pattern("").matches(UnsafeRawBufferPointer(start: nil, count: 0)))
    #expect(try !Pattern("a").matches(UnsafeRawBufferPointer(start: nil, count: 0)))
  }

  @Test("many threads share one pattern")
  func threads() async throws {
    let pattern = try Pattern("([a-z0-9]+)@(?:[a-z]+\\.)+com")
    let text = Array("someone@mail.example.com".utf8)
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<16 {
        group.addTask {
          (0..<300).allSatisfy { _ in
            (try? pattern.matches(text)) == true && (try? pattern.replace(text, with: Array("$1".utf8))) == Array("someone".utf8)
          }
        }
      }
      for await answered in group { #expect(answered) }
    }
  }

  @Test("the cache keeps valid and refused patterns, but not too many")
  func cache() throws {
    let cache = PatternCache(capacity: 8)
    let first = try cache.pattern(wtf8: Array("a+".utf8))
    #expect(try cache.pattern(wtf8: Array("a+".utf8)) === first)
    #expect(throws: PatternError.self) { try cache.pattern(wtf8: Array("[".utf8)) }
    #expect(throws: PatternError.self) { try cache.pattern(wtf8: Array("[".utf8)) }
    #expect(cache.count == 2)
    for number in 0..<100 {
      _ = try cache.pattern(wtf8: Array("a{\(number)}".utf8))
      #expect(cache.count <= 8)
      #expect(try cache.pattern(wtf8: Array("a+".utf8)) === first)
    }
  }
}
