import RulesValues

/// The official limit on how much one request may evaluate.
///
/// Every node of an expression costs 1, `&&`, `||` and `?:` one more for each further operand that runs (measured
/// on emulator 1.19.9, `docs/language.md`). Costs are summed when a condition is lowered and taken in one step for
/// each stretch that runs as a whole. Once the budget is overdrawn the request is lost: every later `allow` of the
/// same pass reports it, and no operator absorbs it.
enum Budget {
  static let limit = 1000
}

/// Which documents a request has asked for, as the official implementation counts them: 10 with `get` and `exists`,
/// another 10 with `getAfter` and `existsAfter`, each document once for each function; the requested document is
/// free. A call beyond the limit is a service call error. Observed on emulator 1.19.9.
struct Lookups {
  static let limit = 10

  private struct Entry {
    let service: Service
    let path: ResourcePath
    let value: Value
  }

  private var before: [Entry] = []
  private var after: [Entry] = []

  mutating func reset() {
    before.removeAll(keepingCapacity: true)
    after.removeAll(keepingCapacity: true)
  }

  /// What the same call gave earlier in this pass.
  func known(_ service: Service, _ path: ResourcePath) -> Value? {
    (service.isAfter ? after : before).first { $0.service == service && $0.path == path }?.value
  }

  /// May one more document be asked for?
  func hasRoom(_ service: Service) -> Bool { (service.isAfter ? after : before).count < Self.limit }

  mutating func remember(_ service: Service, _ path: ResourcePath, _ value: Value) {
    let entry = Entry(service: service, path: path, value: value)
    if service.isAfter { after.append(entry) } else { before.append(entry) }
  }
}

/// The functions that look up documents.
enum Service: String, Sendable, CaseIterable {
  case get, exists, getAfter, existsAfter

  var isAfter: Bool { self == .getAfter || self == .existsAfter }
  var asksExistence: Bool { self == .exists || self == .existsAfter }

  /// For the official texts of wrong calls.
  var operation: Operation {
    switch self {
    case .get: .get
    case .exists: .exists
    case .getAfter: .getAfter
    case .existsAfter: .existsAfter
    }
  }
}
