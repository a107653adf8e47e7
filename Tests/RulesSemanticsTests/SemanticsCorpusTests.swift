import JSON
import RulesSemantics
import Testing

/// Random and hand-written rulesets of `Corpus/semantics.jsonl` with the findings of the official emulator 1.19.9.
@Suite struct SemanticsCorpusTests {
  @Test func everyRecordedRulesetIsJudgedAlikeButForTheKnownMisses() throws {
    let lines = try Recordings.lines("semantics.jsonl")
    #expect(lines.count >= 1500)
    let known = Set(
      try Recordings.text("semantics-known-misses.md").split(separator: "\n").compactMap { line in
        line.hasPrefix("- seed ") ? Int64(line.dropFirst(7).prefix { $0.isNumber }) : nil
      })
    var misses: [Int64] = []
    for line in lines {
      let errors = line["errors"]?.arrayValue
      let official = Outcome(
        isRefused: errors != nil,
        findings: (errors ?? line["warnings"]?.arrayValue ?? []).compactMap(\.stringValue))
      let source = line["src"]?.stringValue ?? ""
      let ours = Outcome(checking: source)
      if ours == official { continue }
      let seed = line["seed"]?.intValue ?? 0
      misses.append(seed)
      if known.contains(seed) { continue }
      let missing = official.findings.filter { !ours.findings.contains($0) }
      let invented = ours.findings.filter { !official.findings.contains($0) }
      Issue.record("seed \(seed):\n\(source)\nmissing: \(missing)\ninvented: \(invented)")
    }
    print("semantics.jsonl: \(lines.count - misses.count) of \(lines.count) equal")
    #expect(Set(misses) == known, "the list of known misses names seeds that agree now")
  }
}
