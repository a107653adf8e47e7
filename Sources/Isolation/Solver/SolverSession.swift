/// A solver that is asked one question after the other over a pipe. What is not exactly as it must be ends the process
/// and makes the question unknown: after an error solvers go on, and their next answer may be about something else.
public final class SolverSession {
  /// `z3 -in` and its like: a program on PATH that reads SMT-LIB 2.
  public static let defaultCommand = ["z3", "-in"]

  public enum Answer: Equatable, Sendable {
    case satisfiable
    case unsatisfiable
    case unknown(String)
  }

  /// Another solver that is asked the same, whose word counts as much: where the two disagree nothing is known.
  public var second: SolverSession?
  /// How often the second agreed, and how often it did not know.
  public private(set) var opinions = (agreed: 0, undecided: 0)

  /// How many were asked so far.
  private var questions = 0
  /// How long each took, from the first byte sent to the last one read.
  public private(set) var durations: [Duration] = []
  public let command: [String]
  private let milliseconds: Int64
  /// Takes every question as a text that another solver can be given.
  public var dump: ((_ number: Int, _ text: String) -> Void)?
  /// Of all questions together.
  public var limit: TimeLimit?
  private var process: SolverProcess?
  private var sentinels = 0

  /// - Parameters:
  ///   - command: the program and its arguments.
  ///   - milliseconds: for one question.
  public init(command: [String] = SolverSession.defaultCommand, milliseconds: Int64 = 5_000) {
    self.command = command
    self.milliseconds = milliseconds
  }

  /// Whether the program can be started and answers as a solver does; otherwise what is wrong.
  public func check() -> String? {
    do throws(Trouble) {
      _ = try running()
      return nil
    } catch {
      return error.text
    }
  }

  /// Asks whether all assertions can hold at once, and if so what some terms are.
  /// - Parameters:
  ///   - lines: declarations and assertions.
  ///   - terms: whose values are wanted.
  /// - Returns: the answer, and the values in the order of the terms (empty unless satisfiable).
  func ask(_ lines: [String], values terms: [String]) -> (Answer, [SExpression]) {
    questions += 1
    let start = ContinuousClock.now
    defer { durations.append(ContinuousClock.now - start) }
    dump?(
      questions,
      "(set-logic ALL)\n\(SMTWriter.preamble)\n\(lines.joined(separator: "\n"))\n(check-sat)\n")
    if let limit, limit.isOver { return (.unknown(limit.text), []) }
    let milliseconds = min(milliseconds, limit?.millisecondsLeft ?? milliseconds)
    do throws(Trouble) {
      let question = "(push 1)\n" + lines.joined(separator: "\n") + "\n(check-sat)\n"
      var solver = try running()
      var answer = try verdict(solver, timeout(milliseconds / 4) + question)
      if case .unknown = answer, limit?.isOver != true {
        // What it keeps of earlier questions can lead it astray: a fresh one often knows at once.
        end()
        solver = try running()
        answer = try verdict(solver, timeout(milliseconds) + question)
      }
      var values: [SExpression] = []
      if answer == .satisfiable, !terms.isEmpty {
        let text = try exchange(solver, "(get-value (\(terms.joined(separator: "\n"))))\n").joined(separator: "\n")
        guard case .list(let pairs)? = SExpression.read(text)?.first, pairs.count == terms.count else {
          throw Trouble("the solver gave no model")
        }
        for pair in pairs {
          guard case .list(let both) = pair, both.count == 2 else { throw Trouble("the solver gave no model") }
          values.append(both[1])
        }
      }
      guard try exchange(solver, "(pop 1)\n").isEmpty else { throw Trouble("the solver said more than it was asked") }
      if let trouble = disagreement(answer, lines) { return (.unknown(trouble), []) }
      return (answer, values)
    } catch {
      end()
      return (.unknown(error.text), [])
    }
  }

  /// What the second solver has against an answer.
  private func disagreement(_ answer: Answer, _ lines: [String]) -> String? {
    guard let second, answer == .satisfiable || answer == .unsatisfiable else { return nil }
    let other = second.ask(lines, values: []).0
    if other == answer {
      opinions.agreed += 1
    } else if case .unknown = other {
      opinions.undecided += 1
    } else {
      let words = answer == .satisfiable ? ("possible", "impossible") : ("impossible", "possible")
      return "the solvers disagree: '\(name)' says \(words.0), '\(second.name)' \(words.1)"
    }
    return nil
  }

  private var name: String { command.first ?? "" }

  /// z3 alone is told how long it may think; others are stopped when they are late.
  private func timeout(_ milliseconds: Int64) -> String {
    command.first?.hasSuffix("z3") == true ? "(set-option :timeout \(milliseconds))\n" : ""
  }

  // MARK: The process

  struct Trouble: Error {
    let text: String
    init(_ text: String) { self.text = text }
  }

  private func end() {
    process?.stop()
    process = nil
  }

  private func running() throws(Trouble) -> SolverProcess {
    if let process { return process }
    let started: SolverProcess
    do throws(SolverProcess.Failure) {
      started = try SolverProcess(command)
    } catch {
      throw Trouble("the solver '\(command.first ?? "")' cannot be started")
    }
    do throws(Trouble) {
      // The seed makes witnesses come out alike in every run.
      let options = command.first?.hasSuffix("z3") == true ? "(set-option :smt.random_seed 1)\n" : ""
      let silent = try exchange(
        started,
        "(set-option :print-success false)\n(set-option :produce-models true)\n\(options)(set-logic ALL)\n\(SMTWriter.preamble)\n"
      )
      guard silent.isEmpty else { throw Trouble("the solver does not take its preamble: \(silent[0].prefix(80))") }
      // What it starts from must be possible, and it must know true from false.
      guard try verdict(started, "(check-sat)\n") == .satisfiable,
        try verdict(started, "(push 1)\n(assert (= (vint 1) (vint 2)))\n(check-sat)\n") == .unsatisfiable,
        try exchange(started, "(pop 1)\n").isEmpty,
        try verdict(started, "(push 1)\n(assert (not (= (vint 1) (vint 2))))\n(check-sat)\n") == .satisfiable,
        try exchange(started, "(pop 1)\n").isEmpty
      else { throw Trouble("the solver fails the test that it starts with") }
    } catch {
      started.stop()
      throw error
    }
    process = started
    return started
  }

  private func verdict(_ solver: SolverProcess, _ text: String) throws(Trouble) -> Answer {
    let lines = try exchange(solver, text)
    guard lines.count == 1 else {
      throw Trouble("unexpected answer: \(lines.first.map { String($0.prefix(120)) } ?? "none")")
    }
    switch lines[0] {
    case "sat": return .satisfiable
    case "unsat": return .unsatisfiable
    case "unknown", "timeout": return .unknown("the solver does not know within its limit")
    default: throw Trouble("unexpected answer: \(lines[0].prefix(120))")
    }
  }

  /// Sends commands and returns what was said to them, up to a sentinel that no other answer can be.
  private func exchange(_ solver: SolverProcess, _ text: String) throws(Trouble) -> [String] {
    sentinels += 1
    let sentinel = "-- \(sentinels) --"
    let lines: [String]
    do throws(SolverProcess.Failure) {
      lines = try solver.ask(text + "(echo \"\(sentinel)\")\n", until: sentinel, milliseconds: milliseconds + 2_000)
    } catch {
      switch error {
      case .late: throw Trouble("the solver did not answer in time")
      case .tooMuch: throw Trouble("the solver's answer is too long")
      case .ended, .cannotStart: throw Trouble("the solver has ended")
      }
    }
    if let error = lines.first(where: { $0.hasPrefix("(error") }) {
      throw Trouble("the solver says \(error.prefix(200))")
    }
    return lines
  }
}
