import Synchronization

/// The classes `\p{…}` knows: general categories and scripts, by their exact names.
///
/// The tables were read off the official emulator, code point by code point
/// (`Corpus/tools/pattern_tables.py`): it knows the categories and scripts of an old Unicode
/// version, and neither PCRE2's tables nor Swift's give the same answers.
enum UnicodeClasses {
  /// Sets decoded so far; there are no more than names.
  private static let decoded = Mutex<[String: CodePointSet]>([:])

  /// The set, under `(?i)` with what the official tables add to it; `nil` for an unknown name.
  static func set(named name: String, foldCase: Bool) -> CodePointSet? {
    // No name begins with a small letter.
    let key = foldCase ? "i" + name : name
    guard let table = UnicodeCategoryTable.ranges[name] ?? UnicodeScriptTable.ranges[name] else { return nil }
    if let known = decoded.withLock({ $0[key] }) { return known }
    var ranges = decode(table)
    if foldCase, let additions = UnicodeCategoryTable.foldAdditions[name] { ranges += decode(additions) }
    let set = CodePointSet(ranges)
    decoded.withLock { $0[key] = set }
    return set
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
