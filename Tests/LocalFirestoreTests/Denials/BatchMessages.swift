import Foundation
import JSON
import LocalFirestore
import RulesEngine
import RulesValues
import Testing

/// `Corpus/batch-messages.jsonl`: what the official emulator 1.19.9 says to several writes made together.
@Suite struct BatchMessageTests {
  private static let corpus = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Corpus/batch-messages.jsonl")

  @Test func `the message has the first pass of every write, then what the documents decide`() throws {
    let lines = try Data(contentsOf: Self.corpus).split(separator: 0x0A).map { try JSONValue(parsing: Array($0)) }
    let scene = try #require(lines.first)
    let firestore = LocalFirestore(
      project: "batch-messages", clock: ManualClock(Timestamp(seconds: 1_767_225_600)), dialect: .emulator1_19)
    let rules = try Ruleset(scene["rules"]?.stringValue ?? "")
    let client = firestore.client(as: Auth(uid: "u1"))
    var same = 0
    for line in lines.dropFirst() {
      try firestore.clear()
      firestore.setRules(rules)
      for (path, fields) in scene["documents"]?.objectValue?.members ?? [] {
        let path = try #require(ResourcePath(relative: path))
        try firestore.seed(path, try DataValue.fields(rest: fields))
      }
      let writes = try (line["writes"]?.arrayValue ?? []).map { try Write(rest: $0) }
      let judgement = try client.judge(writes)
      guard let official = line["message"]?.stringValue else {
        #expect(judgement.isAllowed && judgement.denial == nil, "\(line.serialized())")
        continue
      }
      let denial = try #require(judgement.denial, "\(line.serialized())")
      #expect(!judgement.isAllowed)
      if denial.wireMessage == official { same += 1 }
      // The emulator's order of the second passes is its own: what it says there, up to the first refusal, is in no
      // order of ours, and we may name another write that is refused.
      let (ours, theirs) = (Self.entries(denial.message), Self.entries(official))
      let first = try firstPass(writes, rules, firestore)
      #expect(Array(ours.prefix(first)) == Array(theirs.prefix(first)), "\(line.serialized())")
      #expect((ours.count > first) == (theirs.count > first), "\(line.serialized())")
    }
    #expect(lines.count == 401)
    // As often as the orders agree.
    #expect(same >= 250)
  }

  private static func entries(_ message: String) -> [String] {
    message.split(separator: "\n").joined().components(separatedBy: ", ")
  }

  /// How many entries the first pass has.
  private func firstPass(_ writes: [Write], _ rules: Ruleset, _ firestore: LocalFirestore) throws -> Int {
    let judgements = try firestore.client(as: Auth(uid: "u1")).judge(writes).judgements
    var count = 0
    for judgement in judgements {
      let passes = rules.evaluator(dialect: .emulator1_19).officialPasses(of: judgement.request, DocumentTable())
      count += passes.first.count
      if passes.isDecidedFirst, !passes.isAllowed { break }
    }
    return count
  }
}
