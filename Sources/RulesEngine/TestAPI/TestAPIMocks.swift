import JSON
import RulesValues

/// The mocks of the case in force, and what was called. Values lie in the machine's arena.
final class TestAPIMocks {
  /// Of each argument what it must equal; `nil`: whatever it is.
  private let mocks: [(function: String, arguments: [JSONValue?], result: Value)]
  private let decodesPaths: Bool
  let isDelete: Bool
  private(set) var calls: [TestAPIVerdict.Call] = []

  init(_ question: TestAPIQuestion, isDelete: Bool, _ machine: Machine) {
    decodesPaths = question.decodesPaths
    self.isDelete = isDelete
    mocks = question.mocks.map { mock in
      let arguments = mock.arguments.map { argument -> JSONValue? in
        if case .exactly(let json) = argument { json } else { nil }
      }
      // The Test API has no answer for what is undefined.
      let result = mock.result.map { machine.document($0, question) } ?? .error(.nullValue)
      return (mock.function, arguments, result)
    }
  }

  func note(_ function: String, _ arguments: [JSONValue]) {
    calls.append(TestAPIVerdict.Call(function: function, arguments: arguments))
  }

  /// What the first mock that fits answers; `nil` when none does.
  func answer(_ function: String, _ values: [Value], _ arena: Arena) -> Value? {
    mocks.first { mock in
      mock.function == function && mock.arguments.count == values.count
        && zip(mock.arguments, values).allSatisfy { wanted, value in wanted.map { isEqual($0, value, arena) } ?? true }
    }?.result
  }

  private func isEqual(_ json: JSONValue, _ value: Value, _ arena: Arena) -> Bool {
    guard value.has(.path), let text = json.stringValue else { return arena.plainJSON(value) == json }
    let segments = arena.plainJSON(value).stringValue.map { TestAPIQuestion.segments($0, decoded: true) } ?? []
    return segments.map { Text($0) } == TestAPIQuestion.segments(text, decoded: decodesPaths).map { Text($0) }
  }
}

extension Machine {
  /// Calls a function that only the case can tell of. Two answers need no mock: what `getAfter` and `existsAfter` say
  /// about the requested document.
  func callMocked(_ name: String, _ arguments: Arguments) -> Value {
    let missing = arena.functionNotFound(arena.string(name))
    guard let mocks else { return missing }
    let values = (0..<arguments.count).map { arguments[$0] }
    mocks.note(name, values.map { arena.plainJSON($0) })
    if let answer = mocks.answer(name, values, arena) { return answer }
    let prefix = name.hasPrefix("firestore.") ? "firestore." : ""
    guard let service = Service(rawValue: String(name.dropFirst(prefix.count))), service.isAfter, values.count == 1,
      values[0].has(.path)
    else { return missing }
    if arena.plainJSON(values[0]) == arena.plainJSON(loaded.path) { return after(service, mocks) }
    // What stood there before is what stands there after, as far as the case says.
    let before = service == .getAfter ? Service.get : Service.exists
    return mocks.answer(prefix + before.rawValue, values, arena) ?? missing
  }

  /// The requested document after the request.
  private func after(_ service: Service, _ mocks: TestAPIMocks) -> Value {
    let isWrite = loaded.method == .create || loaded.method == .update
    let document =
      mocks.isDelete ? .error(.nullValue) : isWrite ? arena.part(names.resource, of: view.request) : storedDocument
    if service == .getAfter { return document }
    return .bool(!mocks.isDelete && (isWrite || !document.isFailure))
  }

  /// Starts a case.
  func begin(_ question: TestAPIQuestion, method: RequestMethod) {
    clear()
    pass = .data
    loaded.method = method
    loaded.path = path(question.path)
    storedDocument = question.resource.map { document($0, question) } ?? .error(.nullValue)
    storedData = arena.part(names.data, of: storedDocument)
    hasStoredDocument = true
    view = RequestView()
    view.method = method
    view.request = arena.load(
      members: question.request.members.map { name, json in
        let value: Value =
          switch name {
          case "path": loaded.path
          case "time": time(json)
          case "resource": document(json, question)
          default: arena.load(plain: json)
          }
        return (name, value)
      })
    mocks = TestAPIMocks(question, isDelete: method == .delete, self)
    arena.setBudget(Budget.limit)
  }

  /// What stands for a document; its name, if there is one, is a path.
  func document(_ json: JSONValue, _ question: TestAPIQuestion) -> Value {
    guard case .object(let object) = json, object["__name__"]?.stringValue != nil else {
      return arena.load(plain: json)
    }
    return arena.load(
      members: object.members.map { name, json in
        guard name == "__name__", let text = json.stringValue else { return (name, arena.load(plain: json)) }
        return (name, path(TestAPIQuestion.segments(text, decoded: question.decodesPaths)))
      })
  }

  private func path(_ segments: [String]) -> Value {
    guard let row = arena.row(segments.count) else { return .error(.memory) }
    for (i, segment) in segments.enumerated() { arena.set(row, i, arena.string(segment)) }
    return arena.finish(row, as: .path)
  }

  /// To the nanosecond, unlike a database's.
  private func time(_ json: JSONValue) -> Value {
    guard let text = json.stringValue, let time = Timestamp(rfc3339: text) else { return arena.load(plain: json) }
    return .timestamp(seconds: time.seconds, nanos: UInt32(clamping: time.nanos))
  }
}
