import Isolation
import RulesEngine
import RulesSyntax
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

// Holds proofs against random requests: of each rules file and each of its weaker versions, what was inferred of the file
// is proved or broken, and what is called PROVED must stand so many steered requests. For `make contradictions`.
//
//   contradictions [--requests N] [--mutants N] FILE…
//
// Exit code 1 for a contradiction.

var requests = 20_000
var most = Int.max
var paths: [String] = []
var arguments = CommandLine.arguments.dropFirst()
while let argument = arguments.popFirst() {
  switch argument {
  case "--requests": requests = arguments.popFirst().flatMap { Int($0) } ?? requests
  case "--mutants": most = arguments.popFirst().flatMap { Int($0) } ?? most
  default: paths.append(argument)
  }
}

func read(_ path: String) -> [UInt8]? {
  guard let file = fopen(path, "r") else { return nil }
  defer { fclose(file) }
  var bytes: [UInt8] = []
  while case let c = getc(file), c >= 0 { bytes.append(UInt8(truncatingIfNeeded: c)) }
  return bytes
}

struct Job: Sendable {
  let path: String
  let change: String
  let rules: Ruleset
  let statements: [InferredStatement]
}

struct Tally: Sendable {
  var questions = 0
  var proved = 0
  var leaks = 0
  var vacuous = 0
  var unknown: [String: Int] = [:]
  var tries = 0
  var contradictions: [String] = []

  mutating func add(_ other: Tally) {
    questions += other.questions
    proved += other.proved
    leaks += other.leaks
    vacuous += other.vacuous
    tries += other.tries
    unknown.merge(other.unknown) { $0 + $1 }
    contradictions += other.contradictions
  }
}

func check(_ job: Job, _ solver: SolverSession, requests: Int) -> Tally {
  var tally = Tally()
  let prover = Prover(job.rules, solver: solver)
  prover.fuzzTries = 500
  var standing: [InferredStatement] = []
  for statement in job.statements {
    guard let verdict = try? prover.prove(statement) else { continue }
    tally.questions += 1
    switch verdict {
    case .proved:
      tally.proved += 1
      standing.append(statement)
    case .vacuous:
      tally.vacuous += 1
      standing.append(statement)
    case .leak: tally.leaks += 1
    case .unknown(let reasons, _): tally.unknown[reasons.first?.text ?? "?", default: 0] += 1
    case .possible, .impossible: break
    }
  }
  let targets = standing.compactMap { statement in (try? FuzzTarget(statement)).flatMap { $0 }.map { (statement, $0) } }
  for (statement, target) in targets {
    var fuzzer = Fuzzer(job.rules, target, seed: 7)
    let finding = fuzzer.run(tries: requests / targets.count)
    tally.tries += fuzzer.tries
    if let finding {
      tally.contradictions.append(
        "\(job.path), \(job.change): \(statement.text)\n  \(finding.leak.witness.json.serialized())")
    }
  }
  return tally
}

var jobs: [Job] = []
for path in paths {
  guard let bytes = read(path), let rules = Ruleset.compile(SourceFile(name: path, utf8: bytes)).ruleset else {
    print("\(path): not a rules file that compiles")
    continue
  }
  let statements = rules.inferredStatements
  jobs.append(Job(path: path, change: "as it is", rules: rules, statements: statements))
  for mutant in rules.mutants where jobs.count < most {
    guard let weaker = Ruleset.compile(mutant.file).ruleset else { continue }
    jobs.append(
      Job(path: path, change: "\(mutant.kind.rawValue) in line \(mutant.line)", rules: weaker, statements: statements))
  }
}

final class Turn: Sendable {
  let next = Atomic(0)
}

let turn = Turn()
let (all, each) = (jobs, requests)
let total = await withTaskGroup(of: Tally.self) { group in
  for _ in 0..<max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) {
    group.addTask {
      let solver = SolverSession(milliseconds: 2_000)
      var tally = Tally()
      while case let number = turn.next.wrappingAdd(1, ordering: .relaxed).oldValue, number < all.count {
        tally.add(check(all[number], solver, requests: each))
      }
      return tally
    }
  }
  var total = Tally()
  for await tally in group { total.add(tally) }
  return total
}
for text in total.contradictions { print("CONTRADICTION \(text)") }
print(
  "\(jobs.count) rule sets, \(total.questions) statements: \(total.proved) proved, \(total.leaks) leaks replayed, \(total.vacuous) vacuous, \(total.unknown.values.reduce(0, +)) unknown; \(total.tries) requests, \(total.contradictions.count) contradictions"
)
for (reason, count) in total.unknown.sorted(by: { $0.value > $1.value }) { print("  unknown \(count): \(reason)") }
exit(total.contradictions.isEmpty ? 0 : 1)
