import RulesEngine
import RulesSemantics
import RulesSyntax

/// A rules file that was made weaker in one place: tests that do not notice would not notice a slip of that kind either.
public struct Mutant: Sendable {
  public enum Kind: String, Sendable, CaseIterable {
    /// A condition that is not asked for any more.
    case withoutOperand = "without"
    /// One of two conditions is enough.
    case orForAnd = "either"
    /// Whatever the condition was.
    case always
    /// Equal numbers pass as well.
    case boundary
    /// The methods that belong with the one that is named.
    case moreMethods = "more-methods"
  }

  public let kind: Kind
  /// What is not asked any more, or what stands there instead.
  public let detail: String
  /// In the file as it was.
  public let line: Int
  public let file: SourceFile
}

extension Ruleset {
  /// The file made weaker, each time in one place.
  public var mutants: [Mutant] {
    var maker = MutantMaker(checked.file)
    for service in checked.services where service.kind == .firestore { service.matches.forEach { maker.visit($0) } }
    for function in checked.functions where function.isReachable {
      for binding in function.declaration.lets { maker.visit(binding.value, below: nil) }
      maker.visit(function.declaration.result, below: nil)
    }
    return maker.mutants.sorted { $0.line < $1.line }
  }
}

private struct MutantMaker {
  private let file: SourceFile
  private(set) var mutants: [Mutant] = []
  private var texts: Set<[UInt8]> = []

  init(_ file: SourceFile) {
    self.file = file
    texts = [file.utf8]
  }

  /// Bytes and what stands there instead.
  private typealias Edit = (range: Range<Int>, text: String)

  mutating func visit(_ match: CheckedMatch) {
    for allow in match.allows { visit(allow) }
    for child in match.children { visit(child) }
  }

  private mutating func visit(_ allow: CheckedAllow) {
    for name in allow.statement.methods {
      let all =
        ["get", "list"].contains(name.text)
        ? "read" : ["create", "update", "delete"].contains(name.text) ? "write" : nil
      if let all { add(.moreMethods, "\(all) for \(name.text)", name.range, [(bytes(name.range), all)]) }
    }
    guard let condition = allow.condition else { return }
    if case .bool(true) = condition.kind {
    } else {
      var end = allow.statement.range.end.byte
      if end > 0, file.utf8[end - 1] == UInt8(ascii: ";") { end -= 1 }
      let start = condition.range.start.byte
      if start < end { add(.always, "if true", condition.range, [(start..<end, "true")]) }
    }
    visit(condition, below: nil)
  }

  /// - Parameter parent: the `&&` whose left operand this is.
  mutating func visit(_ e: Expression, below parent: Expression?) {
    if case .binary(let op, let left, let right) = e.kind {
      switch op {
      case .and: weaken(e, left, right, below: e.parentheses == 0 ? parent : nil)
      case .less: add(.boundary, "<= for <", e.anchor, [(bytes(e.anchor), "<=")])
      case .greater: add(.boundary, ">= for >", e.anchor, [(bytes(e.anchor), ">=")])
      default: break
      }
      visit(left, below: op == .and ? e : nil)
      visit(right, below: nil)
    } else {
      for operand in e.operands { visit(operand, below: nil) }
    }
  }

  /// `a && b` as `a`, as `b`, and as `a || b`. Where an operand ends is not known exactly, since brackets that close are
  /// no part of its range: so the other operand is switched off in place, as in `a || false && b`.
  private mutating func weaken(_ e: Expression, _ left: Expression, _ right: Expression, below parent: Expression?) {
    let start = left.range.start.byte
    let op = bytes(e.anchor)
    // What binds less than the `&&` around it needs brackets.
    let opening: [Edit] = parent == nil ? [] : [(start..<start, "(")]
    let closing: [Edit] = parent.map { [($0.anchor.start.byte..<$0.anchor.start.byte, ") ")] } ?? []
    // The range of a literal in brackets ends with the first of them.
    let end = max(e.range.end, right.rangeInsideParenthesis?.end ?? right.range.end)
    let rightText = balanced(file.text(SourceRange(e.anchor.end, end)))
    let leftText = balanced(file.text(SourceRange(left.range.start, e.anchor.start)))
    add(.withoutOperand, rightText, right.range, opening + [(op, "|| false &&")] + closing)
    add(.withoutOperand, leftText, left.range, opening + [(start..<start, "false && "), (op, "||")] + closing)
    add(.orForAnd, "|| for &&", e.anchor, opening + [(op, "||")] + closing)
  }

  private mutating func add(_ kind: Mutant.Kind, _ detail: String, _ place: SourceRange, _ edits: [Edit]) {
    var bytes: [UInt8] = []
    var position = 0
    for edit in edits {
      guard edit.range.lowerBound >= position, edit.range.upperBound <= file.utf8.count else { return }
      bytes += file.utf8[position..<edit.range.lowerBound] + Array(edit.text.utf8)
      position = edit.range.upperBound
    }
    bytes += file.utf8[position...]
    guard texts.insert(bytes).inserted else { return }
    mutants.append(
      Mutant(kind: kind, detail: detail, line: place.start.line, file: SourceFile(name: file.name, utf8: bytes)))
  }

  private func bytes(_ range: SourceRange) -> Range<Int> { range.start.byte..<max(range.start.byte, range.end.byte) }

  /// On one line, with the brackets that close it.
  private func balanced(_ text: String) -> String {
    var open: [Character] = []
    for c in text {
      switch c {
      case "(": open.append(")")
      case "[": open.append("]")
      case "{": open.append("}")
      case ")", "]", "}": if open.last == c { open.removeLast() }
      default: break
      }
    }
    return text.split(whereSeparator: \.isWhitespace).joined(separator: " ") + String(open.reversed())
  }
}
