import RulesEngine
import RulesSemantics
import RulesSyntax

/// A promise that rules seem to make, although nobody wrote it down.
public struct InferredStatement: Sendable, Equatable {
  public enum Kind: String, Sendable, CaseIterable {
    /// Nobody writes without having signed in.
    case unauthenticatedWrite = "unauthenticated-write"
    /// What lies under somebody's uid is theirs.
    case ownerPath = "owner-path"
    /// A document belongs to the uid in one of its fields.
    case ownerField = "owner-field"
    /// What rules look up to decide is not the caller's to write.
    case trustedDocument = "trusted-document"
    /// A query returns no document that `get` refuses.
    case listWiderThanGet = "list-wider-than-get"
    /// An address is nobody's before it is verified.
    case unverifiedAddress = "unverified-address"
    /// Nobody lists without having signed in.
    case unauthenticatedList = "unauthenticated-list"
    /// What lies under a tenant's id is for those whose token names the tenant.
    case tenantPath = "tenant-path"
    /// A claim that is there and false grants nothing.
    case claimPresence = "claim-presence"
    /// Only the fields that are named change.
    case changedFields = "changed-fields"
    /// A new document has no other fields than those that are named.
    case fieldsOfOldDocument = "fields-of-old-document"
    /// `write` was not meant to let everybody delete.
    case deleteByWrite = "delete-by-write"
  }

  public let kind: Kind
  let methods: [String]
  public let pattern: String
  let condition: Question.Other
  let conditionText: String
  /// Of the `allow` from which it was inferred.
  public let line: Int

  /// In the test language, but for a list that is compared with `get`, which it has no words for.
  public var text: String {
    if kind == .listWiderThanGet { return "never list \(pattern) what get refuses" }
    let word = condition == .mustAllow ? "unless" : "if"
    return "never \(methods.joined(separator: ", ")) \(pattern) \(word) \(conditionText)"
  }

  var statement: Statement {
    Statement(
      never: methods, pattern, condition == .mustAllow ? .unless(conditionText) : .if(conditionText))
  }

  /// A rule set about the same documents.
  var patternText: String { Statement(never: methods, pattern, .if("true")).text }
}

extension Ruleset {
  /// What seems to be promised, each thing once: found by what conditions compare and look up, functions inlined.
  public var inferredStatements: [InferredStatement] {
    guard let blocks = checked.matchBlocks else { return [] }
    var found: [InferredStatement] = []
    var texts: Set<String> = []
    let claims = customClaims
    for block in blocks {
      for statement in Inference(block, checked, claims: claims).statements where texts.insert(statement.text).inserted
      {
        found.append(statement)
      }
    }
    return found
  }
}

extension Ruleset {
  /// Claims that the rules ask for and that only a server can set, in order.
  var customClaims: [String] {
    Set((checked.matchBlocks ?? []).flatMap { Inference($0, checked, claims: []).ownClaims }).sorted()
  }
}

/// To whom documents of a match block belong.
enum InferredOwner: Hashable {
  /// Whose uid is an id of the path.
  case capture(String)
  /// Whose uid is the value of a field.
  case field(String)
}

/// What the conditions of one match block seem to promise.
struct Inference {
  private let block: MatchBlock
  private let rules: CheckedRuleset
  private let facts: [(allow: CheckedAllow, facts: ConditionFacts)]

  /// What a stranger is not given: claims that only a server can set.
  private let claims: [String]

  init(_ block: MatchBlock, _ rules: CheckedRuleset, claims: [String]) {
    self.block = block
    self.rules = rules
    self.claims = claims
    facts = block.allows.map { allow in
      var facts = ConditionFacts(rules)
      if let condition = allow.condition { facts.visit(condition, [:], negated: false) }
      return (allow, facts)
    }
  }

  private static let signedIn = "request.auth != null && request.auth.uid"

  var ownClaims: [String] { facts.flatMap(\.facts.claims).filter { !$0.contains("'") && !$0.contains("\\") } }

  /// Of what a promise is no promise: those to whom a server gave a claim that rules ask for.
  private var orClaims: String { claims.map { " || '\($0)' in request.auth.token" }.joined() }
  private var andNoClaims: String { claims.map { " && !('\($0)' in request.auth.token)" }.joined() }

  private var documents: [MatchSegment] { Array(block.segments.dropFirst(3)) }
  var pattern: String { Self.text(documents) }
  private var line: Int { block.allows.first?.statement.range.start.line ?? 0 }

  private func has(_ methods: Set<RulesMethod>) -> Bool {
    block.allows.contains { !$0.methods.isDisjoint(with: methods) }
  }

  var statements: [InferredStatement] {
    guard !documents.isEmpty else { return [] }
    var found: [InferredStatement] = []
    func never(
      _ kind: InferredStatement.Kind, _ methods: [String], _ pattern: String, _ condition: Question.Other,
      _ text: String,
      _ line: Int
    ) {
      found.append(
        InferredStatement(
          kind: kind, methods: methods, pattern: pattern, condition: condition, conditionText: text, line: line))
    }
    if has([.create, .update, .delete]) {
      never(.unauthenticatedWrite, ["write"], pattern, .mustNotAllow, "request.auth == null", line)
    }
    if has([.list]) {
      never(.unauthenticatedList, ["list"], pattern, .mustNotAllow, "request.auth == null", line)
      never(.listWiderThanGet, ["list"], pattern, .mustAllow, "", line)
    }
    if has([.create, .update, .delete]), let (place, name) = ownerByName {
      let below = Self.text(Array(documents[...place])) + "/{anything=**}"
      never(.ownerPath, ["write"], below, .mustAllow, "\(Self.signedIn) == \(name)\(orClaims)", line)
    }
    for (allow, facts) in facts {
      let line = allow.statement.range.start.line
      for owner in facts.uidComparisons {
        if owner.count == 1, let place = place(ofCapture: owner[0]) {
          let start = Self.text(Array(documents[...place]))
          let everything = isGlobBehind(place) ? pattern : start + "/{anything=**}"
          never(
            .ownerPath, ["read", "write"], everything, .mustAllow, "\(Self.signedIn) == \(owner[0])\(orClaims)", line)
        }
        for field in [owner.field(of: ["resource", "data"]), owner.field(of: ["request", "resource", "data"])] {
          guard let field else { continue }
          let stored = "resource.data.\(field)"
          let isOwner = "\(Self.signedIn) == \(stored)\(orClaims)"
          never(.ownerField, ["update", "delete"], pattern, .mustAllow, isOwner, line)
          let isChanged =
            field.contains(".")
            ? "request.\(stored) != \(stored)" : "\(Statement.changedKeys).hasAny(['\(field)'])"
          never(.ownerField, ["update"], pattern, .mustNotAllow, isChanged + andNoClaims, line)
          never(.ownerField, ["create"], pattern, .mustAllow, "\(Self.signedIn) == request.\(stored)\(orClaims)", line)
          if !allow.methods.isDisjoint(with: [.get, .list]) {
            never(.ownerField, ["get"], pattern, .mustAllow, isOwner, line)
          }
        }
      }
      for members in facts.uidMemberships {
        guard let field = members.field(of: ["resource", "data"]) else { continue }
        let condition = "\(Self.signedIn) in resource.data.\(field)\(orClaims)"
        never(.ownerField, ["update", "delete"], pattern, .mustAllow, condition, line)
        if !allow.methods.isDisjoint(with: [.get, .list]) {
          never(.ownerField, ["get"], pattern, .mustAllow, condition, line)
        }
      }
      if facts.readsAddress {
        let methods = RulesMethod.allCases.filter { allow.methods.contains($0) && $0 != .list }.map(\.rawValue)
        if !methods.isEmpty {
          never(
            .unverifiedAddress, methods, pattern, .mustNotAllow,
            "request.auth != null && request.auth.token.get('email_verified', false) != true", line)
        }
      }
      for document in facts.documents {
        let caller = document.pattern.contains("{caller}") ? "request.auth.uid == caller" : "request.auth != null"
        for method in document.isNegated ? ["delete"] : ["create", "delete"] {
          never(.trustedDocument, [method], document.pattern, .mustNotAllow, caller + andNoClaims, line)
        }
        for field in document.fields {
          let changed = "\(Statement.changedKeys).hasAny(['\(field)'])"
          never(
            .trustedDocument, ["update"], document.pattern, .mustNotAllow, "\(caller) && \(changed)\(andNoClaims)", line
          )
        }
      }
      let methods = RulesMethod.allCases.filter { allow.methods.contains($0) }.map(\.rawValue)
      for claim in facts.comparedClaims where place(ofCapture: claim).map({ $0 < documents.count - 1 }) ?? false {
        never(.tenantPath, methods, pattern, .mustAllow, "request.auth.token.\(claim) == \(claim)", line)
      }
      for claim in facts.claimsByPresence where ownClaims.contains(claim) {
        never(
          .claimPresence, methods.filter { $0 != "list" }, pattern, .mustNotAllow,
          "request.auth.token.get('\(claim)', true) == false", line)
      }
      for keys in facts.touchedKeys where allow.methods.contains(.update) {
        never(
          .changedFields, ["update"], pattern, .mustNotAllow,
          "!\(Statement.changedKeys).hasOnly(\(keys))\(andNoClaims)",
          line)
      }
      for keys in facts.oldKeys where allow.methods.contains(.update) {
        never(
          .fieldsOfOldDocument, ["update"], pattern, .mustNotAllow,
          "!request.resource.data.keys().hasOnly(\(keys))\(andNoClaims)", line)
      }
      let isWrite = allow.statement.methods.contains { $0.text.lowercased() == "write" }
      if isWrite, !facts.saysWho, facts.claims.isEmpty {
        never(.deleteByWrite, ["delete"], pattern, .mustNotAllow, "true", line)
      }
    }
    return found
  }

  /// With whom the uid is compared, or who is named in the path.
  var owners: [InferredOwner] {
    var owners: [InferredOwner] = []
    func add(_ owner: InferredOwner) { if !owners.contains(owner) { owners.append(owner) } }
    for chain in facts.flatMap(\.facts.uidComparisons) {
      if chain.count == 1, place(ofCapture: chain[0]) != nil { add(.capture(chain[0])) }
      for map in [["resource", "data"], ["request", "resource", "data"]] {
        if let field = chain.field(of: map), !field.contains(".") { add(.field(field)) }
      }
    }
    if let (_, name) = ownerByName { add(.capture(name)) }
    return owners
  }

  /// A capture that by its name, or by that of its collection, is the id of a user.
  private var ownerByName: (place: Int, name: String)? {
    for (i, segment) in documents.enumerated() {
      guard case .capture(_, let name) = segment else { continue }
      let plain = name.lowercased().filter { $0 != "_" }
      if ["uid", "userid", "user", "ownerid", "owner"].contains(plain) { return (i, name) }
      if i > 0, case .literal(let collection) = documents[i - 1],
        ["users", "profiles"].contains(collection.lowercased())
      {
        return (i, name)
      }
    }
    return nil
  }

  private func isGlobBehind(_ place: Int) -> Bool {
    documents[(place + 1)...].contains { if case .glob = $0 { true } else { false } }
  }

  private func place(ofCapture name: String) -> Int? {
    documents.firstIndex { if case .capture(_, name) = $0 { true } else { false } }
  }

  static func text(_ segments: [MatchSegment]) -> String {
    segments.map { segment in
      switch segment {
      case .literal(let text): "/" + text
      case .capture(_, let name): "/{\(name)}"
      case .glob(_, let name): "/{\(name)=**}"
      }
    }.joined()
  }
}

extension [String] {
  /// The field of a map that a chain of members names: `owner` of `resource.data.owner`.
  fileprivate func field(of map: [String]) -> String? {
    guard count > map.count, starts(with: map) else { return nil }
    let names = self[map.count...]
    return names.allSatisfy(\.isPlainName) ? names.joined(separator: ".") : nil
  }
}

extension String {
  /// A name that can stand behind a dot.
  var isPlainName: Bool {
    !isEmpty && utf8.first.map { !(0x30...0x39).contains($0) } ?? false
      && utf8.allSatisfy {
        $0 == 0x5F || (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
      }
  }
}
