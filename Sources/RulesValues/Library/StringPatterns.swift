import RulesPatterns

/// The methods of strings that take a regular expression. Each comes in two forms: with a pattern that was compiled
/// when the ruleset was, and with one that is only known now and looked up in a cache.
extension StringMethods {
  /// Patterns that rules put together while they run.
  private static let patterns = PatternCache()

  // MARK: matches

  /// Does the whole string match?
  public static func matches(_ receiver: Value, _ arguments: Arguments, _ arena: Arena) -> Value {
    guard arguments.count == 1 else { return arena.argumentCount(.stringMatches, arguments) }
    guard arguments.a.has(.string) else { return arena.unsupported(.stringMatches, arguments.a) }
    return withPattern(arguments.a, arena) { matches(receiver, pattern: $0, arena) }
  }

  /// The same with a compiled pattern. The receiver must be a string.
  public static func matches(_ receiver: Value, pattern: Pattern, _ arena: Arena) -> Value {
    arena.withBytes(receiver) { text in
      do throws(PatternFailure) {
        return .bool(try pattern.matches(text))
      } catch {
        return failed(error, arena)
      }
    }
  }

  // MARK: replace

  /// Every match replaced; `$1` and `${name}` in the replacement stand for groups.
  public static func replace(_ receiver: Value, _ arguments: Arguments, _ arena: Arena) -> Value {
    guard arguments.count == 2 else { return arena.argumentCount(.stringReplace, arguments) }
    guard arguments.a.has(.string), arguments.b.has(.string) else {
      return arena.unsupported(.stringReplace, arguments)
    }
    return withPattern(arguments.a, arena) { replace(receiver, pattern: $0, with: arguments.b, arena) }
  }

  /// The same with a compiled pattern. Receiver and replacement must be strings.
  public static func replace(
    _ receiver: Value, pattern: Pattern, with replacement: Value, _ arena: Arena
  ) -> Value {
    do throws(PatternFailure) {
      return arena.string(try pattern.replace(arena.copyBytes(receiver), with: arena.copyBytes(replacement)))
    } catch {
      return failed(error, arena)
    }
  }

  // MARK: split

  /// The pieces between the matches, without empty ones at the end.
  public static func split(_ receiver: Value, _ arguments: Arguments, _ arena: Arena) -> Value {
    guard arguments.count == 1 else { return arena.argumentCount(.stringSplit, arguments) }
    guard arguments.a.has(.string) else { return arena.unsupported(.stringSplit, arguments.a) }
    return withPattern(arguments.a, arena) { split(receiver, pattern: $0, arena) }
  }

  /// The same with a compiled pattern. The receiver must be a string.
  public static func split(_ receiver: Value, pattern: Pattern, _ arena: Arena) -> Value {
    do throws(PatternFailure) {
      let pieces = try pattern.split(arena.copyBytes(receiver))
      guard let row = arena.row(pieces.count) else { return .error(.memory) }
      for (i, piece) in pieces.enumerated() {
        let v = arena.string(piece)
        if v.isFailure { return v }
        arena.set(row, i, v)
      }
      return arena.finish(row, as: .list)
    } catch {
      return failed(error, arena)
    }
  }

  // MARK: Parts

  private static func withPattern(_ source: Value, _ arena: Arena, _ body: (Pattern) -> Value) -> Value {
    do throws(PatternError) {
      return body(try patterns.pattern(wtf8: arena.copyBytes(source)))
    } catch {
      if error.kind == .syntax { return arena.error(.invalidPattern, source) }
      return arena.error(text: "\(error.officialMessage) Pattern: \(arena.text(source)).")
    }
  }

  /// Words of our own: the official implementation crashes where a group does not exist, and has no such limits.
  private static func failed(_ failure: PatternFailure, _ arena: Arena) -> Value {
    switch failure {
    case .tooComplex: arena.error(text: "The regular expression takes too much work on this text.")
    case .invalidReplacement:
      arena.error(text: "The replacement refers to a group that the regular expression does not have.")
    }
  }
}
