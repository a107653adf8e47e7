import RulesSyntax

/// Which tests and invariants of a project run, and in which order. Everything, in the order of the files, without more.
public struct Selection: Sendable {
  /// One of so many parts of all that is to be run.
  public struct Shard: Sendable, Equatable {
    /// From 1.
    public let index: Int
    public let count: Int

    /// `2/5`; at most 10,000 parts.
    public init?(_ text: String) {
      let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
      guard parts.count == 2, let index = parts[0], let count = parts[1], 1...10_000 ~= count, 1...count ~= index else {
        return nil
      }
      self.index = index
      self.count = count
    }
  }

  /// What tells a test or an invariant from others, across runs.
  public struct Key: Hashable, Sendable {
    /// As an absolute path.
    public let file: String
    /// Of the test, or the text of the invariant; empty: the file as a whole, which could not be run.
    public let name: String

    public init(file: String, name: String) {
      self.file = file
      self.name = name
    }
  }

  /// Parts of names of tests and files, capitals or not; any of them is enough. Empty: everything.
  public var filters: [String] = []
  /// Those that failed before; `nil`: everything.
  public var only: Set<Key>?
  public var shard: Shard?
  /// Tests run in an order that follows from it.
  public var seed: UInt64?
  /// Whether nothing more is begun after the first failure.
  public var stopsAtFailure = false

  public init() {}

  /// What of one pair of files is run, by index.
  public struct Part: Sendable, Equatable {
    public var tests: [Int]
    public var invariants: [Int]
    /// Nothing of it can be run; that it cannot is what is told.
    public var isBroken = false

    public static func all(of test: TestFile) -> Part {
      Part(tests: Array(test.syntax.tests.indices), invariants: Array(test.syntax.invariants.indices))
    }
  }

  /// What is run of each pair, in the order in which it is run.
  public func parts(of pairs: [Project.Pair]) -> [(pair: Int, part: Part)] {
    var place = 0
    /// Whether something is chosen; called once for each thing, in the order of the files.
    func takes(_ pair: Project.Pair, _ name: String) -> Bool {
      guard matches(pair, name) else { return false }
      defer { place += 1 }
      return shard.map { place % $0.count == $0.index - 1 } ?? true
    }
    var result: [(pair: Int, part: Part)] = []
    for (i, pair) in pairs.enumerated() {
      var part = Part(tests: [], invariants: [])
      if pair.test.hasErrors || pair.rules.ruleset == nil {
        part.isBroken = takes(pair, "")
      } else {
        let syntax = pair.test.syntax
        part.tests = syntax.tests.indices.filter { takes(pair, syntax.tests[$0].name.text) }
        part.invariants = syntax.invariants.indices.filter {
          takes(pair, pair.test.file.text(syntax.invariants[$0].range))
        }
      }
      // A file without a test is no choice of anybody: that it shows nothing has to be told.
      let isEmpty = pair.test.syntax.tests.isEmpty && pair.test.syntax.invariants.isEmpty
      let isWhole = filters.isEmpty && only == nil && (shard.map { $0.index == 1 } ?? true)
      if part.isBroken || isEmpty && isWhole || !part.tests.isEmpty || !part.invariants.isEmpty {
        result.append((i, part))
      }
    }
    if let seed {
      var random = SeededRandom(seed: seed)
      for i in result.indices { result[i].part.tests.shuffle(using: &random) }
      result.shuffle(using: &random)
    }
    return result
  }

  private func matches(_ pair: Project.Pair, _ name: String) -> Bool {
    if let only {
      let file = FileAccess.absolute(pair.test.file.name)
      // A file that cannot be run hides which of its tests are meant.
      let isKnown = only.contains(Key(file: file, name: name)) || name.isEmpty && only.contains { $0.file == file }
      guard isKnown || only.contains(Key(file: file, name: "")) else { return false }
    }
    guard !filters.isEmpty else { return true }
    let names = [pair.test.file.name, name].map { $0.lowercased() }
    // The tests that were read of a file that cannot be run may be the ones that are meant.
    let others = name.isEmpty ? pair.test.syntax.tests.map { $0.name.text.lowercased() } : []
    return filters.contains { filter in (names + others).contains { $0.contains(filter.lowercased()) } }
  }
}

extension FileResult {
  /// What ran, and whether it failed.
  public var outcomes: [(key: Selection.Key, failed: Bool)] {
    let path = FileAccess.absolute(test.file.name)
    guard canRun else { return [(Selection.Key(file: path, name: ""), true)] }
    return [(Selection.Key(file: path, name: ""), false)]
      + tests.map { (Selection.Key(file: path, name: $0.name), !$0.hasPassed) }
      + invariants.map { (Selection.Key(file: path, name: test.file.text($0.invariant.range)), $0.status == .leak) }
  }

  /// Whether something did not pass, as the exit code counts.
  public var hasFailure: Bool {
    !canRun || tests.contains { !$0.hasPassed } || invariants.contains { $0.status == .leak }
  }
}

/// Steele and others' SplitMix64: the same numbers from the same seed, everywhere.
struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
