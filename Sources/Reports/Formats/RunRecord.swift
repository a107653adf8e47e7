import RulesEngine
import RulesSyntax
import RulesTesting

/// What became of a run, laid flat: cases that passed or failed, and problems with places. Every format but the human
/// one and JSON is written from this, so that no two tell different stories.
public struct RunRecord: Sendable {
  /// What a dashboard counts: a test, an invariant, or a file that could not be used.
  public struct Case: Sendable {
    public enum Outcome: Sendable, Equatable {
      case passed
      /// It was judged, and came otherwise than expected.
      case failed
      /// It could not be judged: a mistake in the test, a file that does not compile.
      case errored
      /// Nobody knows: never to be taken for passed. The text says why.
      case undecided(String)
    }

    public let name: String
    /// From 1.
    public let line: Int
    public let outcome: Outcome
    public let problems: [Problem]
    /// The whole story, as the human report tells it.
    public let details: String
    /// `nil` where nothing ran.
    public internal(set) var duration: Duration?

    public var isFailure: Bool { outcome == .failed || outcome == .errored }
  }

  /// Something to mend, or to look at.
  public struct Problem: Sendable {
    /// Stable, in kebab case.
    public let id: String
    public let severity: Diagnostic.Severity
    /// One line of foreign text that is not yet fit for any place.
    public let message: String
    public var notes: [String] = []
    public let file: String
    /// `nil`: the file as a whole.
    public let range: SourceRange?
    /// Places that have to do with it: the condition of the rules that decided.
    public var related: [Place] = []

    public struct Place: Sendable, Equatable {
      public let file: String
      public let range: SourceRange
      public let message: String
    }
  }

  /// The cases of one test file.
  public struct File: Sendable {
    public let name: String
    public internal(set) var cases: [Case]
    /// Findings that fail no case.
    public let warnings: [Problem]

    public var duration: Duration { cases.reduce(.zero) { $0 + ($1.duration ?? .zero) } }
  }

  public internal(set) var files: [File]
  /// Whether the run as a whole may be called a success.
  public let hasPassed: Bool

  public var cases: [Case] { files.flatMap(\.cases) }
  /// Errors first, each kind in the order of the run.
  public var problems: [Problem] {
    let all = files.flatMap { $0.cases.flatMap(\.problems) + $0.warnings }
    return all.filter { $0.severity == .error } + all.filter { $0.severity == .warning }
  }

  /// The same with every duration left out, for texts that must not change from run to run.
  public var withoutDurations: RunRecord {
    var copy = self
    for i in copy.files.indices {
      for j in copy.files[i].cases.indices { copy.files[i].cases[j].duration = nil }
    }
    return copy
  }
}
