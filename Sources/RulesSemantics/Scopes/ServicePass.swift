/// The services from whose statements a piece of code can be reached.
struct ServiceContext: Equatable {
  var services: Set<ServiceKind> = []
  /// Whether one of the statements has a `resource`: in Storage rules, those for `list` alone have none.
  var hasResource = false

  mutating func formUnion(_ other: ServiceContext) {
    services.formUnion(other.services)
    hasResource = hasResource || other.hasResource
  }
}

/// Finds out which functions may use `request`, `resource` and the functions of the service: officially only those
/// that a statement calls, directly or through others. The official compiler goes by names, from the innermost
/// scopes outwards and through the file: a name called in one match is taken to mean the function of that name in
/// the next scope that the walk leaves, even if that is a later match from which the call cannot see it (observed on
/// the official emulator 1.19.9; it concerns warnings only).
struct ServicePass {
  let program: Program
  /// The names that were called so far and whose functions are not found yet.
  private var pending: [String: ServiceContext] = [:]

  static func run(_ program: Program) {
    var pass = ServicePass(program: program)
    pass.walk(program.top)
  }

  private mutating func walk(_ scope: Scope) {
    for child in scope.children { walk(child) }
    for index in scope.allows {
      let allow = program.allows[index]
      if allow.hasKnownMethod { add(allow.calls.names, allow.context) }
    }
    var names = scope.functions.keys.filter { pending[$0] != nil }
    while let name = names.popLast() {
      guard let context = pending.removeValue(forKey: name) else { continue }
      for index in scope.functions[name] ?? [] {
        let function = program.functions[index]
        var all = function.context
        all.formUnion(context)
        if all == function.context { continue }
        function.context = all
        add(function.calls.names, context)
        names += function.calls.names.filter { scope.functions[$0] != nil }
      }
    }
  }

  private mutating func add(_ names: Set<String>, _ context: ServiceContext) {
    for name in names { pending[name, default: ServiceContext()].formUnion(context) }
  }
}

/// What the code at some place may use of a service: its functions, `request` and `resource`.
struct ServiceAccess {
  enum Source: Equatable {
    /// Nothing: no statement with a method that its service knows leads here.
    case none
    case inside(ServiceKind)
    /// In a function at the top level of the file that Firestore rules use: everything, but the functions of the
    /// service with a warning.
    case borrowed
  }

  let source: Source
  /// In Storage rules, `list` has no `resource`.
  let hasResource: Bool

  var hasRequest: Bool { source != .none }

  /// Where Storage rules lead here from `list` only, the type of `request` is declared; elsewhere it is not.
  var isRequestKnownAsMap: Bool { hasRequest && !hasResource }
}

extension Program.Function {
  var access: ServiceAccess {
    let source: ServiceAccess.Source =
      switch scope.service {
      case _ where context.services.isEmpty: .none
      case let service?: .inside(service)
      case nil: context.services.contains(.firestore) ? .borrowed : .inside(.storage)
      }
    return ServiceAccess(source: source, hasResource: context.hasResource)
  }
}

extension Program.Allow {
  var access: ServiceAccess {
    ServiceAccess(source: hasKnownMethod ? .inside(service) : .none, hasResource: context.hasResource)
  }
}
