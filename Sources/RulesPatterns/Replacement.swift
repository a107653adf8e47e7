/// The replacement text of `replace`, read as the Java port of RE2 reads it: `$1`, `${name}`, and a
/// backslash that takes the next character as it is. A `$` or backslash that comes last, and a `$`
/// before anything else, stand for themselves.
struct Replacement {
  enum Part: Equatable {
    case text([UInt8])
    case group(Int)
    /// A group by its name. One that took no part in the match prints as `null`, while its number
    /// prints as nothing (observed on emulator 1.19.9).
    case namedGroup(Int)
    /// A reference to a group that does not exist; an error as soon as there is a match.
    case invalid
  }

  static let absent = Array("null".utf8)

  private(set) var parts: [Part] = []
  /// The highest group referred to; 0 is the whole match.
  private(set) var lastGroup = 0

  init(_ source: [UInt8], groupCount: Int, names: [String: Int]) {
    var text: [UInt8] = []
    var position = 0
    func flush(_ parts: inout [Part]) {
      if !text.isEmpty { parts.append(.text(text)) }
      text = []
    }
    while position < source.count {
      let byte = source[position]
      guard position + 1 < source.count, byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "$") else {
        text.append(byte)
        position += 1
        continue
      }
      let next = source[position + 1]
      if byte == UInt8(ascii: "\\") {
        text.append(next)
        position += 2
      } else if let digit = Replacement.digit(next) {
        flush(&parts)
        position += 2
        var group = digit
        // Another digit belongs to the number only while such a group exists.
        while position < source.count, let digit = Replacement.digit(source[position]), group * 10 + digit <= groupCount {
          group = group * 10 + digit
          position += 1
        }
        parts.append(group <= groupCount ? .group(group) : .invalid)
        lastGroup = max(lastGroup, min(group, groupCount))
      } else if next == UInt8(ascii: "{") {
        flush(&parts)
        guard let end = source[position...].firstIndex(of: UInt8(ascii: "}")),
          let group = names[String(decoding: source[(position + 2)..<end], as: UTF8.self)]
        else {
          parts.append(.invalid)
          return
        }
        parts.append(.namedGroup(group))
        lastGroup = max(lastGroup, group)
        position = end + 1
      } else {
        text.append(byte)
        position += 1
      }
    }
    flush(&parts)
  }

  private static func digit(_ byte: UInt8) -> Int? {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) ? Int(byte - UInt8(ascii: "0")) : nil
  }
}

extension Pattern {
  /// The text with every match replaced. Matches do not overlap.
  /// - Throws: `invalidReplacement` when there is a match and the replacement names a group that does
  ///   not exist; `tooComplex` when the bounds of the automaton are hit.
  public func replace(_ text: [UInt8], with replacement: [UInt8]) throws(PatternFailure) -> [UInt8] {
    let replacement = Replacement(replacement, groupCount: groupCount, names: groupNames)
    switch try search(text, groups: replacement.lastGroup) {
    case .bytes(let matches):
      var output: [UInt8] = []
      var end = 0
      for match in matches {
        guard let whole = match.first ?? nil else { continue }
        output += text[end..<whole.lowerBound]
        for part in replacement.parts {
          switch part {
          case .text(let bytes): output += bytes
          case .group(let group): if let range = match[group] { output += text[range] }
          case .namedGroup(let group): output += match[group].map { text[$0] } ?? Replacement.absent[...]
          case .invalid: throw .invalidReplacement
          }
          if output.count > PatternLimits.output { throw .tooComplex }
        }
        end = whole.upperBound
      }
      return matches.isEmpty ? text : output + text[end...]
    case .units(let matches, let units):
      // Put together in UTF-16, where surrogates that come to stand side by side join by themselves.
      var output: [UInt16] = []
      var end = 0
      for match in matches {
        guard let whole = match.first ?? nil else { continue }
        output += units[end..<whole.lowerBound]
        for part in replacement.parts {
          switch part {
          case .text(let bytes): output += WTF8.utf16(bytes)
          case .group(let group): if let range = match[group] { output += units[range] }
          case .namedGroup(let group): output += match[group].map { units[$0] } ?? WTF8.utf16(Replacement.absent)[...]
          case .invalid: throw .invalidReplacement
          }
          if output.count > PatternLimits.output { throw .tooComplex }
        }
        end = whole.upperBound
      }
      return WTF8.bytes((output + units[end...])[...])
    }
  }
}
