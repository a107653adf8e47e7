/// What `(?i)` makes equal. Like the class tables, the orbits were read off the official emulator
/// (`Corpus/tools/pattern_tables.py`). Two of its oddities:
///
/// - Above U+1044F single characters fold, characters in a class do not.
/// - U+1C80 to U+1C88 (Cyrillic variants) send it into an endless loop. Here they fold to nothing.
enum CaseFolding {
  /// Code point → all that fold to the same one, itself included.
  private static let orbits: [UInt32: [UInt32]] = {
    var orbits: [UInt32: [UInt32]] = [:]
    for orbit in CaseFoldingTable.orbits.utf8.split(separator: UInt8(ascii: " ")) {
      let members = orbit.split(separator: UInt8(ascii: "=")).map(UnicodeClasses.hexadecimal)
      for member in members { orbits[member] = members }
    }
    return orbits
  }()

  /// The members of an orbit of two or more; `nil` for a code point that is alone in its own.
  static func orbit(of codePoint: UInt32) -> [UInt32]? { orbits[codePoint] }

  /// The last code point that folds as a member of a class.
  private static let lastInClasses: UInt32 = 0x1044F

  /// Everything that folds in a class, sorted.
  private static let membersInClasses = orbits.keys.filter { $0 <= lastInClasses }.sorted()

  /// The set together with everything that, in a class, folds to one of its members.
  static func close(_ set: CodePointSet) -> CodePointSet {
    var ranges = set.ranges
    for range in set.ranges {
      var low = 0
      var high = membersInClasses.count
      while low < high {
        let middle = (low + high) / 2
        if membersInClasses[middle] < range.lowerBound { low = middle + 1 } else { high = middle }
      }
      while low < membersInClasses.count, membersInClasses[low] <= range.upperBound {
        for other in orbits[membersInClasses[low]] ?? [] where !range.contains(other) { ranges.append(other...other) }
        low += 1
      }
    }
    return CodePointSet(ranges)
  }
}
