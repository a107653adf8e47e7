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
    let path = requestPath
    let slots = pattern.reduce(0) { count, segment in
      switch segment {
      case .literal: count
      case .capture(let slot, _), .glob(let slot, _): max(count, slot + 1)
      }
    }
    var environment = Environment(captures: Array(repeating: .error, count: slots))
    var conditions: [Term] = []
    // By its filters a query is judged before any document is known, so that the last id has no value.
    let idIsUnbound = world.method == .list && world.reading == .filters
    func take(_ segment: MatchSegment, _ code: Term, isLast: Bool) {
      switch segment {
      case .literal(let text): conditions.append(store.equal(code, world.strings.code(text)))
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
      environment.captures[slot] = .path(
        SymbolicPath(
          segments: Array(path.segments[glob..<(count - behind)]), gap: path.gap.map { $0 - glob }, isThere: yes))
    }
    return (store.and(conditions), environment)
  }
}
