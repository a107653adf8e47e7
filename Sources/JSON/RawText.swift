// The one file of this room that touches raw memory: the text that is read, eight bytes at a time, and the bytes of
// strings. Every read is bounds-checked, and no pointer outlives the closure it is given to.

extension JSONReader {
  /// Where the plain part of a string ends that starts at `first`: at a quote, a backslash, a control character, a byte
  /// beyond ASCII or the end of the text.
  @inline(__always)
  func endOfPlain(from first: Int) -> Int {
    bytes.withUnsafeBytes { text in
      var index = max(0, first)
      while index &+ 8 <= text.count {
        let word = UInt64(littleEndian: text.loadUnaligned(fromByteOffset: index, as: UInt64.self))
        let special = Self.tops(ofSpecialIn: word)
        if special != 0 { return index &+ special.trailingZeroBitCount / 8 }
        index &+= 8
      }
      while index < text.count, text[index].isPlainInString { index &+= 1 }
      return index
    }
  }

  /// The top bits of the bytes that mean more than themselves inside a string. The lowest one is right; above it, a
  /// borrow may have set others.
  @inline(__always)
  private static func tops(ofSpecialIn word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quotes = word ^ ones &* 0x22
    let backslashes = word ^ ones &* 0x5C
    let found =
      word | (word &- ones &* 0x20) & ~word | (quotes &- ones) & ~quotes | (backslashes &- ones) & ~backslashes
    return found & (ones &* 0x80)
  }

  /// Is this the last string or member name?
  @inline(__always)
  public func textIs(_ name: StaticString) -> Bool {
    let count = name.utf8CodeUnitCount
    if hasEscapes {
      return unescaped.elementsEqual(UnsafeBufferPointer(start: name.utf8Start, count: count))
    }
    return plainText.count == count && stands(name, at: plainText.lowerBound)
  }

  /// Do these bytes stand at `offset`?
  @inline(__always)
  func stands(_ word: StaticString, at offset: Int) -> Bool {
    let count = word.utf8CodeUnitCount
    return bytes.withUnsafeBytes { text in
      guard offset >= 0, count <= text.count, offset <= text.count &- count else { return false }
      var i = 0
      while i < count {
        if text[offset &+ i] != word.utf8Start[i] { return false }
        i &+= 1
      }
      return true
    }
  }
}

extension String {
  /// Equal scalar by scalar; `==` would also equate canonically equivalent spellings.
  package func hasSameScalars(as other: String) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    let same = utf8.withContiguousStorageIfAvailable { left in
      other.utf8.withContiguousStorageIfAvailable { right in
        UnsafeRawBufferPointer(left).hasSameBytes(as: UnsafeRawBufferPointer(right))
      }
    }
    return (same ?? nil) ?? utf8.elementsEqual(other.utf8)
  }

  /// Hashes the bytes, whatever way they are kept in. (`String`'s own hash would be sound too, but lets a hostile text
  /// make thousands of canonically equivalent names collide.)
  package func hashBytes(into hasher: inout Hasher) {
    let hashed: Void? = utf8.withContiguousStorageIfAvailable { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    if hashed == nil { Array(utf8).withUnsafeBytes { hasher.combine(bytes: $0) } }
  }

  /// Whether a JSON text may hold it between quotes as it is.
  var needsNoEscapes: Bool {
    let plain = utf8.withContiguousStorageIfAvailable { bytes in
      var isPlain = true
      // Without leaving early, so that many bytes are looked at at once.
      for byte in bytes where byte.needsEscape { isPlain = false }
      return isPlain
    }
    return plain ?? utf8.allSatisfy { !$0.needsEscape }
  }
}

extension UnsafeRawBufferPointer {
  /// Eight bytes at a time.
  fileprivate func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count else { return false }
    var index = 0
    while index &+ 8 <= count {
      let (mine, its) = (
        loadUnaligned(fromByteOffset: index, as: UInt64.self),
        other.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      )
      if mine != its { return false }
      index &+= 8
    }
    while index < count {
      if self[index] != other[index] { return false }
      index &+= 1
    }
    return true
  }
}
