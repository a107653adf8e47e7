import JSON

// Map diffs and query constraints in the coverage report's JSON.

extension Arena {
  func diffJSON(_ v: Value) -> JSONValue {
    if v.count == 0 { return [:] }
    var statuses = JSONObject()
    for i in 0..<v.count {
      statuses[text(key(v, i))] = .string(DiffStatus(rawValue: value(v, i).asInt)?.officialName ?? "UNCHANGED")
    }
    return ["keyStatuses": .object(statuses)]
  }

  func diff(_ json: JSONValue) -> Value? {
    guard json.objectValue != nil else { return nil }
    let members = json["keyStatuses"]?.objectValue?.members ?? []
    var pairs: [(key: Value, value: Value)] = []
    for member in members {
      guard let status = DiffStatus.allCases.first(where: { $0.officialName == member.value.stringValue }) else {
        return nil
      }
      pairs.append((string(member.key), .int(status.rawValue)))
    }
    return entries(pairs, as: .mapDiff)
  }

  func constraintJSON(_ v: Value, depth: Int) -> JSONValue {
    if v.count == 0 { return [:] }
    let parts: [JSONValue] = (0..<v.count).map { i in
      [
        "comparator": .string(ConstraintOperator(rawValue: key(v, i).asInt)?.officialName ?? "EQ"),
        "value": json(value(v, i), depth: depth + 1),
      ]
    }
    return ["simpleConstraints": .array(parts)]
  }

  func constraint(_ json: JSONValue, depth: Int) -> Value? {
    guard json.objectValue != nil else { return nil }
    var pairs: [(key: Value, value: Value)] = []
    for part in json["simpleConstraints"]?.arrayValue ?? [] {
      let name = part["comparator"]?.stringValue
      guard let symbol = ConstraintOperator.allCases.first(where: { $0.officialName == name }),
        let operand = part["value"].flatMap({ value(json: $0, depth: depth + 1) })
      else { return nil }
      pairs.append((.int(symbol.rawValue), operand))
    }
    return entries(pairs, as: .constraint)
  }

  private func entries(_ pairs: [(key: Value, value: Value)], as tag: Value.Tag) -> Value? {
    guard let row = row(pairs.count * 2) else { return nil }
    for (i, pair) in pairs.enumerated() {
      set(row, 2 * i, pair.key)
      set(row, 2 * i + 1, pair.value)
    }
    return entries(row, as: tag)
  }
}
