import Reports
import RulesEngine
import RulesSemantics
import RulesSyntax
import RulesTesting

/// Tests of rules that are there already: what they say today to their users, to others and to nobody.
///
/// Reads, queries and deletions of documents that are not there: what a condition asks of a document cannot be known. A
/// refusal for lack of a document is left out, since it says nothing.
struct RecordedTests {
  /// More paths are left to the person.
  private static let maximumPaths = 20
  private static let users = ["alice", "bob", "nobody"]

  private let rules: RulesFile
  private let name: String
  private let head: String
  private let path: String

  /// - Parameters:
  ///   - name: of the rules file.
  ///   - head: what names the rules and the database, where that is needed.
  ///   - path: where the tests will be.
  init(_ rules: RulesFile, name: String, head: String, path: String) {
    self.rules = rules
    self.name = name
    self.head = head
    self.path = path
  }

  var text: String {
    let (tests, users) = tests
    let text = start(for: users)
    // Whatever the rules are, what is written passes.
    let recorded = text + tests.joined(separator: "\n")
    return hasPassed(recorded) ? recorded : start(for: [])
  }

  /// - Parameter users: others are not declared, since nobody would need them.
  private func start(for users: Set<String>) -> String {
    var declarations = ""
    if users.contains("alice") {
      declarations += "user alice = password({ email: 'alice@example.com', email_verified: true });\n"
    }
    if users.contains("bob") { declarations += "user bob = google();\n" }
    return """
      // Tests of \(name). Run them: rules-test
      //
      // They say what the rules say today, about documents that are not there. Read each line: is it what you mean?
      // Then add documents and writes:
      //
      //   given /PATH { field: 'value' };
      //   allow update /PATH { field: 'other' } as alice;

      \(head)// A user's uid is the name; `nobody` is signed out.
      \(declarations)

      """
  }

  // MARK: What is asked

  private struct Place {
    let pattern: String
    let document: String
  }

  private var places: [Place] {
    var places: [Place] = []
    func collect(_ match: CheckedMatch, _ outer: [MatchSegment]) {
      let segments = outer + match.segments
      if !match.allows.isEmpty, let place = Self.place(segments.dropFirst(3)),
        !places.contains(where: { $0.document == place.document })
      {
        places.append(place)
      }
      for child in match.children { collect(child, segments) }
    }
    for service in rules.ruleset?.checked.services ?? [] where service.kind == .firestore {
      for match in service.matches { collect(match, []) }
    }
    return Array(places.prefix(Self.maximumPaths))
  }

  /// A document that a pattern covers; `nil` where it covers none.
  private static func place(_ segments: ArraySlice<MatchSegment>) -> Place? {
    var ids: [String] = []
    var pattern = ""
    for segment in segments {
      switch segment {
      case .literal(let text):
        ids.append(text)
        pattern += "/" + text
      case .capture(_, let name):
        let isUser = ["uid", "user"].contains { name.lowercased().contains($0) }
        ids.append(isUser ? "alice" : name + "1")
        pattern += "/{\(name)}"
      case .glob(_, let name):
        ids += ids.count % 2 == 0 ? ["others", "\(name)1"] : ["\(name)1"]
        pattern += "/{\(name)=**}"
      }
    }
    let isPlain = ids.allSatisfy { id in
      !id.isEmpty
        && id.utf8.allSatisfy {
          $0 == 0x5F || $0 == 0x2D || ($0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A) || ($0 >= 0x30 && $0 <= 0x39)
        }
    }
    guard isPlain, !ids.isEmpty, ids.count % 2 == 0 else { return nil }
    return Place(pattern: pattern, document: "/" + ids.joined(separator: "/"))
  }

  // MARK: What is answered

  private var tests: (texts: [String], users: Set<String>) {
    var texts: [String] = []
    var users: Set<String> = []
    for place in places {
      let collection = place.document.split(separator: "/").dropLast().map { "/" + $0 }.joined()
      var steps: [String] = []
      for step in ["get \(place.document)", "list \(collection)", "delete \(place.document)"] {
        for (verdict, those) in answers(step) where !those.isEmpty {
          steps.append("  \(verdict) \(step) as \(those.joined(separator: ", "));\n")
          users.formUnion(those)
        }
      }
      if !steps.isEmpty { texts.append("test '\(place.pattern)' {\n\(steps.joined())}\n") }
    }
    return (texts, users)
  }

  /// Who is allowed a step, and who is denied it.
  private func answers(_ step: String) -> [(verdict: String, users: [String])] {
    var allowed: [String] = []
    var denied: [String] = []
    for user in Self.users {
      let result = run(start(for: [user]) + "test 't' { deny \(step) as \(user); }\n")
      guard let answer = result.tests.first?.steps.first, answer.mistake == nil, answer.warnings.isEmpty,
        let verdict = answer.verdicts.first
      else { continue }
      if verdict.decision.isAllowed { allowed.append(user) } else { denied.append(user) }
    }
    return [("allow", allowed), ("deny", denied)]
  }

  private func run(_ text: String) -> FileResult {
    Runner().run(TestFile.load(SourceFile(name: path, text: text)), rules)
  }

  private func hasPassed(_ text: String) -> Bool {
    let result = run(text)
    return result.canRun && SuiteResult(files: [result]).hasPassed
  }
}
