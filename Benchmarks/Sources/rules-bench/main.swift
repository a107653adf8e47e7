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
// differ, knows what one time costs. `rules-bench threads <times>` and `rules-bench seconds <times>` measure by the clock.

let arguments = CommandLine.arguments
guard arguments.count == 3, let times = Int(arguments[2]), times >= 0 else {
  print("rules-bench <what> <times>; what: \(Measurement.all.keys.sorted().joined(separator: " ")) threads seconds accounts-seconds")
  exit(2)
}
switch arguments[1] {
case "threads": try Clocked.threads(times)
case "seconds": try Clocked.seconds(times)
case "accounts-seconds": try AccountsFile.clocked(times)
default:
  guard let measurement = Measurement.all[arguments[1]] else { exit(2) }
  try measurement(times)
}
