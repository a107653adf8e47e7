import EmulatorServer

enum HTTPProperties {
  /// However the bytes of a connection are cut, the same requests come of them, and the same end.
  static func check(_ bytes: [UInt8]) throws(BrokenProperty) {
    let end = bytes.lastIndex(of: 0)
    let text = bytes[..<(end ?? bytes.endIndex)]
    let cuts = end.map { bytes[($0 + 1)...] } ?? []
    var limits = HTTPLimits()
    limits.headBytes = 1 << 10
    limits.headerFields = 16
    limits.bodyBytes = 1 << 10
    let whole = try outcome(text, [], limits)
    let cut = try outcome(text, Array(cuts), limits)
    try require(whole.requests == cut.requests, "cut otherwise, other requests are read: \(whole) and \(cut)")
    try require(whole.failure == cut.failure, "cut otherwise, it ends otherwise: \(whole) and \(cut)")
    for request in whole.requests {
      try require(request.body.count <= limits.bodyBytes, "a body is longer than the limit")
      try require(request.headers.fields.count <= limits.headerFields, "there are more header fields than the limit")
      for field in request.headers.fields {
        let isSafe = !field.value.utf8.contains { $0 == 0x0A || $0 == 0x0D || $0 == 0 }
        try require(isSafe, "a header field has the end of a line in it")
      }
      _ = (request.segments, request.parameters)
    }
  }

  private static func outcome(
    _ text: ArraySlice<UInt8>, _ cuts: [UInt8], _ limits: HTTPLimits
  ) throws(BrokenProperty) -> (requests: [HTTPRequest], failure: HTTPFailure?) {
    var parser = HTTPParser(limits: limits)
    var requests: [HTTPRequest] = []
    var rest = text
    var i = 0
    while !rest.isEmpty {
      let size = i < cuts.count ? Int(cuts[i]) + 1 : rest.count
      i += 1
      parser.append(rest.prefix(size))
      rest = rest.dropFirst(size)
      reading: while true {
        switch parser.next() {
        case .needsMore: break reading
        case .expectsContinue: break
        case .request(let request): requests.append(request)
        case .failure(let failure): return (requests, failure)
        }
        try require(requests.count <= text.count, "more requests than bytes")
      }
    }
    return (requests, nil)
  }
}
