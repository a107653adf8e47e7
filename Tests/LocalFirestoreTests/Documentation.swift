import Foundation
import Testing

/// The code in `docs/local-backend.md` is that of `Examples/SharedLists`, which is compiled and run.
@Suite struct DocumentationTests {
  private static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  @Test func `the documented example is the compiled one`() throws {
    let page = try String(contentsOf: Self.root.appending(path: "docs/local-backend.md"), encoding: .utf8)
    let folder = Self.root.appending(path: "Examples/SharedLists")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    #expect(files.count == 6)
    for file in files {
      let code = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
      let language = file.hasSuffix(".swift") ? "swift" : ""
      #expect(page.contains("`Examples/SharedLists/\(file)`\n\n```\(language)\n\(code)```\n"), "\(file)")
    }
  }
}
