import Identity
import JSON

/// The members of a request's body, by the name that the API has for them.
///
/// As the official emulator takes them: a name may be in snake case, an enumeration may be a number, and a number may
/// stand where a text is expected. Anything else of the wrong kind is refused with the path at which it stands.
struct AuthBody: Sendable {
  let object: JSONObject
  /// Where in the body this stands: empty, or `/users/0`.
  let place: String

  init(_ object: JSONObject = [:], at place: String = "") {
    self.object = object
    self.place = place
  }

  /// - Parameter isForm: whether the body is `a=1&b=2`, as the token endpoint takes it.
  /// - Throws: if the body is not a JSON object.
  init(parsing bytes: ArraySlice<UInt8>, isForm: Bool) throws(IdentityError) {
    place = ""
    guard bytes.contains(where: { !" \t\r\n".utf8.contains($0) }) else {
      object = [:]
      return
    }
    if isForm {
      var fields = JSONObject()
      for (name, value) in FormEncoding.fields(String(decoding: bytes, as: UTF8.self)) { fields[name] = .string(value) }
      object = fields
      return
    }
    let value: JSONValue
    do {
      let limits = JSONLimits(maxDepth: 100, maxBytes: 10 << 20, duplicateKeys: .lastWins)
      value = try JSONValue(parsing: Array(bytes), limits: limits)
    } catch {
      throw Self.invalid("\(error)")
    }
    guard let object = value.objectValue else { throw Self.invalid("The body is \(value.kind), not an object.") }
    self.object = object
  }

  /// The error of a body that is not what it should be.
  static func invalid(_ what: String) -> IdentityError {
    IdentityError(code: AuthFailure.invalidPayload + what, message: what)
  }

  private func wrong(_ name: String, _ kind: String) -> IdentityError {
    Self.invalid("\(place)/\(name) must be \(kind)")
  }

  /// What a name has; null counts as nothing.
  subscript(name: String) -> JSONValue? {
    let value = object[name] ?? object[Self.snake(name)]
    return value?.isNull == true ? nil : value
  }

  private static func snake(_ name: String) -> String {
    var text = ""
    for scalar in name.unicodeScalars {
      if ("A"..."Z").contains(scalar) {
        text += "_" + String(scalar).lowercased()
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    return text
  }

  func has(_ name: String) -> Bool { self[name] != nil }

  private static func text(_ value: JSONValue) -> String? {
    switch value {
    case .string(let text): text
    case .int(let number): String(number)
    case .double(let number) where number.isFinite:
      number == number.rounded() && abs(number) < 1e15
        ? String(Int64(number)) : String(number)
    default: nil
    }
  }

  func text(_ name: String) throws(IdentityError) -> String? {
    guard let value = self[name] else { return nil }
    guard let text = Self.text(value) else { throw wrong(name, "string") }
    return text
  }

  /// The text, unless it is empty.
  func filled(_ name: String) throws(IdentityError) -> String? {
    let text = try text(name)
    return text?.isEmpty == true ? nil : text
  }

  /// - Parameter code: what is said if it is missing or empty.
  func needed(_ name: String, else code: String) throws(IdentityError) -> String {
    guard let text = try filled(name) else {
      throw IdentityError(code: code, message: "'\(name)' is missing")
    }
    return text
  }

  func flag(_ name: String) throws(IdentityError) -> Bool? {
    switch self[name] {
    case nil: return nil
    case .bool(let flag): return flag
    case .string("true"): return true
    case .string("false"): return false
    default: throw wrong(name, "boolean")
    }
  }

  /// A whole number, or one as text: how JSON carries 64 bits.
  func integer(_ name: String) throws(IdentityError) -> Int64? {
    guard let value = self[name] else { return nil }
    switch value {
    case .int(let number): return number
    case .double(let number):
      if let whole = Int64(exactly: number) { return whole }
    case .string(let text):
      if let number = Int64(text) { return number }
    default: break
    }
    throw wrong(name, "integer")
  }

  func texts(_ name: String) throws(IdentityError) -> [String] {
    guard let value = self[name] else { return [] }
    guard let elements = value.arrayValue else { throw wrong(name, "array") }
    var texts: [String] = []
    for (index, element) in elements.enumerated() {
      guard let text = Self.text(element) else { throw wrong("\(name)/\(index)", "string") }
      texts.append(text)
    }
    return texts
  }

  func part(_ name: String) throws(IdentityError) -> AuthBody? {
    guard let value = self[name] else { return nil }
    guard let object = value.objectValue else { throw wrong(name, "object") }
    return AuthBody(object, at: "\(place)/\(name)")
  }

  func parts(_ name: String) throws(IdentityError) -> [AuthBody] {
    guard let value = self[name] else { return [] }
    guard let elements = value.arrayValue else { throw wrong(name, "array") }
    var parts: [AuthBody] = []
    for (index, element) in elements.enumerated() {
      guard let object = element.objectValue else { throw wrong("\(name)/\(index)", "object") }
      parts.append(AuthBody(object, at: "\(place)/\(name)/\(index)"))
    }
    return parts
  }

  /// A word of a list, or its place in it. The first word is that of nothing.
  func word(_ name: String, of words: [String]) throws(IdentityError) -> String? {
    guard let text = try filled(name) else { return nil }
    if let number = Int(text), words.indices.contains(number) { return number == 0 ? nil : words[number] }
    guard words.contains(text) else {
      throw wrong(name, "equal to one of the allowed values: \(words.joined(separator: ", "))")
    }
    return text == words.first ? nil : text
  }
}
