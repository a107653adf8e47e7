import JSON
import RulesEngine
import RulesSyntax
import RulesTesting
import RulesValues

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

// rules-bench <what> <times>: does one thing that many times and says nothing. Who runs it twice, with numbers that
// differ, knows what one time costs. `rules-bench threads <times>`, `seconds <times>`, `store <times>` and
// `store-file <documents> <path>` measure by the clock.

let arguments = CommandLine.arguments
let hasPath = arguments.count == 4 && arguments[1] == "store-file"
guard arguments.count == 3 || hasPath, let times = Int(arguments[2]), times >= 0 else {
  let known = Array(Measurement.all.keys) + Array(Store.measurements.keys)
  print("rules-bench <what> <times>; what: \(known.sorted().joined(separator: " "))")
  print("by the clock: threads seconds accounts-seconds store; rules-bench store-file <documents> <path>")
  exit(2)
}
switch arguments[1] {
case "threads": try Clocked.threads(times)
case "seconds": try Clocked.seconds(times)
case "accounts-seconds": try AccountsFile.clocked(times)
case "store": try Store.clocked(times)
case "store-file": try Store.opened(times, path: arguments.count == 4 ? arguments[3] : "store.sqlite")
default:
  guard let measurement = Measurement.all[arguments[1]] ?? Store.measurements[arguments[1]] else { exit(2) }
  try measurement(times)
}
