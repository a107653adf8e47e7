// swift-tools-version: 6.1
import PackageDescription

// What measures the package above. A package of its own, so that the root's `swift build` does not build it.
let package = Package(
  name: "benchmarks",
  dependencies: [.package(name: "rules-test", path: "..")],
  targets: [
    .executableTarget(
      name: "rules-bench",
      dependencies: [
        .product(name: "RulesEngine", package: "rules-test"),
        .product(name: "LocalFirestore", package: "rules-test"),
        .product(name: "RulesTesting", package: "rules-test"),
        .product(name: "Identity", package: "rules-test"),
      ])
  ],
  swiftLanguageModes: [.v6])
