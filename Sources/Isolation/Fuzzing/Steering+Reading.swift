import RulesEngine
import RulesSemantics
import RulesSyntax
import RulesValues

extension Steering {
  /// What names mean inside a function.
  func inside(_ index: Int, _ arguments: [Expression], _ names: Names) -> Names {
    let function = rules.functions[index].declaration
    var given: [String: (value: Expression, names: Names)] = [:]
    for (parameter, argument) in zip(function.parameters, arguments) { given[parameter.text] = (argument, names) }
    for binding in function.lets {
      given[binding.name.text] = (binding.value, Names(captures: names.captures, given: given))
    }
    return Names(captures: names.captures, given: given)
  }

  /// What an expression looks at, if it does nothing but that.
  func place(of e: Expression, _ names: Names) -> Place? {
    switch e.kind {
    case .identifier(let name):
      if let given = names.given[name] { return place(of: given.value, given.names) }
      if let capture = names.captures[name] { return capture }
      return name == "request" ? .request : name == "resource" ? .resource : nil
    case .member(let receiver, let name): return place(of: receiver, names)?.member(Text(name.text), of: witness)
    case .index(let receiver, let key):
      guard case .string(let name)? = value(of: key, names) else { return nil }
      return place(of: receiver, names)?.member(Text(name), of: witness)
    case .methodCall(let receiver, let method, let arguments):
      guard method.text == "get", arguments.count == 2, let place = place(of: receiver, names) else { return nil }
      switch value(of: arguments[0], names) {
      case .string(let name)?: return place.member(Text(name), of: witness)
      case .array(let keys)?:
        return keys.reduce(place as Place?) { place, key in
          if case .string(let name) = key { place?.member(Text(name), of: witness) } else { nil }
        }
      default: return nil
      }
    case .call(_, let arguments):
      guard case .service(let name) = rules.callee(of: e), name.hasPrefix("get"),
        let path = arguments.first.flatMap({ path(of: $0, names) }), path.isDocument
      else { return nil }
      guard path == witness.path else { return .document(path) }
      return name.hasSuffix("After") ? .newResource : .resource
    default: return nil
    }
  }

  /// What an expression yields, where that is easily told.
  func value(of e: Expression, _ names: Names, depth: Int = 0) -> DataValue? {
    guard depth < 24 else { return nil }
    if let place = place(of: e, names) { return witness[place] }
    switch e.kind {
    case .null: return .null
    case .bool(let b): return .bool(b)
    case .int(let i): return .int(i)
    case .float(let d): return .double(d)
    case .string(let bytes): return .string(String(decoding: bytes, as: UTF8.self))
    case .bytes(let bytes): return .bytes(bytes)
    case .identifier(let name):
      return names.given[name].flatMap { value(of: $0.value, $0.names, depth: depth + 1) }
    case .list(let items):
      let values = items.compactMap { value(of: $0, names, depth: depth + 1) }
      return values.count == items.count ? .array(values) : nil
    case .unary(.negate, let operand):
      if case .int(let i)? = value(of: operand, names, depth: depth + 1) { return .int(0 &- i) }
      return nil
    case .binary(let op, let a, let b):
      return combined(op, value(of: a, names, depth: depth + 1), value(of: b, names, depth: depth + 1))
    case .path: return path(of: e, names).map { .reference($0) }
    case .methodCall(let receiver, let method, let arguments):
      return answer(of: method.text, value(of: receiver, names, depth: depth + 1), arguments, names, depth)
    case .call(_, let arguments):
      guard case .function(let index) = rules.callee(of: e) else { return nil }
      return value(of: rules.functions[index].declaration.result, inside(index, arguments, names), depth: depth + 1)
    default: return nil
    }
  }

  private func combined(_ op: BinaryOperator, _ a: DataValue?, _ b: DataValue?) -> DataValue? {
    switch (op, a, b) {
    case (.add, .int(let x)?, .int(let y)?): .int(x &+ y)
    case (.subtract, .int(let x)?, .int(let y)?): .int(x &- y)
    case (.multiply, .int(let x)?, .int(let y)?): .int(x &* y)
    case (.add, .string(let x)?, .string(let y)?): .string(x + y)
    case (.add, .array(let x)?, .array(let y)?): .array(x + y)
    default: nil
    }
  }

  private func answer(
    of method: String, _ receiver: DataValue?, _ arguments: [Expression], _ names: Names, _ depth: Int
  ) -> DataValue? {
    switch (method, receiver, arguments.first.flatMap { value(of: $0, names, depth: depth + 1) }) {
    case ("size", .string(let s)?, _): .int(Int64(s.utf16.count))
    case ("size", .array(let items)?, _): .int(Int64(items.count))
    case ("size", .map(let fields)?, _): .int(Int64(fields.count))
    case ("keys", .map(let fields)?, _): .array(fields.keys.sorted().map { .string($0.string) })
    case ("lower", .string(let s)?, _): .string(s.lowercased())
    case ("upper", .string(let s)?, _): .string(s.uppercased())
    case ("toSet", .array(let items)?, _): .array(items)
    case ("concat", .array(let x)?, .array(let y)?): .array(x + y)
    default: nil
    }
  }

  /// The document that a path names.
  func path(of e: Expression, _ names: Names) -> ResourcePath? {
    switch e.kind {
    case .identifier(let name): return names.given[name].flatMap { path(of: $0.value, $0.names) }
    case .path(let parts):
      var segments: [Text] = []
      for part in parts.dropFirst(3) {
        switch part.kind {
        case .literal(let text): segments.append(Text(text))
        case .interpolation(let e):
          guard case .string(let id)? = value(of: e, names), !id.isEmpty, !id.contains("/") else { return nil }
          segments.append(Text(id))
        case .capture, .glob: return nil
        }
      }
      return ResourcePath(database: witness.path.database, segments: segments)
    default: return nil
    }
  }
}

extension DataValue {
  /// A number or a time somewhat later or earlier.
  func moved(by delta: Int64) -> DataValue {
    switch self {
    case .int(let i): .int(i &+ delta)
    case .double(let d): .double(d + Double(delta))
    case .timestamp(let t): .timestamp(Timestamp(seconds: t.seconds + delta, nanos: t.nanos))
    default: self
    }
  }
}
