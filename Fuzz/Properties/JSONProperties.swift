import JSON

enum JSONProperties {
  static func check(_ bytes: [UInt8]) throws(BrokenProperty) {
    let lastWins = JSONLimits(duplicateKeys: .lastWins)
    let tree = parsed(bytes, .standard)
    let tolerant = parsed(bytes, lastWins)
    let streamed = events(bytes)
    switch (tree, tolerant) {
    case (.success, .failure(let error)): throw BrokenProperty("only the stricter reading accepts the text: \(error)")
    case (.success(let a), .success(let b)): try require(a == b, "the duplicate policy changes a text without duplicates")
    case (.failure(let error), _): try checkPlace(error, bytes)
    }
    if case .success(let value) = tolerant {
      if case .failure(let error) = streamed { throw BrokenProperty("the tree is read, the stream is not: \(error)") }
      try checkRoundTrip(value)
    }
    if case .failure(let error) = streamed { try checkPlace(error, bytes) }
    try checkSkipping(bytes, accepted: streamed)
  }

  static func parsed(_ bytes: [UInt8], _ limits: JSONLimits) -> Result<JSONValue, JSONError> {
    do throws(JSONError) { return .success(try JSONValue(parsing: bytes, limits: limits)) } catch { return .failure(error) }
  }

  /// How many events a text has.
  private static func events(_ bytes: [UInt8]) -> Result<Int, JSONError> {
    do throws(JSONError) {
      var reader = try JSONReader(bytes)
      var count = 0
      while try reader.next() != .end { count += 1 }
      return .success(count)
    } catch {
      return .failure(error)
    }
  }

  private static func checkSkipping(_ bytes: [UInt8], accepted: Result<Int, JSONError>) throws(BrokenProperty) {
    var skipped = false
    do throws(JSONError) {
      var reader = try JSONReader(bytes)
      try reader.skip(try reader.next())
      skipped = try reader.next() == .end
    } catch {}
    if case .success = accepted { try require(skipped, "a text that can be read cannot be skipped") }
    if case .failure(let error) = accepted { try require(!skipped, "a text that cannot be read is skipped: \(error)") }
  }

  private static func checkPlace(_ error: JSONError, _ bytes: [UInt8]) throws(BrokenProperty) {
    let lines = 1 + bytes.count { $0 == 0x0A || $0 == 0x0D }
    try require((1...lines).contains(error.line), "line \(error.line) of \(lines)")
    try require((1...(bytes.count + 1)).contains(error.column), "column \(error.column) in \(bytes.count) bytes")
    try require(!error.message.isEmpty, "an error without message")
  }

  private static func checkRoundTrip(_ value: JSONValue) throws(BrokenProperty) {
    for (pretty, sorted) in [(false, false), (true, false), (false, true)] {
      let text = value.serialized(pretty: pretty, sortedKeys: sorted)
      switch parsed(Array(text.utf8), .standard) {
      case .failure(let error): throw BrokenProperty("cannot read what was written, \(error): \(text)")
      case .success(let again):
        // Numbers beyond Double's range are infinite, which JSON cannot write.
        if (try? value.strictlySerialized()) != nil { try require(again == value, "reads back as another value: \(text)") }
        try require(again.serialized(pretty: pretty, sortedKeys: sorted) == text, "is written in two ways: \(text)")
      }
    }
  }
}
