import RulesValues
import Testing

@testable import LocalFirestore

/// Numbers, their sum and their average. Answers of the official emulator 1.19.9.
struct SumCase: Sendable, CustomTestStringConvertible {
  var numbers: [DataValue]
  var sum: DataValue
  var average: DataValue

  init(_ numbers: [DataValue], _ sum: DataValue, _ average: DataValue) {
    self.numbers = numbers
    self.sum = sum
    self.average = average
  }

  var testDescription: String { "\(numbers)" }
}

private let sums: [SumCase] = [
  .init([.int(.max), 1], 9223372036854775807.0, 4.611686018427388e18),
  .init([.int(.min), -1], -9223372036854775808.0, -4.611686018427388e18),
  .init([.int(.max), 1, -1], .int(.max), 3.0744573456182584e18),
  .init([1, 2.0], 3.0, 1.5), .init([1, 2.5], 3.5, 1.75), .init([.double(.nan), 1], .double(.nan), .double(.nan)),
  .init([.double(.infinity), .double(-.infinity)], .double(.nan), .double(.nan)),
  .init(["x", 1, .null], 1, 1.0), .init(["x"], 0, .null), .init([], 0, .null),
  .init([.int(.max), 1.0], 9223372036854775808.0, 4.611686018427388e18),
  .init([1e308, 1e308], .double(.infinity), .double(.infinity)),
  .init([1e308, 1e308, -1e308], 1e308, 3.333333333333333e307),
  .init([0.1, 0.2, 0.3], 0.6, 0.19999999999999998), .init([.int(1 << 53), 1], .int(1 << 53 + 1), 4503599627370496.0),
  .init([1, 2], 3, 1.5), .init([0], 0, 0.0), .init([-0.0], 0.0, 0.0),
  .init([.int(.max), .int(.max), .int(.max)], 2.7670116110564327e19, 9.223372036854776e18),
  .init([0.1, 0.1, 0.1, 1], 1.3, 0.325), .init([.int(.max), .int(.max), .int(.min), .int(.min), 2], 0, 0.0),
  .init([1, 1e16, -1e16], 1.0, 0.3333333333333333),
]

/// Doubles of all sizes, and what their sum is.
private let exact: [([Double], Double)] = [
  ([5e-324, 5e-324], 1e-323), ([5e-324, -5e-324], 0), ([0x1p-1022, -5e-324], 0x1p-1022 - 5e-324),
  ([1, 0x1p-53], 1), ([1, 0x1p-53, 5e-324], 1 + 0x1p-52), ([1, 0x1p-52, 0x1p-53], 1 + 0x1p-51),
  ([1, 0x1p-1074, -1], 0x1p-1074), ([0x1.fffffffffffffp1023, 0x1p970], .infinity),
  ([0x1.fffffffffffffp1023, 0x1p969], 0x1.fffffffffffffp1023), ([-1, 0x1p-54], -1), ([-1, 0x1p-53], -1 + 0x1p-53),
  ([1e300, 1, -1e300], 1), ([3, -3.5], -0.5), ([0x1p52, 0.5], 0x1p52), ([0x1p52, 1.5], 0x1p52 + 2),
]

@Suite struct AggregationTests {
  @Test(arguments: sums) func `a sum is rounded once`(_ c: SumCase) throws {
    let firestore = LocalFirestore()
    for (i, number) in c.numbers.enumerated() {
      try firestore.seed(ResourcePath(segments: ["q", Text("\(i)")]), ["x": number])
    }
    try firestore.seed(ResourcePath(segments: ["q", "without"]), [:])
    let values = try firestore.admin().aggregate(
      [
        .init(.sum("x"), as: "s"), .init(.average("x"), as: "a"), .init(.count(), as: "c"),
        .init(.count(upTo: 1), as: "one"),
      ],
      over: StructuredQuery(collection: "q"))
    #expect(
      values == ["s": c.sum, "a": c.average, "c": .int(Int64(c.numbers.count)), "one": .int(c.numbers.isEmpty ? 0 : 1)])
    // What lacks the field counts when nothing is summed.
    #expect(try firestore.admin().count(StructuredQuery(collection: "q")) == c.numbers.count + 1)
  }

  @Test(arguments: exact) func `doubles of all sizes add up`(_ numbers: [Double], _ expected: Double) {
    var sum = ExactSum()
    for number in numbers { sum.add(number) }
    #expect(sum.double == expected)
    var reversed = ExactSum()
    for number in numbers.reversed() { reversed.add(-number) }
    #expect(reversed.double == -expected)
  }

  @Test(arguments: [Int64.max, .min, 0, 1, -1, 1 << 32, -(1 << 32), 1 << 31, .min + 5])
  func `whole numbers stay whole`(_ number: Int64) {
    var sum = ExactSum()
    sum.add(number)
    #expect(sum.value == .int(number))
    sum.add(Int64(5))
    sum.add(Int64(-5))
    #expect(sum.value == .int(number))
  }
}
