import Testing

@testable import RulesPatterns

@Suite("Patterns answer as the official emulator did")
struct RecordedAnswersTests {
  /// Every recorded question, put to both engines together and to the automaton alone.
  @Test("every recorded answer is repeated", arguments: [Pattern.Engine.any, .automatonOnly])
  func repeatsEveryAnswer(engine: Pattern.Engine) throws {
    let answers = try RecordedAnswer.all()
    #expect(answers.count >= 3000)
    var misses: [String] = []
    var compiled: [[UInt8]: Result<Pattern, PatternError>] = [:]
    for answer in answers {
      let pattern = compiled[answer.pattern] ?? Self.compile(answer.pattern, engine: engine)
      compiled[answer.pattern] = pattern
      let ours = Self.ours(answer, pattern)
      let official = Self.official(answer)
      if ours != official { misses.append("\(answer.description), but ours is \(ours)") }
    }
    // Unrolled, these have more states than the automaton may have; PCRE2 answers them.
    if engine == .automatonOnly { misses.removeAll { $0.contains("/(?:a{1000}){1000}/") && $0.hasSuffix("(RulesPatterns.PatternFailure.tooComplex)") } }
    #expect(misses.isEmpty, "\(misses.count) of \(answers.count):\n\(misses.prefix(20).joined(separator: "\n"))")
  }

  enum Outcome: Equatable {
    case valid
    case refused(String)
    case value(RecordedAnswer.Field)
    case failed(PatternFailure)
  }

  private static func official(_ answer: RecordedAnswer) -> Outcome {
    if answer.operation == "compile" {
      if case .string(let sentence)? = answer.fields["error"] { return .refused(String(decoding: sentence, as: UTF8.self)) }
      return .valid
    }
    if answer.fields["crash"] == .bool(true) { return .failed(.invalidReplacement) }
    return .value(answer.fields["value"] ?? .null)
  }

  private static func compile(_ source: [UInt8], engine: Pattern.Engine) -> Result<Pattern, PatternError> {
    do throws(PatternError) {
      return .success(try Pattern(wtf8: source, engine: engine))
    } catch {
      return .failure(error)
    }
  }

  private static func ours(_ answer: RecordedAnswer, _ compiled: Result<Pattern, PatternError>) -> Outcome {
    let pattern: Pattern
    switch compiled {
    case .success(let valid): pattern = valid
    case .failure(let error): return .refused(error.officialMessage)
    }
    do throws(PatternFailure) {
      let text = answer.bytes("text")
      switch answer.operation {
      case "matches": return .value(.bool(try pattern.matches(text)))
      case "replace": return .value(.string(try pattern.replace(text, with: answer.bytes("with"))))
      case "split": return .value(.list(try pattern.split(text).map { .string($0) }))
      default: return .valid
      }
    } catch {
      return .failed(error)
    }
  }
}
