import RulesSyntax

extension Expression {
  /// The name of the package if this is the receiver of a package call such as `math.abs(1)`.
  var packageName: String? {
    if case .identifier(let name) = kind, parentheses == 0, Packages.names.contains(name) { name } else { nil }
  }
}

/// The namespaces whose names cannot be used as values or declared as variables.
public enum Packages {
  public static let names: Set<String> = ["duration", "hashing", "latlng", "math", "timestamp"]
}
