import JSON
import RulesValues

extension LocalFirestore {
  /// All documents of all databases, as the REST interface writes them: `{"documents": [{"name": …, …}]}`.
  public func export() throws(FirestoreError) -> JSONValue {
    var documents: [JSONValue] = []
    try storage.snapshot(indexed: false).documents(KeyRange(), descending: false) { document in
      documents.append(document.rest(words))
      return true
    }
    return ["documents": .array(documents)]
  }

  /// Puts the documents of an export there, besides those that are there, all or none; no rules are asked. Their times
  /// are those of the import; the project in their names does not matter.
  /// - Throws: INVALID_ARGUMENT.
  public func importDocuments(_ json: JSONValue) throws(FirestoreError) {
    guard let documents = json["documents"]?.arrayValue else {
      throw FirestoreError(.invalidArgument, "An export is an object with an array \"documents\".")
    }
    var writes: [Write] = []
    for (i, document) in documents.enumerated() {
      let place = "documents[\(i)]"
      var write = Write(path: try ResourceName(RESTReading.string(document["name"], "\(place).name") ?? "").path)
      write.fields = try RESTReading.fields(document["fields"], "\(place).fields")
      writes.append(write)
    }
    try commit(writes, access: .admin)
  }
}
