import Isolation
import JSON
import RulesSyntax

/// An attack of several steps, as a story and as JSON.
enum AttackText {
  static func add(_ attack: Attack, _ rules: SourceFile, to page: inout Page) {
    let target = attack.target.witness(attack.documents, attack.time)
    var head = StyledLine("ATTACK", .badBold)
    head.add("  what is refused is allowed after \(Counted.text(attack.steps.count, "write")) of the attacker's")
    page.add(head)
    page.add(StyledLine("        \(SafeText.line(rules.name)):\(attack.target.line ?? 1)", .place))
    page.gap()
    for (path, fields) in attack.documents.sorted(by: { $0.key.relative < $1.key.relative }) {
      page.add(StyledLine("        given \(SafeText.line(path.relative)) \(WitnessText.data(fields))"))
    }
    page.add(step("refused:", target))
    var documents = attack.documents
    for step in attack.steps {
      page.add(self.step("allowed:", step.witness(documents, attack.time), step.line))
      documents = step.applied(to: documents)
    }
    page.add(step("then allowed:", target, attack.target.line))
    guard let test = test(attack, rules) else { return }
    page.gap()
    page.add(StyledLine("        As a test, which fails until the rules refuse the last write:"))
    for line in test { page.add(StyledLine("          " + line, .code)) }
  }

  private static func step(_ word: String, _ request: Witness, _ line: Int? = nil) -> StyledLine {
    var text = StyledLine("        \(word) ")
    text.add(WitnessText.step(request), .bold)
    text.add(" as \(SafeText.line(Caller(request.auth).line))")
    if let line { text.add("   line \(line)", .dim) }
    return text
  }

  private static func test(_ attack: Attack, _ rules: SourceFile) -> [String]? {
    guard let last = attack.steps.last else { return nil }
    let documents = attack.steps.dropLast().reduce(attack.documents) { $1.applied(to: $0) }
    let leak = Leak(
      witness: last.witness(documents, attack.time), lines: last.line.map { [$0] } ?? [], dialect: .live)
    return WitnessTest(
      leak, of: rules, title: "nobody comes to \(attack.target.method.rawValue) \(attack.target.path.relative)"
    ).lines()
  }

  static func json(_ attack: Attack, _ rules: SourceFile) -> JSONValue {
    var documents = attack.documents
    var steps: [JSONValue] = []
    for step in attack.steps {
      steps.append(WitnessText.json(step.witness(documents, attack.time)))
      documents = step.applied(to: documents)
    }
    return [
      "file": .string(rules.name), "line": .int(Int64(attack.target.line ?? 1)), "steps": .array(steps),
      "lines": .array(attack.steps.map { .int(Int64($0.line ?? 1)) }),
      "target": WitnessText.json(attack.target.witness(documents, attack.time)),
      "test": test(attack, rules).map { .string($0.joined(separator: "\n")) } ?? .null,
    ]
  }
}
