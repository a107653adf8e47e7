import Testing

@testable import Isolation

/// Solvers that die, lie or talk nonsense make a question unknown, never proved.
struct SolverTests {
  private func ask(_ script: String) -> SolverSession.Answer {
    SolverSession(command: ["sh", "-c", script], milliseconds: 200).ask(["(assert true)"], values: []).0
  }

  private func isUnknown(_ answer: SolverSession.Answer) -> Bool {
    if case .unknown = answer { true } else { false }
  }

  @Test(arguments: [
    "exit 1", "exec cat", "exec cat /dev/zero", "while :; do echo unsat; done", "read x; echo unsat; exit 0", "exec sleep 100",
    "while read line; do case $line in *check-sat*) echo unsat;; *echo*) echo \"$line\" | sed 's/.*\"\\(.*\\)\".*/\\1/';; esac; done",
    "while read line; do case $line in *check-sat*) echo sat;; *echo*) echo \"$line\" | sed 's/.*\"\\(.*\\)\".*/\\1/';; esac; done",
  ])
  func `A bad solver proves nothing`(script: String) { #expect(isUnknown(ask(script))) }

  @Test func `A program that is not there is named`() {
    let trouble = SolverSession(command: ["no-such-solver"]).check()
    #expect(trouble == "the solver 'no-such-solver' cannot be started" || trouble == "the solver has ended")
  }

  @Test(.enabled(if: solverIsThere)) func `After an error the next question is answered rightly`() {
    let session = SolverSession()
    #expect(isUnknown(session.ask(["(assert (= nonsense 1))"], values: []).0))
    #expect(session.ask(["(declare-fun a () Int)", "(assert (< a 0))"], values: ["a"]).0 == .satisfiable)
    #expect(session.ask(["(assert false)"], values: []).0 == .unsatisfiable)
    // A question that closes its own scope would leave the next one's facts in force.
    #expect(isUnknown(session.ask(["(pop 1)", "(assert false)"], values: []).0))
    #expect(session.ask(["(assert true)"], values: []).0 == .satisfiable)
  }

  @Test(.enabled(if: solverIsThere)) func `A question that takes too long is unknown`() {
    let session = SolverSession(milliseconds: 50)
    let hard = ["a", "b", "c"].map { "(declare-fun \($0) () Int)" } + ["(assert (= (+ (* a a a) (* b b b) (* c c c)) 114))"]
    #expect(isUnknown(session.ask(hard, values: []).0))
    #expect(session.ask(["(assert false)"], values: []).0 == .unsatisfiable)
  }

  /// Answers as z3 does while it is tried out, and the opposite afterwards.
  private static let liar = [
    "sh", "-c",
    """
    n=0; z3 -in | while read -r line; do
      case $line in sat|unsat) n=$((n + 1)); if [ $n -gt 3 ]; then [ $line = sat ] && line=unsat || line=sat; fi;; esac
      echo "$line"
    done
    """,
  ]

  @Test(.enabled(if: solverIsThere)) func `Two solvers agree, or nothing is known`() {
    let session = SolverSession()
    session.second = SolverSession()
    #expect(session.ask(["(assert false)"], values: []).0 == .unsatisfiable)
    #expect(session.ask(["(assert true)"], values: []).0 == .satisfiable)
    #expect(session.opinions == (2, 0))
    session.second = SolverSession(command: ["no-such-solver"])
    #expect(session.ask(["(assert false)"], values: []).0 == .unsatisfiable)
    #expect(session.opinions == (2, 1))
    session.second = SolverSession(command: Self.liar)
    #expect(
      session.ask(["(assert false)"], values: []).0
        == .unknown("the solvers disagree: 'z3' says impossible, 'sh' possible"))
    // A lie of the first is found out as well.
    let lying = SolverSession(command: Self.liar)
    lying.second = SolverSession()
    #expect(isUnknown(lying.ask(["(assert true)"], values: []).0))
  }

  /// cvc5 answers `(echo "x")` with quotes.
  @Test(.enabled(if: solverIsThere)) func `A solver may put what it echoes in quotes`() {
    let script = "z3 -in | while read -r line; do case $line in --*) echo \"\\\"$line\\\"\";; *) echo \"$line\";; esac; done"
    #expect(SolverSession(command: ["sh", "-c", script]).check() == nil)
  }
}
