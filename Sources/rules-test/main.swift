#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

Console.ignoreBrokenPipes()
exit(Program.run(Array(CommandLine.arguments.dropFirst())).rawValue)
