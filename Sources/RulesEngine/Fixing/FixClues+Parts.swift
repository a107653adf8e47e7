import RulesSyntax
import RulesValues

/// Values that are made of others: sums, pieces of a text, elements of a list.
extension FixClues {
  /// Lists are not made longer than this to have an element at an index.
  private static let longestList: Int64 = 100

  /// Changes what a value is made of so that it becomes another.
  /// - Parameter size: as of `set`.
  /// - Returns: whether it is made of something.
  mutating func setParts(_ node: Explanation.Node, _ value: DataValue, _ frame: FixFrame?, size: Int?) -> Bool {
    switch node.expression.kind {
    case .binary(let op, _, _) where node.children.count == 2:
      let (a, b) = (FixValue.data(node.children[0]), FixValue.data(node.children[1]))
      if let b { set(node.children[0], Self.left(op, b, is: value, was: a), frame, size: size) }
      if let a { set(node.children[1], Self.right(op, a, is: value), frame, size: size) }
      return true
    case .unary(.negate, _):
      guard let operand = node.children.first else { return false }
      set(operand, Self.left(.multiply, .int(-1), is: value, was: nil), frame, size: size)
      return true
    case .index where node.children.count == 2:
      guard case .int(let i)? = FixValue.data(node.children[1]), (0..<Self.longestList).contains(i),
        case .array(var items)? = FixValue.data(node.children[0])
      else { return false }
      // A place before it may hold anything of the kind.
      while items.count <= Int(i) { items.append(items.last ?? value) }
      items[Int(i)] = value
      let (list, inside) = places.unwrapped(node.children[0], frame)
      if !setPieces(of: list, items, inside) { set(node.children[0], .array(items), frame) }
      return true
    default: return false
    }
  }

  /// Changes a text so that `split` makes these pieces of it, where the separator is written as it is.
  /// - Returns: whether the list is made by `split`.
  mutating func setPieces(of list: Explanation.Node, _ pieces: [DataValue], _ frame: FixFrame?) -> Bool {
    guard case .methodCall(_, let name, _) = list.expression.kind, name.text == "split", list.children.count == 2,
      case .string(let separator)? = FixValue.data(list.children[1])
    else { return false }
    let texts = pieces.compactMap { if case .string(let text) = $0 { text } else { nil } }
    // `[.]` and `\\.` are one dot.
    let plain = separator.filter { !"[]\\".contains($0) }
    if texts.count == pieces.count { set(list.children[0], .string(texts.joined(separator: plain)), frame) }
    return true
  }

  // MARK: Arithmetic

  /// What `x` is so that `x op b` is a value: of several the nearest to what it was.
  private static func left(_ op: BinaryOperator, _ b: DataValue, is value: DataValue, was a: DataValue?) -> DataValue? {
    switch (op, b, value) {
    case (.add, .string(let end), .string(let whole)):
      return whole.hasSuffix(end) ? .string(String(whole.dropLast(end.count))) : nil
    case (.remainder, .int(let b), .int(let rest)):
      guard b != 0, b != -1, rest.magnitude < b.magnitude else { return nil }
      guard case .int(let old)? = a else { return .int(rest) }
      let (base, overflow) = old.subtractingReportingOverflow(old % b)
      return overflow ? nil : exact(base.addingReportingOverflow(rest))
    case (_, .int(let b), .int(let value)):
      switch op {
      case .add: return exact(value.subtractingReportingOverflow(b))
      case .subtract: return exact(value.addingReportingOverflow(b))
      case .multiply: return b != 0 && b != -1 && value % b == 0 ? .int(value / b) : b == -1 ? .int(0 &- value) : nil
      case .divide: return exact(value.multipliedReportingOverflow(by: b))
      default: return nil
      }
    default:
      guard let b = number(b), let value = number(value) else { return nil }
      switch op {
      case .add: return .double(value - b)
      case .subtract: return .double(value + b)
      case .multiply: return b == 0 ? nil : .double(value / b)
      case .divide: return .double(value * b)
      default: return nil
      }
    }
  }

  /// What `x` is so that `a op x` is a value.
  private static func right(_ op: BinaryOperator, _ a: DataValue, is value: DataValue) -> DataValue? {
    switch (op, a, value) {
    case (.add, .string(let start), .string(let whole)):
      return whole.hasPrefix(start) ? .string(String(whole.dropFirst(start.count))) : nil
    case (.add, _, _), (.multiply, _, _): return left(op, a, is: value, was: nil)
    case (.subtract, .int(let a), .int(let value)): return exact(a.subtractingReportingOverflow(value))
    case (.divide, .int(let a), .int(let value)): return value != 0 && value != -1 ? .int(a / value) : nil
    default:
      guard let a = number(a), let value = number(value) else { return nil }
      switch op {
      case .subtract: return .double(a - value)
      case .divide: return value == 0 ? nil : .double(a / value)
      default: return nil
      }
    }
  }

  private static func exact(_ result: (partialValue: Int64, overflow: Bool)) -> DataValue? {
    result.overflow ? nil : .int(result.partialValue)
  }

  private static func number(_ value: DataValue) -> Double? {
    switch value {
    case .int(let i): Double(i)
    case .double(let d) where d.isFinite: d
    default: nil
    }
  }
}
