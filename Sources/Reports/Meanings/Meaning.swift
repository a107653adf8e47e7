/// What a finding means: why it comes, and what mends it.
public struct Meaning: Sendable, Equatable {
  /// As reports have it, in kebab case.
  public let id: String
  /// In one sentence.
  public let cause: String
  public let cure: String

  init(_ id: String, _ cause: String, _ cure: String) {
    self.id = id
    self.cause = cause
    self.cure = cure
  }

  /// Without the marks of a page.
  public var plainCause: String { Self.plain(cause) }
  public var plainCure: String { Self.plain(cure) }

  private static func plain(_ text: String) -> String {
    text.replacing("\\|", with: "|").replacing("*", with: "").replacing("`", with: "")
  }
}

/// Every id that a person can meet. `docs/errors.md` is made of it.
public enum Meanings {
  /// What findings are about.
  public struct Chapter: Sendable {
    public let title: String
    /// What holds for all of them.
    public let introduction: String
    public let meanings: [Meaning]
  }

  public static let chapters: [Chapter] = [
    Chapter(
      title: "Rules that cannot be read",
      introduction: "Errors of the parser, in the words of the official compiler. The rules are in force nowhere.",
      meanings: syntax),
    Chapter(
      title: "Rules that do not compile",
      introduction: "Errors beyond the grammar, in the official words. The rules are in force nowhere.",
      meanings: compiling),
    Chapter(
      title: "Rules that compile, with a warning",
      introduction:
        "The official compiler warns and goes on; at run time most of these are an error, which denies.",
      meanings: warnings),
    Chapter(
      title: "What `lint` finds",
      introduction: "What rules can do and what is seldom meant. More in [lint.md](lint.md).",
      meanings: lint),
    Chapter(
      title: "Test files that cannot be read",
      introduction: "Errors in the grammar of the test language. Nothing of the file is run.", meanings: testSyntax),
    Chapter(
      title: "Test files that make no sense",
      introduction:
        "Names, paths and values that cannot be meant as they stand. Nothing of the file is run, or not the step.",
      meanings: testMeaning),
    Chapter(
      title: "Warnings about tests",
      introduction: "The tests are run all the same; they may show less than they seem to.",
      meanings: testWarnings),
    Chapter(
      title: "Results", introduction: "What became of steps, invariants and files, in reports for machines.",
      meanings: results),
  ]

  /// Empty for what is no id; several where rules and test files share a name.
  public static func of(_ id: String) -> [Meaning] { chapters.flatMap(\.meanings).filter { $0.id == id } }

  /// In the order of the chapters, some of them twice.
  public static var ids: [String] { chapters.flatMap(\.meanings).map(\.id) }
}
