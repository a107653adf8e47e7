import RulesEngine
import RulesSemantics
import RulesSyntax

/// Who can do what: for each path that rules speak of and each method, whether somebody can do it never, always or
/// under some condition. Each answer is proved, or shown by a request.
public struct AccessMatrix: Sendable {
  /// Somebody who asks, as far as the rules tell people apart. Nobody but a holder has a claim that the rules ask for.
  public enum Person: Sendable, Hashable {
    /// Signed out.
    case nobody
    /// Signed in anonymously, and not the owner.
    case anonymous
    /// Signed in, and not the owner.
    case stranger
    /// To whom the path or a field of the document belongs.
    case owner
    /// Who has a custom claim, whatever its value, and is not the owner.
    case holder(String)

    public var name: String {
      switch self {
      case .nobody: "nobody"
      case .anonymous: "anonymous"
      case .stranger: "stranger"
      case .owner: "owner"
      case .holder(let claim): "claim \(claim)"
      }
    }
  }

  public enum Access: Sendable {
    case never
    case always
    /// A request is allowed, and not every one is known to be.
    case sometimes(Leak)
    case unknown(UnknownReason)

    public var word: String {
      switch self {
      case .never: "never"
      case .always: "always"
      case .sometimes: "when"
      case .unknown: "unknown"
      }
    }
  }

  public struct Row: Sendable {
    public let pattern: String
    public let method: String
    /// By person; `nil` where the rules name no owner.
    public let cells: [Access?]
  }

  public let people: [Person]
  public let rows: [Row]
}

extension Prover {
  /// - Throws: the compiler's findings when a question does not compile.
  /// - Returns: `nil` where a match stands inside one whose glob is not its last segment.
  public func matrix() throws(RulesError) -> AccessMatrix? {
    guard let blocks = rules.checked.matchBlocks else { return nil }
    let claims = rules.customClaims
    let people: [AccessMatrix.Person] = [.nobody, .anonymous, .stranger, .owner] + claims.map { .holder($0) }
    var rows: [AccessMatrix.Row] = []
    var seen: Set<String> = []
    for block in blocks {
      let inference = Inference(block, rules.checked, claims: claims)
      guard !inference.pattern.isEmpty, seen.insert(inference.pattern).inserted else { continue }
      // Blocks of one pattern may name different owners.
      let owners = blocks.filter { $0.segments == block.segments }
        .flatMap { Inference($0, rules.checked, claims: claims).owners }
      for method in World.Method.allCases {
        var cells: [AccessMatrix.Access?] = []
        for person in people {
          let condition = Self.condition(person, owners, claims, method)
          if let condition { cells.append(try access(method, inference.pattern, condition)) } else { cells.append(nil) }
        }
        rows.append(AccessMatrix.Row(pattern: inference.pattern, method: method.rawValue, cells: cells))
      }
    }
    return AccessMatrix(people: people, rows: rows)
  }

  private func access(
    _ method: World.Method, _ pattern: String, _ condition: String
  ) throws(RulesError) -> AccessMatrix.Access {
    let statement = Statement(never: [method.rawValue], pattern, .if(condition))
    let leak: Leak
    switch try prove(statement) {
    case .proved, .vacuous, .possible, .impossible: return .never
    case .unknown(let reasons, _): return .unknown(reasons.first ?? UnknownReason(text: "not known", line: nil))
    case .leak(let found): leak = found
    }
    // Of a list the formulas say when it may be allowed, not when it must be.
    guard method != .list else { return .sometimes(leak) }
    return try refuses(statement) ? .sometimes(leak) : .always
  }

  private static func condition(
    _ person: AccessMatrix.Person, _ owners: [InferredOwner], _ claims: [String], _ method: World.Method
  ) -> String? {
    let data = method == .create ? "request.resource.data" : "resource.data"
    let owner = owners.map { owner in
      switch owner {
      case .capture(let name): "request.auth.uid == \(name)"
      case .field(let name): "('\(name)' in \(data) && request.auth.uid == \(data).\(name))"
      }
    }.joined(separator: " || ")
    func signedIn(except claim: String? = nil) -> String {
      let others = claims.filter { $0 != claim }.map { " && !('\($0)' in request.auth.token)" }.joined()
      return "request.auth != null" + others
    }
    let isOther = owner.isEmpty ? "" : " && !(\(owner))"
    switch person {
    case .nobody: return "request.auth == null"
    case .anonymous:
      return signedIn() + " && request.auth.token.firebase.sign_in_provider == 'anonymous'" + isOther
    case .stranger: return signedIn() + isOther
    case .owner: return owner.isEmpty ? nil : signedIn() + " && (\(owner))"
    case .holder(let claim): return signedIn(except: claim) + " && '\(claim)' in request.auth.token" + isOther
    }
  }
}
