// swift-tools-version: 6.2
import PackageDescription

// A program that embeds healthsync: the figures, the night and the shoes of a day, and what changed, from the local store.
let package = Package(
    name: "HealthJournal",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "healthsync", path: "../..")],
    targets: [
        .target(name: "HealthJournal", dependencies: [.product(name: "HealthSync", package: "healthsync")]),
        .executableTarget(
            name: "health-journal",
            dependencies: ["HealthJournal", .product(name: "HealthSync", package: "healthsync")]),
        .testTarget(
            name: "HealthJournalTests",
            dependencies: ["HealthJournal", .product(name: "HealthSync", package: "healthsync")]),
    ]
)
