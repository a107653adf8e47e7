import Foundation
import Testing

@testable import RulesValues

/// `Corpus/constraint-matrix.tsv`: 45 conditions on a field under 22 query filters, as the official emulator 1.19.9
/// judges the query. A: allowed, F: false, U: unknown, T: an error. Conditions of several operators are put together
/// here as the language does, so that each cell is checked.
struct ConstraintMatrixTests {
  static let table: [[String]] = {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let text = try? String(contentsOf: root.appending(path: "Corpus/constraint-matrix.tsv"), encoding: .utf8)
    return (text ?? "").split(separator: "\n").map { $0.split(separator: "\t").map { String($0) } }
  }()

  @Test("Every cell is as the official emulator has it")
  func everyCell() {
    let owner = ArenaOwner()
    let arena = owner.arena
    defer { withExtendedLifetime(owner) {} }
    #expect(Self.table.count == 46)
    for row in Self.table.dropFirst() {
      for (filter, official) in zip(Self.table[0], row).dropFirst() {
        arena.reset()
        let fields = Self.fields(filter, arena)
        #expect(!fields.isEmpty, "\(filter)")
        // Each branch of the query must be allowed; the first that is not decides.
        var ours = "A"
        for field in fields {
          ours = Self.letter(Self.condition(row[0], field, arena))
          if ours != "A" { break }
        }
        #expect(ours == official, "\(row[0]) under \(filter)")
      }
    }
  }

  static func letter(_ v: Value) -> String {
    v.isTrue ? "A" : v.isFalse ? "F" : v.has(.unknown) ? "U" : "T"
  }

  /// What the query leaves of the field, one value for each of its branches.
  static func fields(_ filter: String, _ arena: Arena) -> [Value] {
    let nan = Value.float(.nan)
    switch filter {
    case "n>1": return [arena.constraint([(.greater, .int(1))])]
    case "n>=1": return [arena.constraint([(.greaterOrEqual, .int(1))])]
    case "n<3": return [arena.constraint([(.less, .int(3))])]
    case "n<=3": return [arena.constraint([(.lessOrEqual, .int(3))])]
    case "n!=2": return [arena.constraint([(.notEqual, .int(2))])]
    case "n!=0": return [arena.constraint([(.notEqual, .int(0))])]
    case "notin[0,2]": return [arena.constraint([(.notEqual, .int(0)), (.notEqual, .int(2))])]
    case "isnull": return [.null]
    case "notnull": return [arena.constraint([(.notEqual, .null)])]
    case "isnan": return [nan]
    case "notnan": return [arena.constraint([(.notEqual, nan)])]
    case "1<n<3": return [arena.constraint([(.greater, .int(1)), (.less, .int(3))])]
    case "1<=n<=1": return [arena.constraint([(.greaterOrEqual, .int(1)), (.lessOrEqual, .int(1))])]
    case "n>1&n!=5": return [arena.constraint([(.greater, .int(1)), (.notEqual, .int(5))])]
    case "ac2": return [arena.constraint([(.listContains, .int(2))])]
    case "aca[1,2]":
      return [arena.constraint([(.listContains, .int(1))]), arena.constraint([(.listContains, .int(2))])]
    case "in[1,2]": return [.int(1), .int(2)]
    case "n>'a'": return [arena.constraint([(.greater, arena.string("a"))])]
    case "n==2": return [.int(2)]
    case "n==2.0": return [.float(2)]
    case "n==[1,2]": return [arena.list([.int(1), .int(2)])]
    case "n==2&n>1": return [arena.constraint([(.equal, .int(2)), (.greater, .int(1))])]
    default: return []
    }
  }

  static func condition(_ text: String, _ n: Value, _ arena: Arena) -> Value {
    func literal(_ text: Substring) -> Value {
      if text == "n" { return n }
      if text == "null" { return .null }
      if text.hasPrefix("'") { return arena.string(String(text.dropFirst().dropLast())) }
      if text.hasPrefix("[") {
        return arena.list(text.dropFirst().dropLast().split(separator: ", ").map { literal($0) })
      }
      return Int64(text).map { .int($0) } ?? Double(text).map { .float($0) } ?? .true
    }
    func simple(_ text: Substring) -> Value {
      if text == "true" || text == "false" { return .bool(text == "true") }
      if text.hasPrefix("(") { return simple(text.dropFirst().dropLast()) }
      if text.hasPrefix("!(") {
        let v = simple(text.dropFirst(2).dropLast())
        return v.isFailure ? v : Operators.not(v, arena)
      }
      if text == "math.isNaN(n)" { return Library.function(package: "math", "isNaN")?(Arguments(n), arena) ?? .null }
      if text.hasPrefix("n.has") {
        let parts = text.dropFirst(2).dropLast().split(separator: "(")
        return Library.method(String(parts[0]))?(n, Arguments(literal(parts[1])), arena) ?? .null
      }
      let cut = text.firstIndex(of: " ") ?? text.endIndex
      let rest = text[cut...].dropFirst()
      let after = rest.firstIndex(of: " ") ?? rest.endIndex
      let name = String(rest[..<after])
      let right = rest[after...].dropFirst()
      if name == "is" { return RulesType(rawValue: String(right)).map { Operators.isType(n, $0) } ?? .null }
      var left = text[..<cut] == "n.size()" ? Library.method("size")?(n, Arguments(), arena) ?? .null : .null
      if text[..<cut] == "n[0]" { left = Operators.index(n, .int(0), arena) }
      if left.isFailure { return left }
      if left.has(.null) { left = literal(text[..<cut]) }
      return OperatorsCorpusTests.binary(name, left, literal(right), arena)
    }
    if let cut = text.firstRange(of: " ? true : false") { return simple(text[..<cut.lowerBound]) }
    for (symbol, decisive) in [(" || ", true), (" && ", false)] {
      guard let cut = text.firstRange(of: symbol) else { continue }
      let left = simple(text[..<cut.lowerBound])
      if left.has(.bool), left.isTrue == decisive { return left }
      let right = simple(text[cut.upperBound...])
      if right.has(.bool), right.isTrue == decisive { return right }
      return left.isFailure ? left : right
    }
    return simple(text[...])
  }
}
