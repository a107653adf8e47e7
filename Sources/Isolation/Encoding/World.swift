import RulesSyntax
import RulesValues

/// What a question is about: one request of unknown content on a database of unknown content. Both rule sets that a
/// question compares look at the same world.
///
/// Whatever request and database there can be, some values of the unknowns stand for them exactly, so that what no
/// model satisfies cannot happen. Where something is not modelled its result is a further unknown.
final class World {
  enum Method: String, CaseIterable, Sendable { case get, list, create, update, delete }

  /// What the conditions see of documents.
  enum Reading: Sendable {
    /// Each by itself. Of a list: the query asks for documents by name, and each is judged like one that is read.
    case names
    /// Of a list: what the query's filters say of them.
    case filters
    /// Of a create: not the id, which the server chooses. See `Request.createUnderHiddenID`.
    case hiddenID
  }

  /// Whether the last id of the path has no value.
  var hidesID: Bool { method == .list && reading == .filters || method == .create && reading == .hiddenID }

  let store: TermStore
  let strings: StringFacts
  private(set) var method: Method
  /// Changed only while the other rule set of a question is encoded.
  private(set) var reading: Reading
  /// Whether `request` is that of a `get` while the question is about a list: another one than the query's.
  private(set) var isReadAlone = false
  /// Below `documents`: ids, with a gap where any depth is meant.
  private(set) var path: SymbolicPath
  let database: String
  let signedIn: Term
  /// Code.
  let uid: Term
  /// Ids of maps.
  let token: Term
  let newData: Term
  /// Nanoseconds.
  let time: Term
  /// Whether the request writes other documents, too.
  let isBatch: Term
  /// Whether `get()` of a missing document is null, as in newer emulators, rather than an error.
  let missingIsNull: Term

  private(set) var facts: [Term] = []
  /// Further facts, which not every question needs.
  private(set) var details: [Detail] = []
  private(set) var approximations: [Approximation] = []
  /// Names of fields that the rule sets and the statement mention.
  private var names: [Term] = []
  private var nameSet: Set<Term> = []
  private(set) var lookups: [(map: Term, key: Term, value: Term)] = []
  private var knownLookups: Set<Term> = []
  /// Documents that something was asked of.
  private(set) var documents: [(path: [Term], value: Term, after: Term?)] = []
  private var knownDocuments: [Term: Int] = [:]
  /// Paths of which rules ask for the document: at most so many lookups.
  private(set) var askedPaths: Set<[Term]> = []
  /// Lists of which a member was asked.
  private(set) var members: [(list: Term, value: Term)] = []
  private var knownMembers: Set<Term> = []
  /// Members asked for by their place.
  private(set) var elements: [(list: Term, place: Term, value: Term)] = []
  /// Values of which it matters whether NaN is somewhere in them.
  private(set) var nans: [(value: Term, holds: Term)] = []
  /// Lists and maps that may differ in the kinds of their numbers only.
  private(set) var insides: [(a: Term, b: Term)] = []
  private(set) var restrictions: [(list: Term, allowed: [Term])] = []
  private(set) var lists: [Term] = []
  private(set) var maps: [Term] = []
  /// Fields on which a query may filter.
  private(set) var filters: [(map: Term, key: Term, isSet: Term)] = []
  private var knownFilters: Set<Term> = []
  private var knownUnchanged: Set<Term> = []
  private var joined: [(a: Term, b: Term, joined: Term)] = []
  private var orders: [(Term, Term)] = []

  /// A place where the answer may be unknown, since not all is modelled.
  struct Approximation: Hashable, Sendable {
    let what: String
    let line: Int
  }

  init(
    _ store: TermStore, method: Method, reading: Reading, segments: [String?], gap: Int?, database: String,
    names: Set<[UInt8]>
  ) {
    self.store = store
    self.method = method
    self.reading = reading
    self.database = database
    let strings = StringFacts(store)
    self.strings = strings
    let codes = segments.enumerated().map { i, literal in
      literal.map { strings.code($0) } ?? store.unknown("seg\(i)", .int)
    }
    path = SymbolicPath(segments: codes, gap: gap, isThere: store.yes)
    signedIn = store.unknown("signedIn", .bool)
    uid = store.unknown("uid", .int)
    token = store.unknown("token", .int)
    newData = store.unknown("newData", .int)
    time = store.unknown("time", .int)
    isBatch = store.unknown("isBatch", .bool)
    missingIsNull = store.unknown("missingIsNull", .bool)
    for name in names.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      let code = strings.code(name)
      self.names.append(code)
      nameSet.insert(code)
    }
    for code in codes + [uid] where strings.literal(code) == nil {
      if let fits = strings.matches(code, StringFacts.segmentPattern) { facts.append(fits) }
    }
    facts.append(store.lessOrEqual(strings.length(uid), store.int(128)))
    // From 2020 to 2100.
    facts.append(store.lessOrEqual(store.int(1_577_836_800_000_000_000), time))
    facts.append(store.less(time, store.int(4_102_444_800_000_000_000)))
    facts.append(store.equal(time, store.multiply(store.int(1_000_000), store.unknown("timeMillis", .int))))
    switch method {
    case .create: facts.append(store.has(.absent, stored))
    case .update, .list: facts.append(store.has(.map, stored))
    case .get, .delete: break
    }
    for name in ["sub", "user_id"] where nameSet.contains(strings.code(name)) {
      facts.append(store.equal(field(token, strings.code(name)), store.value(.string, uid)))
    }
  }

  /// The same world, of which the documents themselves are seen from here on, not what a query says of them.
  func forDocuments() -> World {
    reading = .names
    return self
  }

  /// The same world, in which for a while the document is read by itself rather than by the query that returns it.
  func asGet<T>(_ body: () throws(Encoder.TooLarge) -> T) throws(Encoder.TooLarge) -> T {
    let kept = (method, reading)
    (method, reading, isReadAlone) = (.get, .names, true)
    defer { (method, reading, isReadAlone) = (kept.0, kept.1, false) }
    return try body()
  }

  /// The same world, in which for a while one of its documents is the requested one.
  func about<T>(_ document: [Term], _ value: Term, _ body: () throws(Encoder.TooLarge) -> T) throws(Encoder.TooLarge)
    -> T
  {
    let kept = (path, stored, method, reading)
    (path, stored, method, reading) = (
      SymbolicPath(segments: document, gap: nil, isThere: store.yes), value, .get, .names
    )
    defer { (path, stored, method, reading) = kept }
    return try body()
  }

  func assume(_ fact: Term) { if fact != store.yes { facts.append(fact) } }

  /// Assumes what matters only where one of these values is looked at.
  func assume(_ fact: Term, of values: Term...) {
    if fact != store.yes { details.append(Detail(fact: fact, values: values)) }
  }

  func note(_ what: String, _ expression: Expression) {
    let new = Approximation(what: what, line: expression.anchor.start.line)
    if !approximations.contains(new) { approximations.append(new) }
  }

  // MARK: Maps

  /// What a map holds under a key, `absent` if nothing.
  func field(_ map: Term, _ key: Term) -> Term {
    let value = store.apply("mget", [map, key], .value)
    if knownLookups.insert(value).inserted {
      lookups.append((map, key, value))
      if !maps.contains(map) { maps.append(map) }
      describe(value, isStored: !isLiteral(map, "map"))
      if map == token {
        // Tokens are JSON.
        let kinds: [ValueKind] = [.absent, .null, .bool, .int, .float, .string, .list, .map]
        assume(store.or(kinds.map { store.has($0, value) }), of: value)
      }
    }
    return value
  }

  /// Whether this stands for a map or list that a rule writes down, which may hold what no document holds.
  private func isLiteral(_ id: Term, _ name: String) -> Bool {
    guard case .apply(let symbol) = store[id].operation else { return false }
    let text = store.symbols[symbol].name
    return text.hasPrefix(name) && text.dropFirst(name.count).allSatisfy(\.isNumber)
  }

  /// The names that are told apart; whether a map holds others is one truth, `hasOthers`.
  var namedKeys: [Term] { names }

  func hasOthers(_ map: Term) -> Term { store.apply("other", [map], .bool) }

  func isAbsent(_ value: Term) -> Term { store.has(.absent, value) }

  /// Truths about any stored value.
  private func describe(_ v: Term, isStored: Bool = true) {
    if isStored { assume(store.not(store.or(store.has(.other, v), store.has(.duration, v))), of: v) }
    let i = store.part(.int, v)
    assume(
      store.implies(
        store.has(.int, v),
        store.and(store.lessOrEqual(store.int(.min), i), store.lessOrEqual(i, store.int(.max)))), of: v)
    let (kind, number) = (store.part(.float, v, 0), store.part(.float, v, 1))
    assume(
      store.implies(
        store.has(.float, v),
        store.and(
          store.lessOrEqual(store.int(0), kind), store.lessOrEqual(kind, store.int(4)),
          store.or(store.equal(kind, store.int(0)), store.equal(number, store.real(0))))), of: v)
  }

  // MARK: Documents

  /// The stored document at a path, `absent` or a map.
  func document(_ path: [Term]) -> Term {
    let value = store.apply("doc\(path.count)", path, .value)
    know(path, value)
    return value
  }

  /// The same after the whole commit.
  func documentAfter(_ path: [Term]) -> Term {
    let value = store.apply("after\(path.count)", path, .value)
    let before = document(path)
    if let i = knownDocuments[before], documents[i].after == nil {
      documents[i].after = value
      assume(store.or(store.has(.absent, value), store.has(.map, value)))
      assume(store.or(isBatch, store.equal(value, before)))
    }
    return value
  }

  /// Notes that a rule asks for a document, by its whole path.
  func looksUp(_ path: [Term]) { askedPaths.insert(path) }

  private func know(_ path: [Term], _ value: Term) {
    guard knownDocuments[value] == nil else { return }
    knownDocuments[value] = documents.count
    documents.append((path, value, nil))
    assume(store.or(store.has(.absent, value), store.has(.map, value)))
  }

  /// The requested document as it is stored.
  lazy var stored: Term = {
    guard path.gap == nil else {
      let value = store.apply("deep", path.segments, .value)
      assume(store.or(store.has(.absent, value), store.has(.map, value)))
      return value
    }
    return document(path.segments)
  }()

  // MARK: What a query says

  /// Whether the query filters on a field of its documents.
  func isFiltered(_ map: Term, _ key: Term) -> Term {
    let isSet = store.apply("flt", [map, key], .bool)
    if knownFilters.insert(isSet).inserted { filters.append((map, key, isSet)) }
    return isSet
  }

  /// What a filter says of a value: the value, or a number that equals it.
  func law(_ v: Term) -> Term {
    let isNumber = store.or(store.has(.int, v), store.has(.float, v))
    if isNumber == store.no { return v }
    let law = store.apply("law", [v], .value)
    describe(law)
    let isLawNumber = store.or(store.has(.int, law), store.has(.float, law))
    let isNaN = store.and(store.has(.float, v), store.equal(store.part(.float, v, 0), store.int(FloatKind.nan)))
    assume(
      store.ite(isNumber, store.and(isLawNumber, store.or(isNaN, numbersEqual(law, v))), store.equal(law, v)))
    return law
  }

  // MARK: Lists

  func contains(_ list: Term, _ value: Term) -> Term {
    let isMember = store.apply("elem", [list, value], .bool)
    if knownMembers.insert(isMember).inserted {
      members.append((list, value))
      assume(store.implies(isMember, store.less(store.int(0), size(ofList: list))))
    }
    return isMember
  }

  func size(ofList list: Term) -> Term {
    let size = store.apply("lsize", [list], .int)
    if !lists.contains(list) {
      lists.append(list)
      assume(store.lessOrEqual(store.int(0), size))
    }
    return size
  }

  func element(_ list: Term, at i: Term) -> Term {
    let value = store.apply("nth", [list, i], .value)
    if knownLookups.insert(value).inserted {
      elements.append((list, i, value))
      describe(value, isStored: !isLiteral(list, "list"))
      let isInside = store.and(store.lessOrEqual(store.int(0), i), store.less(i, size(ofList: list)))
      // NaN is no member even of a list that holds it.
      assume(
        store.implies(
          isInside,
          store.and(
            store.not(isAbsent(value)), store.or(store.has(.float, value), holdsNaN(value), contains(list, value)))))
    }
    return value
  }

  /// Whether all members of a list are among those given.
  func holdsOnly(_ list: Term, _ allowed: [Term]) -> Term {
    let only = store.apply("only\(allowed.count)", [list] + allowed, .bool)
    restrictions.append((list, allowed))
    assume(store.implies(store.equal(size(ofList: list), store.int(0)), only))
    if allowed.isEmpty { assume(store.implies(only, store.equal(size(ofList: list), store.int(0)))) }
    return only
  }

  /// A list or map that holds NaN does not equal itself.
  func holdsNaN(_ v: Term) -> Term {
    let isWhole = store.or(
      store.has(.list, v), store.has(.map, v), store.has(.vector, v), store.has(.latlng, v), store.has(.other, v))
    if isWhole == store.no { return store.no }
    let holds = store.apply("nan", [v], .bool)
    if !nans.contains(where: { $0.holds == holds }) { nans.append((v, holds)) }
    return store.and(isWhole, holds)
  }

  /// Whether this is the first time that it is asked whether two values are unchanged.
  func asksUnchanged(_ unchanged: Term) -> Bool { knownUnchanged.insert(unchanged).inserted }

  /// Whether two lists or maps hold the same but for numbers that are equal and of different kinds.
  func sameButForKinds(_ a: Term, _ b: Term) -> Term {
    if !insides.contains(where: { $0 == (a, b) }) { insides.append((a, b)) }
    return store.apply("sameInside", [a, b], .bool)
  }

  // MARK: Texts

  func join(_ a: Term, _ b: Term) -> Term {
    if let x = strings.literal(a), let y = strings.literal(b) { return strings.code(WTF8.joined(x, y)) }
    if strings.literal(a) == [] { return b }
    if strings.literal(b) == [] { return a }
    let text = store.apply("concat", [a, b], .int)
    if !joined.contains(where: { $0.joined == text }) {
      joined.append((a, b, text))
      assume(store.equal(strings.length(text), store.add(strings.length(a), strings.length(b))))
    }
    return text
  }

  /// By UTF-16 units.
  func textLess(_ a: Term, _ b: Term) -> Term {
    if a == b { return store.no }
    if let x = strings.literal(a), let y = strings.literal(b) { return store.bool(WTF8.compareUTF16(x, y) < 0) }
    let less = store.apply("slt", [a, b], .bool)
    assume(store.implies(less, store.not(store.equal(a, b))))
    if !orders.contains(where: { $0 == (a, b) }) { orders.append((a, b)) }
    return less
  }

  // MARK: The end

  /// Truths that need all of the question to be known. To be called last, once.
  func finish() {
    for (map, key, value) in lookups where !nameSet.contains(key) {
      assume(
        store.implies(
          store.not(isAbsent(value)), store.or(namedKeys.map { store.equal(key, $0) } + [hasOthers(map)])))
    }
    for (list, value) in members {
      for (other, allowed) in restrictions {
        let only = store.apply("only\(allowed.count)", [other] + allowed, .bool)
        let isMember = store.apply("elem", [list, value], .bool)
        assume(
          store.implies(
            store.and(store.equal(list, other), isMember, only),
            store.or(
              allowed.map { store.equal(value, $0) } + [
                store.has(.float, value), store.has(.list, value), store.has(.map, value),
              ])))
      }
    }
    // Two texts with the same start or end are equal only if the rest is.
    for (i, x) in joined.enumerated() {
      for y in joined[..<i] {
        assume(store.implies(store.and(store.equal(x.joined, y.joined), store.equal(x.b, y.b)), store.equal(x.a, y.a)))
        assume(store.implies(store.and(store.equal(x.joined, y.joined), store.equal(x.a, y.a)), store.equal(x.b, y.b)))
      }
    }
    for (a, b) in orders where orders.contains(where: { $0 == (b, a) }) && a.index < b.index {
      let (less, greater) = (store.apply("slt", [a, b], .bool), store.apply("slt", [b, a], .bool))
      assume(store.not(store.and(less, greater)))
      assume(store.or(less, greater, store.equal(a, b)))
    }
    for fact in strings.facts() { assume(fact) }
  }
}
