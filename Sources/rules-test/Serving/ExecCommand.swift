#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

enum ExecCommand: Command {
  static let name = "exec"
  static let summary = "Run a command against emulators that live as long as it"
  static let usage = ["exec [options] -- COMMAND [ARGUMENT…]"]
  static let details = """
    Starts the servers of `serve`, runs COMMAND with FIRESTORE_EMULATOR_HOST, FIREBASE_AUTH_EMULATOR_HOST,
    GCLOUD_PROJECT and GOOGLE_CLOUD_PROJECT set, and stops them when it ends. Ports are any that are free, unless they
    are given. The exit code is the command's; 2 when it cannot be started.

      rules-test exec --rules firestore.rules -- npm test
      rules-test exec --open -- python3 -m pytest
    """
  static let options = OptionSpec.serving + [.help]

  static func run(_ options: Options) throws(UsageError) -> ExitCode {
    guard !options.trailing.isEmpty else {
      throw UsageError("exec needs a command behind '--'.", "rules-test exec --rules firestore.rules -- npm test")
    }
    let setup = try EmulatorSetup(options.givingPorts)
    defer { setup.server.stop() }
    for (name, value) in [
      ("FIRESTORE_EMULATOR_HOST", "\(setup.address):\(setup.firestorePort)"),
      ("FIREBASE_AUTH_EMULATOR_HOST", "\(setup.address):\(setup.authPort)"),
      ("GCLOUD_PROJECT", setup.project), ("GOOGLE_CLOUD_PROJECT", setup.project),
    ] {
      setenv(name, value, 1)
    }
    return try ChildProcess.run(options.trailing)
  }
}

extension Options {
  /// Without ports of their own the servers take any that are free: two runs side by side do not meet.
  fileprivate var givingPorts: Options {
    var options = self
    for name in ["--firestore-port", "--auth-port"] where !options.has(name) { options.set(name, "0") }
    return options
  }
}
