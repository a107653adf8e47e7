import RulesSemantics
import RulesSyntax

/// A match block of a rule set with its whole pattern, from the service down.
struct MatchBlock: Sendable {
  let segments: [MatchSegment]
  let allows: [CheckedAllow]

  var gap: Int? { segments.firstIndex { if case .glob = $0 { true } else { false } } }
}

extension MatchBlock {
  /// Whether no path can be of both patterns, as far as their first ids tell.
  func isApart(from pattern: [MatchSegment]) -> Bool {
    for (mine, other) in zip(segments, pattern) {
      switch (mine, other) {
      case (.glob, _), (_, .glob): return false
      case (.literal(let a), .literal(let b)): if a != b { return true }
      default: break
      }
    }
    let hasGlob = (segments + pattern).contains { if case .glob = $0 { true } else { false } }
    return !hasGlob && segments.count != pattern.count
  }
}

extension CheckedRuleset {
  /// Whether conditions of a block may tell a request that hides the id of a new document from one that shows it,
  /// otherwise than by an error: by `request.path`, or by a glob that ends with the id.
  func tellsHiddenID(_ block: MatchBlock) -> Bool {
    let conditions = block.allows.compactMap(\.condition)
    var glob: String?
    if case .glob(_, let name)? = block.segments.last { glob = name }
    for expression in conditions + functions(calledBy: conditions).flatMap(\.expressions) {
      var requests = 0
      var parts = 0
      var namesGlob = false
      expression.forEachNode { e in
        switch e.kind {
        case .identifier("request"): requests += 1
        case .identifier(let name): namesGlob = namesGlob || name == glob
        case .member(let receiver, let name):
          if case .identifier("request") = receiver.kind, name.text != "path" { parts += 1 }
        default: break
        }
      }
      if namesGlob || requests != parts { return true }
    }
    return false
  }

  /// All blocks that have an `allow`.
  /// - Returns: `nil` where a match stands inside one whose glob is not its last segment: official implementations
  ///   then do something else than joining patterns, and what live production does is not known.
  var matchBlocks: [MatchBlock]? {
    var blocks: [MatchBlock] = []
    func add(_ match: CheckedMatch, _ outer: [MatchSegment]) -> Bool {
      let segments = outer + match.segments
      if !match.allows.isEmpty { blocks.append(MatchBlock(segments: segments, allows: match.allows)) }
      if !match.children.isEmpty,
        let glob = match.segments.firstIndex(where: { if case .glob = $0 { true } else { false } }),
        glob < match.segments.count - 1
      {
        return false
      }
      return match.children.allSatisfy { add($0, segments) }
    }
    for service in services where service.kind == .firestore {
      for match in service.matches where !add(match, []) { return nil }
    }
    return blocks
  }
}

extension Encoder {
  /// When a request is allowed: some `allow` for its method, in a block that covers its path, is true.
  func allowed(_ blocks: [MatchBlock]) throws(TooLarge) -> Term {
    let method = world.method
    var answers: [Term] = []
    for block in blocks {
      let allows = block.allows.filter { $0.methods.contains { $0.rawValue == method.rawValue } }
      guard !allows.isEmpty, let (covers, environment) = cover(block.segments), covers != no else { continue }
      for allow in allows {
        guard let condition = allow.condition else {
          answers.append(covers)
          continue
        }
        answers.append(store.and(covers, try truth(of: condition, environment).yes))
      }
    }
    return store.or(answers)
  }

  /// When a pattern covers the path of the request, and what it captures; `nil` when it never does.
  private func cover(_ pattern: [MatchSegment]) -> (Term, Environment)? {
    let path = documentPath
    let slots = pattern.reduce(0) { count, segment in
      switch segment {
      case .literal: count
      case .capture(let slot, _), .glob(let slot, _): max(count, slot + 1)
      }
    }
    var environment = Environment(captures: Array(repeating: .error, count: slots))
    var conditions: [Term] = []
    let idIsUnbound = world.hidesID
    func take(_ segment: MatchSegment, _ code: Term, isLast: Bool) {
      switch segment {
      case .literal(let text):
        conditions.append(isLast && world.method == .create && idIsUnbound ? no : store.equal(code, world.strings.code(text)))
      case .capture(let slot, _):
        environment.captures[slot] =
          isLast && idIsUnbound ? .error : .scalar(Scalar(value: store.value(.string, code), isThere: yes))
      case .glob: break
      }
    }
    let glob = pattern.firstIndex { if case .glob = $0 { true } else { false } }
    guard let glob else {
      guard path.gap == nil, pattern.count == path.segments.count else { return nil }
      for (i, segment) in pattern.enumerated() { take(segment, path.segments[i], isLast: i == pattern.count - 1) }
      return (store.and(conditions), environment)
    }
    let behind = pattern.count - glob - 1
    let count = path.segments.count
    if let gap = path.gap {
      guard glob <= gap, behind <= count - gap else { return nil }
    } else {
      guard count >= glob + behind + (rules.version == .two ? 0 : 1) else { return nil }
    }
    for (i, segment) in pattern[..<glob].enumerated() { take(segment, path.segments[i], isLast: false) }
    for (i, segment) in pattern[(glob + 1)...].enumerated() {
      take(segment, path.segments[count - behind + i], isLast: i == behind - 1)
    }
    if case .glob(let slot, _) = pattern[glob] {
      let captured = SymbolicPath(
        segments: Array(path.segments[glob..<(count - behind)]), gap: path.gap.map { $0 - glob }, isThere: yes)
      environment.captures[slot] = .path(captured)
      if idIsUnbound, behind == 0, glob < count || path.gap != nil {
        // Observed on the official emulator 1.19.9: of a glob that would end with the id.
        environment.captures[slot] = rules.version == .two ? .unboundPath(captured) : .error
      }
    }
    return (store.and(conditions), environment)
  }
}
