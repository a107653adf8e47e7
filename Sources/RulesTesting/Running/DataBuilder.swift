import LocalFirestore
import RulesEngine
import RulesSyntax
import RulesValues

/// Works out the paths, values and writes of a test file at one moment of a test.
struct DataBuilder {
  let evaluator: ExpressionEvaluator
  let database: Text
  let functions: [String: FunctionDeclaration]

  init(evaluator: ExpressionEvaluator, database: Text, functions: [String: FunctionDeclaration]) {
    self.evaluator = evaluator
    self.database = database
    self.functions = functions
  }

  // MARK: Values

  /// A value as it is stored, without transforms.
  func value(_ expression: Expression) throws(TestMistake) -> DataValue {
    switch expression.kind {
    case .list(let items):
      var values: [DataValue] = []
      for item in items { values.append(try value(item)) }
      return .array(values)
    case .map(let entries):
      var fields: Fields = [:]
      for entry in entries {
        let name = try key(entry.key)
        guard fields.updateValue(try value(entry.value), forKey: name) == nil else { throw repeated(name, entry.key) }
      }
      return .map(fields)
    case .path(let segments): return .reference(try reference(segments, expression.range))
    case .call(let name, let arguments) where name.text == "vector" && functions["vector"] == nil:
      return try vector(arguments, name)
    default:
      do {
        return try evaluator.evaluate(expression)
      } catch {
        throw TestMistake("no-value", error.range ?? expression.range, error.message)
      }
    }
  }

  func time(_ expression: Expression) throws(TestMistake) -> Timestamp {
    guard case .timestamp(let time) = try value(expression) else {
      throw TestMistake("not-a-time", expression.range, "Expected a time such as timestamp.date(2026, 1, 1).")
    }
    return time
  }

  private func key(_ expression: Expression) throws(TestMistake) -> Text {
    guard case .string(let text) = try value(expression) else {
      throw TestMistake("key-not-text", expression.range, "A key is text.")
    }
    return Text(text)
  }

  private func repeated(_ name: Text, _ key: Expression) -> TestMistake {
    TestMistake("repeated-key", key.range, "The key '\(name)' is given twice.")
  }

  private func vector(_ arguments: [Expression], _ name: Name) throws(TestMistake) -> DataValue {
    guard arguments.count == 1, case .array(let items) = try value(arguments[0]) else {
      throw TestMistake("wrong-arguments", name.range, "'vector' takes one list of numbers: vector([1.0, 2.0])")
    }
    var numbers: [Double] = []
    for item in items {
      switch item {
      case .int(let i): numbers.append(Double(i))
      case .double(let d): numbers.append(d)
      default: throw TestMistake("wrong-arguments", name.range, "A vector holds numbers only.")
      }
    }
    return .vector(numbers)
  }

  // MARK: Paths

  func path(_ path: PathSyntax) throws(TestMistake) -> ResourcePath {
    var segments: [Text] = []
    for segment in path.segments { segments.append(try id(segment)) }
    return ResourcePath(database: database, segments: segments)
  }

  private func reference(
    _ parts: [Expression.PathSegment], _ range: SourceRange
  ) throws(TestMistake) -> ResourcePath {
    var segments: [Text] = []
    for part in parts { segments.append(try id(part)) }
    // A whole resource name says which database it means.
    if segments.count > 3, segments[0] == "databases", segments[2] == "documents" {
      return ResourcePath(database: segments[1], segments: Array(segments.dropFirst(3)))
    }
    return ResourcePath(database: database, segments: segments)
  }

  private func id(_ segment: Expression.PathSegment) throws(TestMistake) -> Text {
    switch segment.kind {
    case .literal(let text): return Text(text)
    case .capture(let name), .glob(let name):
      throw TestMistake("capture-in-path", segment.range, "'{\(name.text)}' cannot stand in the path of one document.")
    case .interpolation(let expression):
      guard case .string(let text) = try value(expression) else {
        throw TestMistake(
          "id-not-text", expression.range, "An id in a path is text.", notes: ["string(…) makes text of a number."])
      }
      if text.isEmpty || text.utf8.contains(0x2F) {
        throw TestMistake(
          "wrong-id", expression.range, text.isEmpty ? "This id is empty." : "The id '\(text)' holds a slash.")
      }
      return Text(text)
    }
  }

  // MARK: Documents and writes

  /// The document of a fixture, in which `request.time` is the given time.
  func fixture(_ declaration: FixtureDeclaration, time: Timestamp) throws(TestMistake) -> Fixture {
    guard case .map(let fields) = try value(declaration.data) else {
      throw TestMistake("not-a-map", declaration.data.range, "Expected the fields of a document.")
    }
    return Fixture(declaration: declaration, path: try path(declaration.path), fields: fields)
  }

  /// What a step does to one document; `nil` for a `get`.
  func write(_ request: DocumentRequest) throws(TestMistake) -> Write? {
    let path = try path(request.path)
    var data: [Text: FieldValue] = [:]
    if let map = request.data, case .map(let fields) = try fieldValue(map) { data = fields }
    do throws(FirestoreError) {
      switch request.operation {
      case .get: return nil
      case .delete: return .delete(path)
      case .create: return try .create(path, data)
      case .set: return try .set(path, data)
      case .update:
        var changes: [FieldPath: FieldValue] = [:]
        for (name, value) in data.sorted(by: { $0.key < $1.key }) {
          changes[try FieldPath(parsing: name.string)] = value
        }
        return try .update(path, changes)
      }
    } catch {
      throw TestMistake(error, request.data?.range ?? request.path.range)
    }
  }

  /// A value in which transforms may stand.
  private func fieldValue(_ expression: Expression) throws(TestMistake) -> FieldValue {
    switch expression.kind {
    case .map(let entries):
      var fields: [Text: FieldValue] = [:]
      for entry in entries {
        let name = try key(entry.key)
        guard fields.updateValue(try fieldValue(entry.value), forKey: name) == nil else {
          throw repeated(name, entry.key)
        }
      }
      return .map(fields)
    case .member(let receiver, let property):
      if case .identifier("request") = receiver.kind, property.text == "time" { return .serverTimestamp }
    case .call(let name, let arguments):
      if name.text == "deleteField" { return .delete }
      if let transform = try transform(name, arguments) { return .transform(transform) }
    default: break
    }
    return .value(try value(expression))
  }

  private func transform(_ name: Name, _ arguments: [Expression]) throws(TestMistake) -> Transform? {
    guard TestChecker.transforms.contains(name.text), let argument = arguments.first else { return nil }
    let operand = try value(argument)
    switch (name.text, operand) {
    case ("increment", .int), ("increment", .double): return .increment(operand)
    case ("maximum", .int), ("maximum", .double): return .maximum(operand)
    case ("minimum", .int), ("minimum", .double): return .minimum(operand)
    case ("arrayUnion", .array(let items)): return .arrayUnion(items)
    case ("arrayRemove", .array(let items)): return .arrayRemove(items)
    default:
      let wanted = name.text.hasPrefix("array") ? "one list" : "one number"
      throw TestMistake("wrong-arguments", argument.range, "'\(name.text)' takes \(wanted).")
    }
  }
}

extension TestMistake {
  /// What Firestore itself refuses, rules apart.
  init(_ error: FirestoreError, _ range: SourceRange) {
    self.init("refused-by-firestore", range, error.message, notes: error.note.map { [$0] } ?? [])
  }
}

extension LocalFirestore {
  func put(_ fixture: Fixture) throws(TestMistake) {
    do {
      try seed(fixture.path, fixture.fields)
    } catch {
      throw TestMistake(error, fixture.declaration.range)
    }
  }
}
