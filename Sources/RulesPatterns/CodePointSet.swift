/// A set of code points (surrogates included), held as sorted ranges that neither touch nor overlap.
public struct CodePointSet: Sendable, Hashable {
  public private(set) var ranges: [ClosedRange<UInt32>]

  public static let last: UInt32 = 0x10FFFF
  public static let everything = CodePointSet(sorted: [0...last])
  /// Every code point but the line feed: what `.` means without `(?s)`.
  public static let everythingButLineFeed = CodePointSet([10...10]).complement
  static let surrogates = CodePointSet(sorted: [0xD800...0xDFFF])

  private init(sorted: [ClosedRange<UInt32>]) { ranges = sorted }

  /// The union of any ranges, in any order.
  public init(_ ranges: [ClosedRange<UInt32>]) {
    var result: [ClosedRange<UInt32>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let previous = result.last, range.lowerBound <= previous.upperBound || range.lowerBound == previous.upperBound + 1 {
        result[result.count - 1] = previous.lowerBound...max(previous.upperBound, range.upperBound)
      } else {
        result.append(range)
      }
    }
    self.ranges = result
  }

  public var isEmpty: Bool { ranges.isEmpty }

  public var complement: CodePointSet {
    var result: [ClosedRange<UInt32>] = []
    var next: UInt32 = 0
    for range in ranges {
      if range.lowerBound > next { result.append(next...(range.lowerBound - 1)) }
      next = range.upperBound + 1
    }
    if next <= Self.last { result.append(next...Self.last) }
    return CodePointSet(sorted: result)
  }

  public func subtracting(_ other: CodePointSet) -> CodePointSet {
    CodePointSet(complement.ranges + other.ranges).complement
  }

  public func contains(_ codePoint: UInt32) -> Bool {
    var low = 0
    var high = ranges.count
    while low < high {
      let middle = (low + high) / 2
      let range = ranges[middle]
      if codePoint < range.lowerBound {
        high = middle
      } else if codePoint > range.upperBound {
        low = middle + 1
      } else {
        return true
      }
    }
    return false
  }
}
