import LocalFirestore
import RulesValues
import Testing

/// A transform and what it makes of a field. Answers of the official emulator 1.19.9.
struct TransformCase: Sendable, CustomTestStringConvertible {
  var before: DataValue?
  var transform: Transform
  var after: DataValue

  var testDescription: String { "\(before.map { "\($0)" } ?? "absent") \(transform)" }
}

private func ints(_ items: Int64...) -> DataValue { .array(items.map { .int($0) }) }

private let increments: [TransformCase] = [
  .init(before: nil, transform: .increment(.int(1)), after: .int(1)),
  .init(before: .int(1), transform: .increment(.int(2)), after: .int(3)),
  .init(before: .double(1.5), transform: .increment(.int(1)), after: .double(2.5)),
  .init(before: .int(1), transform: .increment(.double(0.5)), after: .double(1.5)),
  .init(before: .int(.max), transform: .increment(.int(1)), after: .int(.max)),
  .init(before: .int(.min), transform: .increment(.int(-1)), after: .int(.min)),
  .init(before: .int(.max), transform: .increment(.double(1)), after: .double(0x1p63)),
  .init(before: .string("s"), transform: .increment(.int(3)), after: .int(3)),
  .init(before: .null, transform: .increment(.int(3)), after: .int(3)),
  .init(before: .int(1), transform: .increment(.double(-0.0)), after: .double(1)),
  .init(before: .double(.nan), transform: .increment(.int(1)), after: .double(.nan)),
]

private let extremes: [TransformCase] = [
  .init(before: nil, transform: .maximum(.int(1)), after: .int(1)),
  .init(before: .int(1), transform: .maximum(.int(2)), after: .int(2)),
  .init(before: .int(2), transform: .maximum(.int(1)), after: .int(2)),
  .init(before: .int(1), transform: .maximum(.double(1)), after: .int(1)),
  .init(before: .double(1), transform: .maximum(.int(1)), after: .double(1)),
  .init(before: .double(.nan), transform: .maximum(.int(1)), after: .double(.nan)),
  .init(before: .int(1), transform: .maximum(.double(.nan)), after: .double(.nan)),
  .init(before: .string("s"), transform: .maximum(.int(3)), after: .int(3)),
  .init(before: .int(0), transform: .maximum(.double(-0.0)), after: .int(0)),
  .init(before: .int(.max), transform: .maximum(.double(0x1p63)), after: .double(0x1p63)),
  .init(before: .double(0x1p63), transform: .maximum(.int(.max)), after: .double(0x1p63)),
  .init(before: nil, transform: .minimum(.int(1)), after: .int(1)),
  .init(before: .int(1), transform: .minimum(.int(2)), after: .int(1)),
  .init(before: .int(2), transform: .minimum(.int(1)), after: .int(1)),
  .init(before: .int(1), transform: .minimum(.double(1)), after: .int(1)),
  .init(before: .double(1), transform: .minimum(.int(1)), after: .double(1)),
  .init(before: .double(.nan), transform: .minimum(.int(1)), after: .double(.nan)),
  .init(before: .int(1), transform: .minimum(.double(.nan)), after: .double(.nan)),
  .init(before: .string("s"), transform: .minimum(.int(3)), after: .int(3)),
  .init(before: .int(.max), transform: .minimum(.double(0x1p63)), after: .int(.max)),
  .init(before: .double(0x1p63), transform: .minimum(.int(.max)), after: .int(.max)),
]

private let arrays: [TransformCase] = [
  .init(before: nil, transform: .arrayUnion([.int(1), .int(1)]), after: ints(1)),
  .init(before: ints(1, 2), transform: .arrayUnion([.int(2), .int(3)]), after: ints(1, 2, 3)),
  .init(before: ints(1), transform: .arrayUnion([.double(1)]), after: ints(1)),
  .init(before: .array([.double(1)]), transform: .arrayUnion([.int(1)]), after: .array([.double(1)])),
  .init(before: .string("s"), transform: .arrayUnion([.int(1)]), after: ints(1)),
  .init(before: ints(1, 1, 2), transform: .arrayUnion([.int(1)]), after: ints(1, 1, 2)),
  .init(before: .array([.double(.nan)]), transform: .arrayUnion([.double(.nan)]), after: .array([.double(.nan)])),
  .init(before: .array([.double(0)]), transform: .arrayUnion([.double(-0.0)]), after: .array([.double(0)])),
  .init(
    before: .array([.map(["a": .int(1)])]), transform: .arrayUnion([.map(["a": .double(1)])]),
    after: .array([.map(["a": .int(1)])])),
  .init(before: ints(1, 1), transform: .arrayUnion([]), after: ints(1, 1)),
  .init(before: nil, transform: .arrayUnion([]), after: .array([])),
  .init(before: nil, transform: .arrayRemove([.int(1)]), after: .array([])),
  .init(before: ints(1, 2), transform: .arrayRemove([.int(2), .int(3)]), after: ints(1)),
  .init(before: ints(1), transform: .arrayRemove([.double(1)]), after: .array([])),
  .init(before: .string("s"), transform: .arrayRemove([.int(1)]), after: .array([])),
  .init(before: ints(1, 1, 2), transform: .arrayRemove([.int(1)]), after: ints(2)),
  .init(before: .array([.double(.nan)]), transform: .arrayRemove([.double(.nan)]), after: .array([])),
  .init(
    before: .array([.map(["a": .int(1)])]), transform: .arrayRemove([.map(["a": .double(1)])]), after: .array([])),
  .init(before: .array([.null]), transform: .arrayRemove([.null]), after: .array([])),
]

@Suite struct TransformTests {
  @Test(arguments: increments + extremes + arrays) func `a transform gives what Firestore gives`(_ c: TransformCase) {
    #expect(c.transform.apply(to: c.before, time: Timestamp(seconds: 7)) == c.after)
  }

  @Test func `the server's time is the time of the request`() {
    let time = Timestamp(seconds: 7, nanos: 8_000_000)
    #expect(Transform.serverTimestamp.apply(to: .int(1), time: time) == .timestamp(time))
  }
}
