import CPCRE2

/// The library that matches patterns.
public enum PatternLibrary {
  /// `10.42 2022-12-11`
  public static var version: String {
    var buffer = [UInt8](repeating: 0, count: 64)
    let count = Int(pcre2_config_8(UInt32(PCRE2_CONFIG_VERSION), nil))
    guard (1...buffer.count).contains(count) else { return "" }
    pcre2_config_8(UInt32(PCRE2_CONFIG_VERSION), &buffer)
    // The last byte ends the text.
    return String(decoding: buffer[..<(count - 1)], as: UTF8.self)
  }
}
