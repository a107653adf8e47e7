import RulesEngine
import RulesSemantics
import RulesSyntax

/// `never M P unless C;` or `never M P if C;`: what an invariant of a test file comes down to.
public struct Statement: Sendable {
  public enum Condition: Sendable {
    case unless(String)
    case `if`(String)
  }

  /// `get`, `list`, `create`, `update`, `delete`.
  let methods: [World.Method]
  /// The pattern of documents, e.g. `/users/{uid}/{rest=**}`.
  public let pattern: String
  public let condition: Condition
  /// Functions that the condition may call.
  public let functions: String

  /// In a condition: the fields that an update adds, takes away or gives another value.
  static let changedKeys = "request.resource.data.diff(resource.data).affectedKeys()"

  /// - Parameters:
  ///   - methods: `read` and `write` stand for several.
  ///   - pattern: of a path, as in a `match`.
  ///   - condition: when it is fine all the same.
  ///   - functions: that the condition calls, as rules have them.
  public init(never methods: [String], _ pattern: String, _ condition: Condition, functions: String = "") {
    var all: [World.Method] = []
    for name in methods {
      switch name {
      case "read": all += [.get, .list]
      case "write": all += [.create, .update, .delete]
      default: all += World.Method(rawValue: name).map { [$0] } ?? []
      }
    }
    self.methods = World.Method.allCases.filter { all.contains($0) }
    self.pattern = pattern
    self.condition = condition
    self.functions = functions
  }

  /// The statement as a rule set, which allows where the condition is true.
  var text: String {
    let condition =
      switch self.condition {
      case .unless(let text), .if(let text): text
      }
    return """
      rules_version = '2';
      service cloud.firestore {
        match /databases/{database}/documents {
          \(functions)
          match \(pattern) { allow read, write: if \(condition); }
        }
      }
      """
  }

  var sense: Question.Other {
    if case .unless = condition { .mustAllow } else { .mustNotAllow }
  }
}
