extension PatternNode {
  /// The UTF-16 units every match begins with, where the first of them is a low surrogate; else empty.
  ///
  /// The official implementation looks for such a beginning unit by unit and finds it inside a pair,
  /// too (observed on emulator 1.19.9: `'😀'.replace('\ude00', 'x')` is the high half and an x).
  /// Other beginnings need no care: they cannot be found where a match could not start.
  var lowSurrogatePrefix: [UInt16] {
    var prefix: [UInt32] = []
    _ = appendPrefix(to: &prefix)
    guard let first = prefix.first, first & ~0x3FF == 0xDC00 else { return [] }
    var units: [UInt16] = []
    for codePoint in prefix { WTF8.append(codePoint, to: &units) }
    return units
  }

  /// Longer beginnings are cut here.
  private static let longestPrefix = 64

  /// Appends the characters every match of this node begins with.
  /// - Returns: whether they are all there is to match, so that what follows can be appended, too.
  private func appendPrefix(to prefix: inout [UInt32]) -> Bool {
    guard prefix.count < PatternNode.longestPrefix else { return false }
    switch self {
    case .empty: return true
    case .literal(let codePoint):
      prefix.append(codePoint)
      return true
    case .set, .assertion: return false
    case .sequence(let items): return items.allSatisfy { $0.appendPrefix(to: &prefix) }
    case .group(_, _, let body): return body.appendPrefix(to: &prefix)
    case .choice(let items):
      var common: [UInt32]?
      for item in items {
        var own: [UInt32] = []
        _ = item.appendPrefix(to: &own)
        common = common.map { Array(zip($0, own).prefix { $0 == $1 }.map(\.0)) } ?? own
        if common == [] { return false }
      }
      prefix += common ?? []
      return false
    case .repetition(let body, let minimum, let maximum, _):
      for _ in 0..<minimum {
        guard body.appendPrefix(to: &prefix) else { return false }
      }
      return maximum == minimum
    }
  }
}
