import RulesValues

/// The names of the maps that `request` and documents are, kept among a program's constants.
struct RequestNames: Sendable {
  let auth, autoId, fields, headers, inTransaction, method, path, readFields, resource, time, transforms: Value
  let writeFields, token, uid, name, data, id, databases, documents: Value
  private let get, list, create, update, delete: Value

  init(_ constants: Arena) {
    func name(_ text: StaticString) -> Value { constants.string(text) }
    auth = name("auth")
    autoId = name("autoId")
    fields = name("fields")
    headers = name("headers")
    inTransaction = name("inTransaction")
    method = name("method")
    path = name("path")
    readFields = name("readFields")
    resource = name("resource")
    time = name("time")
    transforms = name("transforms")
    writeFields = name("writeFields")
    token = name("token")
    uid = name("uid")
    self.name = name("__name__")
    data = name("data")
    id = name("id")
    databases = name("databases")
    documents = name("documents")
    get = name("get")
    list = name("list")
    create = name("create")
    update = name("update")
    delete = name("delete")
  }

  func text(of method: RequestMethod) -> Value {
    switch method {
    case .get: get
    case .list: list
    case .create: create
    case .update: update
    case .delete: delete
    }
  }
}
