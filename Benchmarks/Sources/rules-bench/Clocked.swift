import RulesEngine
import RulesValues

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// What only a clock can tell. Best of several runs, since other work on the machine can only slow one down.
enum Clocked {
  static let runs = 7

  private static func nanoseconds(_ body: () -> Void) -> Double {
    let clock = ContinuousClock()
    return clock.measure(body) / .nanoseconds(1)
  }

  private static func decide(_ evaluator: Evaluator, _ times: Int) {
    for _ in 0..<times { Measurement.check(evaluator.allowsLoaded()) }
  }

  /// Decisions of one thread against those of two in the same time.
  static func threads(_ times: Int) throws {
    let ruleset = try Ruleset(Cases.rules(blocks: 10))
    func evaluator() -> Evaluator {
      let evaluator = ruleset.evaluator()
      evaluator.load(Cases.create(uid: "alice"), DocumentTable())
      return evaluator
    }
    var (one, two) = (Double.infinity, Double.infinity)
    for _ in 0..<runs {
      let single = evaluator()
      one = min(one, nanoseconds { decide(single, times) })
      two = min(two, nanoseconds { onTwoThreads { decide(evaluator(), times) } })
    }
    print("one thread: \(number(one / Double(times))) ns a decision; two: \(number(2 * one / two)) times as many decisions")
  }

  private static func onTwoThreads(_ body: @escaping () -> Void) {
    final class Work {
      let body: () -> Void
      init(_ body: @escaping () -> Void) { self.body = body }
    }
    let work = Unmanaged.passRetained(Work(body))
    var threads: [pthread_t] = []
    for _ in 0..<2 {
      var thread = pthread_t()
      let failure = pthread_create(
        &thread, nil,
        { argument in
          if let argument { Unmanaged<Work>.fromOpaque(argument).takeUnretainedValue().body() }
          return nil
        }, work.toOpaque())
      if failure == 0 { threads.append(thread) }
    }
    for thread in threads { pthread_join(thread, nil) }
    work.release()
  }

  /// Nanoseconds of one decision: request loaded, and from its text.
  static func seconds(_ times: Int) throws {
    let evaluator = try Ruleset(Cases.rules(blocks: 10)).evaluator()
    let bare = try Ruleset(Cases.rules(blocks: 10, rule: "true")).evaluator()
    let documents = DocumentTable()
    let text = Array(Cases.requestText.utf8)
    var best = [Double](repeating: .infinity, count: 3)
    for _ in 0..<runs {
      evaluator.load(Cases.create(uid: "alice"), documents)
      bare.load(Cases.create(uid: "alice"), documents)
      best[0] = min(best[0], nanoseconds { decide(evaluator, times) })
      best[1] = min(best[1], nanoseconds { decide(bare, times) })
      best[2] = min(
        best[2],
        nanoseconds {
          for _ in 0..<times {
            try? evaluator.load(json: text, documents)
            Measurement.check(evaluator.allowsLoaded())
          }
        })
    }
    print(best.map { number($0 / Double(times)) }.joined(separator: " "))
  }

  private static func number(_ value: Double) -> String { String((value * 100).rounded() / 100) }
}
