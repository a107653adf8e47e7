import RulesValues

/// What would have to change for a denied query to be allowed.
public struct QueryAdvice: Sendable, Equatable {
  /// What the rules ask for and the query does not tell, a sentence each.
  public var missing: [String]
  /// Filters that, added to those of the query, make it allowed, whatever the documents hold; none when no such
  /// filters were found. The query was judged with them.
  public var filters: [QueryFilter]
  /// A limit that is needed, too.
  public var limit: Int64?

  /// What is to be added, as the test language writes it: `where owner == 'u1' limit 10`; `nil` when nothing helps.
  public var proposal: String? {
    var text = filters.map(\.written).joined(separator: " && ")
    if !text.isEmpty { text = "where " + text }
    if let limit { text += (text.isEmpty ? "" : " ") + "limit \(limit)" }
    return text.isEmpty ? nil : text
  }
}

extension QueryFilter {
  /// As the test language writes it: `n > 1`, `'a' in tags`, `(a == 1 || b == 2)`.
  public var written: String {
    switch self {
    case .and(let filters): return filters.map(\.written).joined(separator: " && ")
    case .or(let filters): return "(" + filters.map(\.written).joined(separator: " || ") + ")"
    case .unary(let field, let test):
      switch test {
      case .isNull: return "\(field.written) == null"
      case .isNotNull: return "\(field.written) != null"
      case .isNaN: return "\(field.written) == float('NaN')"
      case .isNotNaN: return "\(field.written) != float('NaN')"
      }
    case .compare(let field, let op, let value):
      switch op {
      case .arrayContains: return "\(value.written) in \(field.written)"
      case .arrayContainsAny: return "\(field.written).hasAny(\(value.written))"
      case .isNotIn: return "\(field.written) not in \(value.written)"
      default: return "\(field.written) \(op.symbol) \(value.written)"
      }
    }
  }
}

extension QueryField {
  /// Quoted when it is more than a word.
  var written: String {
    names.allSatisfy(\.isWord) ? description : DataValue.string(description).written
  }
}

extension Text {
  var isWord: Bool {
    guard let first = string.utf8.first, !(0x30...0x39).contains(first) else { return false }
    return string.utf8.allSatisfy { ($0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A) || (0x30...0x39).contains($0) || $0 == 0x5F }
  }
}

extension DataValue {
  /// In the syntax of the rules language.
  var written: String {
    let owner = ArenaOwner()
    defer { withExtendedLifetime(owner) {} }
    return owner.arena.display(owner.arena.load(self), width: 200)
  }
}
