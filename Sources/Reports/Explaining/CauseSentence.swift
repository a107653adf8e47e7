import RulesEngine
import RulesSyntax

/// The cause of a refusal in a sentence, with the values that the two sides of it had.
struct CauseSentence {
  let source: ExpressionText
  let cause: TracedNode

  /// `nil` where the framed source says all there is to say.
  var text: String? {
    switch cause.outcome {
    case .error(let message): error(message)
    case .value("false", _): refusal
    // Under a `!`.
    case .value("true", _): "\(source(cause.expression)) is true, which it must not be."
    default: nil
    }
  }

  private func source(_ e: Expression, _ width: Int = 60) -> String { source.text(e, width: width) }

  private func value(_ i: Int) -> String? {
    cause.operands.indices.contains(i) ? SafeText.cut(cause.operands[i].text, 60) : nil
  }

  private var argumentSource: String {
    guard case .methodCall(_, _, let arguments) = cause.expression.kind, let first = arguments.first else { return "it" }
    return source(first)
  }

  private var refusal: String? {
    switch cause.expression.kind {
    case .bool: return "The condition is always false."
    case .binary(let op, let left, let right):
      guard let a = value(0), let b = value(1) else { return nil }
      switch op {
      case .equal:
        if right.isLiteral { return "\(source(left)) is \(a), not \(b)." }
        return left.isLiteral ? "\(source(right)) is \(b), not \(a)." : "\(source(left)) is \(a), but \(source(right)) is \(b)."
      case .notEqual where right.isNull: return "\(source(left)) is null."
      case .notEqual: return "\(source(left)) is \(a), which it must not be."
      case .in: return "\(source(left)) is \(a), which is not in \(b)."
      case .less, .lessOrEqual, .greater, .greaterOrEqual: return "\(source(cause.expression)) does not hold: \(a) \(op.rawValue) \(b)."
      default: return nil
      }
    case .typeTest(let operand, let type):
      guard let a = value(0) else { return nil }
      return "\(source(operand)) is \(a), which is no \(type.text)."
    case .methodCall(let receiver, let name, _):
      guard let a = value(0) else { return nil }
      switch name.text {
      case "matches": return "\(a) as a whole does not match \(value(1) ?? argumentSource)."
      case "hasAny": return "\(source(receiver)) is \(a): it has none of \(value(1) ?? argumentSource)."
      case "hasAll": return "\(source(receiver)) is \(a): it has not all of \(value(1) ?? argumentSource)."
      case "hasOnly": return "\(source(receiver)) is \(a): more than \(value(1) ?? argumentSource)."
      default: return nil
      }
    case .call(let name, _):
      guard name.text == "exists" || name.text == "existsAfter", let path = value(0) else { return nil }
      return "There is no document \(path)."
    case .member, .index, .identifier: return "\(source(cause.expression)) is false."
    default: return nil
    }
  }

  private func error(_ message: String) -> String? {
    switch cause.expression.kind {
    case .member(let receiver, let name):
      let whole = source(receiver, 40)
      if cause.operands.first?.text == "null" { return "\(whole) is null here: ask \(whole) != null first." }
      if message.hasPrefix("Property ") {
        return "'\(name.text)' is not in \(whole): ask '\(name.text)' in \(whole) first, or write "
          + "\(whole).get('\(name.text)', …)."
      }
      return nil
    case .methodCall(let receiver, let name, _):
      guard message.hasPrefix("Function not found"), let a = value(0) else { return nil }
      return "\(source(receiver)) is \(a), which has no \(name.text)()."
    case .call(let name, _):
      guard name.text == "get" || name.text == "getAfter", let path = value(0) else { return nil }
      return "\(name.text)() needs the document \(path)."
    default: return nil
    }
  }
}
