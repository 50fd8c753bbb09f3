import Foundation
import HealthSyncDomain
import HealthSyncSystem
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

@Suite("Runs of other processes")
struct DataFolderWatchTests {
    private let time = ManualTime(Instant(milliseconds: 1_700_000_000_123))
    private let home: TemporaryFolder
    private var folder: String { home.path(of: "data") }

    init() throws { home = try TemporaryFolder() }

    private func progress(_ done: Int64) -> RunProgress {
        RunProgress(updatedAt: time.now(), phases: [RunProgress.Phase(name: "reading", done: done, total: 9)])
    }

    @Test("A run is active while it holds the lock")
    func current() async throws {
        let watch = DataFolderWatch(folder: folder)
        #expect(watch.activeRun() == nil)
        let lock = try await RunLock.acquire(inFolder: folder, waitMilliseconds: 0, time: time)
        let since = time.now()
        #expect(watch.activeRun() == ActiveRun(since: since))
        time.advance(milliseconds: 40)
        ProgressFile(folder: folder).write(progress(1))
        #expect(watch.activeRun() == ActiveRun(since: since, progress: progress(1)))
        lock.release()
        #expect(watch.activeRun() == nil)
    }

    @Test("The progress of a killed run is not attributed to the next run")
    func leftBehind() async throws {
        try PosixFiles().makePrivateFolder(folder)
        ProgressFile(folder: folder).write(progress(1))
        time.advance(milliseconds: 1)
        let lock = try await RunLock.acquire(inFolder: folder, waitMilliseconds: 0, time: time)
        defer { lock.release() }
        #expect(DataFolderWatch(folder: folder).activeRun() == ActiveRun(since: time.now()))
    }

    @Test("Watching does not prevent a run from starting")
    func looking() async throws {
        let watch = DataFolderWatch(folder: folder)
        try await lock().release()
        for _ in 0..<20 {
            while watch.activeRun() != nil { await Task.yield() }
            try await lock().release()
        }
    }

    /// Takes the lock. A process that another test has just forked shares a released lock until it executes its program.
    private func lock() async throws -> RunLock {
        while true {
            do {
                return try await RunLock.acquire(inFolder: folder, waitMilliseconds: 0, time: time)
            } catch let failure as SyncFailure where failure.code == .busy {
                await Task.yield()
            }
        }
    }
}
