/// The language version that a file asks for with `rules_version`; a file that asks for none gets `one`.
public enum RulesVersion: Sendable { case one, two }

public enum ServiceKind: Sendable, Hashable {
  case firestore, storage
  /// A name that the compiler does not know (a warning); such a service offers no methods and no functions.
  case other(String)

  init(name: String) {
    switch name {
    case "cloud.firestore": self = .firestore
    case "firebase.storage": self = .storage
    default: self = .other(name)
    }
  }

  /// Whether the compiler knows the service, and hence its methods, `request` and `resource`.
  var isKnown: Bool {
    if case .other = self { false } else { true }
  }
}

/// The operations that an `allow` statement can grant.
public enum RulesMethod: String, Sendable, Hashable, CaseIterable {
  case get, list, create, update, delete

  /// What a method name of an `allow` statement stands for; names are compared without regard to case.
  /// `nil` when there is no such method.
  static func expand(_ name: String) -> [RulesMethod]? {
    switch name.lowercased() {
    case "read": [.get, .list]
    case "write": [.create, .update, .delete]
    case let one: RulesMethod(rawValue: one).map { [$0] }
    }
  }
}

/// What an identifier in expression position means.
public enum Resolution: Sendable, Equatable {
  /// Index in the enclosing function.
  case parameter(Int)
  /// Index among the enclosing function's `let` bindings.
  case letBinding(Int)
  /// Running number of the capture along the chain of nested matches, outermost first, from 0.
  case wildcard(Int)
  case request, resource
  /// "Invalid variable name" at compile time, a null value error at run time.
  case unknown
}

/// What a call means.
public enum Callee: Sendable, Equatable {
  /// Index in `CheckedRuleset.functions`.
  case function(Int)
  /// `int`, `float`, `string`, `path` or `debug`.
  case builtin(String)
  /// `math.abs` and its like: package and function name, known or not (an unknown one is an error at run time).
  case package(String, String)
  /// `get`, `exists`, `getAfter`, `existsAfter`; in Storage rules `firestore.get` and `firestore.exists`.
  case service(String)
  /// `receiver.method`
  case method(String)
  /// "Function not found error" at run time.
  case unknown(String)
}
