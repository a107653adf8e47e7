import RulesTesting

/// A command line that cannot be understood, or input that cannot be read: exit code 2.
struct UsageError: Error {
  let message: String
  /// What would be right.
  let advice: String?

  init(_ message: String, _ advice: String? = nil) {
    self.message = message
    self.advice = advice
  }
}

/// An option of a command.
struct OptionSpec: Sendable {
  let name: String
  var short: String?
  /// The name of its value in the help; `nil`: it takes none.
  var value: String?
  /// The values that it can take; empty: any.
  var choices: [String] = []
  /// Whether it may be given several times, each with a value of its own.
  var isList = false
  let help: String
}

/// What a command was told.
struct Options {
  private(set) var operands: [String] = []
  /// What stands behind `--`; these are operands too.
  private(set) var trailing: [String] = []
  private var values: [String: [String]] = [:]

  /// - Parameter known: the options of the command. Values stand behind a space or `=`; `--` ends the options.
  /// - Throws: for an unknown option, a missing value, and one that is not among the choices.
  init(_ arguments: some Sequence<String>, known: [OptionSpec]) throws(UsageError) {
    var isOver = false
    var pending = Array(arguments)[...]
    while let argument = pending.popFirst() {
      if isOver || argument == "-" || !argument.hasPrefix("-") {
        operands.append(argument)
        if isOver { trailing.append(argument) }
        continue
      }
      if argument == "--" {
        isOver = true
        continue
      }
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(parts[0])
      guard let spec = known.first(where: { $0.name == name || $0.short == name }) else {
        throw Self.unknown(name, known)
      }
      guard let valueName = spec.value else {
        if parts.count > 1 { throw UsageError("\(name) takes no value.") }
        values[spec.name, default: []].append("")
        continue
      }
      guard let value = parts.count > 1 ? String(parts[1]) : pending.popFirst() else {
        throw UsageError("\(name) needs a value: \(spec.name) \(valueName)")
      }
      if !spec.choices.isEmpty, !spec.choices.contains(value) {
        throw UsageError(
          "\(name) cannot be '\(value)'.\(Suggestion.question(value, spec.choices))",
          "It is \(Suggestion.alternatives(spec.choices)).")
      }
      // Of a choice the last counts; of what names something, dropping one in silence would answer another question.
      if spec.choices.isEmpty, !spec.isList, let first = values[spec.name]?.first {
        throw UsageError("\(spec.name) is given twice: '\(first)' and '\(value)'.")
      }
      values[spec.name, default: []].append(value)
    }
  }

  private static func unknown(_ name: String, _ known: [OptionSpec]) -> UsageError {
    let names = known.map(\.name) + known.compactMap(\.short)
    return UsageError("There is no option '\(name)'.\(Suggestion.question(name, names))")
  }

  mutating func set(_ name: String, _ value: String) { values[name] = [value] }

  func has(_ name: String) -> Bool { values[name] != nil }

  /// The value given last.
  subscript(name: String) -> String? { values[name]?.last }

  /// All values, in the order in which they were given.
  func all(_ name: String) -> [String] { values[name] ?? [] }
}
