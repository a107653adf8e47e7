import JSON
import Testing

@testable import RulesValues

struct DataValueJSONTests {
  static let everything: DataValue = .map([
    "null": .null, "bool": .bool(true), "int": .int(.min), "double": .double(1), "nan": .double(.nan),
    "infinite": .double(-.infinity), "string": .string("é\u{1F600}"), "bytes": .bytes([0, 255]),
    "time": .timestamp(Timestamp(seconds: 1_767_225_600, nanos: 123_456_789)),
    "point": .geoPoint(latitude: 1.5, longitude: -2), "list": .array([.int(1), .array([]), .map([:])]),
    "reference": .reference(ResourcePath(database: "db", segments: ["users", "alice"])), "vector": .vector([1, -0.5]),
    "e\u{301}": .int(1), "\u{e9}": .int(2),
  ])

  @Test("Data survive the REST encoding")
  func roundTrip() throws {
    let json = Self.everything.rest(project: "p")
    #expect(try DataValue(rest: json) == Self.everything)
  }

  /// As the REST reference of Firestore has them.
  @Test(
    "Each kind is written as the REST reference says",
    arguments: [
      (.null, ["nullValue": nil]),
      (.bool(false), ["booleanValue": false]),
      (.int(-1), ["integerValue": "-1"]),
      (.double(1), ["doubleValue": 1.0]),
      (.double(.infinity), ["doubleValue": "Infinity"]),
      (.string("a"), ["stringValue": "a"]),
      (.bytes([251, 255]), ["bytesValue": "+/8="]),
      (.timestamp(Timestamp(seconds: 0, nanos: 5)), ["timestampValue": "1970-01-01T00:00:00.000000005Z"]),
      (.geoPoint(latitude: 1, longitude: 2), ["geoPointValue": ["latitude": 1.0, "longitude": 2.0]]),
      (
        .reference(ResourcePath(segments: ["a", "b"])),
        ["referenceValue": "projects/p/databases/(default)/documents/a/b"]
      ),
      (.array([]), ["arrayValue": [:]]),
      (.array([.null]), ["arrayValue": ["values": [["nullValue": nil]]]]),
      (.map([:]), ["mapValue": [:]]),
      (.map(["b": .null, "a": .null]), ["mapValue": ["fields": ["a": ["nullValue": nil], "b": ["nullValue": nil]]]]),
      (
        .vector([1]),
        [
          "mapValue": [
            "fields": [
              "__type__": ["stringValue": "__vector__"],
              "value": ["arrayValue": ["values": [["doubleValue": 1.0]]]],
            ]
          ]
        ]
      ),
    ] as [(DataValue, JSONValue)])
  func written(value: DataValue, json: JSONValue) throws {
    #expect(value.rest(project: "p") == json)
    #expect(try DataValue(rest: json) == value)
  }

  @Test(
    "Other spellings are read",
    arguments: [
      (["integerValue": 5], .int(5)), (["doubleValue": 5], .double(5)), (["nullValue": "NULL_VALUE"], .null), (["nullValue": 0], .null),
      (["geoPointValue": [:]], .geoPoint(latitude: 0, longitude: 0)), (["bytesValue": "-_8"], .bytes([251, 255])),
    ] as [(JSONValue, DataValue)])
  func otherSpellings(json: JSONValue, value: DataValue) throws {
    #expect(try DataValue(rest: json) == value)
  }

  @Test(
    "Mistakes name the place and what would be right",
    arguments: [
      (1, "fields.a: a value must be an object like {\"stringValue\": …}, not an integer"),
      ([:], "fields.a: a value must have exactly one member like \"stringValue\", not 0"),
      (["intValue": "1"], "fields.a.intValue: unknown kind of value"),
      (
        ["integerValue": "1.0"],
        "fields.a.integerValue: must be an integer of 64 bits, best as a string, not \"1.0\""
      ),
      (
        ["integerValue": "9223372036854775808"],
        "fields.a.integerValue: must be an integer of 64 bits, best as a string, not \"9223372036854775808\""
      ),
      (
        ["doubleValue": "x"],
        "fields.a.doubleValue: must be a number, \"NaN\", \"Infinity\" or \"-Infinity\", not \"x\""
      ),
      (["booleanValue": "true"], "fields.a.booleanValue: must be true or false, not \"true\""),
      (
        ["timestampValue": "2026-02-30T00:00:00Z"],
        "fields.a.timestampValue: must be a timestamp like \"2026-01-01T00:00:00Z\", not \"2026-02-30T00:00:00Z\""
      ),
      (["bytesValue": "?"], "fields.a.bytesValue: must be a string in base64, not \"?\""),
      (
        ["geoPointValue": ["latitude": 91]],
        "fields.a.geoPointValue: latitude must be between -90 and 90, longitude between -180 and 180"
      ),
      (
        ["referenceValue": "users/alice"],
        "fields.a.referenceValue: must be a name like \"projects/P/databases/(default)/documents/users/alice\", "
          + "not \"users/alice\""
      ),
      (
        ["arrayValue": ["values": [["nullValue": nil], ["mapValue": ["fields": ["b": ["x": 1]]]]]]],
        "fields.a.arrayValue.values[1].mapValue.fields.b.x: unknown kind of value"
      ),
      (
        ["mapValue": ["fields": ["__type__": ["stringValue": "__vector__"]]]],
        "fields.a.mapValue: a vector must have exactly \"__type__\" and an array \"value\""
      ),
      (
        [
          "mapValue": [
            "fields": [
              "__type__": ["stringValue": "__vector__"],
              "value": ["arrayValue": ["values": [["stringValue": "1"]]]],
            ]
          ]
        ],
        "fields.a.mapValue.fields.value.arrayValue.values[0]: a vector holds numbers only"
      ),
    ] as [(JSONValue, String)])
  func mistakes(json: JSONValue, message: String) {
    let error = #expect(throws: DataValueError.self) { try DataValue.fields(rest: ["a": json]) }
    #expect(error?.description == message)
  }

  @Test("Plain JSON keeps 1 and 1.0 apart")
  func plain() throws {
    let json: JSONValue = ["a": 1, "b": 1.0, "c": ["x", nil, true, ["d": [:]]]]
    #expect(
      try DataValue(plain: json)
        == .map([
          "a": .int(1), "b": .double(1), "c": .array([.string("x"), .null, .bool(true), .map(["d": .map([:])])]),
        ]))
    #expect(throws: DataValueError.self) { try DataValue.fields(plain: [1]) }
  }

  @Test("Nesting has a limit in either form", arguments: [true, false])
  func depth(rest: Bool) throws {
    func nested(_ levels: Int) -> JSONValue {
      (0..<levels).reduce(rest ? ["nullValue": nil] : nil) { inner, _ in
        rest ? ["arrayValue": ["values": [inner]]] : [inner]
      }
    }
    func read(_ json: JSONValue) throws { _ = rest ? try DataValue(rest: json) : try DataValue(plain: json) }
    try read(nested(Arena.maximumDataDepth - 1))
    let error = #expect(throws: DataValueError.self) { try read(nested(Arena.maximumDataDepth)) }
    #expect(error?.reason == "nested too deeply")
  }
}
