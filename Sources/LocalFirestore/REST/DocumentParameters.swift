import JSON
import RulesValues

/// What stands behind the `?` in requests about documents. Names that it does not know do not count, as the official
/// emulator has it (1.19.9): clients add `alt=json` and keys.
public struct DocumentParameters: Sendable {
  /// The fields that are answered; nil: all.
  let mask: [FieldPath]?
  /// The fields that are written; nil: the whole document.
  let updateMask: [FieldPath]?
  let precondition: Write.Precondition?
  let documentID: String?
  let pageSize: Int?
  let pageToken: String?
  let orderBy: String
  let showsMissing: Bool
  let transaction: JSONValue?

  /// - Throws: INVALID_ARGUMENT.
  public init(_ parameters: [(name: String, value: String)]) throws(FirestoreError) {
    func last(_ name: String) -> String? {
      guard let value = parameters.last(where: { $0.name == name })?.value, !value.isEmpty else { return nil }
      return value
    }
    func paths(_ name: String) throws(FirestoreError) -> [FieldPath]? {
      let texts = parameters.filter { $0.name == name + ".fieldPaths" }.map(\.value)
      guard !texts.isEmpty else { return nil }
      var paths: [FieldPath] = []
      for text in texts { paths.append(try FieldPath(protocol: text)) }
      return paths
    }
    func flag(_ name: String) throws(FirestoreError) -> Bool? {
      guard let text = last(name) else { return nil }
      guard let flag = Bool(text) else { throw RESTReading.payload("\(name) is true or false, not \"\(text)\".") }
      return flag
    }
    mask = try paths("mask")
    updateMask = try paths("updateMask")
    var condition = JSONObject()
    condition["exists"] = try flag("currentDocument.exists").map(JSONValue.bool)
    condition["updateTime"] = last("currentDocument.updateTime").map(JSONValue.string)
    precondition = try Write.precondition(.object(condition))
    // Without one, or with an empty one, the server chooses (observed on the official emulator 1.19.9).
    documentID = last("documentId").flatMap { $0.isEmpty ? nil : $0 }
    if let text = last("pageSize") {
      guard let size = Int32(text) else { throw RESTReading.payload("pageSize is a number, not \"\(text)\".") }
      guard size >= 0 else { throw FirestoreError(.invalidArgument, "Page size must be nonnegative.") }
      pageSize = size == 0 ? nil : Int(size)
    } else {
      pageSize = nil
    }
    pageToken = last("pageToken")
    orderBy = last("orderBy") ?? ""
    showsMissing = try flag("showMissing") ?? false
    transaction = last("transaction").map(JSONValue.string)
  }

  /// `a desc, b.c`
  func orders() throws(FirestoreError) -> [StructuredQuery.Order] {
    guard !orderBy.isEmpty else { return [] }
    let wrong = FirestoreError(.invalidArgument, "Invalid order by clause \"\(orderBy)\".")
    var orders: [StructuredQuery.Order] = []
    for part in orderBy.split(separator: ",", omittingEmptySubsequences: false) {
      let words = part.split(separator: " ", omittingEmptySubsequences: true)
      guard (1...2).contains(words.count) else { throw wrong }
      let direction = words.count == 2 ? words[1].lowercased() : "asc"
      guard direction == "asc" || direction == "desc" else { throw wrong }
      orders.append(.init(try FieldPath(protocol: String(words[0])), isDescending: direction == "desc"))
    }
    return orders
  }
}
