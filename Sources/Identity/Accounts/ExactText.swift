import JSON

/// Text that is equal to the same bytes alone. Swift's `String` also takes two spellings of one character for equal
/// (`é` in one scalar and in two), while rules, databases and production do not: to them these are two users.
struct ExactText: Sendable, Hashable {
  let text: String
  init(_ text: String) { self.text = text }

  static func == (left: Self, right: Self) -> Bool { left.text.isExactly(right.text) }

  func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }
}

extension String {
  /// Whether these are the same bytes.
  func isExactly(_ other: String?) -> Bool {
    guard let other else { return false }
    return hasSameScalars(as: other)
  }
}
