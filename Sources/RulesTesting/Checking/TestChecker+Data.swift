import LocalFirestore
import RulesSyntax

extension TestChecker {
  /// What a map of fields is for.
  enum DataUse {
    case given, create, set, update
  }

  /// Checks the fields of a document.
  mutating func checkData(_ data: Expression, _ use: DataUse) {
    guard case .map(let entries) = data.kind else { return }
    checkKeys(entries)
    var ranges: [FieldPath: SourceRange] = [:]
    for entry in entries {
      checkKey(entry.key, use, isTop: true)
      checkValue(entry.value, use, isTop: true)
      guard use == .update, let name = entry.key.stringValue, let path = try? FieldPath(parsing: name) else { continue }
      ranges[path] = ranges[path] ?? entry.key.range
    }
    if let (a, b) = FieldPath.overlapping(Array(ranges.keys)), let first = ranges[a], let second = ranges[b] {
      let (earlier, later) = first.start.byte < second.start.byte ? (first, second) : (second, first)
      error(
        "overlapping-fields", later, "\(syntax.file.text(later)) and the field in line \(earlier.start.line) overlap.",
        notes: ["Of one update, no field may lie within another."])
    }
  }

  private mutating func checkKey(_ key: Expression, _ use: DataUse, isTop: Bool) {
    guard let name = key.stringValue else {
      checkNames(key, .step)
      return
    }
    if isTop, use == .update {
      do {
        _ = try FieldPath(parsing: name)
      } catch {
        self.error("wrong-field-path", key.range, error.message, notes: error.note.map { [$0] } ?? [])
      }
    } else if name.contains("."), key.parentheses == 0 {
      let parts = name.split(separator: ".", omittingEmptySubsequences: false)
      warn(
        "dot-in-name", key.range, "The dot is part of the field's name here: only in an update does it lead into a map.",
        notes: parts.count == 2 ? ["A field within a map is written as \(parts[0]): { \(parts[1]): … }"] : [])
    }
  }

  /// A value at a place where transforms may stand.
  private mutating func checkValue(_ value: Expression, _ use: DataUse, isTop: Bool) {
    switch value.kind {
    case .map(let entries):
      checkKeys(entries)
      for entry in entries {
        checkKey(entry.key, use, isTop: false)
        checkValue(entry.value, use, isTop: false)
      }
    case .list(let items):
      for item in items { checkPlainValue(item) }
    case .call(let name, let arguments) where TestChecker.transforms.contains(name.text):
      checkTransform(name, arguments, use, isTop: isTop)
    default: checkPlainValue(value)
    }
  }

  /// A value within a list or a transform, where no transform may stand.
  private mutating func checkPlainValue(_ value: Expression) {
    switch value.kind {
    case .call(let name, let arguments) where name.text == "vector":
      if arguments.count != 1 {
        error("wrong-arguments", name.range, "'vector' takes one list of numbers: vector([1.0, 2.0])")
      }
      for argument in arguments { checkNames(argument, .step) }
    case .map(let entries):
      checkKeys(entries)
      for entry in entries {
        checkKey(entry.key, .set, isTop: false)
        checkPlainValue(entry.value)
      }
    case .list(let items):
      for item in items { checkPlainValue(item) }
    case .path(let segments):
      if !segments.count.isMultiple(of: 2) {
        error(
          "collection-path", value.range, "This path names a collection: a reference is to a document.",
          notes: ["A document's path has an even number of segments: /collection/document."])
      }
      checkNames(value, .step)
    default: checkNames(value, .step)
    }
  }

  private mutating func checkTransform(_ name: Name, _ arguments: [Expression], _ use: DataUse, isTop: Bool) {
    if use == .given {
      error(
        "transform-in-fixture", name.range, "'\(name.text)(…)' changes what is there: a fixture has plain values.")
    }
    switch name.text {
    case "deleteField":
      if !arguments.isEmpty {
        error("wrong-arguments", name.range, "'deleteField' takes no arguments: deleteField()")
      }
      if use != .update, use != .given {
        error(
          "misplaced-transform", name.range, "'deleteField()' belongs to an update: here the field is just left out.")
      } else if !isTop {
        error(
          "misplaced-transform", name.range, "'deleteField()' cannot stand inside a map.",
          notes: ["A field within a map is named by a quoted path: { 'map.field': deleteField() }"])
      }
    case "arrayUnion", "arrayRemove":
      let isList = if case .list? = arguments.first?.kind { true } else { false }
      if arguments.count != 1 {
        error("wrong-arguments", name.range, "'\(name.text)' takes one list: \(name.text)(['x'])")
      } else if !isList, case .string? = arguments.first?.kind {
        error("wrong-arguments", name.range, "'\(name.text)' takes a list: \(name.text)(['x'])")
      }
      for argument in arguments { checkPlainValue(argument) }
    default:
      if arguments.count != 1 {
        error("wrong-arguments", name.range, "'\(name.text)' takes one number: \(name.text)(1)")
      }
      for argument in arguments { checkNames(argument, .step) }
    }
  }
}
