import RulesValues
import Testing

@testable import RulesEngine

@Suite struct PathTrieTests {
  /// Patterns as rules write them, blocks numbered in order.
  private func matches(_ patterns: [String], _ path: String, globTakesNone: Bool = true) -> [Int32] {
    let constants = ArenaOwner.forConstants()
    var trie = PathTrie(globTakesNone: globTakesNone)
    for (block, pattern) in patterns.enumerated() {
      var slot = -1
      let segments = pattern.split(separator: "/").map { text -> PatternSegment in
        guard text.hasPrefix("{") else { return .literal(constants.arena.string(String(text)), Text(String(text))) }
        slot += 1
        return text.hasSuffix("=**}") ? .glob(slot: slot) : .capture(slot: slot)
      }
      trie.insert(segments, block: Int32(block))
    }
    let owner = ArenaOwner(constants: constants.freeze())
    let value = owner.arena.collection(.path, path.split(separator: "/").map { owner.arena.string(String($0)) })
    let found = trie.frozen().matches(value, owner.arena)
    return (0..<found.count).map { Int32(found[$0]) }
  }

  @Test(arguments: [
    ("/a", [0, 2, 3]), ("/b", [2, 3]), ("/a/b", [1, 3, 4, 6]), ("/a/c", [3, 4, 5, 6]), ("/x/y/z", [3, 6]),
    ("/a/b/c", [3, 5, 6]), ("/q/r/s/c", [3, 5, 6]), ("", [3]),
  ] as [(String, [Int32])])
  func everyBlockWhosePatternTakesTheWholePathIsFound(_ path: String, _ expected: [Int32]) {
    let patterns = ["/a", "/a/b", "/{x}", "/{r=**}", "/{x}/{y}", "/{r=**}/c", "/{x}/{r=**}"]
    // A glob takes nothing, too: `/{x}/{r=**}` covers `/a`, `/{r=**}/c` covers `/c`.
    var expected = expected
    if path.split(separator: "/").count == 1 { expected.append(6) }
    #expect(matches(patterns, path) == expected.sorted())
    #expect(matches(patterns, "/c") == [2, 3, 5, 6])
  }

  @Test func inVersionOneAGlobTakesAtLeastOneSegment() {
    #expect(matches(["/a/{r=**}"], "/a", globTakesNone: false) == [])
    #expect(matches(["/a/{r=**}"], "/a/b", globTakesNone: false) == [0])
    #expect(matches(["/a/{r=**}"], "/a", globTakesNone: true) == [0])
  }

  @Test func thousandsOfLiteralsAreKeptApart() {
    let patterns = (0..<3000).map { "/c\($0)/{id}" }
    for i in stride(from: 0, to: 3000, by: 97) { #expect(matches(patterns, "/c\(i)/d") == [Int32(i)]) }
    #expect(matches(patterns, "/c3000/d") == [])
  }

  @Test func literalsAreComparedByBytes() {
    // Composed and decomposed "é" are canonically equivalent, and different ids.
    #expect(matches(["/caf\u{E9}/{id}"], "/cafe\u{301}/x") == [])
    #expect(matches(["/caf\u{E9}/{id}"], "/caf\u{E9}/x") == [0])
  }
}
