import CPCRE2
import Synchronization

/// A pattern compiled by PCRE2 and its just-in-time compiler. The only file with unsafe pointers.
///
/// PCRE2 answers almost every question; where it gives up (too much backtracking, no stack, a text
/// that is not UTF-8 because it holds a lone surrogate) the answer is `unknown` and the automaton
/// is asked instead.
final class PCRE2Matcher: @unchecked Sendable {
  // Unchecked: compiled code is immutable once built and PCRE2 documents it as safe to share.
  private let code: OpaquePointer

  enum Answer { case yes, no, unknown }

  /// `nil` where PCRE2 refuses the pattern, because it would become too large.
  init?(_ pattern: [UInt8]) {
    guard let context = pcre2_compile_context_create_8(nil) else { return nil }
    defer { pcre2_compile_context_free_8(context) }
    pcre2_set_newline_8(context, UInt32(PCRE2_NEWLINE_LF))
    // A group may be written with two more around it; the default is 250.
    pcre2_set_parens_nest_limit_8(context, UInt32(PatternLimits.groupings) * 4)
    var errorCode: Int32 = 0
    var errorOffset = 0
    let options =
      UInt32(PCRE2_UTF) | UInt32(PCRE2_DOLLAR_ENDONLY) | UInt32(PCRE2_ALT_CIRCUMFLEX) | UInt32(PCRE2_NEVER_BACKSLASH_C)
    guard let code = pattern.withUnsafeBufferPointer({
      pcre2_compile_8($0.baseAddress, $0.count, options, &errorCode, &errorOffset, context)
    }) else { return nil }
    self.code = code
    // Where the JIT is missing or refuses, the interpreter answers the same.
    pcre2_jit_compile_8(code, UInt32(PCRE2_JIT_COMPLETE))
  }

  deinit { pcre2_code_free_8(code) }

  /// Whether the pattern matches; for patterns anchored at both ends. Allocates nothing once the
  /// pool is warm.
  func test(_ subject: UnsafeRawBufferPointer) -> Answer {
    guard let scratch = Scratch.take() else { return .unknown }
    defer { scratch.giveBack() }
    return scratch.match(code, subject, from: 0, into: scratch.data)
  }

  func test(_ subject: [UInt8]) -> Answer { subject.withUnsafeBytes { test($0) } }

  /// All matches from left to right, each as the byte ranges of its groups (`nil`: took no part).
  /// After an empty match the search goes on one byte further, so the caller makes sure that
  /// characters there are one byte wide or that the pattern cannot be empty.
  /// `nil` where PCRE2 gives up.
  func matches(in subject: [UInt8], groups: Int) -> [[Range<Int>?]]? {
    guard let scratch = Scratch.take() else { return nil }
    defer { scratch.giveBack() }
    guard let data = pcre2_match_data_create_8(UInt32(groups + 1), nil) else { return nil }
    defer { pcre2_match_data_free_8(data) }
    return subject.withUnsafeBytes { bytes in
      var found: [[Range<Int>?]] = []
      var start = 0
      while start <= bytes.count {
        switch scratch.match(code, bytes, from: start, into: data) {
        case .unknown: return nil
        case .no: return found
        case .yes: break
        }
        guard let offsets = pcre2_get_ovector_pointer_8(data) else { return nil }
        var match: [Range<Int>?] = []
        for group in 0...groups {
          let (low, high) = (offsets[2 * group], offsets[2 * group + 1])
          match.append(low >= 0 && low <= high && high <= bytes.count ? low..<high : nil)
        }
        guard let whole = match[0] else { return nil }
        found.append(match)
        start = whole.isEmpty ? nextCharacter(in: bytes, after: whole.upperBound) : whole.upperBound
      }
      return found
    }
  }

  private func nextCharacter(in bytes: UnsafeRawBufferPointer, after position: Int) -> Int {
    var next = position + 1
    while next < bytes.count, bytes[next] & 0xC0 == 0x80 { next += 1 }
    return next
  }
}

/// What one match needs besides the code: room for the result, limits, a stack for JIT code. Kept
/// in a pool, since making one costs more than most matches.
private final class Scratch: @unchecked Sendable {
  // Unchecked: only ever used by the thread that took it from the pool.
  let data: OpaquePointer
  private let context: OpaquePointer
  private let stack: OpaquePointer

  private static let pool = Mutex<[Scratch]>([])
  /// More than this many idle ones are freed.
  private static let poolSize = 16

  private init?() {
    guard let data = pcre2_match_data_create_8(1, nil) else { return nil }
    guard let context = pcre2_match_context_create_8(nil) else {
      pcre2_match_data_free_8(data)
      return nil
    }
    guard let stack = pcre2_jit_stack_create_8(32 << 10, 1 << 20, nil) else {
      pcre2_match_context_free_8(context)
      pcre2_match_data_free_8(data)
      return nil
    }
    pcre2_set_match_limit_8(context, PatternLimits.backtracking)
    pcre2_set_depth_limit_8(context, PatternLimits.backtracking)
    pcre2_set_heap_limit_8(context, 16 << 10)
    pcre2_jit_stack_assign_8(context, nil, UnsafeMutableRawPointer(stack))
    self.data = data
    self.context = context
    self.stack = stack
  }

  deinit {
    pcre2_match_data_free_8(data)
    pcre2_match_context_free_8(context)
    pcre2_jit_stack_free_8(stack)
  }

  static func take() -> Scratch? { pool.withLock { $0.popLast() } ?? Scratch() }

  func giveBack() {
    Scratch.pool.withLock { pool in
      if pool.count < Scratch.poolSize { pool.append(self) }
    }
  }

  /// PCRE2 checks the text itself: a lone surrogate makes the answer `unknown`.
  func match(
    _ code: OpaquePointer, _ subject: UnsafeRawBufferPointer, from start: Int, into data: OpaquePointer
  ) -> PCRE2Matcher.Answer {
    let result: Int32
    if let base = subject.baseAddress {
      let units = base.assumingMemoryBound(to: UInt8.self)
      result = pcre2_match_8(code, units, subject.count, start, 0, data, context)
    } else {
      // An empty buffer may have no address, which PCRE2 does not take.
      var nothing: UInt8 = 0
      result = pcre2_match_8(code, &nothing, 0, 0, 0, data, context)
    }
    if result >= 0 { return .yes }
    return result == PCRE2_ERROR_NOMATCH ? .no : .unknown
  }
}
