import Foundation
import JSON

/// Recordings under `Corpus/`, one JSON object a line.
enum Corpus {
  static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Corpus")

  static func lines(_ name: String) throws -> [JSONValue] {
    let data = try Data(contentsOf: root.appending(path: name))
    return try data.split(separator: 0x0A).map { try JSONValue(parsing: Array($0)) }
  }
}
