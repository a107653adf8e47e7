#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif
import EmulatorServer
import JSON
import Reports

enum ServeCommand: Command {
  static let name = "serve"
  static let summary = "Answer clients of the Firestore and Authentication emulators"
  static let usage = ["serve [--rules FILE | firebase.json] [--firestore-port N] [--auth-port N]"]
  static let details = """
    Starts a Firestore and an Authentication server on this machine, for clients that know the official emulators:
    FIRESTORE_EMULATOR_HOST, FIREBASE_AUTH_EMULATOR_HOST, useEmulator(). Rules are those of --rules or of firebase.json;
    they are read again when the file is saved, and stay in force while it does not compile. Without rules everything is
    refused until a client puts some. See docs/server.md.
    Runs until Ctrl-C. Exit code 2 when a port is taken or the rules do not compile at the start.

      rules-test serve --rules firestore.rules
      rules-test serve --open --firestore-port 0 --auth-port 0 --format json
      rules-test serve --data state.sqlite
    """
  static let options = OptionSpec.serving + [.format, .quiet, .help]

  static func run(_ options: Options) throws(UsageError) -> ExitCode {
    StopSignal.listen()
    let setup = try EmulatorSetup(options)
    Console.write(options.isJSON ? readyJSON(setup) : options.has("--quiet") ? "" : readyText(setup))
    if setup.host != "127.0.0.1", setup.host != "::1" {
      Console.write(
        "rules-test: Other machines can reach these servers at \(setup.host), and read and write everything.\n",
        to: .errors)
    }
    watch(setup, options)
    setup.server.stop()
    return .fine
  }

  private static func readyText(_ setup: EmulatorSetup) -> String {
    let firestore = "\(setup.address):\(setup.firestorePort)"
    let auth = "\(setup.address):\(setup.authPort)"
    return """
      ready
        Firestore       \(firestore)
        Authentication  \(auth)
        Rules           \(SafeText.line(setup.rules.summary))

        export FIRESTORE_EMULATOR_HOST=\(firestore)
        export FIREBASE_AUTH_EMULATOR_HOST=\(auth)

      Ctrl-C ends.

      """
  }

  private static func readyJSON(_ setup: EmulatorSetup) -> String {
    func place(_ port: UInt16) -> JSONValue { ["host": .string(setup.host), "port": .int(Int64(port))] }
    let line: JSONValue = [
      "event": "ready", "firestore": place(setup.firestorePort), "auth": place(setup.authPort),
      "project": .string(setup.project), "rules": .array(setup.rules.files.map { .string($0) }),
      "pid": .int(Int64(getpid())),
    ]
    return line.serialized() + "\n"
  }

  /// Reads the rules again whenever they are saved, until somebody ends it.
  private static func watch(_ setup: EmulatorSetup, _ options: Options) {
    var watch = FolderWatch()
    let files = Set(setup.rules.files)
    let folders = Set(files.map { $0.contains("/") ? String($0[..<($0.lastIndex(of: "/") ?? $0.startIndex)]) : "." })
    watch.look()
    _ = watch.watch(folders.isEmpty ? [] : folders, files: files)
    var known = texts(files)
    while case .changed = watch.wait(needsListener: false, isStopped: { StopSignal.hasCome }) {
      watch.look()
      let texts = texts(files)
      if texts != known { reload(setup, options) }
      known = texts
      _ = watch.watch(folders, files: files)
    }
  }

  /// Something else in the folder may have changed.
  private static func texts(_ files: Set<String>) -> [String: [UInt8]?] {
    Dictionary(files.map { ($0, try? Files.read($0)) }, uniquingKeysWith: { first, _ in first })
  }

  private static func reload(_ setup: EmulatorSetup, _ options: Options) {
    do throws(UsageError) {
      setup.firestore.setRules(try setup.rules.load())
      if options.isJSON {
        Console.write("{\"event\":\"rules\",\"ok\":true}\n")
      } else if !options.has("--quiet") {
        Console.write("rules loaded again\n")
      }
    } catch {
      if options.isJSON {
        let line: JSONValue = ["event": "rules", "ok": false, "error": .string(error.message)]
        Console.write(line.serialized() + "\n")
      }
      let advice =
        error.advice.map { "\n" + $0.split(separator: "\n").map { SafeText.line(String($0)) }.joined(separator: "\n") }
        ?? ""
      Console.write(
        "rules-test: \(SafeText.line(error.message)) The rules before stay in force.\(advice)\n", to: .errors)
    }
  }
}

extension EmulatorSetup {
  /// As a part of `address:port`.
  var address: String { host.contains(":") ? "[\(host)]" : host }
}
