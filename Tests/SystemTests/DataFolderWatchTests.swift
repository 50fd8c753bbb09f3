import Foundation
import HealthSyncDomain
import HealthSyncSystem
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

@Suite("A run seen from outside")
struct DataFolderWatchTests {
    private let time = ManualTime(Instant(milliseconds: 1_700_000_000_123))
    private let home: TemporaryFolder
    private var folder: String { home.path(of: "data") }

    init() throws { home = try TemporaryFolder() }

    private func progress(_ done: Int64) -> RunProgress {
        RunProgress(updatedAt: time.now(), phases: [RunProgress.Phase(name: "reading", done: done, total: 9)])
    }

    @Test("It is at work while it holds the lock, and no longer")
    func atWork() async throws {
        let watch = DataFolderWatch(folder: folder)
        #expect(watch.runAtWork() == nil)
        let lock = try await RunLock.acquire(inFolder: folder, waitMilliseconds: 0, time: time)
        let since = time.now()
        #expect(watch.runAtWork() == RunAtWork(since: since))
        time.advance(milliseconds: 40)
        ProgressFile(folder: folder).write(progress(1))
        #expect(watch.runAtWork() == RunAtWork(since: since, progress: progress(1)))
        lock.release()
        #expect(watch.runAtWork() == nil)
    }

    @Test("What a killed run left behind is not taken for the next one's")
    func leftBehind() async throws {
        try PosixFiles().makePrivateFolder(folder)
        ProgressFile(folder: folder).write(progress(1))
        time.advance(milliseconds: 1)
        let lock = try await RunLock.acquire(inFolder: folder, waitMilliseconds: 0, time: time)
        defer { lock.release() }
        #expect(DataFolderWatch(folder: folder).runAtWork() == RunAtWork(since: time.now()))
    }

    @Test("Looking keeps nobody from beginning a run")
    func looking() async throws {
        let watch = DataFolderWatch(folder: folder)
        try await RunLock.acquire(inFolder: folder, waitMilliseconds: 0, time: time).release()
        for _ in 0..<20 {
            #expect(watch.runAtWork() == nil)
            try await RunLock.acquire(inFolder: folder, waitMilliseconds: 0, time: time).release()
        }
    }
}
