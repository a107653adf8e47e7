import Isolation
import JSON
import Reports
import RulesEngine
import RulesTesting
import RulesValues

enum FuzzCommand: Command {
  static let name = "fuzz"
  static let summary = "Look for requests that break invariants by trying many, with or without a solver"
  static let usage = ["fuzz [FILE or FOLDER…]", "fuzz RULES --statement 'never get /users/{uid} unless …;'"]
  static let details = """
    Tries random requests that are steered towards what the conditions ask for, until the time is over. Of rules without
    invariants, those are taken that their conditions seem to mean. Where chance gets no further the solver is asked for
    requests, if it is installed. What is found is replayed, made smaller and shown with a test. The same seed and
    --tries make the same requests.

    With --corpus, requests that reached something new are kept, and are tried first the next time. Several machines
    look in different places with --shard 1/4, 2/4, …; --merge puts what they kept together, as few as reach as much.
    Exit code 1 for a leak.

      rules-test fuzz --time 60
      rules-test fuzz --shard 2/4 --time 600 --corpus found
      rules-test fuzz --corpus all --merge found1,found2 --time 0
    """
  static let options = [
    OptionSpec.statement,
    OptionSpec(name: "--time", value: "SECONDS", help: "how long altogether; default: 10"),
    OptionSpec(name: "--tries", value: "N", help: "so many requests for each invariant instead"),
    OptionSpec(name: "--seed", value: "N", help: "where to begin; default: 1"),
    OptionSpec(name: "--shard", value: "I/N", help: "this is machine I of N: each tries other requests"),
    OptionSpec(name: "--corpus", value: "FOLDER", help: "requests that are tried first; new ones are added"),
    OptionSpec(
      name: "--merge", value: "FOLDERS", help: "corpora of other runs, with commas between, added to --corpus"),
    .solver,
    OptionSpec(name: "--no-solver", help: "never ask a solver"),
    .values, .findingsOnly, .format, .color, .help,
  ]

  static func run(_ options: Options) async throws(UsageError) -> ExitCode {
    let shard = try shard(options)
    let seed = UInt64(bitPattern: try number("--seed", options) ?? 1)
    let limit: FuzzRun.Limit
    if let tries = try number("--tries", options) {
      guard tries >= 0, options["--time"] == nil else {
        throw UsageError("--tries takes a number from 0, and no --time beside it.")
      }
      limit = .tries(Int(clamping: tries))
    } else {
      guard let seconds = Double(options["--time"] ?? "10"), seconds >= 0, seconds <= 1_000_000 else {
        throw UsageError("--time takes a number of seconds, not '\(options["--time"] ?? "")'.", "--time 60")
      }
      limit = .seconds(seconds)
    }
    let session = options.solverSession
    let solver = options.has("--no-solver") || session.check() != nil ? nil : session.command
    let folder = options["--corpus"]
    if let folder, Files.kind(folder) != .folder {
      throw UsageError("\(folder) is no folder.", "mkdir -p \(SafeText.shellWord(folder))")
    }
    let merged = options["--merge"]?.split(separator: ",").map(String.init) ?? []
    if !merged.isEmpty, folder == nil { throw UsageError("--merge needs --corpus: where to put what is kept.") }
    for one in merged where Files.kind(one) != .folder { throw UsageError("\(one) is no folder.") }

    let (promises, errors) = try Promise.collect(options)
    var goals: [FuzzRun.Goal] = []
    var origins: [(promise: Promise, corpus: String)] = []
    for promise in promises {
      for (number, target) in try promise.targets().enumerated() {
        let name = FuzzCorpus.name(promise, number)
        var corpus: [Witness] = []
        for place in (folder.map { [$0] } ?? []) + merged {
          corpus += try FuzzCorpus.read("\(place)/\(name)", database: Text(promise.database))
        }
        goals.append(
          FuzzRun.Goal(
            statement: promise.statement, rules: promise.ruleset, target: target, database: Text(promise.database),
            corpus: corpus))
        origins.append((promise, name))
      }
    }
    let run = FuzzRun(
      seed: seed &+ UInt64(shard.map { $0.0 - 1 } ?? 0) &* 0x5851_F42D_4C95_7F2D, limit: limit, solver: solver,
      workers: Machine.cores)
    var progress = Progress(total: goals.count, of: "invariants")
    let results = await run.run(goals) { progress.step($0) }
    progress.end()
    var entries: [FuzzReport.Entry] = []
    for (origin, result) in zip(origins, results) {
      let entry = ProofReport.Entry(rules: origin.promise.rules.file, origin: origin.promise.origin, verdict: .vacuous)
      if case .inferred = origin.promise.origin, !result.hasAllows { continue }
      entries.append(
        FuzzReport.Entry(
          rules: entry.rules, file: entry.file, line: entry.line, statement: entry.statement,
          inferred: entry.inferred?.kind,
          result: result))
      if let folder, !result.corpus.isEmpty {
        try FuzzCorpus.write(result.corpus, to: "\(folder)/\(origin.corpus)")
      }
    }
    let report = FuzzReport(entries, seed: seed, shard: shard)
    if options.isJSON { report.json.printed() } else { Console.write(report.text(options.terminal, options.detail)) }
    for error in errors { Console.write("rules-test: \(SafeText.line(error.description))\n", to: .errors) }
    if !errors.isEmpty { return .usage }
    return report.leaks > 0 ? .failed : .fine
  }

  private static func number(_ name: String, _ options: Options) throws(UsageError) -> Int64? {
    guard let text = options[name] else { return nil }
    guard let number = Int64(text) else { throw UsageError("\(name) takes a whole number, not '\(text)'.") }
    return number
  }

  private static func shard(_ options: Options) throws(UsageError) -> (Int, Int)? {
    guard let text = options["--shard"] else { return nil }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let i = parts[0], let n = parts[1], i >= 1, i <= n, n <= 100_000 else {
      throw UsageError("--shard takes I/N, not '\(text)'.", "--shard 1/4 on the first of four machines")
    }
    return (i, n)
  }
}

extension Promise {
  var statement: String { ProofReport.Entry(rules: rules.file, origin: origin, verdict: .vacuous).statement }

  /// What a fuzzer can try to break; nothing of what only a proof can tell.
  func targets() throws(UsageError) -> [FuzzTarget] {
    do throws(RulesError) {
      switch origin {
      case .inferred(let statement): return try FuzzTarget(statement).map { [$0] } ?? []
      case .written(let invariant, _):
        guard let test, case .statements(let statements) = try invariant.meaning(in: test) else { return [] }
        var targets: [FuzzTarget] = []
        for statement in statements { if let target = try FuzzTarget(statement) { targets.append(target) } }
        return targets
      }
    } catch {
      throw UsageError("'\(statement)' does not compile: \(error.diagnostics.first?.message ?? "")")
    }
  }
}

/// Requests that a run kept, one on a line.
enum FuzzCorpus {
  /// The file of a statement: its name tells statements apart, whatever characters they are made of (FNV-1a).
  static func name(_ promise: Promise, _ number: Int) -> String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in "\(promise.rules.file.name)\n\(promise.statement)\n\(number)".utf8 {
      hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
    }
    return String(hash, radix: 16) + ".jsonl"
  }

  /// - Throws: with the line that is no request.
  static func read(_ path: String, database: Text) throws(UsageError) -> [Witness] {
    guard Files.kind(path) == .file else { return [] }
    var witnesses: [Witness] = []
    for (number, line) in try Files.read(path).split(separator: UInt8(ascii: "\n")).enumerated() {
      guard let json = try? JSONValue(parsing: Array(line)), let witness = Witness(json: json, database: database)
      else {
        throw UsageError(
          "\(path):\(number + 1): this is no request as fuzz keeps them.", "Delete the file; a run makes it anew.")
      }
      witnesses.append(witness)
    }
    return witnesses
  }

  static func write(_ corpus: [Witness], to path: String) throws(UsageError) {
    let text = corpus.map { $0.json.serialized() + "\n" }.joined()
    guard Files.write(text, to: path) else { throw UsageError("\(path) cannot be written.") }
  }
}
