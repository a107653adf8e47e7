extension Pattern {
  /// The pieces between the matches. Empty pieces at the end are dropped, but one piece is always
  /// kept, be it empty; groups are not inserted.
  public func split(_ text: [UInt8]) throws(PatternFailure) -> [[UInt8]] {
    var pieces: [[UInt8]] = []
    switch try search(text, groups: 0) {
    case .bytes(let matches):
      for range in Pattern.between(matches, end: text.count) { pieces.append(Array(text[range])) }
    case .units(let matches, let units):
      for range in Pattern.between(matches, end: units.count) { pieces.append(WTF8.bytes(units[range])) }
    }
    while pieces.count > 1, pieces.last?.isEmpty == true { pieces.removeLast() }
    return pieces
  }

  private static func between(_ matches: [[Range<Int>?]], end: Int) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var start = 0
    for match in matches {
      guard let whole = match.first ?? nil else { continue }
      ranges.append(start..<whole.lowerBound)
      start = whole.upperBound
    }
    return ranges + [start..<end]
  }
}
