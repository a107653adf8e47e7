import RulesSyntax

/// Where the cases of a TestSuite stand in its JSON, which was read before and is known to be well formed.
struct CasePlaces {
  /// In the order of the cases.
  private(set) var ranges: [SourceRange] = []
  private let file: SourceFile
  /// What is open: its key in the object around it, and whether it is a list.
  private var open: [(key: String, isList: Bool, start: Int)] = []

  init(_ file: SourceFile) {
    self.file = file
    var key = ""
    var i = 0
    let bytes = file.utf8
    while i < bytes.count {
      switch bytes[i] {
      case UInt8(ascii: "\""):
        let start = i + 1
        i += 1
        while i < bytes.count, bytes[i] != UInt8(ascii: "\"") { i += bytes[i] == UInt8(ascii: "\\") ? 2 : 1 }
        // A value is taken for a key, too, which the next key makes good.
        key = String(decoding: bytes[start..<min(i, bytes.count)], as: UTF8.self)
      case UInt8(ascii: "{"): open.append((key, false, i))
      case UInt8(ascii: "["): open.append((key, true, i))
      case UInt8(ascii: "}"):
        if isCase { note(open[open.count - 1].start, i + 1) }
        _ = open.popLast()
      case UInt8(ascii: "]"): _ = open.popLast()
      default: break
      }
      i += 1
    }
  }

  /// Whether what is open last is an element of the list of cases.
  private var isCase: Bool {
    let around = open.dropLast()
    guard let list = around.last, list.isList else { return false }
    switch around.count {
    case 1: return true
    case 2: return ["testCases", "test_cases", "testSuite", "test_suite"].contains(list.key)
    case 3:
      return ["testCases", "test_cases"].contains(list.key)
        && ["testSuite", "test_suite"].contains(around[around.startIndex + 1].key)
    default: return false
    }
  }

  private mutating func note(_ start: Int, _ end: Int) {
    ranges.append(SourceRange(position(start), position(end)))
  }

  private func position(_ byte: Int) -> SourcePosition {
    let line = file.lineStarts.partitioningIndex { $0 > byte }
    let start = file.lineStarts[line - 1]
    let text = String(decoding: file.utf8[start..<byte], as: UTF8.self)
    let before = file.utf8[..<byte].count { $0 & 0xC0 != 0x80 }
    return SourcePosition(line: line, column: text.unicodeScalars.count + 1, offset: before, byte: byte)
  }
}

extension Array {
  /// The first place whose element passes, where all behind it do.
  fileprivate func partitioningIndex(_ passes: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if passes(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
