import Foundation
import JSON

/// A file of recorded answers, one JSON object a line.
enum CorpusFile {
  static func lines(_ name: String) throws -> [JSONValue] {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let text = try String(contentsOf: root.appending(path: "Corpus/\(name)"), encoding: .utf8)
    return try text.split(separator: "\n").map { try JSONValue(parsing: String($0)) }
  }
}
