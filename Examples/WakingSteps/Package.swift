// swift-tools-version: 6.2
import PackageDescription

// A metric that is derived from the results of two others: a handler, its tests and a program of three lines.
let package = Package(
    name: "WakingSteps",
    platforms: [.macOS(.v15)],
    products: [.library(name: "WakingSteps", targets: ["WakingSteps"])],
    dependencies: [.package(name: "healthsync", path: "../..")],
    targets: [
        .target(name: "WakingSteps", dependencies: [.product(name: "HealthSyncPlugin", package: "healthsync")]),
        .executableTarget(
            name: "health-with-waking-steps",
            dependencies: ["WakingSteps", .product(name: "HealthSync", package: "healthsync")]),
        .testTarget(
            name: "WakingStepsTests",
            dependencies: [
                "WakingSteps", .product(name: "HealthSyncPlugin", package: "healthsync"),
                .product(name: "HealthSyncTestKit", package: "healthsync"),
            ]),
    ]
)
