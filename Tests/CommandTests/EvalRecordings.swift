import Foundation
import JSON
import Testing

/// Batches and queries that were put to the official emulator 1.19.9, answered by `rules-test eval`: verdict, message,
/// what else stands against a batch, and all documents afterwards (`Corpus/tools/record_eval.py`).
@Suite struct EvalRecordings {
  private static func lines() throws -> [JSONValue] {
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Corpus/eval.jsonl")
    return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map { try JSONValue(parsing: String($0)) }
  }

  @Test func evalAnswersAsTheEmulatorDoes() throws {
    let lines = try Self.lines()
    #expect(lines.count >= 200)
    let questions = lines.map { ($0["question"] ?? .null).serialized() }.joined(separator: "\n")
    let folder = try Folder(["questions.jsonl": questions])
    let run = try Run(["eval", "--dialect", "emulator-1.19", "questions.jsonl"], in: folder.url)
    #expect(run.exitCode == 0, "\(run.errors)")
    let answers = run.output.split(separator: "\n")
    try #require(answers.count == lines.count)
    for (i, (line, text)) in zip(lines, answers).enumerated() {
      let answer = try JSONValue(parsing: String(text))
      #expect(answer["decision"] == line["decision"], "line \(i + 1)")
      #expect(answer["obstacle"]?["status"] == line["obstacle"], "line \(i + 1)")
      if let message = line["message"]?.stringValue {
        // Of several documents the emulator judges side by side: what it says first is not the same each time.
        let isSingle = (line["question"]?["writes"]?.arrayValue?.count ?? 1) == 1
        let said = answer["message"]?.stringValue ?? ""
        #expect(isSingle ? Self.reason(said) == Self.reason(message) : !said.isEmpty, "line \(i + 1)")
      }
      if let documents = line["documents"] {
        #expect(Self.normal(answer["documents"] ?? .null) == Self.normal(documents), "line \(i + 1)")
      }
    }
  }

  /// The first reason of a refusal.
  private static func reason(_ message: String) -> String {
    (message.components(separatedBy: " for '").first ?? message).trimmingCharacters(in: .newlines)
  }

  /// Documents by name, without times, projects and what may be left out.
  private static func normal(_ documents: JSONValue) -> [String: JSONValue] {
    var normal: [String: JSONValue] = [:]
    for document in documents.arrayValue ?? [] {
      normal[name(document["name"]?.stringValue ?? "")] = value(document["fields"] ?? [:])
    }
    return normal
  }

  private static func name(_ text: String) -> String {
    guard text.hasPrefix("projects/") else { return text }
    return text.split(separator: "/").dropFirst(5).joined(separator: "/")
  }

  private static func value(_ json: JSONValue) -> JSONValue {
    switch json {
    case .array(let items): return .array(items.map(value))
    case .object(let object):
      var normal = JSONObject()
      for (key, part) in object.members.sorted(by: { $0.key < $1.key }) {
        switch key {
        case "referenceValue": normal[key] = .string(name(part.stringValue ?? ""))
        case "geoPointValue":
          normal[key] = [
            "latitude": .double(part["latitude"]?.doubleValue ?? 0), "longitude": .double(part["longitude"]?.doubleValue ?? 0),
          ]
        case "doubleValue": normal[key] = part.doubleValue.map { .double($0) } ?? part
        case "arrayValue": normal[key] = ["values": value(part["values"] ?? [])]
        case "mapValue": normal[key] = ["fields": value(part["fields"] ?? [:])]
        default: normal[key] = value(part)
        }
      }
      return .object(normal)
    default: return json
    }
  }
}
