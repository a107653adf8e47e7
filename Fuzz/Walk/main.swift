import IdentityWalk

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

// identity-walk <steps>: random sequences of sign-in flows, and whether all that must hold did after each of them.

guard CommandLine.arguments.count == 2, let steps = Int(CommandLine.arguments[1]), steps > 0 else {
  print("identity-walk <steps>")
  exit(2)
}
var total = (steps: 0, done: 0, refused: 0)
for seed in RandomWalks.seeds {
  do throws(FlowWalk.Finding) {
    let outcome = try RandomWalks.run(seed: seed, steps: max(steps / RandomWalks.seeds.count, 1))
    total = (total.steps + outcome.steps, total.done + outcome.done, total.refused + outcome.refused)
  } catch {
    print("seed \(seed): \(error)")
    exit(1)
  }
}
print("\(total.steps) steps, \(total.done) done, \(total.refused) refused; all that must hold held")
