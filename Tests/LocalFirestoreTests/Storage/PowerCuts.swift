import FaultyDisk
import Foundation
import RulesValues
import SQLiteStore
import Testing

@testable import LocalFirestore

/// A disk of which the power can fail, with one database file on it.
private final class Disk {
  let name = "faulty-\(UUID().uuidString)"
  let disk: OpaquePointer
  let file: TemporaryFile

  init(seed: UInt64) throws {
    disk = try #require(faulty_disk_make(name, seed))
    file = try TemporaryFile()
  }

  deinit { faulty_disk_free(disk) }

  func open() throws -> SQLiteStorage { try SQLiteStorage(path: file.path, disk: name) }
}

/// Files on a disk that fails. Commit n writes the documents n of the collections a and b and takes away those of
/// n - 2 now and then, so that a commit made by halves would show.
@Suite struct PowerCutTests {
  private static let times = Int(ProcessInfo.processInfo.environment["POWER_CUTS"] ?? "") ?? 30

  private func commit(_ n: Int, _ admin: Client, _ random: inout Randomness) throws {
    let text = DataValue.string(String(repeating: "x", count: Int.random(in: 0..<6000, using: &random)))
    try admin.batch { (batch) throws(FirestoreError) in
      for collection in ["a", "b"] {
        batch.set("\(collection)/\(n)", ["n": .value(.int(Int64(n))), "text": .value(text)])
        if n % 3 == 0 { batch.delete("\(collection)/\(n - 2)") }
      }
    }
  }

  private func numbers(_ collection: String, _ admin: Client) throws -> Set<Int> {
    Set(try admin.query(admin.collection(collection)).compactMap { Int($0.path.lastID.string) })
  }

  private func expected(_ last: Int) -> Set<Int> {
    Set((0..<max(0, last + 1)).filter { !($0 % 3 == 1 && $0 + 2 <= last) })
  }

  @Test func `a commit that was acknowledged outlives a power cut, and no commit is made by halves`() throws {
    var cuts = 0
    var unanswered = 0
    var (lost, kept) = (Int64(0), Int64(0))
    var seed: UInt64 = 1
    while cuts < Self.times {
      var random = Randomness(seed: seed)
      let disk = try Disk(seed: seed)
      seed += 1
      var last = -1
      // Several cuts of one file, so that recovered files are cut again.
      for _ in 0..<10 where cuts < Self.times {
        faulty_disk_fail_after(disk.disk, Int64.random(in: 1...120, using: &random))
        do {
          let storage = try disk.open()
          try storage.checkpoint(everyPages: Int.random(in: 2...40, using: &random))
          let admin = LocalFirestore(storage: storage).admin()
          while true {
            try commit(last + 1, admin, &random)
            last += 1
          }
        } catch {
          #expect(faulty_disk_is_off(disk.disk) == 1, "\(error)")
        }
        faulty_disk_fail(disk.disk)
        cuts += 1
        faulty_disk_restart(disk.disk)
        let storage = try disk.open()
        try storage.checkIntegrity()
        let admin = LocalFirestore(storage: storage).admin()
        let found = try numbers("a", admin)
        #expect(try numbers("b", admin) == found)
        // The commit that was under way may have been made.
        if found != expected(last), found == expected(last + 1) {
          unanswered += 1
          last += 1
        }
        try #require(found == expected(last), "cut \(cuts) of seed \(seed - 1)")
      }
      lost += faulty_disk_lost(disk.disk)
      kept += faulty_disk_kept(disk.disk)
    }
    // The disk did what it is there for.
    #expect(lost > 0 && kept > 0)
    if Self.times > 100 {
      print("\(cuts) power cuts, \(lost) unsynced sectors lost, \(kept) kept, \(unanswered) commits made but not answered")
    }
  }

  @Test func `the disk loses what nobody syncs`() throws {
    var losses = 0
    for seed in 1...10 as ClosedRange<UInt64> {
      let disk = try Disk(seed: seed)
      do {
        let connection = try SQLiteConnection(path: disk.file.path, access: .readWrite, disk: disk.name)
        try connection.run("PRAGMA journal_mode = WAL")
        try connection.run("CREATE TABLE t (x)")
        try connection.run("PRAGMA synchronous = OFF")
        for n in 0..<20 { try connection.run("INSERT INTO t VALUES (?)", [.int(Int64(n))]) }
        faulty_disk_fail(disk.disk)
      }
      faulty_disk_restart(disk.disk)
      var count: Int64 = 0
      try? SQLiteConnection(path: disk.file.path, access: .readWrite, disk: disk.name).run("SELECT count(*) FROM t") {
        count = $0.first?.int ?? 0
        return false
      }
      if count < 20 { losses += 1 }
    }
    #expect(losses > 0)
  }

  @Test func `a disk without room refuses a commit, and loses none that was acknowledged`() throws {
    var refused = 0
    for seed in 1...20 as ClosedRange<UInt64> {
      var random = Randomness(seed: seed)
      let disk = try Disk(seed: seed)
      var last = -1
      do {
        let storage = try disk.open()
        try storage.checkpoint(everyPages: Int.random(in: 2...40, using: &random))
        let admin = LocalFirestore(storage: storage).admin()
        for _ in 0..<5 {
          faulty_disk_fill(disk.disk, Int64.random(in: 0...150_000, using: &random))
          do {
            while true {
              try commit(last + 1, admin, &random)
              last += 1
            }
          } catch {
            refused += 1
            let error = try #require(error as? FirestoreError)
            #expect(error.code == .resourceExhausted)
            #expect(error.message == "No room is left for \(disk.file.path); nothing was changed.")
          }
          #expect(try numbers("a", admin) == expected(last))
          // Once there is room again, it goes on.
          faulty_disk_fill(disk.disk, -1)
          try commit(last + 1, admin, &random)
          last += 1
        }
      }
      let storage = try disk.open()
      try storage.checkIntegrity()
      #expect(try numbers("b", LocalFirestore(storage: storage).admin()) == expected(last))
    }
    #expect(refused == 100)
  }

  @Test func `a file that may only be read is refused by name, and keeps what is in it`() throws {
    let disk = try Disk(seed: 1)
    do {
      let admin = LocalFirestore(storage: try disk.open()).admin()
      try admin.set("a/1", ["n": 1])
    }
    faulty_disk_protect(disk.disk, 1)
    #expect {
      let storage = try disk.open()
      try LocalFirestore(storage: storage).admin().set("a/2", ["n": 2])
    } throws: { error in
      guard let error = error as? FirestoreError else { return false }
      return error.code == .failedPrecondition && error.message.hasPrefix("\(disk.file.path) may only be read")
    }
    faulty_disk_protect(disk.disk, 0)
    let admin = LocalFirestore(storage: try disk.open()).admin()
    #expect(try admin.get("a/1") == ["n": 1])
    #expect(try admin.get("a/2") == nil)
  }
}

/// SplitMix64.
struct Randomness: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
