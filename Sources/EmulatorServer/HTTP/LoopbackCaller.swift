import CLinux

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Calls blocking functions that run on this machine, by HTTP/1.0: one request a connection, whose end ends the answer.
public struct LoopbackCaller: FunctionCaller {
  private static let maximumBytes = 10 << 20

  public init() {}

  public func post(_ url: String, json body: [UInt8], timeout seconds: Int) -> (status: Int, body: [UInt8])? {
    guard let (host, port, path) = Self.parts(url) else { return nil }
    let address = host == "localhost" ? "127.0.0.1" : host == "[::1]" ? "::1" : host
    let descriptor = clinux_connect(address, port, Int32(clamping: seconds))
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    let head =
      "POST \(path) HTTP/1.0\r\nHost: \(host):\(port)\r\nContent-Type: application/json\r\n"
      + "Content-Length: \(body.count)\r\nConnection: close\r\n\r\n"
    var rest = (Array(head.utf8) + body)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { clinux_send(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { return nil }
      rest = rest.dropFirst(count)
    }
    var received: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while received.count <= Self.maximumBytes {
      let count = buffer.withUnsafeMutableBytes { clinux_receive(descriptor, $0.baseAddress, $0.count) }
      if count == 0 { return Self.answer(received) }
      guard count > 0 else { return nil }
      received += buffer[..<count]
    }
    return nil
  }

  /// Of `http://host:port/path` on the loopback interface.
  static func parts(_ url: String) -> (host: String, port: UInt16, path: String)? {
    let scheme = "http://"
    guard let address = WebAddress(url), address.scheme == "http", WebAddress.isLoopback(address.host) else {
      return nil
    }
    let rest = url.dropFirst(scheme.count).prefix { $0 != "#" }
    let authority = rest.prefix { !"/?".contains($0) }
    guard !authority.contains("@") else { return nil }
    let digits = authority.dropFirst(address.host.count)
    let port = digits.isEmpty ? 80 : digits.hasPrefix(":") ? UInt16(digits.dropFirst()) : nil
    guard let port else { return nil }
    let path = rest.dropFirst(authority.count)
    return (address.host, port, path.hasPrefix("/") ? String(path) : "/" + path)
  }

  /// Status and body of an answer without chunks.
  static func answer(_ bytes: [UInt8]) -> (status: Int, body: [UInt8])? {
    var end: Int?
    for i in bytes.indices.dropLast(3)
    where bytes[i] == 0x0D && bytes[i..<(i + 4)].elementsEqual([0x0D, 0x0A, 0x0D, 0x0A]) {
      end = i
      break
    }
    guard let end else { return nil }
    let words = String(decoding: bytes[..<end], as: UTF8.self).prefix { $0 != "\r\n" }.split(separator: " ")
    guard words.count >= 2, words[0].hasPrefix("HTTP/1."), let status = Int(words[1]) else { return nil }
    return (status, Array(bytes[(end + 4)...]))
  }
}
