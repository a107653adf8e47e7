import Foundation
import JSON
import RulesTesting
import RulesValues
import Testing

/// `Corpus/test-api.jsonl`: what the production Rules Test API said, as published.
@Suite struct ProductionVerdicts {
  static let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
    path: "../../../Corpus/test-api.jsonl")

  static let scenarios: [JSONValue] = {
    guard let text = try? Data(contentsOf: file) else { return [] }
    return text.split(separator: 0x0A).compactMap { try? JSONValue(parsing: Array($0)) }
  }()

  @Test func `all recorded cases are there`() {
    let cases = Self.scenarios.map { $0["production"]?.arrayValue?.count ?? 0 }
    #expect(Self.scenarios.count == 34)
    #expect(cases.reduce(0, +) == 272)
  }

  @Test(arguments: scenarios.indices) func `a case is judged as production judges it`(_ index: Int) throws {
    let scenario = Self.scenarios[index]
    let request: JSONValue = ["source": scenario["source"] ?? .null, "testSuite": scenario["testSuite"] ?? .null]
    let answer = try RulesTestAPI.answer(request, now: Timestamp(seconds: 1_767_225_600))
    let results = try #require(answer["testResults"]?.arrayValue, "\(answer.serialized())")
    let recorded = scenario["production"]?.arrayValue ?? []
    #expect(results.count == recorded.count)
    for (result, recorded) in zip(results, recorded) {
      let title = recorded["title"]?.stringValue ?? ""
      #expect(result["state"] == "SUCCESS", "\(title): \(result.serialized())")
      if let message = recorded["message"] { #expect(result["debugMessages"] == [message], "\(title)") }
    }
  }
}
