import RulesEngine
import RulesValues

/// Requests and documents made by choices.
enum Requests {
  static func request(_ choices: inout Choices) -> Request {
    let path = path(&choices)
    let auth = choices.chance(64) ? nil : Auth(uid: choices.pick(["alice", "bob", "", "é"]), token: fields(&choices, depth: 1))
    let time = Timestamp(seconds: choices.chance(32) ? Int64(choices.below(256)) * 86_400 * 366 : 1_767_225_600, nanos: 123_456_789)
    switch choices.below(4) {
    case 0: return .get(path, auth: auth, time: time)
    case 1: return .create(path, fields(&choices, depth: 3), ifAbsent: choices.chance(128), auth: auth, time: time)
    case 2:
      var request = Request.update(path, fields(&choices, depth: 3), ifPresent: choices.chance(128), auth: auth, time: time)
      if choices.chance(48) { request.writeFields = ["a", "a.b"] }
      if choices.chance(48) { request.transforms = ["a"] }
      return request
    default: return .delete(path, auth: auth, time: time)
    }
  }

  static func documents(_ choices: inout Choices) -> DocumentTable {
    var documents: [ResourcePath: Fields] = [:]
    for _ in 0..<choices.below(4) { documents[path(&choices)] = fields(&choices, depth: 3) }
    return DocumentTable(documents)
  }

  private static func path(_ choices: inout Choices) -> ResourcePath {
    var segments: [Text] = []
    for _ in 0...choices.below(3) {
      segments.append(Text(choices.pick(["users", "posts", "a"])))
      segments.append(Text(choices.pick(["alice", "bob", "é", "b-c", "(default)"])))
    }
    return ResourcePath(segments: segments)
  }

  private static func fields(_ choices: inout Choices, depth: Int) -> Fields {
    var fields: Fields = [:]
    for _ in 0..<choices.below(4) {
      fields[Text(choices.pick(["a", "b", "owner", "email", "a.b", "é", "e\u{301}"]))] = value(&choices, depth: depth)
    }
    return fields
  }

  private static func value(_ choices: inout Choices, depth: Int) -> DataValue {
    switch choices.below(13) {
    case 0: .null
    case 1: .bool(choices.chance(128))
    case 2: .int(choices.pick([0, 1, -1, .max, .min, 100], or: 0))
    case 3: .int(choices.integer())
    case 4: .double(choices.pick([0, -0.0, 1, .nan, .infinity, 1e308, .leastNonzeroMagnitude, 0.1], or: 0))
    case 5: .double(Double(bitPattern: UInt64(bitPattern: choices.integer())))
    case 6: .string(choices.pick(["", "a", "alice", "é", "😀", "(a+)+$", "2026-01-01T00:00:00Z", "a\u{0}b"]))
    case 7: .bytes(Array("\u{0}a".utf8))
    case 8: .timestamp(Timestamp(seconds: choices.pick([0, Timestamp.minimumSeconds, Timestamp.maximumSeconds], or: 0), nanos: 1))
    case 9: .geoPoint(latitude: choices.pick([0, 90, -90, 51.5], or: 0), longitude: choices.pick([0, 180, -180], or: 0))
    case 10: .reference(path(&choices))
    case 11 where depth > 0: .array((0..<choices.below(4)).map { _ in value(&choices, depth: depth - 1) })
    case 12 where depth > 0: .map(fields(&choices, depth: depth - 1))
    default: .vector([1, 2])
    }
  }
}
