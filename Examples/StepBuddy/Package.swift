// swift-tools-version: 6.2
import PackageDescription

// A decoder of the posts of a phone app: a library, its tests and a program of three lines.
let package = Package(
    name: "StepBuddy",
    platforms: [.macOS(.v15)],
    products: [.library(name: "StepBuddy", targets: ["StepBuddy"])],
    dependencies: [.package(name: "healthsync", path: "../..")],
    targets: [
        .target(name: "StepBuddy", dependencies: [.product(name: "HealthSyncPlugin", package: "healthsync")]),
        .executableTarget(
            name: "health-with-stepbuddy",
            dependencies: ["StepBuddy", .product(name: "HealthSync", package: "healthsync")]),
        .testTarget(
            name: "StepBuddyTests",
            dependencies: [
                "StepBuddy", .product(name: "HealthSyncPlugin", package: "healthsync"),
                .product(name: "HealthSyncTestKit", package: "healthsync"),
            ]),
    ]
)
