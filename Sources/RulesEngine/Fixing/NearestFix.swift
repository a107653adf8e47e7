import RulesSyntax
import RulesValues

/// The smallest change found under which a denied request is allowed. It was found by a search that starts at the parts
/// of the conditions that did not hold, and the changed request was decided: it is allowed.
public struct NearestFix: Sendable, Equatable {
  /// One thing that is otherwise than it was.
  public enum Change: Sendable, Equatable {
    /// Somebody asks who was signed out.
    case signIn(uid: String)
    /// Somebody else asks.
    case uid(String)
    /// A claim of the caller's token; `nil`: without it. The names lead through nested maps.
    case claim([Text], DataValue?)
    /// A field of the document that is written; `nil`: without it.
    case written([Text], DataValue?)
    /// A field of a stored document; `nil`: without it.
    case stored(ResourcePath, [Text], DataValue?)
    /// A document that is there.
    case document(ResourcePath, Fields)
    /// A document that is not there.
    case noDocument(ResourcePath)
    case time(Timestamp)
    /// Another write of the same commit makes a document.
    case alsoCreated(ResourcePath, Fields)
    /// Another write of the same commit writes a field otherwise; `nil`: leaves it out.
    case alsoWritten(ResourcePath, [Text], DataValue?)
    /// Another document is asked for.
    case path(ResourcePath)
    /// Other rules: a piece of a line in other words.
    case rules(line: Int, from: String, to: String)

    /// Of two fixes of one length the one with the smaller sum is nearer: what the client sends before who asks, before
    /// what is stored.
    var distance: Int {
      switch self {
      case .rules: 0
      case .written: 1
      case .claim, .signIn: 2
      case .uid: 3
      case .document, .alsoCreated, .alsoWritten: 4
      case .stored, .noDocument: 5
      case .time: 5
      case .path: 6
      }
    }
  }

  public let changes: [Change]
  /// When it is asked: what is written with this time is written as `request.time`.
  private let time: Timestamp

  /// What to do, in one sentence without its full stop: `write owner: 'alice'`.
  public var text: String { changes.map { $0.text(at: time) }.joined(separator: ", and ") }

  /// The same changes, in whatever order.
  func isSame(as other: NearestFix) -> Bool {
    changes.count == other.changes.count && changes.allSatisfy { other.changes.contains($0) }
  }

  /// Steps that concern one thing taken together: a document is made with its fields, a caller with their uid.
  init(_ steps: [Change], at time: Timestamp) {
    self.time = time
    var changes: [Change] = []
    for step in steps {
      switch step {
      case .stored(let path, let names, let value):
        if let i = changes.firstIndex(where: { if case .document(path, _) = $0 { true } else { false } }),
          case .document(_, var fields) = changes[i]
        {
          fields.set(names[...], value)
          changes[i] = .document(path, fields)
          continue
        }
      case .alsoWritten(let path, let names, let value):
        if let i = changes.firstIndex(where: { if case .alsoCreated(path, _) = $0 { true } else { false } }),
          case .alsoCreated(_, var fields) = changes[i]
        {
          fields.set(names[...], value)
          changes[i] = .alsoCreated(path, fields)
          continue
        }
      case .uid(let uid):
        if let i = changes.firstIndex(where: { if case .signIn = $0 { true } else { false } }) {
          changes[i] = .signIn(uid: uid)
          continue
        }
      default: break
      }
      // What is changed twice is as it was changed last.
      changes.removeAll { $0.concernsTheSame(as: step) }
      changes.append(step)
    }
    self.changes = changes
  }
}

extension NearestFix.Change {
  fileprivate func concernsTheSame(as other: Self) -> Bool {
    switch (self, other) {
    case (.claim(let a, _), .claim(let b, _)), (.written(let a, _), .written(let b, _)): a == b
    case (.stored(let p, let a, _), .stored(let q, let b, _)): p == q && a == b
    case (.alsoWritten(let p, let a, _), .alsoWritten(let q, let b, _)): p == q && a == b
    case (.uid, .uid), (.time, .time), (.path, .path), (.signIn, .signIn): true
    case (.document(let p, _), .document(let q, _)): p == q
    default: false
    }
  }

  /// `write owner: 'alice'`
  fileprivate func text(at time: Timestamp) -> String {
    func dotted(_ names: [Text]) -> String {
      names.map { $0.isWord ? $0.string : DataValue.string($0.string).written }.joined(separator: ".")
    }
    switch self {
    case .signIn(let uid): return "sign in, as \(DataValue.string(uid).written)"
    case .uid(let uid): return "ask as \(DataValue.string(uid).written)"
    case .claim(let names, let value?): return "give the caller's token \(dotted(names)): \(value.written)"
    case .claim(let names, nil): return "leave \(dotted(names)) out of the caller's token"
    case .written(let names, .timestamp(time)?): return "write \(dotted(names)): request.time"
    case .written(let names, let value?): return "write \(dotted(names)): \(value.written)"
    case .written(let names, nil): return "leave out \(dotted(names))"
    case .stored(let path, let names, let value?):
      return "have \(path.relative) hold \(dotted(names)): \(value.written)"
    case .stored(let path, let names, nil): return "have \(path.relative) without \(dotted(names))"
    case .document(let path, let fields): return "have the document \(path.relative) \(DataValue.map(fields).written)"
    case .noDocument(let path): return "have no document \(path.relative)"
    case .time(let time): return "ask at \(time.rfc3339)"
    case .path(let path): return "ask for \(path.relative)"
    case .alsoCreated(let path, let fields):
      return "in the same commit create \(path.relative) \(DataValue.map(fields).written)"
    case .alsoWritten(let path, let names, let value?):
      return "in the same commit write \(dotted(names)): \(value.written) in \(path.relative)"
    case .alsoWritten(let path, let names, nil):
      return "in the same commit leave \(dotted(names)) out of \(path.relative)"
    case .rules(let line, let from, let to):
      return from.isEmpty ? "begin the rules with \(to)" : "in line \(line) write \(to) for \(from)"
    }
  }
}

extension Fields {
  /// The value that names lead to through nested maps.
  func value(_ names: ArraySlice<Text>) -> DataValue? {
    guard let first = names.first, let value = self[first] else { return nil }
    if names.count == 1 { return value }
    guard case .map(let inner) = value else { return nil }
    return inner.value(names.dropFirst())
  }

  /// Puts a value where names lead to, through maps that are made where they are missing; `nil` takes it away.
  mutating func set(_ names: ArraySlice<Text>, _ value: DataValue?) {
    guard let first = names.first else { return }
    guard names.count > 1 else {
      self[first] = value
      return
    }
    var inner: Fields = if case .map(let known)? = self[first] { known } else { [:] }
    inner.set(names.dropFirst(), value)
    self[first] = .map(inner)
  }
}
