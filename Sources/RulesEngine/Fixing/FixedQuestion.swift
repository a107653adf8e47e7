import RulesSyntax
import RulesValues

/// A request with its documents, changed step by step.
struct FixedQuestion {
  private(set) var request: Request
  private(set) var documents: ChangedDocuments
  /// Changed rules.
  private(set) var ruleset: Ruleset?
  private(set) var steps: [NearestFix.Change] = []
  /// Documents that other writes of the same commit now write otherwise.
  private var companions: Set<ResourcePath> = []

  init(_ request: Request, _ documents: any DocumentReader) {
    self.request = request
    self.documents = ChangedDocuments(documents)
  }

  /// The question with further changes; `nil` where they cannot be made.
  func applying(_ changes: [NearestFix.Change]) -> FixedQuestion? {
    var copy = self
    for change in changes {
      guard copy.apply(change) else { return nil }
      copy.steps.append(change)
    }
    return copy
  }

  func applying(_ change: NearestFix.Change, rules: Ruleset) -> FixedQuestion {
    var copy = self
    copy.ruleset = rules
    copy.steps.append(change)
    return copy
  }

  /// Whether the request is allowed, and the writes that were changed with it are.
  func isAllowed(by evaluator: Evaluator) -> Bool {
    evaluator.decide(request, documents).isAllowed
      && companions.allSatisfy { path in
        guard let fields = documents.documentAfter(at: path) else { return false }
        let write =
          documents.document(at: path) == nil
          ? Request.create(path, fields, ifAbsent: true, auth: request.auth, time: request.time)
          : Request.update(path, fields, ifPresent: true, auth: request.auth, time: request.time)
        return evaluator.decide(write, documents).isAllowed
      }
  }

  private mutating func apply(_ change: NearestFix.Change) -> Bool {
    switch change {
    case .signIn(let uid):
      guard request.auth == nil else { return false }
      request.auth = Auth(uid: uid)
    case .uid(let uid):
      guard request.auth != nil, !uid.isEmpty else { return false }
      request.auth?.uid = uid
      for name in ["sub", "user_id"] where request.auth?.token[Text(name)] != nil {
        request.auth?.token[Text(name)] = .string(uid)
      }
    case .claim(let names, let value):
      guard request.auth != nil else { return false }
      request.auth?.token.set(names[...], value)
    case .written(let names, let value):
      guard let first = names.first, request.resource != nil, !names.contains("") else { return false }
      request.resource?.set(names[...], value)
      documents.write(request.resource, at: request.path)
      if let fields = request.writeFields, !fields.contains(first.string) {
        request.writeFields = fields + [first.string]
      }
    case .stored(let path, let names, let value):
      guard var fields = documents.document(at: path), !names.contains("") else { return false }
      let old = fields.value(names[...])
      fields.set(names[...], value)
      documents.put(fields, at: path)
      // What the write leaves as it is stays as it is.
      if path == request.path, request.method == .update, let old, request.resource?.value(names[...]) == old {
        request.resource?.set(names[...], value)
        documents.write(request.resource, at: path)
      }
    case .document(let path, let fields):
      guard documents.document(at: path) == nil, !(path == request.path && request.method == .create) else {
        return false
      }
      documents.put(fields, at: path)
    case .noDocument(let path):
      guard documents.document(at: path) != nil, path != request.path else { return false }
      documents.put(nil, at: path)
    case .time(let time):
      guard (-62_135_596_800...253_402_300_799).contains(time.seconds) else { return false }
      let old = request.time
      request.time = time
      // Server timestamps move with the clock.
      for (name, value) in request.resource ?? [:] where value == .timestamp(old) {
        request.resource?[name] = .timestamp(time)
      }
      if request.resource != nil { documents.write(request.resource, at: request.path) }
    case .path(let path):
      guard path.isDocument, path.segments.allSatisfy({ $0 != "" && !$0.string.utf8.contains(0x2F) }) else {
        return false
      }
      request.path = path
    case .alsoCreated(let path, let fields):
      guard request.method.isWrite, path != request.path, documents.document(at: path) == nil,
        documents.documentAfter(at: path) == nil
      else { return false }
      documents.alsoWrite(fields, at: path)
      companions.insert(path)
    case .alsoWritten(let path, let names, let value):
      guard request.method.isWrite, path != request.path, !names.contains(""),
        var fields = documents.documentAfter(at: path)
      else { return false }
      fields.set(names[...], value)
      documents.alsoWrite(fields, at: path)
      companions.insert(path)
    case .rules: return false
    }
    return true
  }
}

/// Documents of which some are otherwise than they are stored.
struct ChangedDocuments: DocumentReader {
  private let base: any DocumentReader
  private var changes: [ResourcePath: Fields?] = [:]
  /// What the request writes otherwise.
  private var written: [ResourcePath: Fields?] = [:]

  init(_ base: any DocumentReader) { self.base = base }

  mutating func put(_ fields: Fields?, at path: ResourcePath) { changes[path] = .some(fields) }

  /// What is there after the request.
  mutating func write(_ fields: Fields?, at path: ResourcePath) {
    if base.isWritten(path) { written[path] = .some(fields) }
  }

  /// The same, by a write that there was or was not.
  mutating func alsoWrite(_ fields: Fields?, at path: ResourcePath) { written[path] = .some(fields) }

  func document(at path: ResourcePath) -> Fields? {
    if let change = changes[path] { return change }
    return base.document(at: path)
  }

  func documentAfter(at path: ResourcePath) -> Fields? {
    if let fields = written[path] { return fields }
    if !base.isWritten(path), let change = changes[path] { return change }
    return base.documentAfter(at: path)
  }

  func isWritten(_ path: ResourcePath) -> Bool { written[path] != nil || base.isWritten(path) }
}
