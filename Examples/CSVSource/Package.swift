// swift-tools-version: 6.2
import PackageDescription

// A source that is not built in: CSV files of samples. A library, its tests and a program of three lines.
let package = Package(
    name: "CSVSource",
    platforms: [.macOS(.v15)],
    products: [.library(name: "CSVSource", targets: ["CSVSource"])],
    dependencies: [.package(name: "healthsync", path: "../..")],
    targets: [
        .target(name: "CSVSource", dependencies: [.product(name: "HealthSyncPlugin", package: "healthsync")]),
        .executableTarget(
            name: "health-with-csv",
            dependencies: ["CSVSource", .product(name: "HealthSync", package: "healthsync")]),
        .testTarget(
            name: "CSVSourceTests",
            dependencies: [
                "CSVSource", .product(name: "HealthSyncPlugin", package: "healthsync"),
                .product(name: "HealthSyncTestKit", package: "healthsync"),
            ]),
    ]
)
