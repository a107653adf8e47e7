extension JSONValue {
  /// The same tree with every value that is neither array nor object replaced by what `change` makes
  /// of it. Works without recursion, so that depth costs no stack.
  public func mappingScalars(_ change: (JSONValue) -> JSONValue) -> JSONValue {
    var open: [Partial] = []
    var value = self
    while true {
      if let container = Partial(value) {
        open.append(container)
      } else if open.isEmpty {
        return change(value)
      } else {
        open[open.count - 1].changed.append(change(value))
      }
      while let innermost = open.last, innermost.isComplete {
        open.removeLast()
        guard !open.isEmpty else { return innermost.rebuilt }
        open[open.count - 1].changed.append(innermost.rebuilt)
      }
      guard let innermost = open.last else { return value }
      value = innermost.contents[innermost.changed.count]
    }
  }

  /// An array or object of which the first values are changed.
  private struct Partial {
    /// The names of an object's members; nil for an array.
    var names: [String]?
    var contents: [JSONValue]
    var changed: [JSONValue] = []

    init?(_ value: JSONValue) {
      switch value {
      case .array(let elements): contents = elements
      case .object(let object): (names, contents) = (object.keys, object.values)
      default: return nil
      }
    }

    var isComplete: Bool { changed.count == contents.count }

    var rebuilt: JSONValue {
      guard let names else { return .array(changed) }
      var object = JSONObject()
      for (name, value) in zip(names, changed) { object[name] = value }
      return .object(object)
    }
  }
}
