/// Where uids, codes and tokens come from: the system's randomness, or a seed, with which every run is the same.
struct Randomness: RandomNumberGenerator, Sendable {
  private var state: UInt64?
  private var system = SystemRandomNumberGenerator()

  init(seed: UInt64?) { state = seed }

  /// SplitMix64 from the seed. It can be foreseen, so a seed is for tests.
  mutating func next() -> UInt64 {
    guard var value = state else { return system.next() }
    value &+= 0x9E37_79B9_7F4A_7C15
    state = value
    value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
    return value ^ value >> 31
  }

  private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".unicodeScalars)

  /// Letters and digits, each as likely as the others.
  mutating func letters(_ count: Int) -> String {
    var text = ""
    for _ in 0..<count {
      text.unicodeScalars.append(Self.letters[Int.random(in: 0..<Self.letters.count, using: &self)])
    }
    return text
  }

  /// As Firebase makes one: 28 letters and digits.
  mutating func uid() -> String { letters(28) }

  mutating func digits(_ count: Int) -> String {
    var text = ""
    for _ in 0..<count { text.append(String(Int.random(in: 0..<10, using: &self))) }
    return text
  }

  mutating func bytes(_ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    for _ in 0..<count { bytes.append(UInt8.random(in: 0...255, using: &self)) }
    return bytes
  }
}
