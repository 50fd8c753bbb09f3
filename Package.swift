// swift-tools-version: 6.2
import PackageDescription

// A package without package dependencies: other libraries are C libraries of the system. The modules form a hexagonal
// architecture. docs/architecture.md lists which module may import which, and a test enforces it.

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .treatAllWarnings(as: .error),
]
let strictWithC = strict + [.strictMemorySafety()]

func library(_ name: String, in path: String, uses dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, path: path, swiftSettings: strict)
}

func adapter(_ name: String, in folder: String, over libraries: [String] = []) -> Target {
    .target(
        name: name,
        dependencies: ["HealthSyncDomain", "HealthSyncPorts"] + libraries.map { .byName(name: $0) },
        path: "Sources/Adapters/\(folder)",
        swiftSettings: libraries.isEmpty ? strict : strictWithC)
}

func cLibrary(_ name: String, pkgConfig: String?, apt: String, brew: String) -> Target {
    .systemLibrary(
        name: name, path: "Sources/Adapters/CLibraries/\(name)", pkgConfig: pkgConfig,
        providers: [.apt([apt]), .brew([brew])])
}

// Debian's simdjson.pc contains a flag about which SwiftPM warns on every build. It is not needed, because the files are
// in the default search paths of the compiler.
#if os(macOS)
    let simdjsonPkgConfig: String? = "simdjson"
#else
    let simdjsonPkgConfig: String? = nil
#endif

func tests(_ name: String, of dependencies: [Target.Dependency]) -> Target {
    .testTarget(
        name: name,
        dependencies: dependencies + [
            "HealthSyncTestKit", "HealthSyncTestTools", "HealthSyncDomain", "HealthSyncPorts",
        ],
        path: "Tests/\(name)", swiftSettings: strict)
}

let package = Package(
    name: "healthsync",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "healthsync", targets: ["healthsync"]),
        .library(
            name: "HealthSync",
            targets: ["HealthSyncApp", "HealthSyncEngine", "HealthSyncDomain", "HealthSyncPorts"]),
        // What the author of a metric, a source or a sender needs: no C library and no other part of the program.
        .library(name: "HealthSyncPlugin", targets: ["HealthSyncDomain", "HealthSyncPorts"]),
        .library(name: "HealthSyncTestKit", targets: ["HealthSyncTestKit"]),
    ],
    targets: [
        // The core: values and rules, and the ports with their contracts.
        library("HealthSyncDomain", in: "Sources/Domain"),
        library("HealthSyncPorts", in: "Sources/Ports", uses: ["HealthSyncDomain"]),

        // What several adapters need: files, locks and compression. It knows nothing of health.
        .target(
            name: "HealthSyncSupport", dependencies: ["CHealthSyncISAL"], path: "Sources/Adapters/Support",
            swiftSettings: strictWithC),

        // The adapters: one target per technology. They depend on no other adapter but Support.
        adapter("HealthSyncMetrics", in: "Metrics"),
        adapter(
            "HealthSyncFileSources", in: "FileSources",
            over: ["HealthSyncSupport", "CHealthSyncZip", "CHealthSyncISAL"]),
        adapter(
            "HealthSyncSQLite", in: "SQLite", over: ["HealthSyncSupport", "CHealthSyncMalloc", "CHealthSyncSQLite"]),
        adapter("HealthSyncPostgres", in: "Postgres", over: ["CHealthSyncPQ"]),
        adapter("HealthSyncOutboxHTTP", in: "OutboxHTTP", over: ["HealthSyncSupport", "CHealthSyncCurl"]),
        adapter("HealthSyncSyntheticExport", in: "SyntheticExport", over: ["HealthSyncSupport", "CHealthSyncZip"]),
        adapter(
            "HealthSyncSystem", in: "System",
            over: ["HealthSyncSupport", "CHealthSyncCrypto", "CHealthSyncMalloc", "CHealthSyncQREncode"]),
        adapter(
            "HealthSyncReceiver", in: "Receiver", over: ["HealthSyncSupport", "CHealthSyncSockets", "CHealthSyncJSON"]),

        .target(
            name: "HealthSyncDashboard", dependencies: ["HealthSyncDomain", "HealthSyncPorts"],
            path: "Sources/Adapters/Dashboard", resources: [.embedInCode("Web")], swiftSettings: strict),

        // The program: use cases, command line, composition, entry point.
        library("HealthSyncEngine", in: "Sources/App/Engine", uses: ["HealthSyncDomain", "HealthSyncPorts"]),
        library(
            "HealthSyncCommands", in: "Sources/App/Commands",
            uses: ["HealthSyncDomain", "HealthSyncPorts", "HealthSyncEngine"]),
        library(
            "HealthSyncApp", in: "Sources/App/Composition",
            uses: [
                "HealthSyncDomain", "HealthSyncPorts", "HealthSyncEngine", "HealthSyncCommands", "HealthSyncMetrics",
                "HealthSyncFileSources", "HealthSyncSQLite", "HealthSyncOutboxHTTP", "HealthSyncSyntheticExport",
                "HealthSyncSystem", "HealthSyncReceiver", "HealthSyncPostgres", "HealthSyncDashboard",
            ]),
        .executableTarget(
            name: "healthsync", dependencies: ["HealthSyncApp"], path: "Sources/App/healthsync", swiftSettings: strict),

        // Contracts, in-memory stores and builders for our tests and those of plug-in authors.
        library("HealthSyncTestKit", in: "Tests/Support/TestKit", uses: ["HealthSyncDomain", "HealthSyncPorts"]),
        // Helpers for our tests only: temporary folders, system programs, the independent checkers in Python.
        library("HealthSyncTestTools", in: "Tests/Support/TestTools"),

        tests("ArchitectureTests", of: []),
        tests("DomainTests", of: []),
        tests("EngineTests", of: ["HealthSyncEngine"]),
        tests("SupportTests", of: ["HealthSyncSupport"]),
        tests("FileSourcesTests", of: ["HealthSyncFileSources", "HealthSyncSystem"]),
        tests("SQLiteTests", of: ["HealthSyncSQLite", "HealthSyncSystem"]),
        tests("MetricsTests", of: ["HealthSyncMetrics"]),
        tests("FeedSourcesTests", of: ["HealthSyncFileSources", "HealthSyncSystem"]),
        tests(
            "ReceiverTests",
            of: ["HealthSyncReceiver", "HealthSyncSQLite", "HealthSyncSystem", "HealthSyncOutboxHTTP"]),
        tests("PostgresTests", of: ["HealthSyncPostgres"]),
        tests("SystemTests", of: ["HealthSyncSystem"]),
        tests("DashboardTests", of: ["HealthSyncDashboard", "HealthSyncEngine", "HealthSyncSystem"]),
        tests(
            "CommandsTests",
            of: [
                "HealthSyncCommands", "HealthSyncEngine", "HealthSyncMetrics", "HealthSyncOutboxHTTP",
                "HealthSyncSystem",
            ]),
        tests("AppTests", of: ["HealthSyncApp", "HealthSyncEngine", "HealthSyncReceiver", "HealthSyncSystem"]),
        tests("SyntheticExportTests", of: ["HealthSyncSyntheticExport"]),
        tests(
            "SimulationTests",
            of: [
                "HealthSyncEngine", "HealthSyncMetrics", "HealthSyncOutboxHTTP", "HealthSyncReceiver",
                "HealthSyncSQLite", "HealthSyncSystem",
            ]),
        tests(
            "OutboxHTTPTests", of: ["HealthSyncOutboxHTTP", "HealthSyncSystem", "HealthSyncEngine", "HealthSyncSQLite"]),

        // A C interface to simdjson, which is C++. It is the only C++ file of the package.
        .target(
            name: "CHealthSyncJSON", dependencies: ["CHealthSyncSimdjson"],
            path: "Sources/Adapters/CLibraries/CHealthSyncJSON",
            linkerSettings: [.linkedLibrary("simdjson")]),

        // System libraries: module maps and inline shims only.
        cLibrary("CHealthSyncSQLite", pkgConfig: "sqlite3", apt: "libsqlite3-dev", brew: "sqlite"),
        cLibrary("CHealthSyncCurl", pkgConfig: "libcurl", apt: "libcurl4-openssl-dev", brew: "curl"),
        cLibrary("CHealthSyncZip", pkgConfig: "libzip", apt: "libzip-dev", brew: "libzip"),
        cLibrary("CHealthSyncISAL", pkgConfig: "libisal", apt: "libisal-dev", brew: "isa-l"),
        cLibrary(
            "CHealthSyncSockets", pkgConfig: "libssl", apt: "libssl-dev", brew: "openssl@3"),
        cLibrary("CHealthSyncPQ", pkgConfig: "libpq", apt: "libpq-dev", brew: "libpq"),
        cLibrary("CHealthSyncSimdjson", pkgConfig: simdjsonPkgConfig, apt: "libsimdjson-dev", brew: "simdjson"),
        cLibrary("CHealthSyncQREncode", pkgConfig: "libqrencode", apt: "libqrencode-dev", brew: "qrencode"),
        cLibrary("CHealthSyncCrypto", pkgConfig: "libcrypto", apt: "libssl-dev", brew: "openssl@3"),
        // The allocator of the C library.
        .systemLibrary(name: "CHealthSyncMalloc", path: "Sources/Adapters/CLibraries/CHealthSyncMalloc"),
    ],
    cxxLanguageStandard: .cxx17
)

// The fuzz targets call the runtime of libFuzzer, so only `.ci/fuzz` builds them.
if Context.environment["FUZZ"] != nil {
    package.products.append(.library(name: "FuzzTargets", type: .dynamic, targets: ["FuzzTargets"]))
    package.targets.append(
        library(
            "FuzzTargets", in: "Tests/Fuzz",
            uses: [
                "HealthSyncCommands", "HealthSyncDomain", "HealthSyncFileSources", "HealthSyncOutboxHTTP",
                "HealthSyncPorts", "HealthSyncReceiver", "HealthSyncSystem", "HealthSyncTestKit",
            ]))
}
