// swift-tools-version: 6.2
import PackageDescription

// A metric of two types that is not built in: a handler, its tests and a program of three lines.
let package = Package(
    name: "BloodPressure",
    platforms: [.macOS(.v15)],
    products: [.library(name: "BloodPressure", targets: ["BloodPressure"])],
    dependencies: [.package(name: "healthsync", path: "../..")],
    targets: [
        .target(name: "BloodPressure", dependencies: [.product(name: "HealthSyncPlugin", package: "healthsync")]),
        .executableTarget(
            name: "health-with-blood-pressure",
            dependencies: ["BloodPressure", .product(name: "HealthSync", package: "healthsync")]),
        .testTarget(
            name: "BloodPressureTests",
            dependencies: [
                "BloodPressure", .product(name: "HealthSyncPlugin", package: "healthsync"),
                .product(name: "HealthSyncTestKit", package: "healthsync"),
            ]),
    ]
)
