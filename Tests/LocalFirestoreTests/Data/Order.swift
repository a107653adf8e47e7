import RulesValues
import Testing

@testable import LocalFirestore

/// All kinds of values in Firestore's order, equal ones together. As the official emulator 1.19.9 sorts them.
private let ascending: [[DataValue]] = [
  [.null], [.bool(false)], [.bool(true)],
  [.double(.nan)], [.double(-.infinity)], [.double(-0x1p63), .int(.min)], [.int(.min + 1)], [.int(-1), .double(-1)],
  [.double(0), .double(-0.0), .int(0)], [.double(5e-324)], [.double(1), .int(1)], [.double(1.5)],
  [.double(0x1p53), .int(1 << 53)], [.int(1 << 53 + 1)], [.int(.max - 1)], [.int(.max)], [.double(0x1p63)],
  [.double(.infinity)],
  [.timestamp(Timestamp(seconds: -62_135_596_800))], [.timestamp(Timestamp(seconds: 0))],
  [.timestamp(Timestamp(seconds: 0, nanos: 1000))],
  [.string("")], [.string("\0")], [.string("Z")], [.string("a")], [.string("a\0")], [.string("a\0b")], [.string("aa")],
  [.string("e\u{301}")], [.string("é")], [.string("\u{FFFF}")], [.string("😀")],
  [.bytes([])], [.bytes([0])], [.bytes([0, 0])], [.bytes([255])],
  [reference("a", "__id7__")], [reference("a", "__id10__")], [reference("a", "b")], [reference("a", "b", "c", "d")],
  [reference("a", "c")], [.reference(ResourcePath(database: "zzz", segments: ["a", "b"]))],
  [.geoPoint(latitude: -1, longitude: 2)],
  [.geoPoint(latitude: 0, longitude: 0), .geoPoint(latitude: -0.0, longitude: -0.0)],
  [.geoPoint(latitude: 1, longitude: -2)], [.geoPoint(latitude: 1, longitude: 2)],
  [.array([])], [.array([.null])], [.array([.int(1)]), .array([.double(1)])], [.array([.int(1), .int(2)])],
  [.array([.int(2)])], [.array([.string("a")])],
  [.vector([9])], [.vector([1, 2])], [.vector([1, 3])],
  [.map([:])], [.map(["Z": .int(1)])], [.map(["a": .int(1)])], [.map(["a": .int(1), "b": .int(0)])],
  [.map(["a": .int(2)])], [.map(["a": .string("x")])], [.map(["b": .int(0)])],
]

private func reference(_ ids: Text...) -> DataValue { .reference(ResourcePath(segments: ids)) }

@Suite struct OrderTests {
  @Test func `values of all types have Firestore's order, by their bytes`() {
    for (i, a) in ascending.enumerated() {
      for (j, b) in ascending.enumerated() {
        for x in a {
          for y in b {
            let order = [UInt8].compare(KeyBytes(x).bytes, KeyBytes(y).bytes).signum()
            #expect(order == (i - j).signum(), "\(x) and \(y)")
            #expect(x.hasSameKey(as: y) == (i == j), "\(x) and \(y)")
          }
        }
      }
    }
  }

  @Test func `no value's bytes are the beginning of another's`() {
    let keys = ascending.flatMap { $0 }.map { KeyBytes($0).bytes }
    for a in keys { for b in keys where a != b { #expect(!b.starts(with: a)) } }
  }

  @Test(arguments: [
    ("__id7__", 7 as Int64?), ("__id-7__", -7), ("__id9223372036854775807__", .max), ("__id0__", nil),
    ("__id07__", nil),
    ("__id__", nil), ("__id+7__", nil), ("__id9223372036854775808__", nil), ("__id7_", nil), ("id7__", nil),
    ("__id", nil),
  ])
  func `some ids are numbers`(_ id: String, _ number: Int64?) {
    #expect(DataLaws.numericID(id) == number)
  }
}
