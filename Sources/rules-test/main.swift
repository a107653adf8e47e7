#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

Console.ignoreBrokenPipes()
let code = await Program.run(Array(CommandLine.arguments.dropFirst()))
if Console.hasLostOutput.load(ordering: .relaxed) {
  Console.write("rules-test: The output could not be written.\n", to: .errors)
  exit(max(code.rawValue, ExitCode.usage.rawValue))
}
exit(code.rawValue)
