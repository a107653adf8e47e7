import Foundation
import Identity
import JSON
import LocalFirestore
import RulesEngine
import Testing

@testable import EmulatorServer

/// Random requests, bad ones included, with what the official emulator 1.19.9 answered (`Corpus/tools/rest_parity.py`).
@Suite struct RecordedTraffic {
  static let sequences: [JSONValue] = {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../Corpus/rest.jsonl")
    let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").compactMap { try? JSONValue(parsing: Array($0.utf8)) }
  }()

  @Test func thereAreManyRequests() {
    #expect(Self.sequences.reduce(0) { $0 + ($1["steps"]?.arrayValue?.count ?? 0) } > 1000)
  }

  @Test(arguments: sequences.indices) func everyAnswerIsTheRecordedOne(index: Int) throws {
    let sequence = Self.sequences[index]
    var options = FirestoreOptions()
    options.dialect = .emulator1_19
    options.rules.others = try Ruleset(try #require(sequence["rules"]?.stringValue))
    let emulator = FirestoreEmulator(options)
    for step in sequence["steps"]?.arrayValue ?? [] {
      let response = emulator.answer(try Self.request(step))
      let isOfSeveral = Self.isOfSeveral(step)
      let text = String(decoding: response.bytes, as: UTF8.self)
      // That a HEAD has no body is the HTTP server's to see to.
      let body =
        step["verb"] == "HEAD"
        ? ""
        : (try? JSONValue(parsing: response.bytes)) ?? .string(text.trimmingCharacters(in: .whitespacesAndNewlines))
      let ours: JSONValue = [.int(Int64(response.status)), Normal.body(body, of: step, isOfSeveral)]
      // The recording is normal already; reading it the same way makes numbers of one kind.
      let official = step["answer"].map { Normal.walk($0, isOfSeveral) }
      #expect(ours == official, "\(step["verb"] ?? .null) \(step["path"] ?? .null) \(step["body"] ?? .null)")
    }
  }

  static func request(_ step: JSONValue) throws -> HTTPRequest {
    let address = try #require(step["path"]?.stringValue).split(separator: "?", maxSplits: 1).map(String.init)
    var headers = HTTPHeaders([("Host", "localhost")])
    if let type = step["type"]?.stringValue { headers.add("Content-Type", type) }
    switch step["auth"] {
    case .string(let token)?: headers.add("Authorization", "Bearer " + token)
    case .object(let claims)?: headers.add("Authorization", "Bearer " + UnsignedToken.encode(claims))
    default: break
    }
    return HTTPRequest(
      method: try #require(step["verb"]?.stringValue), path: address[0], query: address.count == 2 ? address[1] : "",
      headers: headers, body: Array((step["body"]?.stringValue ?? "").utf8))
  }

  static func isOfSeveral(_ step: JSONValue) -> Bool {
    guard let body = try? JSONValue(parsing: Array((step["body"]?.stringValue ?? "").utf8)) else { return false }
    return ["writes", "documents"].contains { (body[$0]?.arrayValue?.count ?? 0) > 1 }
  }
}

/// Answers without what is another each time: as `rest_parity.py` has it.
enum Normal {
  static func body(_ body: JSONValue, of step: JSONValue, _ isOfSeveral: Bool) -> JSONValue {
    var body = body
    let path = step["path"]?.stringValue ?? ""
    if path.contains(":commit"), case .object(var object) = body, var results = object["writeResults"]?.arrayValue,
      let writes = (try? JSONValue(parsing: Array((step["body"]?.stringValue ?? "").utf8)))?["writes"]?.arrayValue
    {
      for (i, write) in writes.enumerated() where write["verify"] != nil && i < results.count {
        if case .object(var result) = results[i] {
          result["updateTime"] = nil
          results[i] = .object(result)
        }
      }
      object["writeResults"] = .array(results)
      body = .object(object)
    }
    return walk(body, isOfSeveral)
  }

  static func walk(_ value: JSONValue, _ isOfSeveral: Bool) -> JSONValue {
    switch value {
    case .array(let items): return .array(items.map { walk($0, isOfSeveral) })
    case .object(let object):
      var result = JSONObject()
      for (name, item) in object.members.sorted(by: { $0.key < $1.key })
      where name != "details" && name != "skippedResults" {
        switch (name, item) {
        case ("nextPageToken", .string), ("transaction", .string): result[name] = "TOKEN"
        case ("message", .string(let text)): result[name] = .string(message(text, isOfSeveral))
        case ("doubleValue", .string(let text)):
          // Numbers are recorded as text; what is none, NaN and the infinities, is text everywhere.
          result[name] = Double(text).flatMap { $0.isFinite ? .double($0) : nil } ?? .string(text.lowercased())
        case ("doubleValue", .int(let number)): result[name] = .double(Double(number))
        case ("geoPointValue", _):
          result[name] = ["latitude": degrees(item["latitude"]), "longitude": degrees(item["longitude"])]
        default: result[name] = walk(item, isOfSeveral)
        }
      }
      return .object(result)
    case .string(let text):
      // A name with an id that the server chose: no id of the traffic is so long.
      if let chosen = text.wholeMatch(of: /(projects\/.*\/)[A-Za-z0-9]{20}/) { return .string(chosen.1 + "ID") }
      guard text.wholeMatch(of: /20[2-9]\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/) != nil, !text.hasPrefix("2020-01-01T")
      else {
        return value
      }
      return "NOW"
    default: return value
    }
  }

  private static func degrees(_ value: JSONValue?) -> JSONValue {
    switch value {
    case .int(let number)?: .double(Double(number))
    case .double(let number)?: .double(number)
    default: .double(0)
    }
  }

  private static func message(_ text: String, _ isOfSeveral: Bool) -> String {
    let isRefusal = text.contains(" for '") || text.contains("No matching allow statements")
    if text == "denied" || (isRefusal && isOfSeveral) { return "denied" }
    return String(text.replacing(/\(\d{16}\)/, with: "(TIME)").split(separator: " for '", maxSplits: 1).first ?? "")
  }
}
