import RulesEngine
import RulesValues

/// Messages that official implementations word differently.
struct FirestoreWords: Sendable {
  let project: String
  let dialect: Dialect

  func resourceName(_ path: ResourcePath) -> String { "projects/\(project)\(path)" }

  func missing(_ path: ResourcePath) -> FirestoreError {
    guard dialect == .emulator1_19 else {
      return FirestoreError(.notFound, "No document to update: \(resourceName(path))")
    }
    return FirestoreError(.notFound, "no entity to update: " + entity(path))
  }

  /// The message of the emulator's protocol that names a document, as text.
  private func entity(_ path: ResourcePath) -> String {
    var text = "app: \"dev~\(project)\"\npath <\n"
    for i in stride(from: 0, to: path.segments.count - 1, by: 2) {
      let id = path.segments[i + 1].string
      let name = DataLaws.numericID(id).map { "id: \($0)" } ?? "name: \"\(Self.escaped(id))\""
      text += "  Element {\n    type: \"\(Self.escaped(path.segments[i].string))\"\n    \(name)\n  }\n"
    }
    return text + ">\n"
  }

  /// A path in which numeric ids show as numbers.
  private static func numbered(_ path: ResourcePath) -> String {
    path.segments.map { id in "/" + (DataLaws.numericID(id.string).map { "\($0)L" } ?? id.string) }.joined()
  }

  /// Anything but plain ASCII in octal.
  private static func escaped(_ text: String) -> String {
    text.utf16.map { unit in
      switch unit {
      case 0x22: return "\\\""
      case 0x5C: return "\\\\"
      case 0x20..<0x7F: return String(Unicode.Scalar(UInt8(truncatingIfNeeded: unit)))
      default:
        let octal = String(unit, radix: 8)
        return "\\" + String(repeating: "0", count: max(0, 3 - octal.count)) + octal
      }
    }.joined()
  }

  func notFound(_ path: ResourcePath) -> FirestoreError {
    let name = resourceName(path)
    return FirestoreError(
      .notFound, dialect == .emulator1_19 ? "Document (\(name)) not found." : "Document \"\(name)\" not found.")
  }

  func exists(_ path: ResourcePath) -> FirestoreError {
    FirestoreError(
      .alreadyExists,
      dialect == .emulator1_19
        ? "entity already exists: EntityRef{partitionRef=dev~\(project), path=\(Self.numbered(path))}"
        : "Document already exists: \(resourceName(path))")
  }

  /// Versions are microseconds since 1970; that of a document which was never there is 0.
  func otherVersion(_ stored: Timestamp?, required: Timestamp, _ path: ResourcePath) -> FirestoreError {
    if let stored, required > stored {
      return FirestoreError(
        .invalidArgument, "Invalid base version, it is greater than the stored version: " + entity(path))
    }
    return FirestoreError(
      .failedPrecondition,
      "the stored version (\(stored?.microseconds ?? 0)) does not match the required base version "
        + "(\(required.microseconds))")
  }
}

extension Timestamp {
  /// Since 1970-01-01. Times that Firestore knows fit.
  var microseconds: Int64 { seconds &* 1_000_000 &+ Int64(nanos / 1000) }

  init(microseconds: Int64) {
    let seconds = microseconds >= 0 ? microseconds / 1_000_000 : (microseconds - 999_999) / 1_000_000
    self.init(seconds: seconds, nanos: Int32(truncatingIfNeeded: (microseconds - seconds * 1_000_000) * 1000))
  }

  /// Firestore stores times to the microsecond and cuts the rest.
  var wholeMicroseconds: Timestamp { Timestamp(seconds: seconds, nanos: nanos / 1000 * 1000) }
}
