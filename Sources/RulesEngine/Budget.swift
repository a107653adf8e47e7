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

/// Which documents a request has asked for, as the official implementation counts them: 10 in all, whatever the
/// function. What is known is free: `get` and `getAfter` share a document that was found, `exists` and `existsAfter`
/// what they learnt, and a document that was got exists. A document that is missing counts whenever `get` or `getAfter`
/// misses it, and `get` after `exists` counts again; the requested document is free, and so is what the same commit
/// writes to the functions that look at what it leaves. A call beyond the limit is a service call error. Observed on
/// emulator 1.19.9.
struct Lookups {
  static let limit = 10
  /// A query may ask for more, all its branches together.
  static let limitOfQueries = 20

  private struct Entry {
    let service: Service
    let path: ResourcePath
    let value: Value
    let isFound: Bool
    let isFree: Bool
  }

  private var entries: [Entry] = []
  /// Those for which there was no room, once each.
  private var refused: [(service: Service, path: ResourcePath)] = []
  private var count = 0

  mutating func reset() {
    entries.removeAll(keepingCapacity: true)
    refused.removeAll(keepingCapacity: true)
    count = 0
  }

  /// What earlier calls of this pass tell about the document.
  /// - Parameter isWritten: the commit writes the document, so that before and after are not the same.
  func known(_ service: Service, _ path: ResourcePath, isWritten: Bool) -> Value? {
    for entry in entries where entry.path == path && (!isWritten || entry.service.isAfter == service.isAfter) {
      if service.asksExistence {
        if entry.service.asksExistence { return entry.value }
        if entry.isFound { return .true }
      } else if !entry.service.asksExistence, entry.isFound || entry.isFree {
        return entry.value
      }
    }
    return nil
  }

  /// What an earlier call of the same function told about the document.
  func known(exactly service: Service, _ path: ResourcePath) -> Value? {
    entries.first { $0.service == service && $0.path == path }?.value
  }

  /// May one more document be asked for?
  func hasRoom(limit: Int = Self.limit) -> Bool { count < limit }

  /// There was no room.
  mutating func refuse(_ service: Service, _ path: ResourcePath) {
    guard !refused.contains(where: { $0.service == service && $0.path == path }) else { return }
    refused.append((service, path))
  }

  /// All that counts, in the order of the calls; what was refused comes last.
  var counted: [RequestBudget.Lookup] {
    entries.filter { !$0.isFree }.map { .init(function: $0.service.rawValue, path: $0.path, isRefused: false) }
      + refused.map { .init(function: $0.service.rawValue, path: $0.path, isRefused: true) }
  }

  mutating func remember(
    _ service: Service, _ path: ResourcePath, _ value: Value, isFound: Bool, isFree: Bool = false
  ) {
    entries.append(Entry(service: service, path: path, value: value, isFound: isFound, isFree: isFree))
    if !isFree { count += 1 }
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
