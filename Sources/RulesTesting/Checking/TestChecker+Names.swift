import RulesSemantics
import RulesSyntax

extension TestChecker {
  /// Where an expression stands, which decides what it can name.
  enum Place {
    /// In a step, fixture, user or clock: users and `request.time`.
    case step
    /// In a helper function, with its parameters and bindings; it may be called from steps and invariants.
    case function(Set<String>)
    /// In an invariant, with its captures.
    case invariant(Set<String>)
  }

  static let builtins = ["string", "int", "float", "bool", "path", "debug"]
  static let documentFunctions = ["get", "exists", "getAfter", "existsAfter"]
  static let transforms = ["increment", "maximum", "minimum", "arrayUnion", "arrayRemove", "deleteField"]

  /// Reports every name in an expression that means nothing where it stands.
  mutating func checkNames(_ expression: Expression, _ place: Place) {
    switch expression.kind {
    case .null, .bool, .int, .float, .string, .bytes: break
    case .identifier(let name): checkName(name, expression.range, place)
    case .list(let items):
      for item in items { checkNames(item, place) }
    case .map(let entries):
      for entry in entries {
        checkNames(entry.key, place)
        checkNames(entry.value, place)
      }
      checkKeys(entries)
    case .path(let segments):
      for segment in segments {
        if case .interpolation(let inner) = segment.kind { checkNames(inner, place) }
      }
    case .member(let receiver, let property):
      if case .identifier("request") = receiver.kind, case .step = place {
        if property.text != "time" {
          error(
            "unknown-name", expression.range, "Only request.time is known outside rules and invariants.")
        }
      } else {
        checkNames(receiver, place)
      }
    case .index(let a, let b), .binary(_, let a, let b):
      checkNames(a, place)
      checkNames(b, place)
    case .slice(let receiver, let lower, let upper):
      checkNames(receiver, place)
      if let lower { checkNames(lower, place) }
      if let upper { checkNames(upper, place) }
    case .call(let name, let arguments):
      checkCall(name, arguments.count, place)
      for argument in arguments { checkNames(argument, place) }
    case .methodCall(let receiver, _, let arguments):
      let isPackage = if case .identifier(let name) = receiver.kind { Packages.names.contains(name) } else { false }
      if !isPackage { checkNames(receiver, place) }
      for argument in arguments { checkNames(argument, place) }
    case .unary(_, let operand), .typeTest(let operand, _): checkNames(operand, place)
    case .ternary(let a, let b, let c):
      checkNames(a, place)
      checkNames(b, place)
      checkNames(c, place)
    }
  }

  private mutating func checkName(_ name: String, _ range: SourceRange, _ place: Place) {
    if userNames.contains(name) || name == "nobody" { usedUsers.insert(name) }
    var known = userNames + ["nobody"]
    switch place {
    case .step:
      if name == "request" {
        error("unknown-name", range, "Only request.time is known outside rules and invariants.")
        return
      }
    case .function(let locals): known += locals.sorted() + ["request", "resource", "database"]
    case .invariant(let captures): known = captures.sorted() + ["request", "resource", "database"]
    }
    guard !known.contains(name) else { return }
    let isFunction = functions[name] != nil
    let question = isFunction ? " It is a function: \(name)(…)" : Suggestion.question(name, known)
    let notes: [String] =
      switch place {
      case .step: isFunction ? [] : ["Text stands in quotes; names are those of users, and request.time."]
      case .function: []
      case .invariant:
        userNames.contains(name) ? ["An invariant is about every user: users of the file cannot be named in it."] : []
      }
    error("unknown-name", range, "Unknown name '\(name)'.\(question)", notes: notes)
  }

  private mutating func checkCall(_ name: Name, _ count: Int, _ place: Place) {
    if let function = functions[name.text] {
      let wanted = function.parameters.count
      if wanted != count {
        error(
          "wrong-arguments", name.range,
          "'\(name.text)' takes \(wanted) argument\(wanted == 1 ? "" : "s"), not \(count).")
      }
      return
    }
    if TestChecker.builtins.contains(name.text) { return }
    if TestChecker.documentFunctions.contains(name.text) {
      if case .step = place {
        error(
          "no-documents", name.range, "'\(name.text)' reads documents: it can be called in rules and invariants only.")
      }
      return
    }
    if TestChecker.transforms.contains(name.text) {
      error(
        "misplaced-transform", name.range,
        "'\(name.text)(…)' is no value to compute with: it stands alone as the value of a field.")
      return
    }
    if name.text == "vector" {
      error("misplaced-vector", name.range, "'vector([…])' stands alone as a value.")
      return
    }
    let known = Array(functions.keys.sorted()) + TestChecker.builtins
    error(
      "unknown-function", name.range, "Unknown function '\(name.text)'.\(Suggestion.question(name.text, known))",
      notes: name.text == "serverTimestamp" ? ["The time of the server is written request.time."] : [])
  }

  /// No key of a map may be written twice.
  mutating func checkKeys(_ entries: [Expression.MapEntry]) {
    var seen: Set<[UInt8]> = []
    for entry in entries {
      guard case .string(let key) = entry.key.kind, !seen.insert(key).inserted else { continue }
      error("repeated-key", entry.key.range, "The key '\(String(decoding: key, as: UTF8.self))' is given twice.")
    }
  }

  // MARK: Functions

  /// Names in the bodies, names taken twice, and functions that call themselves.
  mutating func checkFunctions() {
    var seen: [String: Name] = [:]
    for function in syntax.functions {
      let name = function.name.text
      if let first = seen[name] {
        error(
          "repeated-function", function.name.range, "The function '\(name)' is declared twice.",
          notes: ["The first time in line \(first.range.start.line)."])
      }
      seen[name] = seen[name] ?? function.name
      if TestChecker.transforms.contains(name) || name == "vector" {
        error("reserved-name", function.name.range, "'\(name)' has a meaning of its own and cannot name a function.")
      }
      var locals: Set<String> = []
      for parameter in function.parameters where !locals.insert(parameter.text).inserted {
        error("repeated-name", parameter.range, "The parameter '\(parameter.text)' is declared twice.")
      }
      for expression in function.lets.map(\.value) + [function.result] { checkProviderIDs(expression) }
      for binding in function.lets {
        checkNames(binding.value, .function(locals))
        if !locals.insert(binding.name.text).inserted {
          error("repeated-name", binding.name.range, "The name '\(binding.name.text)' is declared twice.")
        }
      }
      checkNames(function.result, .function(locals))
    }
    for function in syntax.functions where reaches(function.name.text, from: function) {
      error("recursion", function.name.range, "The function '\(function.name.text)' calls itself.")
    }
  }

  private func reaches(_ name: String, from start: FunctionDeclaration) -> Bool {
    var open = [start]
    var known: Set<String> = []
    while let function = open.popLast() {
      for callee in callees(function) {
        if callee == name { return true }
        if known.insert(callee).inserted, let next = functions[callee] { open.append(next) }
      }
    }
    return false
  }

  private func callees(_ function: FunctionDeclaration) -> Set<String> {
    var names: Set<String> = []
    for expression in function.lets.map(\.value) + [function.result] {
      expression.forEachCall { names.insert($0.text) }
    }
    return names
  }
}

extension Expression {
  /// Visits the names of all functions that are called. Trees are at most `Parser.maximumTreeDepth` deep.
  func forEachCall(_ visit: (Name) -> Void) {
    if case .call(let name, _) = kind { visit(name) }
    forEachChild { $0.forEachCall(visit) }
  }
}
