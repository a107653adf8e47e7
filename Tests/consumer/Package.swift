// swift-tools-version: 6.1
import PackageDescription

// A package outside ours, as a user of the library would write it. `scripts/check-consumer` builds
// and runs it, and replaces the dependency below by one on a git tag.
let package = Package(
  name: "consumer",
  dependencies: [.package(name: "rules-test", path: "../..")],
  targets: [
    .executableTarget(
      name: "consumer",
      dependencies: [
        .product(name: "RulesEngine", package: "rules-test"), .product(name: "LocalFirestore", package: "rules-test"),
      ])
  ],
  swiftLanguageModes: [.v6])
