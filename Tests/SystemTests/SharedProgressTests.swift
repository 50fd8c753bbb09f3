import Foundation
import HealthSyncDomain
import HealthSyncPorts
import HealthSyncSystem
import HealthSyncTestKit
import HealthSyncTestTools
import Synchronization
import Testing

@Suite("The progress file")
struct SharedProgressTests {
    /// Blocks scheduled on a timer, run on demand by the test.
    private final class Timers: Sendable {
        private let blocks = Mutex<[@Sendable () -> Void]>([])
        var count: Int { blocks.withLock { $0.count } }
        func add(_ block: @escaping @Sendable () -> Void) { blocks.withLock { $0.append(block) } }
        func fire() {
            let due = blocks.withLock { blocks in
                defer { blocks = [] }
                return blocks
            }
            for block in due { block() }
        }
    }

    private final class Passed: ProgressReporter {
        private let reports = Mutex<[String]>([])
        var all: [String] { reports.withLock { $0 } }
        func report(phase: String, done: Int64, total: Int64?) {
            reports.withLock { $0.append("\(phase) \(done) \(total ?? -1)") }
        }
        func report(phase: String, done: Int64, total: Int64?, detail: String) {
            reports.withLock { $0.append("\(phase) \(done) \(total ?? -1) \(detail)") }
        }
    }

    private struct Bench {
        private let home: TemporaryFolder
        let timers = Timers()
        let passed = Passed()
        let time = ManualTime()
        let shared: SharedProgress
        var folder: String { home.path(of: "data") }
        var file: ProgressFile { ProgressFile(folder: folder) }
        var path: String { folder + "/healthsync.progress" }

        init() throws {
            home = try TemporaryFolder()
            let folder = home.path(of: "data")
            try PosixFiles().makePrivateFolder(folder)
            let timers = timers
            shared = SharedProgress(passed, file: ProgressFile(folder: folder), time: time) { _, block in
                timers.add(block)
            }
        }
    }

    @Test("Every report is forwarded; the file is written only when the timer fires")
    func throttled() throws {
        let bench = try Bench()
        for done in 0..<10_000 { bench.shared.report(phase: "reading", done: Int64(done), total: 20_000) }
        bench.shared.report(phase: "sending", done: 1, total: nil, detail: "2 of 9")
        #expect(bench.passed.all.count == 10_001 && bench.passed.all.last == "sending 1 -1 2 of 9")
        #expect(bench.file.read() == nil && bench.timers.count == 1)
        bench.timers.fire()
        let expected = [
            RunProgress.Phase(name: "reading", done: 9_999, total: 20_000),
            RunProgress.Phase(name: "sending", done: 1, total: nil, detail: "2 of 9"),
        ]
        #expect(bench.file.read() == RunProgress(updatedAt: bench.time.now(), phases: expected))
        // The timer continues while there are new reports and stops otherwise.
        #expect(bench.timers.count == 1)
        bench.timers.fire()
        #expect(bench.timers.count == 0)
        bench.shared.report(phase: "reading", done: 20_000, total: 20_000)
        #expect(bench.timers.count == 1)
        bench.timers.fire()
        #expect(bench.file.read()?.phases == [expected[1]])
    }

    @Test("The file is readable by its owner only, and no other file remains")
    func permissions() throws {
        let bench = try Bench()
        bench.shared.report(phase: "reading", done: 1, total: 2)
        bench.timers.fire()
        let attributes = try FileManager.default.attributesOfItem(atPath: bench.path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: bench.folder) == ["healthsync.progress"])
    }

    @Test("Finishing removes the file, and a later timer does not restore it")
    func finished() throws {
        let bench = try Bench()
        bench.shared.report(phase: "reading", done: 1, total: 2)
        bench.timers.fire()
        bench.shared.report(phase: "reading", done: 1, total: 3)
        bench.shared.finish()
        bench.timers.fire()
        bench.shared.report(phase: "reading", done: 2, total: 3)
        bench.timers.fire()
        bench.shared.finish()
        #expect(try FileManager.default.contentsOfDirectory(atPath: bench.folder).isEmpty)
        #expect(bench.passed.all.count == 3)
    }

    @Test("A read-only folder has no effect on the run")
    func unwritable() throws {
        let bench = try Bench()
        try FileManager.default.removeItem(atPath: bench.folder)
        bench.shared.report(phase: "reading", done: 1, total: 2)
        bench.timers.fire()
        bench.shared.finish()
        #expect(bench.file.read() == nil && bench.passed.all == ["reading 1 2"])
    }

    @Test("An invalid file is ignored", arguments: ["", "{", "[]", "{\"updatedAt\":1}", "\u{0}"])
    func damaged(_ text: String) throws {
        let bench = try Bench()
        try Data(text.utf8).write(to: URL(fileURLWithPath: bench.path))
        #expect(bench.file.read() == nil)
    }
}
