import FuzzProperties
#if canImport(Glibc)
  import Glibc
#endif

// `fuzz-edges` lists the edges; `fuzz-edges NUMBER` answers one at its full size and fails when the answer is another
// than expected, or took more processor time or memory than the bounds.
let bytes = 5_000_000
let largestSeconds = 10.0
let largestMegabytes = 600

guard CommandLine.arguments.count > 1 else {
  for (i, edge) in Edge.all.enumerated() { print(i, edge) }
  exit(0)
}
guard let number = Int(CommandLine.arguments[1]), Edge.all.indices.contains(number) else {
  print("There are the edges 0 to \(Edge.all.count - 1).")
  exit(2)
}

do throws(BrokenProperty) {
  let said = try Edge.all[number].check(bytes: bytes)
  var usage = rusage()
  // 0 is RUSAGE_SELF, whose type differs between platforms.
  getrusage(0, &usage)
  let hundredths = (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 100 + (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 10_000
  let seconds = Double(hundredths) / 100
  let megabytes = usage.ru_maxrss / 1_024
  print("\(Edge.all[number]): \(said.prefix(70)) · \(seconds) s, \(megabytes) MB")
  if seconds > largestSeconds || megabytes > largestMegabytes {
    print("  more than \(largestSeconds) s or \(largestMegabytes) MB")
    exit(1)
  }
} catch {
  print("Broken property: \(error)")
  exit(1)
}
