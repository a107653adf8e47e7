import Foundation
import PackagePlugin

/// `swift package rules-test …`: the program of the same name, for packages that depend on this one.
@main
struct RulesTestPlugin: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) throws {
    let process = Process()
    process.executableURL = try context.tool(named: "rules-test").url
    process.arguments = arguments
    process.currentDirectoryURL = context.package.directoryURL
    try process.run()
    process.waitUntilExit()
    // A plugin has no exit code of its own: an error makes it 1.
    guard process.terminationReason == .exit, process.terminationStatus == 0 else {
      throw Failure(code: process.terminationStatus)
    }
  }

  struct Failure: Error, CustomStringConvertible {
    let code: Int32
    var description: String { "rules-test ended with exit code \(code)" }
  }
}
