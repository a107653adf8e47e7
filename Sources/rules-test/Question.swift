import Identity
import JSON
import Reports
import RulesEngine
import RulesSyntax
import RulesTesting
import RulesValues

/// One request as the command line puts it, as a test of one step: so that it means what it would mean in a test.
struct Question {
  let testFile: TestFile
  /// Users whose tokens were given as they are.
  let callers: [String: Auth]

  private static let callerName = "caller"

  init(method: StepOperation, path: String, _ options: Options) throws(UsageError) {
    let document = try DocumentName(path)
    let data = try Self.data(method, options["--data"]).map { " \($0)" } ?? ""
    try self.init("\(method.rawValue) \(document.literal)\(data)", database: document.database, options)
  }

  /// - Parameters:
  ///   - query: `list` or `count`.
  ///   - text: the collection and what follows it in the test language.
  init(query: String, _ text: String, _ options: Options) throws(UsageError) {
    if options.has("--data") { throw UsageError("\(query) takes no --data.") }
    try self.init("\(query) \(text.hasPrefix("/") ? "" : "/")\(text)", database: nil, options)
  }

  /// - Parameter request: as it stands in a step.
  private init(_ request: String, database: String?, _ options: Options) throws(UsageError) {
    let given = try options["--given"].map(Given.init)
    let database = options["--database"] ?? database
    var text = ""
    switch given {
    case .test(let file):
      if database != nil { throw UsageError("The database is that of the test file given.") }
      text = file.text + "\n"
    case .documents(let documents):
      if let database { text += "database \(Self.quoted(database));\n" }
      for (name, fields) in documents { text += "given \(name.literal) \(fields);\n" }
    case nil:
      if let database { text += "database \(Self.quoted(database));\n" }
    }
    let caller = try Self.caller(options, given)
    text += caller.declaration
    callers = caller.tokens
    text += "test 'request' {\n"
    if let now = options["--now"] { text += "  at timestamp.value(\(try Self.milliseconds(now)));\n" }
    text += "  allow \(request) as \(caller.name);\n}\n"
    testFile = TestFile.load(SourceFile(name: given?.name ?? "(command line)", text: text))
  }

  // MARK: Who asks

  /// The name in the test, and what has to be said about it there.
  private static func caller(
    _ options: Options, _ given: Given?
  ) throws(UsageError) -> (name: String, declaration: String, tokens: [String: Auth]) {
    if let text = options["--auth"] {
      if options.has("--as") { throw UsageError("Of --as and --auth only one can be given.") }
      guard let auth = try auth(text) else { return ("nobody", "", [:]) }
      return (callerName, "user \(callerName) = custom();\n", [callerName: auth])
    }
    let text = options["--as"] ?? "nobody"
    if text == "nobody" || given?.users.contains(text) == true { return (text, "", [:]) }
    let parenthesis = text.firstIndex(of: "(")
    if let equals = text.firstIndex(of: "="), equals < parenthesis ?? text.endIndex {
      let name = trimmed(text[..<equals])
      let expression = trimmed(text[text.index(after: equals)...])
      guard isIdentifier(name) else {
        throw UsageError(
          "'\(name)' is no name for a user: letters, digits and _.",
          "Another uid is an option: --as \"custom({ uid: '\(name)' })\"")
      }
      return (name, "user \(name) = \(expression);\n", [:])
    }
    if parenthesis != nil { return (callerName, "user \(callerName) = \(text);\n", [:]) }
    if let known = given?.users, let nearest = Suggestion.nearest(to: text, among: known) {
      throw UsageError(
        "\(given?.name ?? "") has no user '\(text)'. Did you mean '\(nearest)'?",
        "Another one is written --as \"password({ uid: '\(text)' })\".")
    }
    guard !text.isEmpty else { throw UsageError("--as needs a user; 'nobody' is signed out.") }
    return (callerName, "user \(callerName) = password({ uid: \(quoted(text)) });\n", [:])
  }

  private static func auth(_ text: String) throws(UsageError) -> Auth? {
    let json = try json(try content(text), "--auth")
    if json.isNull { return nil }
    guard let object = json.objectValue, let uid = object["uid"]?.stringValue,
      object.keys.allSatisfy({ $0 == "uid" || $0 == "token" })
    else {
      throw UsageError("--auth must be an object with uid and token.", "--auth '{\"uid\": \"alice\", \"token\": {\"admin\": true}}'")
    }
    do {
      let token = object["token"] ?? [:]
      let claims = token.objectValue.map { .object($0.withWholeNumbers) } ?? token
      return Auth(uid: uid, token: try DataValue.fields(plain: claims, path: "token"))
    } catch {
      throw UsageError("--auth: \(error.description)")
    }
  }

  // MARK: What is written

  private static func data(_ method: StepOperation, _ text: String?) throws(UsageError) -> String? {
    guard method.takesData else {
      if text != nil { throw UsageError("\(method.rawValue) takes no --data.") }
      return nil
    }
    guard let text else {
      throw UsageError("\(method.rawValue) needs the fields that are written.", "--data '{\"title\": \"New\"}'")
    }
    let content = trimmed(try content(text)[...])
    guard content.hasPrefix("{") else {
      throw UsageError("--data must be a map, as JSON or in the test language.", "--data '{\"title\": \"New\"}'")
    }
    guard let json = try? JSONValue(parsing: content) else { return content }
    do {
      return DataText.text(try DataValue(plain: json), width: .max)
    } catch {
      throw UsageError("--data: \(error.description)")
    }
  }

  private static func milliseconds(_ text: String) throws(UsageError) -> Int64 {
    if let number = Int64(text) { return number }
    guard let time = Timestamp(rfc3339: text) ?? Timestamp(rfc3339: text + "T00:00:00Z") else {
      throw UsageError("--now cannot be '\(text)'.", "Write 2026-01-01, 2026-01-01T12:00:00Z or milliseconds since 1970.")
    }
    return time.milliseconds
  }

  // MARK: Texts

  /// The text itself, or of `@FILE` what is in the file.
  static func content(_ text: String) throws(UsageError) -> String {
    guard text.hasPrefix("@") else { return text }
    return String(decoding: try Files.read(String(text.dropFirst())), as: UTF8.self)
  }

  static func json(_ text: String, _ name: String) throws(UsageError) -> JSONValue {
    do {
      return try JSONValue(parsing: text)
    } catch {
      throw UsageError("\(name) is no JSON: \(error.description).")
    }
  }

  static func quoted(_ text: String) -> String { DataText.text(.string(text), width: .max) }

  private static func isIdentifier(_ text: String) -> Bool {
    guard let first = text.utf8.first, !(0x30...0x39).contains(first) else { return false }
    return text.utf8.allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F: true
      default: false
      }
    }
  }

  private static func trimmed(_ text: Substring) -> String {
    var text = text
    while let first = text.first, first.isWhitespace { text.removeFirst() }
    while let last = text.last, last.isWhitespace { text.removeLast() }
    return String(text)
  }
}

/// A document's path on the command line: `/users/alice`, or with its database in front.
struct DocumentName {
  /// `nil`: none was given.
  let database: String?
  /// As the test language writes it.
  let literal: String

  init(_ text: String) throws(UsageError) {
    // Whoever writes expressions writes the test language.
    if text.contains("$(") {
      database = nil
      literal = text
      return
    }
    var segments = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    if segments.first == "" { segments.removeFirst() }
    if segments.count > 3, segments[0] == "databases", segments[2] == "documents" {
      database = segments[1]
      segments.removeFirst(3)
    } else {
      database = nil
    }
    guard !segments.isEmpty, !segments.contains("") else {
      throw UsageError("'\(text)' is no path of a document.", "A path is written like /users/alice, without a slash at its end.")
    }
    guard segments.count.isMultiple(of: 2) else {
      throw UsageError(
        "\(text) names a collection, not a document.", "A document's path has an even number of segments: /users/alice")
    }
    literal = segments.map { segment in
      let isPlain = segment.utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F, 0x2D: true
        default: false
        }
      }
      return isPlain ? "/\(segment)" : "/$(\(Question.quoted(segment)))"
    }.joined()
  }
}

/// The documents that are there before the request.
enum Given {
  case test(SourceFile)
  /// Fields in the test language.
  case documents([(name: DocumentName, fields: String)])

  init(_ path: String) throws(UsageError) {
    let file = try Files.source(path)
    if path.hasSuffix(".rules") {
      self = .test(file)
      return
    }
    let json = try Question.json(file.text, path)
    guard let object = json.objectValue else {
      throw UsageError("\(path) must be an object of documents.", "{ \"/users/alice\": { \"name\": \"Alice\" } }")
    }
    var documents: [(name: DocumentName, fields: String)] = []
    for (name, fields) in object.members {
      do {
        documents.append((try DocumentName(name), DataText.text(.map(try DataValue.fields(plain: fields)), width: .max)))
      } catch let error as UsageError {
        throw UsageError("\(path): \(error.message)", error.advice)
      } catch {
        throw UsageError("\(path): the document \(name) \(error)")
      }
    }
    self = .documents(documents)
  }

  /// The file in which mistakes are shown.
  var name: String? { if case .test(let file) = self { file.name } else { nil } }

  var users: [String] {
    guard case .test(let file) = self else { return [] }
    return TestParser.parse(file).syntax.users.map(\.name.text)
  }
}
