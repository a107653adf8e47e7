import RulesValues

/// What a path value names as an argument of `get()` and its like.
enum DocumentPath {
  case document(ResourcePath)
  /// Not the path of a document of this database: a service call error.
  case elsewhere
  /// A capture in it is not bound; the failure says which.
  case unbound(Value)

  /// - Parameter database: the database the request is for; no other can be reached.
  init(_ path: Value, database: Text, _ arena: Arena) {
    var segments: [Text] = []
    if let failure = Self.collect(path, into: &segments, arena) {
      self = .unbound(failure)
      return
    }
    guard segments.count >= 5, segments.count % 2 == 1, segments[0] == "databases", segments[1] == database,
      segments[2] == "documents", !segments.contains("")
    else {
      self = .elsewhere
      return
    }
    self = .document(ResourcePath(database: database, segments: Array(segments[3...])))
  }

  private static func collect(_ path: Value, into segments: inout [Text], _ arena: Arena) -> Value? {
    for i in 0..<path.count {
      let segment = arena.element(path, i)
      guard segment.has(.capture) else {
        segments.append(Text(arena.text(segment)))
        continue
      }
      guard segment.flags & Value.bound != 0 else {
        return arena.error(text: "Variable \(arena.text(arena.element(segment, 0))) is not bound in path template.")
      }
      let bound = arena.element(segment, 1)
      if bound.has(.path) {
        if let failure = collect(bound, into: &segments, arena) { return failure }
      } else {
        segments.append(Text(arena.text(bound)))
      }
    }
    return nil
  }
}

extension Arena {
  /// `Service call error. Function: [get], Argument: [path_value { … }].`, the argument in protobuf's text form.
  func serviceError(_ service: Service, _ path: Value) -> Value {
    error(
      text: "Service call error. Function: [\(service.rawValue)], Argument: [path_value {\n"
        + protobufText(path, indent: "  ") + "}\n].")
  }

  private func protobufText(_ path: Value, indent: String) -> String {
    var text = ""
    for i in 0..<path.count {
      let segment = element(path, i)
      text += "\(indent)segments {\n"
      if segment.has(.capture) {
        let isGlob = segment.flags & Value.glob != 0
        text += "\(indent)  \(isGlob ? "glob_capture" : "capture") {\n"
        text += "\(indent)    variable_name: \(quoted(element(segment, 0)))\n"
        let bound = element(segment, 1)
        if bound.has(.path) {
          text += "\(indent)    bound_value {\n"
          text += protobufText(bound, indent: indent + "      ")
          text += "\(indent)    }\n"
        } else if segment.flags & Value.bound != 0 {
          text += "\(indent)    bound_value: \(quoted(bound))\n"
        }
        text += "\(indent)  }\n"
      } else {
        text += "\(indent)  simple: \(quoted(segment))\n"
      }
      text += "\(indent)}\n"
    }
    return text
  }

  /// A string as protobuf's text form writes it: C escapes, other bytes in octal.
  private func quoted(_ string: Value) -> String {
    var text = "\""
    for byte in WTF8.encoded(copyBytes(string)) {
      switch byte {
      case 0x0A: text += "\\n"
      case 0x0D: text += "\\r"
      case 0x09: text += "\\t"
      case 0x22: text += "\\\""
      case 0x27: text += "\\'"
      case 0x5C: text += "\\\\"
      case 0x20..<0x7F: text.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let octal = String(byte, radix: 8)
        text += "\\" + String(repeating: "0", count: 3 - octal.count) + octal
      }
    }
    return text + "\""
  }
}
