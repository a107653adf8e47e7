/// What a solver found: values of terms.
struct Model {
  /// A value of the rules language, as far as a model tells it.
  enum Value: Hashable {
    case absent, null
    case bool(Bool)
    case int(Int64)
    case float(kind: Int64, Double)
    /// A code, an id, nanoseconds.
    case whole(ValueKind, Int64)
  }

  private var values: [Term: SExpression] = [:]

  init(_ terms: [Term], _ answers: [SExpression]) {
    for (term, answer) in zip(terms, answers) { values[term] = answer }
  }

  func bool(_ term: Term) -> Bool? { values[term]?.boolean }
  func int(_ term: Term) -> Int64? { values[term]?.integer }
  func value(_ term: Term) -> Value? { values[term].flatMap(Self.value) }

  static func value(_ answer: SExpression) -> Value? {
    switch answer {
    case .word("absent"): return .absent
    case .word("null"): return .null
    case .word: return nil
    case .list(let items):
      guard case .word(let name)? = items.first, let kind = ValueKind(rawValue: name), items.count > 1 else {
        return nil
      }
      switch kind {
      case .absent, .null: return nil
      case .bool: return items[1].boolean.map { .bool($0) }
      case .int: return items[1].integer.map { .int($0) }
      case .float:
        guard items.count == 3, let form = items[1].integer, let number = items[2].number else { return nil }
        return .float(kind: form, number)
      default: return items[1].integer.map { .whole(kind, $0) }
      }
    }
  }
}

extension World {
  /// The terms whose values make a witness.
  var questions: [Term] {
    var terms = [signedIn, uid, token, newData, time, isBatch, missingIsNull] + path.segments
    terms += [stored, store.part(.map, stored)]
    for document in documents {
      terms += document.path + [document.value]
      if let after = document.after { terms.append(after) }
    }
    for (map, key, value) in lookups { terms += [map, key, value] }
    for map in maps { terms.append(hasOthers(map)) }
    for list in lists { terms += [list, size(ofList: list)] }
    for (list, value) in members { terms += [list, value, store.apply("elem", [list, value], .bool)] }
    for (list, place, value) in elements { terms += [list, place, value] }
    for (a, b) in insides { terms += [a, b, store.apply("sameInside", [a, b], .bool)] }
    for (value, holds) in nans { terms += [value, holds] }
    for (map, key, isSet) in filters { terms += [map, key, isSet] }
    for subject in strings.subjects { terms += [subject] + strings.features(of: subject) }
    if method == .list { terms.append(store.unknown("query_limit", .value)) }
    var seen: Set<Term> = []
    return terms.filter { seen.insert($0).inserted }
  }
}
