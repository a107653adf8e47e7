import RulesSyntax
import Testing

@testable import RulesSemantics

/// Large and hostile files: a clear answer in a time that grows with the file.
@Suite struct BoundsTests {
  private static func source(_ body: String) -> String {
    "rules_version = '2';\nservice cloud.firestore {\n\(body)\n}"
  }

  private static func time(_ source: String) -> (Duration, Check) {
    let clock = ContinuousClock()
    let file = SourceFile(name: "large.rules", text: source)
    let start = clock.now
    let check = Check.check(file)
    return (clock.now - start, check)
  }

  @Test func tenThousandLinesOfFunctionsAndMatchesAreChecked() {
    var body = ""
    for i in 0..<3400 {
      body += """
        match /c\(i)/{id} {
          function own(x) { let y = x.data; return y.owner == request.auth.uid && id == 'a\(i)'; }
          allow get: if own(resource) && request.auth != null; }\n
        """
    }
    let (time, check) = Self.time(Self.source(body))
    #expect(check.ruleset?.functions.count == 3400)
    #expect(check.diagnostics.isEmpty)
    #expect(time < .seconds(30))
  }

  @Test func aChainOfTenThousandCallsNeedsNoStack() {
    let count = 10_000
    var body = (0..<count).map { "function f\($0)(x) { return f\($0 + 1)(x + 1) && x; }" }.joined(separator: "\n")
    body += "\nfunction f\(count)(x) { return x; } match /a/{b} { allow get: if f0(1); }"
    let (time, check) = Self.time(Self.source(body))
    #expect(check.diagnostics.contains { $0.id == "calls-too-deep" })
    #expect(time < .seconds(30))
  }

  @Test func aCycleOfTenThousandCallsEnds() {
    let count = 10_000
    let body =
      (0..<count).map { "function f\($0)(x) { return f\(($0 + 1) % count)(x); }" }.joined(separator: "\n")
      + "\nmatch /a/{b} { allow get: if f0(1); }"
    let (time, check) = Self.time(Self.source(body))
    #expect(check.diagnostics.contains { $0.id == "call-cycle" })
    #expect(time < .seconds(30))
  }

  /// Every path through this graph would be a million times a million; the official compiler tries them all.
  @Test func callsThatBranchAreFollowedOnce() {
    let body =
      (0..<20).map { "function f\($0)(x) { return f\($0 + 1)(x) && f\($0 + 1)(!x) && f\($0 + 1)(x) == 1; }" }
      .joined(separator: "\n") + "\nfunction f20(x) { return x; } match /a/{b} { allow get: if f0(true); }"
    let (time, check) = Self.time(Self.source(body))
    #expect(check.ruleset != nil)
    #expect(time < .seconds(10))
  }

  @Test(arguments: [(20, true), (21, false)])
  func twentyCallsDeepIsTheEnd(_ calls: Int, _ isAccepted: Bool) {
    let body =
      (0..<calls).map { "function f\($0)() { return f\($0 + 1)(); }" }.joined(separator: "\n")
      + "\nfunction f\(calls)() { return true; } match /a/{b} { allow get: if f0(); }"
    #expect((Self.time(Self.source(body)).1.ruleset != nil) == isAccepted)
  }

  @Test(arguments: [(11, true), (12, false)])
  func elevenMatchesDeepIsTheEnd(_ depth: Int, _ isAccepted: Bool) {
    let body =
      (0..<depth).map { "match /c\($0)/d { " }.joined() + "allow get;" + String(repeating: "}", count: depth)
    #expect((Self.time(Self.source(body)).1.ruleset != nil) == isAccepted)
  }

  @Test(arguments: [(7, 11, 20, 100, true), (8, 0, 1, 1, false), (0, 12, 1, 1, false), (0, 0, 21, 1, false), (0, 0, 1, 101, false)])
  func otherLimits(_ parameters: Int, _ lets: Int, _ captures: Int, _ segments: Int, _ isAccepted: Bool) {
    let body = """
      function f(\((0..<parameters).map { "p\($0)" }.joined(separator: ", "))) {
        \((0..<lets).map { "let v\($0) = \($0);" }.joined(separator: " ")) return true;
      }
      match \((0..<captures).map { "/{c\($0)}" }.joined()) { allow get: if f(); }
      match \((0..<segments).map { "/s\($0)" }.joined()) { allow get; }
      """
    #expect((Self.time(Self.source(body)).1.ruleset != nil) == isAccepted)
  }
}
