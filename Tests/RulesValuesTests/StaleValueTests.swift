#if DEBUG
  import Testing

  @testable import RulesValues

  /// Debug builds notice values whose memory was given back, or given out anew.
  @Suite struct StaleValueTests {
    private let owner = ArenaOwner()
    private var arena: Arena { owner.arena }

    @Test func `a value lives as long as its memory`() {
      let text = arena.string("text")
      let map = arena.map([(key: text, value: .true)])
      #expect(arena.isAlive(text, text.count) && arena.isAlive(map, 32))
      arena.reset()
      #expect(!arena.isAlive(text, text.count) && !arena.isAlive(map, 32))
      _ = arena.string("another text that lies in the same place")
      #expect(!arena.isAlive(text, text.count) && !arena.isAlive(map, 32))
    }

    @Test func `rewinding ends the values made since and no others`() {
      let kept = arena.string("kept")
      let mark = arena.usedBytes
      let gone = arena.string("gone")
      arena.rewind(to: mark, slots: 0)
      #expect(arena.isAlive(kept, 4))
      #expect(!arena.isAlive(gone, 4))
      let new = arena.string("new text in that place")
      #expect(arena.isAlive(new, new.count) && arena.isAlive(kept, 4))
      #expect(!arena.isAlive(gone, 4))
      // Kept by a later mark, which other values of the same pass are not.
      let later = arena.usedBytes
      let lost = arena.list([new])
      arena.rewind(to: later, slots: 0)
      _ = arena.row(8)
      #expect(arena.isAlive(new, new.count) && arena.isAlive(kept, 4))
      #expect(!arena.isAlive(lost, 16))
    }

    @Test func `parts of a value live with it, also when the memory moves`() {
      let text = arena.string("a text of which a part is taken")
      let part = arena.substring(text, 2, 20)
      for _ in 0..<100 { _ = arena.row(100) }
      #expect(arena.isAlive(part, part.count))
      #expect(arena.text(part) == "text of which a pa")
      arena.rewind(to: 0, slots: 0)
      _ = arena.row(100)
      #expect(!arena.isAlive(part, part.count))
    }

    @Test func `constants outlive every pass`() {
      let building = ArenaOwner.forConstants()
      let name = building.arena.string("name")
      let owner = ArenaOwner(constants: building.freeze())
      owner.arena.reset()
      owner.arena.rewind(to: 0, slots: 0)
      #expect(owner.arena.isAlive(name, 4))
      #expect(owner.arena.text(name) == "name")
    }
  }
#endif
