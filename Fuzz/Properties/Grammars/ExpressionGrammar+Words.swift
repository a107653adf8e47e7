extension ExpressionGrammar {
  static let numbers = [
    "0", "1", "2", "-1", "9223372036854775807", "-9223372036854775808", "1.0", "0.0", "-0.0", "1e308", "1e-320", "0.1",
    "3", "100", "1e19", "253402300799", "-62135596801", "1000000000", "64", "12",
  ]
  static let strings = [
    "'a'", "''", "'ab'", "\"x\"", "'é'", "'😀'", "'\\ud83d'", "'\\u0000'", "'a,b,,c'", "'2026-01-01T00:00:00Z'", "'1'",
    "'-9223372036854775808'", "'1e5'", "'NaN'", "'/databases/(default)/documents/users/alice'", "'owner'", "'(a+)+'",
    "'$1'", "'\\\\'", "'alice'",
  ]
  static let maps = [
    "{}", "{'a': 1}", "request.auth.token", "resource.data", "request.resource.data", "resource", "request",
    "{'a': {'b': [1]}}", "request.query",
  ]
  static let references = [
    "request.auth.uid", "request.auth", "request.method", "request.path", "request.time", "resource.data.a", "resource.id",
    "resource.__name__", "request.resource.data.a", "database", "id", "null", "request.auth.token.email", "resource['data']",
    "request.writeFields", "request.resource.data['a.b']", "debug(request.auth)", "resource.data.b.c",
  ]
  static let oddities = [
    "b'\\xff'", "b'a'", "1 / 0", "null", "[1][5]", "{}.a", "-(-9223372036854775807 - 1)", "'a'.b", "get(/a)", "9223372036854775808",
    "math", "duration", "1 % 0", "math.sqrt(-1)", "[[[[]]]]", "float('NaN')", "request.auth.token.x.y",
  ]
  static let identifiers = [
    "a", "b", "data", "id", "users", "alice", "x", "y", "request", "resource", "database", "math", "size", "get", "f", "g",
    "value", "date", "keys", "__name__",
  ]
  static let types = [
    "bool", "int", "float", "number", "string", "list", "map", "timestamp", "duration", "path", "latlng", "bytes", "set",
    "map_diff", "constraint", "nothing",
  ]
  static let methods = [
    "size", "lower", "upper", "trim", "matches", "replace", "split", "toUtf8", "toBase64", "toHexString", "year", "month",
    "day", "hours", "minutes", "date", "time", "dayOfWeek", "dayOfYear", "toMillis", "seconds", "nanos", "latitude",
    "longitude", "distance", "concat", "hasAll", "hasAny", "hasOnly", "join", "removeAll", "toSet", "union",
    "intersection", "difference", "keys", "values", "get", "diff", "addedKeys", "removedKeys", "changedKeys",
    "affectedKeys", "unchangedKeys", "bind", "nothing",
  ]
  static let diffs = ["addedKeys", "removedKeys", "changedKeys", "affectedKeys", "unchangedKeys"]
  static let maths = ["abs", "ceil", "floor", "round", "sqrt", "isNaN", "isInfinite"]
  static let clocks = ["year", "month", "day", "hours", "minutes", "seconds", "nanos", "dayOfWeek", "dayOfYear", "toMillis"]
}
