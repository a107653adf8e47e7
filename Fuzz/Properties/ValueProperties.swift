import JSON
import RulesValues

/// The forms in which data comes in and goes out.
enum ValueProperties {
  static func check(_ bytes: [UInt8]) throws(BrokenProperty) {
    try checkTimestamp(String(decoding: bytes, as: UTF8.self))
    guard case .success(let json) = JSONProperties.parsed(bytes, .standard) else { return }
    if let value = try? DataValue(rest: json) {
      // References name the project, which the values do not hold.
      let written = value.rest(project: "p")
      guard let again = try? DataValue(rest: written) else { throw BrokenProperty("cannot read what was written: \(written)") }
      try require(again == value, "reads back as another value: \(written)")
      try checkArena(value)
    }
    if let value = try? DataValue(plain: json) { try checkArena(value) }
    let owner = ArenaOwner(limit: 16 << 20)
    if let value = owner.arena.value(json: json), !value.isFailure {
      let written = owner.arena.json(value)
      guard let again = owner.arena.value(json: written) else { throw BrokenProperty("cannot read the value's JSON: \(written)") }
      try require(again.isFailure || owner.arena.json(again) == written, "the value's JSON changes: \(written)")
      _ = owner.arena.display(value)
    }
  }

  private static func checkArena(_ value: DataValue) throws(BrokenProperty) {
    let owner = ArenaOwner(limit: 16 << 20)
    let loaded = owner.arena.load(value)
    guard !loaded.isFailure else { return }
    guard let copy = owner.arena.data(loaded) else { throw BrokenProperty("loaded data is no data: \(value)") }
    try require(copy == value, "loading changes \(value) to \(copy)")
    _ = owner.arena.display(loaded)
  }

  private static func checkTimestamp(_ text: String) throws(BrokenProperty) {
    guard let time = Timestamp(rfc3339: text) else { return }
    guard time.isInRange else { return }
    try require(Timestamp(rfc3339: time.rfc3339) == time, "\(text) becomes \(time.rfc3339)")
    let civil = time.civil
    let midnight = Timestamp(year: civil.year, month: civil.month, day: civil.day)
    try require(midnight.map { $0.seconds <= time.seconds && time.seconds - $0.seconds < 86_400 } == true, "\(text) is not on \(civil)")
  }
}
