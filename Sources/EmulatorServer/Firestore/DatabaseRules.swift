import RulesEngine
import RulesValues

/// Which rules are in force in which database of a project.
public struct DatabaseRules: Sendable {
  /// Of databases that have rules of their own.
  public var named: [(database: Text, ruleset: Ruleset)]
  /// Of all others; `nil`: everything is refused there.
  public var others: Ruleset?

  public init(named: [(database: Text, ruleset: Ruleset)] = [], others: Ruleset? = nil) {
    self.named = named
    self.others = others
  }

  var all: [Ruleset] { named.map(\.ruleset) + [others].compactMap(\.self) }
}
