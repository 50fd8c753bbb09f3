// swift-tools-version: 6.2
import PackageDescription

// A metric that healthsync does not bring, as its author would write it: a handler, its test and a program of five lines.
let package = Package(
    name: "BloodPressure",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "healthsync", path: "../..")],
    targets: [
        .target(name: "BloodPressure", dependencies: [.product(name: "HealthSync", package: "healthsync")]),
        .executableTarget(
            name: "health-with-blood-pressure",
            dependencies: ["BloodPressure", .product(name: "HealthSync", package: "healthsync")]),
        .testTarget(
            name: "BloodPressureTests",
            dependencies: [
                "BloodPressure", .product(name: "HealthSync", package: "healthsync"),
                .product(name: "HealthSyncTestKit", package: "healthsync"),
            ]),
    ]
)
