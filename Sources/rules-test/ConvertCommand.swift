import JSON
import Reports
import RulesSyntax
import RulesTesting

enum ConvertCommand: Command {
  static let name = "convert"
  static let summary = "Turn a TestSuite of the Rules API into tests, and back"
  static let usage = ["convert SUITE.json [--rules FILE] [--output FILE]", "convert TEST_FILE [--output FILE]"]
  static let details = """
    Of a TestSuite every case becomes a test; what the case mocks are documents. Of a test file every step becomes a case
    for each of its users, with the documents that are there then; what the rules look up becomes mocks. Both are judged
    before: a case that a database and the Rules API would decide otherwise is left out. What is left out or changed is
    told on standard error, with its place and why; then the exit code is 1.
    With --output the rules that a suite brings are written beside the tests, under the name that they look for.

      rules-test convert suite.json --output firestore_test.rules
      rules-test convert firestore_test.rules --output suite.json
    """
  static let options = [
    OptionSpec(name: "--rules", value: "FILE", help: "the rules, in place of those in the suite"),
    OptionSpec(name: "--output", short: "-o", value: "FILE", help: "where the result goes; standard output without it"),
    .color, .help,
  ]

  static func run(_ options: Options) throws(UsageError) -> ExitCode {
    guard options.operands.count == 1, let path = options.operands.first else {
      throw UsageError("convert takes one file.", usage[0])
    }
    return path.hasSuffix(Project.testSuffix) ? try toSuite(path, options) : try toTests(path, options)
  }

  // MARK: Tests

  private static func toTests(_ path: String, _ options: Options) throws(UsageError) -> ExitCode {
    let (suite, given, _) = try TestSuiteCommand.load(path, options["--rules"])
    let output = options["--output"]
    if let output, !output.hasSuffix(Project.testSuffix) {
      throw UsageError("Tests are in files named *\(Project.testSuffix), not '\(output)'.")
    }
    let beside = output.map { String($0.dropLast(Project.testSuffix.count)) + ".rules" }
    // Rules that are elsewhere have to be named.
    let named = try given.flatMap { (rules) throws(UsageError) in
      rules.name == beside ? nil : try place(of: rules.name, from: output ?? "")
    }
    let conversion: SuiteToTests
    do {
      conversion = try SuiteToTests(suite, rules: given, rulesName: output == nil ? nil : named)
    } catch {
      throw UsageError("\(path): \(error.description)")
    }
    if let beside, given == nil, let source = suite.source {
      if Files.kind(beside) != .missing, try Files.read(beside) != source.utf8 {
        throw UsageError(
          "The rules of the suite are not those in \(beside), which the tests would be about.",
          "Give another --output, or --rules \(beside) to take those.")
      }
      try Files.replace(beside, with: source.text)
    }
    try write(conversion.text, output)
    return tell(
      conversion.losses, in: path, "\(conversion.converted.count) of \(suite.cases.count) cases became tests.")
  }

  /// A path as a file elsewhere names it.
  private static func place(of path: String, from file: String) throws(UsageError) -> String {
    if path.hasPrefix("/") { return path }
    var here = path.split(separator: "/").filter { $0 != "." }[...]
    var there = file.split(separator: "/").filter { $0 != "." }.dropLast()
    while let first = here.first, first == there.first, here.count > 1 {
      here.removeFirst()
      there.removeFirst()
    }
    guard !file.hasPrefix("/"), !there.contains("..") else {
      throw UsageError("The tests would not find \(path) from there.", "Give an --output in this folder.")
    }
    return (there.map { _ in ".." } + here).joined(separator: "/")
  }

  // MARK: A suite

  private static func toSuite(_ path: String, _ options: Options) throws(UsageError) -> ExitCode {
    if options.has("--rules") { throw UsageError("--rules has no place here: the test file says which they are.") }
    let pair: Project.Pair
    do throws(FileError) { pair = try Project.load(path) } catch { throw UsageError(error.description) }
    guard pair.rules.ruleset != nil else {
      throw UsageError("The rules do not compile.", "rules-test check \(SafeText.shellWord(pair.rules.file.name))")
    }
    guard !pair.test.hasErrors else {
      throw UsageError("The test file has errors.", "rules-test \(SafeText.shellWord(path))")
    }
    let conversion = TestsToSuite(pair.test, pair.rules)
    try write(conversion.json.serialized(pretty: true) + "\n", options["--output"])
    return tell(conversion.losses, in: path, "The steps became \(conversion.converted) cases.")
  }

  // MARK: Both

  private static func write(_ text: String, _ output: String?) throws(UsageError) {
    if let output { try Files.replace(output, with: text) } else { Console.write(text) }
  }

  private static func tell(_ losses: [ConversionLoss], in path: String, _ summary: String) -> ExitCode {
    for loss in losses {
      let place =
        switch loss.place {
        case .json(let member): "\(path): \(member)"
        case .source(let position): "\(path):\(position.line):\(position.column)"
        }
      Console.write("\(SafeText.line("\(place): \(loss.description)"))\n", to: .errors)
    }
    Console.write("\(summary)\n", to: .errors)
    return losses.isEmpty ? .fine : .failed
  }
}
