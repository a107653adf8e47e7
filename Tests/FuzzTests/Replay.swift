import Foundation
import FuzzProperties
import Testing

/// `Corpus/fuzz/<target>/seeds` reach what the fuzzer has reached so far, `findings` have once broken something.
@Suite struct Replay {
  private static let corpus = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Corpus/fuzz")

  @Test(arguments: FuzzTarget.allCases)
  func `every property holds for every input that was kept`(_ target: FuzzTarget) throws {
    var replayed = 0
    for kind in ["seeds", "findings"] {
      let folder = Self.corpus.appending(path: "\(target.rawValue)/\(kind)")
      let files = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
      for file in files {
        let bytes = Array(try Data(contentsOf: file))
        do {
          try target.check(bytes)
        } catch {
          Issue.record("\(target.rawValue)/\(kind)/\(file.lastPathComponent): \(error)")
        }
        replayed += 1
      }
    }
    #expect(replayed > 0, "no seeds")
  }
}
