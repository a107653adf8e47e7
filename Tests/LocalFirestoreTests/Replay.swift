import Foundation
import JSON
import LocalFirestore
import RulesEngine
import RulesValues
import Synchronization
import Testing

/// Sequences of requests with the answers of the official emulator 1.19.9, as `Corpus/tools/firestore_parity.py` and
/// `firestore_cases.py` record them: times stand as the number of the commit they belong to.
private struct Recording: Sendable, CustomTestStringConvertible {
  let file: String
  let number: Int
  let json: JSONValue

  var testDescription: String { "\(file) \(number)" }

  static let all = ["firestore.jsonl", "firestore-cases.jsonl"].flatMap { file -> [Recording] in
    let corpus = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Corpus")
    guard let text = try? String(contentsOf: corpus.appendingPathComponent(file), encoding: .utf8) else { return [] }
    return text.split(separator: "\n").enumerated().compactMap { i, line in
      (try? JSONValue(parsing: String(line))).map { Recording(file: file, number: i + 1, json: $0) }
    }
  }
}

/// Plays a recording and turns our answers into the form in which the official ones are kept.
private struct Player {
  let service: FirestoreREST
  var times: [String: String] = [:]
  var tokens: [String: String] = [:]

  mutating func answer(_ step: JSONValue, _ number: Int) throws -> JSONValue {
    let name = try #require(step["method"]?.stringValue)
    let method = try #require(FirestoreREST.Method(rawValue: name))
    let segments = (step["parent"]?.stringValue ?? "").split(separator: "/").map { Text(String($0)) }
    let answer = service.answer(
      method, parent: ResourcePath(segments: segments), body: filled(step["body"] ?? [:]), as: try client(step["auth"]))
    if let token = answer.body["transaction"]?.stringValue { tokens["#X\(number)"] = token }
    if let time = answer.body["commitTime"]?.stringValue, times[time] == nil { times[time] = "T\(number)" }
    let isSingle = (step["body"]?["writes"] ?? step["body"]?["documents"])?.arrayValue.map { $0.count == 1 } ?? true
    return [.int(Int64(answer.status)), normal(Self.withoutTimesOfVerified(answer.body, step), isSingle)]
  }

  private static func withoutTimesOfVerified(_ body: JSONValue, _ step: JSONValue) -> JSONValue {
    guard var object = body.objectValue, let results = object["writeResults"]?.arrayValue else { return body }
    let writes = step["body"]?["writes"]?.arrayValue ?? []
    object["writeResults"] = .array(
      zip(writes, results).map { write, result in
        guard write["verify"] != nil, var known = result.objectValue else { return result }
        known["updateTime"] = nil
        return .object(known)
      })
    return .object(object)
  }

  private func client(_ auth: JSONValue?) throws -> Client {
    guard let auth, !auth.isNull else { return service.firestore.client(as: nil) }
    if auth.stringValue == "owner" { return service.firestore.admin() }
    return service.firestore.client(
      as: Auth(uid: auth["user_id"]?.stringValue ?? "", token: try DataValue.fields(plain: auth)))
  }

  private func filled(_ json: JSONValue) -> JSONValue {
    switch json {
    case .object(let object):
      var filled = JSONObject()
      for (key, value) in object.members { filled[key] = self.filled(value) }
      return .object(filled)
    case .array(let items): return .array(items.map(filled))
    case .string(let text) where text.hasPrefix("@"):
      return .string(times.first { $0.value == text.dropFirst() }?.key ?? "2020-01-01T00:00:00Z")
    case .string(let text) where text.hasPrefix("#"): return .string(tokens[text] ?? text)
    default: return json
    }
  }

  private static let ignored: Set<String> = ["readTime", "done", "transaction", "details"]

  private func normal(_ json: JSONValue, _ isSingle: Bool) -> JSONValue {
    switch json {
    case .array(let items): return .array(items.map { normal($0, isSingle) })
    case .object(let object):
      var normal = JSONObject()
      for (key, value) in object.members where !Self.ignored.contains(key) {
        switch (key, value) {
        case ("geoPointValue", _):
          normal[key] = value.point
        case ("doubleValue", .double(let d)): normal[key] = .double(d)
        case ("message", .string(let text)): normal[key] = .string(Self.message(text, isSingle))
        default: normal[key] = self.normal(value, isSingle)
        }
      }
      return .object(normal)
    case .string(let text):
      if let label = times[text] { return .string(label) }
      // A time of the server, which runs as the test does.
      return text.hasPrefix("20") && text.hasSuffix("Z") && text > "2020-12-31" ? "NOW" : json
    default: return json
    }
  }

  static func message(_ text: String, _ isSingle: Bool) -> String {
    var text = text.replacingOccurrences(of: #"\((\d{16}|0)\)"#, with: "(TIME)", options: .regularExpression)
    text = text.replacingOccurrences(
      of: #"(exact|max)BaseVersion=\d+"#, with: "$1BaseVersion=TIME", options: .regularExpression)
    guard text.contains(" for '") || text == "No matching allow statements" else { return text }
    return isSingle ? text.components(separatedBy: " for '")[0] : "denied"
  }
}

extension JSONValue {
  /// A geo point, of which zeros may be left out.
  fileprivate var point: JSONValue {
    ["latitude": .double(self["latitude"]?.doubleValue ?? 0), "longitude": .double(self["longitude"]?.doubleValue ?? 0)]
  }

  /// Doubles are recorded as texts, so that none loses a digit.
  fileprivate var readingDoubles: JSONValue {
    switch self {
    case .array(let items): return .array(items.map(\.readingDoubles))
    case .object(let object):
      var read = JSONObject()
      for (key, value) in object.members {
        if key == "doubleValue", let text = value.stringValue, let number = Double(text), number.isFinite {
          read[key] = .double(number)
        } else if key == "geoPointValue" {
          read[key] = value.point
        } else {
          read[key] = value.readingDoubles
        }
      }
      return .object(read)
    default: return self
    }
  }
}

/// A millisecond passes with every look: the emulator was not asked twice in one, in which a server time stays what it
/// was and a write may change nothing. Always half a millisecond off, so that no time of a commit is one of a request.
private final class SteppingClock: TimeSource {
  private let milliseconds = Atomic<Int64>(1_800_000_000_000)

  var now: Timestamp {
    let now = milliseconds.add(1, ordering: .relaxed).newValue
    return Timestamp(seconds: now / 1_000, nanos: Int32(now % 1_000) * 1_000_000 + 500_000)
  }
}

@Suite struct ReplayTests {
  @Test func `recordings are there`() { #expect(Recording.all.count >= 100) }

  @Test(arguments: Recording.all) fileprivate func `answers are the official ones`(_ recording: Recording) throws {
    let file = try TemporaryFile()
    defer { withExtendedLifetime(file) {} }
    for storage in try [MemoryStorage(), SQLiteStorage(path: file.path)] as [any DocumentStorage] {
      let project = try #require(recording.json["project"]?.stringValue)
      let firestore = LocalFirestore(
        rules: try Ruleset(try #require(recording.json["rules"]?.stringValue)), project: project, storage: storage,
        clock: SteppingClock(), dialect: .emulator1_19)
      var player = Player(service: FirestoreREST(firestore))
      for (number, step) in try #require(recording.json["steps"]?.arrayValue).enumerated() {
        let official = (step["answer"] ?? .null).readingDoubles
        let ours = try player.answer(step, number)
        guard official[0] != 500 else { continue }
        #expect(
          ours == official || Player.nameOtherMistakes(official, ours),
          """
          step \(number) of \(type(of: storage)): \(step["body"]?.serialized() ?? "")
          official: \(official.serialized())
          ours:     \(ours.serialized())
          """)
      }
    }
  }
}

extension Player {
  /// Both refuse a question that is wrong in itself. Of several mistakes another may be named.
  static func nameOtherMistakes(_ official: JSONValue, _ ours: JSONValue) -> Bool {
    official[1]?["error"]?["status"] == "INVALID_ARGUMENT" && ours[1]?["error"]?["status"] == "INVALID_ARGUMENT"
  }
}

/// A file that does not exist yet, in a folder of its own that goes when this goes.
final class TemporaryFile: Sendable {
  let path: String
  private let folder: String

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("firestore-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    path = folder + "/store.sqlite"
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }
}
