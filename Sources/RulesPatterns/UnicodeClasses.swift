/// The classes `\p{…}` knows: general categories and scripts, by their exact names.
///
/// The tables were read off the official emulator, code point by code point
/// (`Corpus/tools/pattern_tables.py`): it knows the categories and scripts of an old Unicode
/// version, and neither PCRE2's tables nor Swift's give the same answers.
enum UnicodeClasses {
  /// The set, under `(?i)` with what the official tables add to it; `nil` for an unknown name.
  static func set(named name: String, foldCase: Bool) -> CodePointSet? {
    guard let table = UnicodeCategoryTable.ranges[name] ?? UnicodeScriptTable.ranges[name] else { return nil }
    var ranges = decode(table)
    if foldCase, let additions = UnicodeCategoryTable.foldAdditions[name] { ranges += decode(additions) }
    return CodePointSet(ranges)
  }

  /// Reads `41-5a 61-7a aa`.
  static func decode(_ table: String) -> [ClosedRange<UInt32>] {
    table.utf8.split(separator: UInt8(ascii: " ")).compactMap { item in
      let bounds = item.split(separator: UInt8(ascii: "-")).map(hexadecimal)
      guard let low = bounds.first, let high = bounds.last, low <= high else { return nil }
      return low...high
    }
  }

  static func hexadecimal(_ digits: Substring.UTF8View) -> UInt32 {
    digits.reduce(0) { value, digit in
      value << 4 | UInt32(digit >= UInt8(ascii: "a") ? digit - UInt8(ascii: "a") + 10 : digit - UInt8(ascii: "0"))
    }
  }
}
