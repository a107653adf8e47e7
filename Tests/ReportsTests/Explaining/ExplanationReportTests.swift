import JSON
import Reports
import RulesEngine
import Testing

@Suite struct ExplanationReportTests {
  @Test(arguments: Scenarios.all) func theWholeTree(_ scenario: Scenario) throws {
    let (explanation, ruleset) = try scenario.explanation()
    try Golden.expect(ExplanationReport(explanation, of: ruleset).text(Terminal(width: 100)), "explain-\(scenario.name).txt")
  }

  @Test(arguments: Scenarios.all) func valuesUnderTheSource(_ scenario: Scenario) throws {
    let (explanation, ruleset) = try scenario.explanation()
    var text = ""
    for condition in explanation.matches.flatMap(\.allows).compactMap(\.condition) {
      text += ValuesUnderSource(condition, in: ruleset.checked).text(Terminal(width: 90)) + "\n"
    }
    try Golden.expect(text, "values-\(scenario.name).txt")
  }

  @Test(arguments: Scenarios.all) func noFrameIsLongerThanAScreen(_ scenario: Scenario) throws {
    let (explanation, ruleset) = try scenario.explanation()
    for width in [40, 60, 100, 200] {
      for condition in explanation.matches.flatMap(\.allows).compactMap(\.condition) {
        let text = ValuesUnderSource(condition, in: ruleset.checked).text(Terminal(width: width))
        #expect(text.split(separator: "\n").count <= 36)
        #expect(!text.contains("\u{1B}") && !text.contains("\u{202E}"))
      }
    }
  }

  @Test func inColour() throws {
    for name in ["owner-stranger", "absent-claim"] {
      let scenario = try #require(Scenarios.all.first { $0.name == name })
      let (explanation, ruleset) = try scenario.explanation()
      let terminal = Terminal(hasColor: true, width: 90)
      var text = ExplanationReport(explanation, of: ruleset).text(terminal)
      for condition in explanation.matches.flatMap(\.allows).compactMap(\.condition) {
        text += ValuesUnderSource(condition, in: ruleset.checked).text(terminal)
      }
      try Golden.expect(text, "explain-\(name)-color.txt")
    }
  }

  @Test(arguments: ["owner-stranger", "functions", "absent-claim"]) func asJSON(_ name: String) throws {
    let scenario = try #require(Scenarios.all.first { $0.name == name })
    let (explanation, ruleset) = try scenario.explanation()
    let json = ExplanationReport(explanation, of: ruleset).json
    #expect(try JSONValue(parsing: json.serialized()) == json)
    try Golden.expect(json.serialized(pretty: true) + "\n", "explain-\(name).json")
  }
}
