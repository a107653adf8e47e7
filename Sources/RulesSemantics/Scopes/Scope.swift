/// What can be seen from one place in the file: the names declared there and, through `parent`, around it.
final class Scope {
  struct Capture {
    let name: String
    let slot: Int
    let isGlob: Bool
  }

  /// Weak, so that scopes and their children do not keep each other alive; `Program` holds the outermost.
  private(set) weak var parent: Scope?
  /// The service this scope lies in; `nil` at the top level of the file.
  let service: ServiceKind?
  /// Indices into `Program.functions`; more than one where a name is declared twice, which is an error.
  var functions: [String: [Int]] = [:]
  /// The scopes of the services or matches directly inside, in file order.
  private(set) var children: [Scope] = []
  /// Indices into `Program.allows`.
  var allows: [Int] = []
  let captures: [Capture]
  /// The captures of this scope and of those around it.
  let captureCount: Int
  /// Whether there is a glob among those.
  let hasGlob: Bool

  init(parent: Scope?, service: ServiceKind?, captures: [Capture] = []) {
    self.parent = parent
    self.service = service
    self.captures = captures
    captureCount = (parent?.captureCount ?? 0) + captures.count
    hasGlob = (parent?.hasGlob ?? false) || captures.contains { $0.isGlob }
    parent?.children.append(self)
  }

  /// The functions of that name in the nearest scope that has any.
  func lookUpFunctions(_ name: String) -> [Int] {
    var scope: Scope? = self
    while let current = scope {
      if let found = current.functions[name] { return found }
      scope = current.parent
    }
    return []
  }

  func lookUpCapture(_ name: String) -> Capture? { find(name)?.capture }

  /// What a capture may be to the type check: all captures of one pattern together are a string where there is one
  /// without stars among them, and a path where there is a glob.
  func typesOfCapture(_ name: String) -> TypeSet {
    guard let scope = find(name)?.scope else { return .any }
    return scope.captures.reduce(into: []) { $0.formUnion($1.isGlob ? [.path] : [.string]) }
  }

  private func find(_ name: String) -> (capture: Capture, scope: Scope)? {
    var scope: Scope? = self
    while let current = scope {
      if let found = current.captures.last(where: { $0.name == name }) { return (found, current) }
      scope = current.parent
    }
    return nil
  }
}
