import Foundation
import JSON

/// A file of recorded answers, one JSON object a line.
enum CorpusFile {
  static func lines(_ name: String) -> [JSONValue] {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    guard let text = try? String(contentsOf: root.appending(path: "Corpus/\(name)"), encoding: .utf8) else { return [] }
    return text.split(separator: "\n").compactMap { try? JSONValue(parsing: String($0)) }
  }
}
