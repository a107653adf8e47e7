/// Bytes as choices. When they run out every choice is the first, so that a shorter input makes a smaller thing.
struct Choices {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var isExhausted: Bool { position >= bytes.count }

  mutating func byte() -> UInt8 {
    guard position < bytes.count else { return 0 }
    defer { position += 1 }
    return bytes[position]
  }

  /// A number from 0 up to but without `count`, which is from 1 to 256.
  mutating func below(_ count: Int) -> Int { Int(byte()) % max(count, 1) }

  mutating func chance(_ outOf256: Int) -> Bool { Int(byte()) >= 256 - outOf256 }

  mutating func pick<T>(_ items: [T], or fallback: T) -> T {
    let index = below(items.count)
    return items.indices.contains(index) ? items[index] : fallback
  }

  mutating func pick(_ items: [String]) -> String { pick(items, or: "") }

  /// A few of a thing.
  mutating func some(upTo count: Int, _ make: (inout Choices) -> String) -> [String] {
    (0..<below(count + 1)).map { _ in make(&self) }
  }

  mutating func integer() -> Int64 {
    (0..<8).reduce(0 as Int64) { number, _ in number << 8 | Int64(byte()) }
  }
}
