import Foundation
import HealthSyncTestTools
import Testing

/// Checks the rules on the source tree, and that a planted violation of each rule is found.
struct ArchitectureTests {
    private static let sources = ProjectFile.url("Sources")
    private static let tree = Result { try SourceTree(root: sources) }

    @Test func importsFollowTheDependencyRules() throws {
        expectNone(try DependencyRules.violations(in: Self.tree.get()))
    }

    @Test func nothingForbiddenIsWritten() throws {
        expectNone(try ForbiddenCode.violations(in: Self.tree.get()))
    }

    @Test func handlesAreUsedByTheirOwners() throws {
        expectNone(try HandleOwners.violations(in: Self.tree.get()))
    }

    @Test func protocolTextIsReadAsBytes() throws {
        let found = TextAsBytes.check(try Self.tree.get())
        expectNone(found.violations + found.unused)
    }

    @Test func filesAndFunctionsStaySmall() throws {
        expectNone(try SizeBudget.sources.violations(in: Self.tree.get()))
        expectNone(try SizeBudget.tests.violations(in: SourceTree(root: ProjectFile.url("Tests"))))
    }

    @Test func foldersFormNoCycle() throws {
        expectNone(try FolderCycles.violations(in: Self.tree.get()))
    }

    @Test func aFolderHasThreeFiles() throws {
        expectNone(try FolderSizes.violations(in: Self.tree.get()))
    }

    @Test func aTypeLiesInOneFile() throws {
        expectNone(try OneTypeOneFile.violations(in: Self.tree.get()))
    }

    @Test func aNameMeansOneThing() throws {
        expectNone(try Names.violations(in: Self.tree.get()))
    }

    @Test func proseIsPlainEnglish() throws {
        expectNone(try Phrases.violations(in: Phrases.readableFiles()))
    }

    @Test func librariesAreModuleMapsAndShimsOnly() throws {
        let folder = Self.sources.appendingPathComponent("Adapters/CLibraries")
        let libraries = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        #expect(!libraries.isEmpty)
        for library in libraries {
            let files = try FileManager.default.contentsOfDirectory(
                atPath: folder.appendingPathComponent(library).path)
            // simdjson is C++ and needs a C interface; nothing else is compiled here.
            let expected = library == "CHealthSyncJSON" ? ["include", "json.cpp"] : ["module.modulemap", "shim.h"]
            #expect(files.sorted() == expected, "\(library)")
        }
    }

    @Test func topLevelIsFixed() throws {
        let folders = try FileManager.default.contentsOfDirectory(atPath: Self.sources.path).sorted()
        #expect(folders == ["Adapters", "App", "Domain", "Ports"])
    }

    /// Python's unittest silently skips a folder that is not a package.
    @Test func everyEndToEndTestIsFound() throws {
        let root = ProjectFile.url("Tests/EndToEndTests")
        let paths = try FileManager.default.subpathsOfDirectory(atPath: root.path)
        let modules = Set(
            paths.filter { $0.split(separator: "/").last?.hasPrefix("test_") == true && $0.hasSuffix(".py") }
                .map { $0.split(separator: "/").dropLast().joined(separator: "/") })
        #expect(modules.count > 1)
        #expect(modules.subtracting([""]).filter { !paths.contains("\($0)/__init__.py") } == [])
    }

    @Test func testsPassOnASlowMachine() throws {
        for (folder, suffix) in [
            ("Tests/EndToEndTests", ".py"), ("Tests/Support/Peers", ".py"), (".ci", ""), ("Examples", "run-demo"),
        ] {
            expectNone(try TestDeadlines.violations(below: ProjectFile.url(folder), suffix: suffix))
        }
    }

    @Test(arguments: [
        "process.wait(timeout=30)", "deadline = time.monotonic() + 5", "process.wait(60)", "socket.settimeout(2)",
        "self.assertTrue(select.select([leader], [], [], 60)[0])", "for _ in $(seq 100); do",
    ])
    func aDeadlineIsFound(line: String) throws { #expect(try TestDeadlines.deadlines(in: line).count == 1) }

    @Test(arguments: [
        ("Domain/A.swift", "import HealthSyncPorts"),
        ("Ports/A.swift", "package import HealthSyncEngine"),
        ("Adapters/SQLite/A.swift", "import HealthSyncMetrics"),
        ("Adapters/Metrics/A.swift", "import CHealthSyncSQLite"),
        ("Adapters/Metrics/Deep/Er/A.swift", "public import struct HealthSyncApp.HealthSync"),
        ("App/Engine/A.swift", "internal import HealthSyncSQLite"),
        ("App/Commands/A.swift", "import HealthSyncOutboxHTTP"), ("Domain/A.swift", "import Glibc"),
        ("Adapters/Support/A.swift", "import HealthSyncDomain"), ("App/Engine/A.swift", "import HealthSyncSupport"),
        ("Ports/A.swift", "private import FoundationNetworking"), ("App/Engine/A.swift", "import Observation"),
    ])
    func aForbiddenImportIsFound(path: String, line: String) throws {
        #expect(try DependencyRules.violations(in: planted(path, line)).count == 1)
    }

    @Test(arguments: [
        ("Domain/A.swift", "let now = Date()"),
        ("App/Engine/A.swift", "let now = ContinuousClock.now"),
        ("Adapters/SQLite/A.swift", "try await Task.sleep(for: .seconds(1))"),
        ("App/Engine/A.swift", "let rules = try ZoneRules(identifier: name)"),
        ("Adapters/SyntheticExport/A.swift", "let zone = TimeZone.current"),
        ("Domain/A.swift", "func load() async {}"),
        ("Domain/A.swift", "final class Flag: Sendable {}"),
        ("Domain/A.swift", "import Synchronization"),
        ("Ports/System/A.swift", "package final class Flag: Sendable {}"),
        ("Ports/Storage/A.swift", "extension OutboxStore {"),
        ("Adapters/FileSources/A.swift", "let parser = XMLParser(data: data)"),
        ("App/Commands/A.swift", "let value = try! load()"),
        ("App/Commands/A.swift", "throw SyncFailure(.busy, subject: path, reason: reason, advice: \"\")"),
    ])
    func forbiddenCodeIsFound(path: String, line: String) throws {
        #expect(try ForbiddenCode.violations(in: planted(path, line)).count == 1)
    }

    @Test(arguments: [
        ("Adapters/Receiver/Daemon/A.swift", "healthsync_tls_free(session)"),
        ("Adapters/Receiver/Daemon/A.swift", "    defer { close(descriptor) }"),
        ("Adapters/SQLite/A.swift", "unsafe sqlite3_close_v2(handle)"),
        ("Adapters/System/A.swift", "let descriptor = unsafe open(path, O_RDONLY)"),
        ("Adapters/Receiver/Archive/A.swift", "guard flock(descriptor, LOCK_EX) == 0 else { return }"),
        ("Adapters/Postgres/A.swift", "    let result: OpaquePointer"),
        ("Adapters/OutboxHTTP/Wire/BatchBody.swift", "enum BatchBody {\n    isal_deflate(stream)\n}"),
        ("Adapters/Receiver/Daemon/ServiceSocket.swift", "struct ServiceSocket {\n    defer { close(descriptor) }\n}"),
    ])
    func aHandleOutsideItsOwnerIsFound(path: String, line: String) throws {
        #expect(try HandleOwners.violations(in: planted(path, line)).count == 1)
    }

    @Test(arguments: TextAsBytes.planted)
    func textReadByCharactersIsFound(path: String, line: String) throws {
        #expect(try TextAsBytes.violations(in: planted(path, line)).count == 1)
    }

    @Test(arguments: TextAsBytes.harmless)
    func textReadAsBytesIsAllowed(path: String, line: String) throws {
        expectNone(try TextAsBytes.violations(in: planted(path, line)))
    }

    @Test(arguments: ["// Date() is forbidden", "let text = \"Date()\"", "let asynchronous = 1"])
    func textIsNotCode(line: String) throws {
        expectNone(try ForbiddenCode.violations(in: planted("Domain/A.swift", line)))
    }

    @Test(arguments: [(SizeBudget.sources, 60), (.tests, 110)])
    func tooLongFilesAndFunctionsAreFound(budget: SizeBudget, lines: Int) throws {
        let long = Array(repeating: "let a = 1", count: budget.linesPerFile + 2).joined(separator: "\n")
        #expect(try budget.violations(in: planted("Domain/A.swift", long)).count == 1)
        let body = Array(repeating: "    call()", count: lines).joined(separator: "\n")
        #expect(try budget.violations(in: planted("Domain/A.swift", "func f() {\n\(body)\n}")).count == 1)
    }

    @Test func aCycleIsFound() throws {
        let folder = try TemporaryFolder()
        let files = [
            "App/Engine/Verify/A.swift": "package struct Walk { let run: Run }",
            "App/Engine/Runs/Run.swift": "struct Run {}\n@Sendable final class Report { var end: End? }",
            "App/Engine/End.swift": "enum End { case walked(Walk) }",
            "App/Engine/Zones/C.swift": "struct Zone { let run: Run }\n// Walk, End",
            "App/Commands/Runs/Run.swift": "struct View { let walk: Walk }",
        ]
        for (path, text) in files { try Self.plant(text, at: path, in: folder) }
        let found = try FolderCycles.violations(in: SourceTree(root: URL(fileURLWithPath: folder.path)))
        #expect(
            found == [
                "App/Engine: . → Verify (End.swift names Walk), Runs → . (Run.swift names End), "
                    + "Verify → Runs (A.swift names Run)"
            ])
    }

    @Test func aSmallFolderIsFound() throws {
        let folder = try TemporaryFolder()
        let paths =
            (1...2).map { "App/Engine/Two/\($0).swift" } + (1...3).map { "App/Engine/Three/\($0).swift" }
            + ["App/Engine/A.swift", "App/Engine/Outer/A.swift", "Domain/A.swift"]
            + (1...3).map { "App/Engine/Outer/Inner/\($0).swift" }
        for path in paths { try Self.plant("let a = 1", at: path, in: folder) }
        let found = try FolderSizes.violations(in: SourceTree(root: URL(fileURLWithPath: folder.path)))
        #expect(found == ["App/Engine/Two: 2 files"])
    }

    @Test func aSecondFileOfATypeIsFound() throws {
        let folder = try TemporaryFolder()
        let files = [
            "App/Engine/Runs/Run.swift": "package actor Run {}", "App/Engine/Run+End.swift": "extension Run {}",
            "App/Commands/Run+Text.swift": "extension Run {}",
            "App/Engine/Runs/Double+Share.swift": "extension Double {}",
        ]
        for (path, text) in files { try Self.plant(text, at: path, in: folder) }
        let found = try OneTypeOneFile.violations(in: SourceTree(root: URL(fileURLWithPath: folder.path)))
        #expect(found == ["App/Engine/Run+End.swift"])
    }

    @Test func aReplacedNameAndASecondTypeOfANameAreFound() throws {
        let folder = try TemporaryFolder()
        let files = [
            "App/Engine/A.swift": "func takeIn() {}\nlet scope = AccessScope.ingest // colour\nlet text = \"colour\"",
            "App/Engine/B.swift": "func ingest() {}\nlet all = store.ingestAll",
            "App/Commands/Run.swift": "package struct Run {}", "Adapters/SQLite/Run.swift": "enum Run {}",
            "Adapters/System/Run.swift": "private enum Run {}",
        ]
        for (path, text) in files { try Self.plant(text, at: path, in: folder) }
        let found = try Names.violations(in: SourceTree(root: URL(fileURLWithPath: folder.path)))
        #expect(
            found == [
                "App/Engine/A.swift: takeIn, write \"import\"", "App/Engine/B.swift: ingest, write \"import\"",
                "App/Engine/B.swift: ingestAll, write \"import\"", "Run is a type of Adapters/SQLite and App/Commands",
            ])
    }

    @Test(arguments: Phrases.planted)
    func aPhraseIsFound(line: String) throws {
        #expect(try Phrases.violations(in: [("Sources/A.swift", "let a = 1\n\(line)")]).count == 1)
        expectNone(try Phrases.violations(in: [("Sources/A.swift", "/// Understands whole numbers.")]))
    }

    @Test func anEmptyFolderIsAnError() throws {
        let folder = try TemporaryFolder()
        #expect(throws: SourceTree.NothingToCheck.self) { try SourceTree(root: URL(fileURLWithPath: folder.path)) }
    }

    /// Records an issue that lists `violations`, if any.
    private func expectNone(_ violations: [String]) {
        #expect(violations == [], "\(violations.joined(separator: "\n"))")
    }

    private func planted(_ path: String, _ text: String) throws -> SourceTree {
        let folder = try TemporaryFolder()
        try Self.plant(text, at: path, in: folder)
        return try SourceTree(root: URL(fileURLWithPath: folder.path))
    }

    private static func plant(_ text: String, at path: String, in folder: TemporaryFolder) throws {
        let file = URL(fileURLWithPath: folder.path).appendingPathComponent(path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try text.write(to: file, atomically: true, encoding: .utf8)
    }
}
