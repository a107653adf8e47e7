import RulesSyntax
import Synchronization

/// Rulesets that differ in one place from another, kept for the next request that fails for the same slip: compiling
/// takes a third of a millisecond for each kilobyte.
final class EditedRulesets: Sendable {
  /// More are not kept at a time.
  static let maximum = 16

  private struct Edit: Hashable {
    let range: Range<Int>
    let replacement: String
  }

  /// `nil`: does not compile.
  private let known = Mutex<[Edit: Ruleset?]>([:])

  func ruleset(_ file: SourceFile, _ range: Range<Int>, _ replacement: String) -> Ruleset? {
    let edit = Edit(range: range, replacement: replacement)
    if let ruleset = known.withLock({ $0[edit] }) { return ruleset }
    var text = file.utf8
    text.replaceSubrange(range, with: Array(replacement.utf8))
    // Two threads may compile the same: what they get is equal.
    let ruleset = try? Ruleset(String(decoding: text, as: UTF8.self), name: file.name)
    known.withLock {
      if $0.count >= Self.maximum { $0.removeAll() }
      $0[edit] = .some(ruleset)
    }
    return ruleset
  }
}
