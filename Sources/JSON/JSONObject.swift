/// The members of a JSON object, in the order in which they were written or set.
///
/// Names are compared scalar by scalar. Two objects are equal if they have equal members, in
/// whatever order. Looking a name up is constant time for large objects.
public struct JSONObject: Sendable {
  /// The members in order; no name stands in it twice.
  public private(set) var members: [(key: String, value: JSONValue)] = []
  /// Where each name stands, kept from `indexedFrom` members on: below, walking them is faster.
  private var positions: [ExactName: Int]?

  private static let indexedFrom = 24

  public init() {}

  public var count: Int { members.count }
  public var isEmpty: Bool { members.isEmpty }
  public var keys: [String] { members.map(\.key) }
  public var values: [JSONValue] { members.map(\.value) }

  /// The value of a member. Setting keeps the member's place, or appends it; setting nil removes it.
  public subscript(key: String) -> JSONValue? {
    get { position(of: key).map { members[$0].value } }
    set {
      switch (position(of: key), newValue) {
      case (let position?, let value?): members[position].value = value
      case (let position?, nil): remove(at: position)
      case (nil, let value?): append(key, value)
      case (nil, nil): break
      }
    }
  }

  public func contains(_ key: String) -> Bool { position(of: key) != nil }

  /// Appends a member unless the name is taken; says whether it did.
  mutating func appendIfNew(_ key: String, _ value: JSONValue) -> Bool {
    guard position(of: key) == nil else { return false }
    append(key, value)
    return true
  }

  private func position(of key: String) -> Int? {
    if let positions { return positions[ExactName(key)] }
    return members.firstIndex { $0.key.hasSameScalars(as: key) }
  }

  private mutating func append(_ key: String, _ value: JSONValue) {
    members.append((key, value))
    if positions != nil {
      positions?[ExactName(key)] = members.count - 1
    } else if members.count >= Self.indexedFrom {
      indexAll()
    }
  }

  private mutating func remove(at position: Int) {
    members.remove(at: position)
    if positions != nil { indexAll() }
  }

  private mutating func indexAll() {
    var index = [ExactName: Int](minimumCapacity: members.count * 2)
    for (position, member) in members.enumerated() { index[ExactName(member.key)] = position }
    positions = index
  }
}

extension JSONObject: Equatable {
  public static func == (left: JSONObject, right: JSONObject) -> Bool {
    JSONValue.object(left) == .object(right)
  }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  /// Of a name that is given twice the last value counts.
  public init(dictionaryLiteral members: (String, JSONValue)...) {
    for (key, value) in members { self[key] = value }
  }
}

/// A member name that hashes and compares by its bytes.
private struct ExactName: Hashable, Sendable {
  let text: String
  init(_ text: String) { self.text = text }

  static func == (left: Self, right: Self) -> Bool { left.text.hasSameScalars(as: right.text) }

  func hash(into hasher: inout Hasher) {
    text.hashBytes(into: &hasher)
  }
}
