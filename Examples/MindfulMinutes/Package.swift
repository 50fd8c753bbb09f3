// swift-tools-version: 6.2
import PackageDescription

// A metric of a category type that is not built in: a handler, its tests and a program of three lines.
let package = Package(
    name: "MindfulMinutes",
    platforms: [.macOS(.v15)],
    products: [.library(name: "MindfulMinutes", targets: ["MindfulMinutes"])],
    dependencies: [.package(name: "healthsync", path: "../..")],
    targets: [
        .target(name: "MindfulMinutes", dependencies: [.product(name: "HealthSyncPlugin", package: "healthsync")]),
        .executableTarget(
            name: "health-with-mindful-minutes",
            dependencies: ["MindfulMinutes", .product(name: "HealthSync", package: "healthsync")]),
        .testTarget(
            name: "MindfulMinutesTests",
            dependencies: [
                "MindfulMinutes", .product(name: "HealthSyncPlugin", package: "healthsync"),
                .product(name: "HealthSyncTestKit", package: "healthsync"),
            ]),
    ]
)
