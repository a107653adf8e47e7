import Foundation
import Testing

/// `rules-test fuzz`: what it prints, what it keeps, and how several machines share the work.
struct FuzzCommandTests {
  private static let rules = """
    rules_version = '2';
    service cloud.firestore {
      match /databases/{database}/documents {
        match /users/{uid} {
          allow get: if request.auth != null;
          allow create: if request.auth.uid == uid && request.resource.data.code.matches('[A-Z]{3}-[0-9]{4}');
        }
      }
    }
    """
  private static let tests = """
    never get /users/{uid} unless request.auth != null && request.auth.uid == uid;
    never create /users/{uid} unless request.auth != null && request.auth.uid == uid;
    never delete /users/{uid} if true;
    """

  private static func folder() throws -> Folder {
    try Folder(["firestore.rules": rules, "firestore_test.rules": tests])
  }

  @Test func `The report`() throws {
    let folder = try Self.folder()
    func expect(_ name: String, _ arguments: [String], _ code: Int32) throws {
      let run = try Run(arguments, in: folder.url)
      try Golden.expect(run.transcript(arguments), name + ".txt")
      #expect(run.exitCode == code)
    }
    try expect("fuzz", ["fuzz", "--tries", "200", "--no-solver"], 1)
    try expect("fuzz-quiet", ["fuzz", "--tries", "200", "--no-solver", "-q"], 1)
    try expect("fuzz-verbose", ["fuzz", "--tries", "200", "--no-solver", "-v"], 1)
    try expect("fuzz-json", ["fuzz", "--tries", "200", "--no-solver", "--format", "json"], 1)
    try expect(
      "fuzz-statement",
      ["fuzz", "firestore.rules", "--statement", "never delete /users/{uid} if true;", "--tries", "10", "--no-solver"],
      0)
    try expect("fuzz-shard", ["fuzz", "--shard", "5/4"], 2)
    try expect("fuzz-time", ["fuzz", "--time", "soon"], 2)
    try expect("fuzz-merge", ["fuzz", "--merge", "a,b"], 2)
    try expect("fuzz-corpus", ["fuzz", "--corpus", "nowhere"], 2)
  }

  /// As Examples/fuzzing has it for machines: each shard with a folder of its own, then all together.
  @Test func `Shards look in different places, and a merge keeps what reaches as much`() throws {
    let folder = try Self.folder()
    let manager = FileManager.default
    let statement = ["firestore.rules", "--statement", "never create /users/{uid} unless request.auth.uid == uid;"]
    func kept(_ name: String) throws -> [String] {
      let place = folder.url.appending(path: name)
      return try manager.contentsOfDirectory(atPath: place.path).sorted().flatMap {
        try String(contentsOf: place.appending(path: $0), encoding: .utf8).split(separator: "\n").map(String.init)
      }
    }
    func outcomes(_ arguments: [String]) throws -> Int {
      let run = try Run(arguments + ["--no-solver", "--format", "json"], in: folder.url)
      #expect(run.exitCode == 0)
      let json = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
      return ((json?["statements"] as? [[String: Any]])?.first?["outcomes"] as? Int) ?? -1
    }
    var most = 0
    for shard in 1...2 {
      try manager.createDirectory(at: folder.url.appending(path: "found\(shard)"), withIntermediateDirectories: true)
      most = max(
        most,
        try outcomes(["fuzz"] + statement + ["--tries", "400", "--shard", "\(shard)/2", "--corpus", "found\(shard)"]))
    }
    let (one, two) = (try kept("found1"), try kept("found2"))
    #expect(!one.isEmpty && !two.isEmpty && one != two)
    try manager.createDirectory(at: folder.url.appending(path: "all"), withIntermediateDirectories: true)
    let merged = try outcomes(["fuzz"] + statement + ["--tries", "0", "--corpus", "all", "--merge", "found1,found2"])
    #expect(merged >= most)
    let all = try kept("all")
    #expect(all.count <= one.count + two.count && Set(all).isSubset(of: one + two))
    // What was kept is tried again: nothing new is reached, and nothing lost.
    #expect(try outcomes(["fuzz"] + statement + ["--tries", "0", "--corpus", "all"]) == merged)
    #expect(try kept("all") == all)

    let file = try #require(try manager.contentsOfDirectory(atPath: folder.url.appending(path: "all").path).first)
    try "{\"method\": 1}\n".write(to: folder.url.appending(path: "all/\(file)"), atomically: true, encoding: .utf8)
    let broken = try Run(["fuzz"] + statement + ["--tries", "0", "--corpus", "all"], in: folder.url)
    #expect(broken.exitCode == 2 && broken.errors.contains("\(file):1: this is no request"))
  }

  @Test func `A solver knows the way where chance does not`() throws {
    let rules = Self.rules.replacing(
      "matches('[A-Z]{3}-[0-9]{4}')",
      with:
        "size() == 917 && request.auth.token.a + request.auth.token.b == 918273 && request.auth.token.a - request.auth.token.b == 1"
    )
    let folder = try Folder(["firestore.rules": rules])
    let arguments = [
      "fuzz", "firestore.rules", "--statement", "never create /users/{uid} if request.auth.uid == uid;", "--tries",
      "3000", "--format", "json",
    ]
    let alone = try Run(arguments + ["--no-solver"], in: folder.url)
    #expect(alone.exitCode == 0)
    #expect(try Run(arguments, in: folder.url).exitCode == 1)
  }
}
