import Identity
import JSON
import RulesValues

/// What tests may do and nobody else: move the clock, and empty the server. Off unless asked for.
enum AuthTestHooks {
  /// The time at which the server is to think it is, for one request: RFC 3339, or milliseconds since 1970.
  static let timeHeader = "x-rules-test-time"

  static let routes: [AuthRoute] = [
    AuthRoute("GET", "/emulator/v1/clock", .open, needsAuth: false, show),
    AuthRoute("POST", "/emulator/v1/clock", .open, needsAuth: false, change),
    AuthRoute("POST", "/emulator/v1/reset", .open, needsAuth: false, reset),
  ]

  /// - Returns: milliseconds since 1970.
  static func time(_ text: String) throws(IdentityError) -> Int64 {
    let milliseconds = Int64(text) ?? Timestamp(rfc3339: text)?.milliseconds
    guard let milliseconds, DrivenClock.clamped(milliseconds) == milliseconds else {
      throw IdentityError(
        code: "INVALID_TIME : write 2026-01-01T00:00:00Z, or milliseconds since 1970, up to the year 9999",
        message: "'\(text)' is no time")
    }
    return milliseconds
  }

  private static func show(_ call: AuthCall) throws(IdentityError) -> JSONObject {
    ["time": .string(AccountJSON.time(call.emulator.clock.milliseconds))]
  }

  /// `{"time":"2026-01-01T00:00:00Z"}`, `{"advanceSeconds":3600}`, `{"frozen":true}`, or several, in this order.
  private static func change(_ call: AuthCall) throws(IdentityError) -> JSONObject {
    let clock = call.emulator.clock
    let time = try call.body.filled("time").map { (text) throws(IdentityError) in try self.time(text) }
    let seconds = try call.body.integer("advanceSeconds")
    let frozen = try call.body.flag("frozen")
    guard time != nil || seconds != nil || frozen != nil else {
      throw IdentityError(
        code: "INVALID_TIME : give time, advanceSeconds or frozen", message: "nothing is to be changed")
    }
    if let time { clock.set(time) }
    if let seconds {
      let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
      clock.advance(overflow ? (seconds < 0 ? .min : .max) : product)
    }
    if let frozen { clock.freeze(frozen) }
    return try show(call)
  }

  private static func reset(_ call: AuthCall) throws(IdentityError) -> JSONObject {
    try call.emulator.reset()
    return [:]
  }
}
