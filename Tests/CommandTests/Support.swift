import Foundation
import Testing

/// A run of the built program.
struct Run {
  let output: String
  let errors: String
  let exitCode: Int32

  /// Runs the program that was built beside the tests, in a folder.
  init(_ arguments: [String], in folder: URL, input: String = "", environment: [String: String] = [:]) throws {
    let process = Process()
    process.executableURL = try Run.program
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.environment = environment
    let (output, errors, input_) = (Pipe(), Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    process.standardInput = input_
    try process.run()
    try input_.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    try input_.fileHandleForWriting.close()
    // Errors are short; they fit the pipe while the output is read.
    self.output = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    self.errors = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    exitCode = process.terminationStatus
  }

  static var program: URL {
    get throws {
      let beside = [Bundle.main.executableURL, URL(filePath: CommandLine.arguments[0])] + Bundle.allBundles.map(\.bundleURL)
      return try #require(
        beside.compactMap { $0?.deletingLastPathComponent().appending(path: "rules-test") }
          .first { FileManager.default.isExecutableFile(atPath: $0.path) }, "the built program was not found")
    }
  }

  /// What a person would see, for goldens.
  func transcript(_ arguments: [String]) -> String {
    let words = arguments.map { word in
      word.utf8.allSatisfy { $0 > 0x2C && $0 < 0x7B && $0 != 0x3F && $0 != 0x60 } && !word.isEmpty ? word : "'\(word)'"
    }
    var text = "$ " + (["rules-test"] + words).joined(separator: " ") + "\n" + output
    if !errors.isEmpty { text += "--- standard error\n" + errors }
    return text + "--- exit code \(exitCode)\n"
  }
}

/// Whole outputs, kept as files and read by a person when they change. With UPDATE_GOLDENS set they are written.
enum Golden {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Goldens")

  static func expect(_ text: String, _ name: String) throws {
    let shown = text.replacingOccurrences(of: "\u{1B}", with: "␛")
      .replacingOccurrences(of: "\u{202E}", with: "␣202E␣")
    let file = folder.appending(path: name)
    if ProcessInfo.processInfo.environment["UPDATE_GOLDENS"] != nil {
      try Data(shown.utf8).write(to: file)
      return
    }
    #expect(try shown == String(contentsOf: file, encoding: .utf8), "\(name)")
  }
}

/// A folder with files, gone when the test is over.
final class Folder {
  let url: URL

  init(_ files: [String: String]) throws {
    url = FileManager.default.temporaryDirectory.appending(path: "rules-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    for (name, text) in files {
      let file = url.appending(path: name)
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
  }

  deinit { try? FileManager.default.removeItem(at: url) }
}
