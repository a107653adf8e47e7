/// What `(?i)` makes equal. Like the class tables, the orbits were read off the official emulator
/// (`Corpus/tools/pattern_tables.py`).
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

  /// The set together with everything that folds to one of its members.
  static func close(_ set: CodePointSet) -> CodePointSet {
    var ranges = set.ranges
    for (codePoint, orbit) in orbits where set.contains(codePoint) {
      ranges += orbit.map { $0...$0 }
    }
    return CodePointSet(ranges)
  }
}
