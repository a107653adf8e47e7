import JSON
import RulesSemantics
import RulesSyntax
import RulesValues

/// Where a value of a condition comes from, as far as a change of the request or of the documents can make it another.
enum FixPlace: Equatable {
  case request, auth, uid, time
  /// Through the token; empty: the token itself.
  case claim([Text])
  /// `request.resource`
  case writtenDocument
  case written([Text])
  /// `resource`, `get(path)`
  case document(ResourcePath)
  case stored(ResourcePath, [Text])
  /// `getAfter(path)` of a document other than the requested one: as other writes of the same commit leave it.
  case documentAfter(ResourcePath)
  case after(ResourcePath, [Text])
  /// A segment of the requested path, from 0 behind `documents`.
  case segment(Int)

  func member(_ name: String, of request: Request) -> FixPlace? {
    let last = request.path.segments.count - 1
    switch self {
    case .request:
      switch name {
      case "auth": return .auth
      case "resource": return .writtenDocument
      case "time": return .time
      default: return nil
      }
    case .auth: return name == "uid" ? .uid : name == "token" ? .claim([]) : nil
    case .claim(let names): return .claim(names + [Text(name)])
    case .writtenDocument: return name == "data" ? .written([]) : name == "id" ? .segment(last) : nil
    case .written(let names): return .written(names + [Text(name)])
    case .document(let path):
      return name == "data" ? .stored(path, []) : name == "id" && path == request.path ? .segment(last) : nil
    case .stored(let path, let names): return .stored(path, names + [Text(name)])
    case .documentAfter(let path): return name == "data" ? .after(path, []) : nil
    case .after(let path, let names): return .after(path, names + [Text(name)])
    case .uid, .time, .segment: return nil
    }
  }
}

/// The arguments and lets that names stand for inside a called function.
final class FixFrame {
  let arguments: [Explanation.Node]
  let lets: [Explanation.Node]
  let outer: FixFrame?

  init(arguments: [Explanation.Node], lets: [Explanation.Node], outer: FixFrame?) {
    self.arguments = arguments
    self.lets = lets
    self.outer = outer
  }
}

/// Finds the places of values in one denied request.
struct FixPlaces {
  let ruleset: CheckedRuleset
  let request: Request
  /// The segment of the path that each capture takes, for captures that take one.
  let segments: [Int: Int]

  init(_ match: CheckedMatchChain, _ ruleset: CheckedRuleset, _ request: Request) {
    self.ruleset = ruleset
    self.request = request
    var segments: [Int: Int] = [:]
    var position = 0
    walk: for segment in match.segments {
      switch segment {
      case .literal: position += 1
      case .capture(let slot, _):
        segments[slot] = position - 3
        position += 1
      // What stands behind a glob has no fixed place.
      case .glob: break walk
      }
    }
    self.segments = segments
  }

  /// What a name of a function stands for, in the end.
  func resolved(_ node: Explanation.Node, _ frame: FixFrame?) -> (Explanation.Node, FixFrame?) {
    var (node, frame) = (node, frame)
    // Each step leads outward or to an earlier let.
    for _ in 0..<200 {
      guard case .identifier = node.expression.kind, let inside = frame else { break }
      switch ruleset.resolution(of: node.expression) {
      case .parameter(let i) where inside.arguments.indices.contains(i):
        (node, frame) = (inside.arguments[i], inside.outer)
      case .letBinding(let i) where inside.lets.indices.contains(i): node = inside.lets[i]
      default: return (node, frame)
      }
    }
    return (node, frame)
  }

  /// What a value is in the end, through calls of the rules' own functions.
  func unwrapped(_ given: Explanation.Node, _ outer: FixFrame?) -> (Explanation.Node, FixFrame?) {
    var (node, frame) = resolved(given, outer)
    // Each step leads further in; depth is that of the evaluation.
    while let inside = self.frame(of: node, frame), let value = node.children.last {
      (node, frame) = resolved(value, inside)
    }
    return (node, frame)
  }

  func place(_ given: Explanation.Node, _ outer: FixFrame?) -> FixPlace? {
    let (node, frame) = resolved(given, outer)
    switch node.expression.kind {
    case .identifier:
      switch ruleset.resolution(of: node.expression) {
      case .request: return .request
      case .resource: return .document(request.path)
      case .wildcard(let slot): return segments[slot].map { .segment($0) }
      default: return nil
      }
    case .member(_, let name):
      return node.children.first.flatMap { place($0, frame) }?.member(name.text, of: request)
    case .index:
      guard node.children.count == 2, case .string(let key)? = FixValue.data(node.children[1]) else { return nil }
      return place(node.children[0], frame)?.member(key, of: request)
    case .methodCall(_, let name, let arguments) where name.text == "get" && arguments.count == 2:
      guard node.children.count > 1, case .string(let key)? = FixValue.data(node.children[1]) else { return nil }
      return place(node.children[0], frame)?.member(key, of: request)
    case .call(let name, _) where name.text == "getAfter":
      guard case .service = ruleset.callee(of: node.expression) else { return body(node, frame) }
      guard let path = node.children.first.flatMap({ FixValue.document($0) }) else { return nil }
      if path == request.path { return request.resource != nil ? .writtenDocument : nil }
      return request.method.isWrite ? .documentAfter(path) : .document(path)
    case .call(let name, _) where name.text == "get":
      guard case .service = ruleset.callee(of: node.expression) else { return body(node, frame) }
      return node.children.first.flatMap { FixValue.document($0) }.map { .document($0) }
    case .call: return body(node, frame)
    case .ternary where node.children.count == 2: return place(node.children[1], frame)
    default: return nil
    }
  }

  /// The conditions by which a value was chosen.
  func choices(_ given: Explanation.Node, _ outer: FixFrame?) -> [(condition: Explanation.Node, frame: FixFrame?)] {
    var (node, frame) = unwrapped(given, outer)
    var result: [(Explanation.Node, FixFrame?)] = []
    while case .ternary = node.expression.kind, node.children.count == 2 {
      result.append((node.children[0], frame))
      (node, frame) = unwrapped(node.children[1], frame)
    }
    return result
  }

  /// A function of the rules gives what its body gives.
  private func body(_ node: Explanation.Node, _ frame: FixFrame?) -> FixPlace? {
    guard let inside = self.frame(of: node, frame), let result = node.children.last else { return nil }
    return place(result, inside)
  }

  /// The frame inside a call of the rules' own function.
  func frame(of node: Explanation.Node, _ outer: FixFrame?) -> FixFrame? {
    guard case .call(_, let arguments) = node.expression.kind, case .function = ruleset.callee(of: node.expression),
      node.children.count > arguments.count
    else { return nil }
    return FixFrame(
      arguments: Array(node.children[..<arguments.count]), lets: Array(node.children[arguments.count...].dropLast()),
      outer: outer)
  }
}

/// The segments of a whole pattern, outer matches included.
struct CheckedMatchChain {
  let segments: [MatchSegment]
}

/// Values of explained nodes as data.
enum FixValue {
  /// `nil` for errors and for what no document can hold; a set is a list.
  static func data(_ node: Explanation.Node) -> DataValue? {
    guard case .value(_, var json) = node.outcome else { return nil }
    if let set = json["setValue"] { json = ["listValue": set] }
    let owner = ArenaOwner()
    defer { withExtendedLifetime(owner) {} }
    return owner.arena.value(json: json).flatMap { owner.arena.data($0) }
  }

  /// The document that a path names.
  static func document(_ node: Explanation.Node) -> ResourcePath? {
    guard case .value(_, let json) = node.outcome, let segments = json["pathValue"]?["segments"]?.arrayValue else {
      return nil
    }
    let texts = segments.compactMap { $0["simple"]?.stringValue }
    guard texts.count == segments.count, texts.count > 4, texts.count % 2 == 1, texts[0] == "databases",
      texts[2] == "documents"
    else { return nil }
    return ResourcePath(database: Text(texts[1]), segments: texts.dropFirst(3).map { Text($0) })
  }
}
