import Isolation
import JSON
import RulesSyntax

/// Who can do what, as a table, as JSON and as the lines of a lock file.
public struct MatrixReport: Sendable {
  public let matrix: AccessMatrix
  private let rules: SourceFile

  public init(_ matrix: AccessMatrix, of rules: SourceFile) {
    self.matrix = matrix
    self.rules = rules
  }

  // MARK: For people

  /// - Parameters:
  ///   - terminal: where the text will stand.
  ///   - isDetailed: each `when` with a request that is allowed.
  public func text(_ terminal: Terminal, isDetailed: Bool = false) -> String {
    var page = Page(terminal)
    guard !matrix.rows.isEmpty else {
      page.add("\(SafeText.line(rules.name)) has no allow for Firestore: nobody can do anything.")
      return page.text
    }
    let names = matrix.people.map(\.name)
    let groups = grouped
    let first = max(6, groups.map { SafeText.columns($0.methods) }.max() ?? 0) + 4
    let widths = zip(names.indices, names).map { i, name in
      max(SafeText.columns(name), groups.flatMap(\.rows).map { $0.cells[i].map(\.word) ?? "-" }.map(\.count).max() ?? 0)
    }
    var head = StyledLine("", .bold)
    for (i, name) in names.enumerated() {
      head.pad(to: first + widths[..<i].reduce(0) { $0 + $1 + 2 })
      head.add(SafeText.line(name), .bold)
    }
    page.add(head)
    var pattern = ""
    for group in groups {
      if group.pattern != pattern {
        pattern = group.pattern
        page.add(StyledLine(SafeText.line(pattern), .place))
      }
      var line = StyledLine("  \(group.methods)")
      for (i, cell) in (group.rows.first?.cells ?? []).enumerated() {
        line.pad(to: first + widths[..<i].reduce(0) { $0 + $1 + 2 })
        line.add(cell?.word ?? "-", style(cell))
      }
      page.add(line)
      if isDetailed { for row in group.rows { add(row, to: &page) } }
    }
    page.gap()
    page.add(
      "never, always: proved. when: a request is allowed, and others may not be."
        + (isDetailed ? "" : " --verbose shows it."))
    let unknown = matrix.rows.flatMap(\.cells).compactMap { cell -> String? in
      if case .unknown(let reason)? = cell { reason.text } else { nil }
    }
    for reason in Set(unknown).sorted() { page.add(StyledLine("unknown: \(SafeText.line(reason))", .warning)) }
    return page.text
  }

  private struct Group {
    let pattern: String
    var methods: String
    var rows: [AccessMatrix.Row]
  }

  /// Methods of one path that are the same to everybody, in one line.
  private var grouped: [Group] {
    var groups: [Group] = []
    for row in matrix.rows {
      if let last = groups.last, last.pattern == row.pattern,
        last.rows.first.map({ words($0) == words(row) }) ?? false
      {
        groups[groups.count - 1].methods += ", " + row.method
        groups[groups.count - 1].rows.append(row)
      } else {
        groups.append(Group(pattern: row.pattern, methods: row.method, rows: [row]))
      }
    }
    return groups
  }

  private func words(_ row: AccessMatrix.Row) -> [String] { row.cells.map { $0?.word ?? "-" } }

  private func style(_ cell: AccessMatrix.Access?) -> Style {
    switch cell {
    case nil: .dim
    case .never: .plain
    case .always: .bold
    case .sometimes: .value
    case .unknown: .warning
    }
  }

  private func add(_ row: AccessMatrix.Row, to page: inout Page) {
    for (person, cell) in zip(matrix.people, row.cells) {
      guard case .sometimes(let leak)? = cell else { continue }
      page.add(StyledLine("      \(row.method), \(SafeText.line(person.name)):", .dim))
      page.add(WitnessText.lines(leak.witness))
    }
  }

  // MARK: The lock file

  /// One line for each cell, sorted as the rules are.
  public var lock: String {
    var text = "# Who can do what, as `rules-test matrix` proved it. `--accept` writes it anew.\n"
    for (key, access) in lines { text += "\(key) \(access)\n" }
    return text
  }

  private var lines: [(key: String, access: String)] {
    matrix.rows.flatMap { row in
      zip(matrix.people, row.cells).compactMap { person, cell in
        cell.map { ("\(row.pattern) \(row.method) \(person.name):", $0.word) }
      }
    }
  }

  /// A cell that is not as a lock file has it.
  public struct Change: Sendable, Equatable {
    public let what: String
    /// `nil`: the line is not there.
    public let before: String?
    public let after: String?
  }

  public func changes(from lock: String) -> [Change] {
    var before: [String: String] = [:]
    for line in lock.split(separator: "\n") where !line.hasPrefix("#") {
      guard let colon = line.lastIndex(of: ":") else { continue }
      before[String(line[...colon])] = line[line.index(after: colon)...].split(separator: " ").joined()
    }
    var changes: [Change] = []
    for (key, access) in lines {
      let old = before.removeValue(forKey: key)
      if old != access { changes.append(Change(what: key, before: old, after: access)) }
    }
    return changes + before.sorted { $0.key < $1.key }.map { Change(what: $0.key, before: $0.value, after: nil) }
  }

  public func text(_ changes: [Change], _ terminal: Terminal) -> String {
    var page = Page(terminal)
    for change in changes {
      var line = StyledLine(SafeText.line(change.what) + " ")
      line.add("\(change.before.map(SafeText.line) ?? "-") → \(change.after ?? "-")", .badBold)
      page.add(line)
      for row in matrix.rows {
        for (person, cell) in zip(matrix.people, row.cells) {
          guard "\(row.pattern) \(row.method) \(person.name):" == change.what, case .sometimes(let leak)? = cell else {
            continue
          }
          page.add(WitnessText.lines(leak.witness))
        }
      }
    }
    return page.text
  }

  // MARK: JSON

  /// `{"people": […], "rows": [{"path", "method", "access": […]}]}`; see `docs/json.md`.
  public var json: JSONValue {
    [
      "people": .array(matrix.people.map { .string($0.name) }),
      "rows": .array(
        matrix.rows.map { row in
          [
            "path": .string(row.pattern), "method": .string(row.method),
            "access": .array(row.cells.map { cell in cell.map { .string($0.word) } ?? .null }),
            "requests": .array(
              row.cells.map { cell in
                if case .sometimes(let leak)? = cell { WitnessText.json(leak.witness) } else { .null }
              }),
          ]
        }),
    ]
  }
}
