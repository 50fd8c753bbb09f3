// swift-tools-version: 6.2
import PackageDescription

// A sender that is not built in: a library, its tests and a program of three lines.
let package = Package(
    name: "NDJSONSender",
    platforms: [.macOS(.v15)],
    products: [.library(name: "NDJSONSender", targets: ["NDJSONSender"])],
    dependencies: [.package(name: "healthsync", path: "../..")],
    targets: [
        .target(name: "NDJSONSender", dependencies: [.product(name: "HealthSyncPlugin", package: "healthsync")]),
        .executableTarget(
            name: "health-to-ndjson",
            dependencies: ["NDJSONSender", .product(name: "HealthSync", package: "healthsync")]),
        .testTarget(
            name: "NDJSONSenderTests",
            dependencies: [
                "NDJSONSender", .product(name: "HealthSyncPlugin", package: "healthsync"),
                .product(name: "HealthSyncTestKit", package: "healthsync"),
            ]),
    ]
)
