import Synchronization

/// Compiled patterns by their source, for patterns that are only known when a request is judged.
/// Refused patterns are remembered, too. When full, the half that was not used lately is dropped.
public final class PatternCache: Sendable {
  private struct State {
    /// Used since the last turn of the generations.
    var recent: [[UInt8]: Result<Pattern, PatternError>] = [:]
    /// Used in the turn before.
    var older: [[UInt8]: Result<Pattern, PatternError>] = [:]
  }

  private let state = Mutex(State())
  private let capacity: Int

  /// - Parameter capacity: how many patterns are kept at most; at least 2.
  public init(capacity: Int = 512) {
    self.capacity = max(capacity, 2)
  }

  /// The pattern with this source, compiled now or earlier.
  public func pattern(wtf8 source: [UInt8]) throws(PatternError) -> Pattern {
    if let known = state.withLock({ lookUp(source, in: &$0) }) { return try known.get() }
    // Compiled without the lock: two threads may do it twice, but none waits for another's pattern.
    let made: Result<Pattern, PatternError>
    do throws(PatternError) {
      made = .success(try Pattern(wtf8: source))
    } catch {
      made = .failure(error)
    }
    state.withLock { store(made, for: source, in: &$0) }
    return try made.get()
  }

  /// How many patterns are kept at the moment.
  public var count: Int { state.withLock { $0.recent.count + $0.older.count } }

  private func lookUp(_ source: [UInt8], in state: inout State) -> Result<Pattern, PatternError>? {
    if let known = state.recent[source] { return known }
    guard let known = state.older.removeValue(forKey: source) else { return nil }
    store(known, for: source, in: &state)
    return known
  }

  private func store(_ result: Result<Pattern, PatternError>, for source: [UInt8], in state: inout State) {
    if state.recent.count >= capacity / 2 {
      state.older = state.recent
      state.recent = [:]
    }
    state.recent[source] = result
  }
}
