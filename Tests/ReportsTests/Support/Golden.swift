import Foundation
import Testing

/// Whole outputs, kept as files in `Goldens/` and read by a person when they change. Escape sequences stand in them as
/// `␛`. With UPDATE_GOLDENS set in the environment the files are written instead.
enum Golden {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Goldens")

  static func expect(_ text: String, _ name: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let shown = text.replacingOccurrences(of: "\u{1B}", with: "␛")
    let file = folder.appending(path: name)
    if ProcessInfo.processInfo.environment["UPDATE_GOLDENS"] != nil {
      try Data(shown.utf8).write(to: file)
      return
    }
    let expected = try String(contentsOf: file, encoding: .utf8)
    #expect(shown == expected, "\(name)", sourceLocation: sourceLocation)
  }
}
