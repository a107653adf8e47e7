// swift-tools-version: 6.1
import PackageDescription

/// What `make build` says of the commit, for `rules-test --version`; a plain `swift build` does not know.
let commit = (Context.environment["RULES_TEST_COMMIT"] ?? "").filter { $0.isLetter || $0.isNumber || "-.".contains($0) }

// The rooms of the house, in the order in which a request passes through them: a room may import
// any room above it, never one below. No `unsafeFlags`: a package that depends on ours must build.
let package = Package(
  name: "rules-test",
  products: [
    .library(name: "RulesEngine", targets: ["RulesEngine", "RulesValues", "RulesSyntax", "JSON"]),
    .library(name: "LocalFirestore", targets: ["LocalFirestore"]),
    .library(name: "Identity", targets: ["Identity"]),
    .library(name: "RulesTesting", targets: ["RulesTesting"]),
    .library(name: "EmulatorServer", targets: ["EmulatorServer"]),
    .executable(name: "rules-test", targets: ["rules-test"]),
    .plugin(name: "RulesTestPlugin", targets: ["RulesTestPlugin"]),
  ],
  targets: [
    .systemLibrary(name: "CPCRE2", pkgConfig: "libpcre2-8", providers: [.apt(["libpcre2-dev"])]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    // What Linux has and Glibc does not show: epoll, eventfd, inotify; empty elsewhere.
    .target(name: "CLinux"),
    .target(name: "CBuild", cSettings: [.define("RULES_TEST_COMMIT", to: "\"\(commit)\"")]),

    .target(name: "JSON"),
    .target(name: "RulesSyntax", dependencies: ["JSON"]),
    .target(name: "RulesPatterns", dependencies: ["CPCRE2"]),
    .target(name: "RulesValues", dependencies: ["JSON", "RulesPatterns", "COpenSSL"]),
    .target(name: "RulesSemantics", dependencies: ["RulesSyntax", "RulesPatterns", "RulesValues"]),
    .target(name: "RulesEngine", dependencies: ["JSON", "RulesSyntax", "RulesPatterns", "RulesValues", "RulesSemantics"]),
    // What those rooms share that keep something in a SQLite file.
    .target(name: "SQLiteStore", dependencies: ["CSQLite"]),
    .target(
      name: "LocalFirestore", dependencies: ["JSON", "RulesSyntax", "RulesValues", "RulesEngine", "SQLiteStore"]),
    .target(
      name: "Identity",
      dependencies: ["JSON", "RulesValues", "RulesEngine", "LocalFirestore", "COpenSSL", "SQLiteStore"]),
    .target(
      name: "RulesTesting",
      dependencies: ["JSON", "RulesSyntax", "RulesSemantics", "RulesEngine", "LocalFirestore", "Identity"]),
    .target(
      name: "Isolation",
      dependencies: [
        "JSON", "RulesSyntax", "RulesPatterns", "RulesValues", "RulesSemantics", "RulesEngine", "LocalFirestore", "RulesTesting",
      ]),
    .target(
      name: "Reports",
      dependencies: [
        "JSON", "RulesSyntax", "RulesValues", "RulesSemantics", "RulesEngine", "LocalFirestore", "RulesTesting", "Isolation",
      ]),
    .target(
      name: "EmulatorServer",
      dependencies: [
        "CLinux", "JSON", "RulesSyntax", "RulesValues", "RulesSemantics", "RulesEngine", "LocalFirestore", "Identity",
        "RulesTesting", "Reports",
      ]),
    .executableTarget(
      name: "rules-test",
      dependencies: [
        "JSON", "RulesSyntax", "RulesValues", "RulesSemantics", "RulesEngine", "LocalFirestore", "Identity", "RulesTesting",
        "Isolation", "Reports", "EmulatorServer", "CLinux", "CBuild", "RulesPatterns", "SQLiteStore",
      ]),
    // `swift package rules-test`
    .plugin(
      name: "RulesTestPlugin",
      capability: .command(intent: .custom(verb: "rules-test", description: "Test Firestore security rules")),
      dependencies: ["rules-test"]),
    // Answers questions as JSON lines, for `make parity`. No product.
    .executableTarget(
      name: "rules-answer",
      dependencies: ["JSON", "RulesSyntax", "RulesValues", "RulesSemantics", "RulesEngine", "LocalFirestore"]),

    // A random walk through the flows of Identity, for `make identity-flows` and `make fuzz`.
    .target(name: "IdentityWalk", dependencies: ["JSON", "Identity"], path: "Fuzz/IdentityWalk"),
    .executableTarget(name: "identity-walk", dependencies: ["IdentityWalk"], path: "Fuzz/Walk"),
    // Proofs held against random requests, for `make contradictions`.
    .executableTarget(
      name: "contradictions", dependencies: ["Isolation", "RulesEngine", "RulesSyntax"], path: "Fuzz/Contradictions"),
    // What must hold for any input: for `make fuzz`, and for the tests that replay what it found.
    .target(
      name: "FuzzProperties",
      dependencies: [
        "JSON", "RulesSyntax", "RulesPatterns", "RulesValues", "RulesSemantics", "RulesEngine", "Identity", "IdentityWalk",
        "RulesTesting", "Reports", "EmulatorServer",
      ],
      path: "Fuzz/Properties"),
    // Answers texts of megabytes, for `make fuzz-edges`. No product.
    .executableTarget(name: "fuzz-edges", dependencies: ["FuzzProperties"], path: "Fuzz/Edges"),

    .testTarget(name: "JSONTests", dependencies: ["JSON"]),
    .testTarget(name: "RulesSyntaxTests", dependencies: ["RulesSyntax"]),
    .testTarget(name: "RulesPatternsTests", dependencies: ["RulesPatterns"]),
    .testTarget(name: "RulesValuesTests", dependencies: ["RulesValues"]),
    .testTarget(name: "RulesSemanticsTests", dependencies: ["RulesSemantics"]),
    .testTarget(name: "RulesEngineTests", dependencies: ["RulesEngine"]),
    // A disk that loses power, for the tests of SQLite files.
    .target(name: "FaultyDisk", dependencies: ["CSQLite"], path: "Tests/FaultyDisk"),
    .testTarget(name: "LocalFirestoreTests", dependencies: ["LocalFirestore", "SQLiteStore", "FaultyDisk"]),
    .testTarget(name: "SQLiteStoreTests", dependencies: ["SQLiteStore"]),
    .testTarget(
      name: "IdentityTests", dependencies: ["JSON", "RulesValues", "RulesEngine", "LocalFirestore", "Identity", "IdentityWalk"]),
    .testTarget(name: "EmulatorServerTests", dependencies: ["CLinux", "JSON", "Identity", "EmulatorServer"]),
    .testTarget(name: "RulesTestingTests", dependencies: ["RulesTesting"]),
    .testTarget(name: "IsolationTests", dependencies: ["Isolation"]),
    .testTarget(name: "ReportsTests", dependencies: ["Reports"]),
    .testTarget(
      name: "FuzzTests",
      dependencies: ["FuzzProperties", "JSON", "RulesSyntax", "RulesPatterns", "RulesSemantics", "RulesEngine", "RulesTesting"]),
    // The example of docs/local-backend.md.
    .testTarget(
      name: "SharedListsTests", dependencies: ["LocalFirestore", "Identity"], path: "Examples/SharedLists",
      exclude: ["firestore.rules"]),
    // Launches the built program.
    .testTarget(name: "CommandTests", dependencies: ["CLinux", "JSON", "rules-test"]),
  ],
  swiftLanguageModes: [.v6])
