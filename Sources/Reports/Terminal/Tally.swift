/// The line in which a report ends: `2 proved, 1 leak, 0 unknown`. What there is none of is not coloured.
struct Tally {
  private(set) var line = StyledLine()

  /// - Parameter leavesOutZero: for what is worth a word only where there is some.
  mutating func add(_ count: Int, _ text: String, _ style: Style, leavesOutZero: Bool = false) {
    if leavesOutZero, count == 0 { return }
    if !line.pieces.isEmpty { line.add(", ") }
    line.add(text, count > 0 ? style : .plain)
  }

  /// The same with the number before the word.
  mutating func add(_ count: Int, of word: String, _ style: Style, leavesOutZero: Bool = false) {
    add(count, "\(count) \(word)", style, leavesOutZero: leavesOutZero)
  }
}
