/// Finds what somebody probably meant.
public enum Suggestion {
  /// The candidate nearest to a misspelt word, if one is near enough to be meant; the first of equals.
  public static func nearest(to word: String, among candidates: some Sequence<String>) -> String? {
    let limit = word.count <= 3 ? 1 : word.count <= 7 ? 2 : 3
    var best: (String, Int)?
    for candidate in candidates where abs(candidate.count - word.count) <= limit {
      let d = distance(word.lowercased(), candidate.lowercased())
      if d <= limit, d < candidate.count, d < best?.1 ?? .max { best = (candidate, d) }
    }
    return best?.0
  }

  /// ` Did you mean 'x'?`, or nothing.
  public static func question(_ word: String, _ candidates: some Sequence<String>) -> String {
    nearest(to: word, among: candidates).map { " Did you mean '\($0)'?" } ?? ""
  }

  /// `a`, `a or b`, `a, b or c`, each in quotes.
  public static func alternatives(_ words: [String]) -> String {
    let quoted = words.map { "'\($0)'" }
    guard let last = quoted.last, quoted.count > 1 else { return quoted.first ?? "" }
    return quoted.dropLast().joined(separator: ", ") + " or " + last
  }

  /// Insertions, deletions, replacements and swaps of neighbours that lead from one word to the other. Words longer
  /// than 64 characters are not compared.
  static func distance(_ a: String, _ b: String) -> Int {
    let a = Array(a)
    let b = Array(b)
    guard a.count <= 64, b.count <= 64 else { return .max }
    if a.isEmpty || b.isEmpty { return max(a.count, b.count) }
    var before: [Int] = []
    var last = Array(0...b.count)
    for i in 1...a.count {
      var row = [i]
      for j in 1...b.count {
        var d = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1))
        if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] { d = min(d, before[j - 2] + 1) }
        row.append(d)
      }
      before = last
      last = row
    }
    return last[b.count]
  }
}
