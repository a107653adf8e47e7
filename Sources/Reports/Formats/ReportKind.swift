/// The forms in which a run can be written.
public enum ReportKind: String, Sendable, CaseIterable {
  case human, compact, json, tap, tap13, junit, github, gitlab, sarif
  case lcov, cobertura, coverage
  case ruleCoverage = "rule-coverage"

  /// Whether it is about what the tests made of the rules.
  public var isCoverage: Bool {
    switch self {
    case .lcov, .cobertura, .coverage, .ruleCoverage: true
    default: false
    }
  }
}

/// How names of files become paths from the root of the repository, which is what dashboards look them up by.
public struct ReportPaths: Sendable {
  private let root: String
  private let folder: String

  /// - Parameters:
  ///   - root: the absolute path of the repository, `nil`: names stay as they are.
  ///   - folder: the absolute path from which the names of files count.
  public init(root: String? = nil, folder: String = "/") {
    self.root = root.map { Self.tidy($0) } ?? Self.tidy(folder)
    self.folder = Self.tidy(folder)
  }

  /// Of a file outside the root the name as it was given.
  public func path(_ name: String) -> String {
    let absolute = Self.tidy(name.hasPrefix("/") ? name : folder + "/" + name)
    let prefix = root == "/" ? "/" : root + "/"
    return absolute.hasPrefix(prefix) ? String(absolute.dropFirst(prefix.count)) : name
  }

  private static func tidy(_ path: String) -> String {
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
      if part == ".." { _ = parts.popLast() } else { parts.append(part) }
    }
    return "/" + parts.joined(separator: "/")
  }
}

extension SuiteReport {
  /// The run in a form for machines, with a line end at its end; empty for the forms of coverage.
  /// - Parameters:
  ///   - kind: which form.
  ///   - record: `self.record`, which several forms may share.
  ///   - paths: how files are named.
  ///   - version: of this program.
  public func text(_ kind: ReportKind, _ record: RunRecord, paths: ReportPaths, version: String) -> String {
    switch kind {
    case .human: text(Terminal())
    case .json: json.serialized(pretty: true) + "\n"
    case .compact: CompactFormat.text(record) + (coverage.map { $0.lastLine + "\n" } ?? "")
    default: record.text(kind, paths: paths, version: version)
    }
  }
}

extension RunRecord {
  /// In one of the forms that are made of records alone, with a line end at its end; empty for the others.
  public func text(_ kind: ReportKind, paths: ReportPaths, version: String) -> String {
    switch kind {
    case .human, .json, .lcov, .cobertura, .coverage, .ruleCoverage: ""
    case .compact: CompactFormat.text(self)
    case .tap: TAPFormat.text(self)
    case .tap13: TAPFormat.text(self, version: 13)
    case .junit: JUnitFormat.text(self, paths)
    case .github: GitHubFormat.text(self, paths)
    case .gitlab: GitLabFormat.text(self, paths)
    case .sarif: SARIFFormat.text(self, paths, version: version)
    }
  }
}

extension CoverageReport {
  /// The coverage in a form for machines, with a line end at its end; empty for the forms of a run.
  public func text(_ kind: ReportKind, paths: ReportPaths) -> String {
    switch kind {
    case .lcov: LcovFormat.text(self, paths)
    case .cobertura: CoberturaFormat.text(self, paths)
    case .coverage: json(paths).serialized(pretty: true) + "\n"
    case .ruleCoverage: ruleCoverage.serialized(pretty: true) + "\n"
    case .human, .compact, .json, .tap, .tap13, .junit, .github, .gitlab, .sarif: ""
    }
  }
}
