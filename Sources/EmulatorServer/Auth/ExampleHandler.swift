import Identity
import JSON

/// The example server of the room `Identity` over HTTP: what an app's own server does with the ID tokens of its users.
public struct ExampleHandler: HTTPHandler {
  private let server: ExampleServer

  public init(_ server: ExampleServer) { self.server = server }

  public func answer(_ request: HTTPRequest) -> HTTPResponse {
    let limits = JSONLimits(maxDepth: 20, maxBytes: 1 << 16, duplicateKeys: .lastWins)
    let isEmpty = !request.body.contains { $0 > 0x20 }
    let body = isEmpty ? [:] : (try? JSONValue(parsing: request.body, limits: limits))?.objectValue
    guard let body else {
      return HTTPResponse(status: 400, json: ["error": "the body is no JSON object"], pretty: false)
    }
    let answer = server.handle(
      ExampleRequest(request.method, request.path, headers: request.headers.byLowerCasedName, body: body))
    return HTTPResponse(status: answer.status, json: .object(answer.body), pretty: false)
  }
}
