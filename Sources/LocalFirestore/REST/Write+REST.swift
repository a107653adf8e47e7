import JSON
import RulesValues

extension Write {
  /// Reads a write of a `:commit`.
  public init(rest json: JSONValue) throws(FirestoreError) {
    let operations = ["update", "delete", "verify", "transform"].filter { json[$0].map { !$0.isNull } ?? false }
    guard json.objectValue != nil, operations.count <= 1 else {
      throw RESTReading.payload("A write has one of update, delete, verify and transform.")
    }
    switch operations.first {
    case "update":
      let document = json["update"]
      self.init(path: try ResourceName(RESTReading.string(document?["name"], "update.name") ?? "").path)
      fields = try RESTReading.fields(document?["fields"], "update.fields")
      mask = try RESTReading.mask(json["updateMask"], "updateMask")
      transforms = try Self.transforms(json["updateTransforms"])
    case "transform":
      let transform = json["transform"]
      self.init(path: try ResourceName(RESTReading.string(transform?["document"], "transform.document") ?? "").path)
      transforms = try Self.transforms(transform?["fieldTransforms"])
      mask = []
      if transforms.isEmpty {
        throw FirestoreError(.invalidArgument, "The list of FieldTransform must not be empty.")
      }
      if !(try RESTReading.array(json["updateTransforms"], "updateTransforms")).isEmpty {
        throw FirestoreError(.invalidArgument, "a transform must not specify a update transform.")
      }
    case "delete":
      self.init(path: try ResourceName(RESTReading.string(json["delete"], "delete") ?? "").path)
      kind = .delete
      if let mask = json["updateMask"], !mask.isNull {
        throw FirestoreError(.invalidArgument, "a delete must not specify a document mask.")
      }
      if !(try RESTReading.array(json["updateTransforms"], "updateTransforms")).isEmpty {
        throw FirestoreError(.invalidArgument, "a delete must not specify a update transform.")
      }
    case "verify":
      self.init(path: try ResourceName(RESTReading.string(json["verify"], "verify") ?? "").path)
      kind = .verify
    default: throw FirestoreError(.invalidArgument, "empty write operation")
    }
    precondition = try Self.precondition(json["currentDocument"])
  }

  static func precondition(_ json: JSONValue?) throws(FirestoreError) -> Precondition? {
    guard let json, !json.isNull else { return nil }
    let exists = try RESTReading.bool(json["exists"], "currentDocument.exists")
    let time = try RESTReading.string(json["updateTime"], "currentDocument.updateTime")
    switch (exists, time) {
    case (nil, nil): return nil
    case (let exists?, nil): return .exists(exists)
    case (nil, let text?):
      guard let time = Timestamp(rfc3339: text) else { throw RESTReading.payload("updateTime is no timestamp.") }
      return .updateTime(time.wholeMicroseconds)
    case (.some, .some): throw RESTReading.payload("A precondition has one of exists and updateTime.")
    }
  }

  private static func transforms(_ json: JSONValue?) throws(FirestoreError) -> [FieldTransform] {
    var transforms: [FieldTransform] = []
    for item in try RESTReading.array(json, "fieldTransforms") {
      transforms.append(
        FieldTransform(
          path: try FieldPath(protocol: RESTReading.string(item["fieldPath"], "fieldPath") ?? ""),
          transform: try transform(item)))
    }
    return transforms
  }

  private static func transform(_ json: JSONValue) throws(FirestoreError) -> Transform {
    let kinds = [
      "setToServerValue", "increment", "maximum", "minimum", "appendMissingElements", "removeAllFromArray",
    ].filter { json[$0].map { !$0.isNull } ?? false }
    guard let kind = kinds.first else {
      throw FirestoreError(.invalidArgument, "Operation type must be specified for field transformation.")
    }
    guard kinds.count == 1 else { throw RESTReading.payload("A transform is of one kind.") }
    switch kind {
    case "setToServerValue":
      switch json[kind] {
      case .string("REQUEST_TIME"), .int(1): return .serverTimestamp
      case .string("SERVER_VALUE_UNSPECIFIED"), .int(0):
        throw FirestoreError(
          .invalidArgument, "ServerValue type must be specified for set_to_server_value transformation.")
      default: throw RESTReading.payload("setToServerValue is REQUEST_TIME.")
      }
    case "increment": return .increment(try RESTReading.value(json[kind], kind))
    case "maximum": return .maximum(try RESTReading.value(json[kind], kind))
    case "minimum": return .minimum(try RESTReading.value(json[kind], kind))
    default:
      var items: [DataValue] = []
      for item in try RESTReading.array(json[kind]?["values"], "\(kind).values") {
        items.append(try RESTReading.value(item, "\(kind).values"))
      }
      return kind == "appendMissingElements" ? .arrayUnion(items) : .arrayRemove(items)
    }
  }
}
