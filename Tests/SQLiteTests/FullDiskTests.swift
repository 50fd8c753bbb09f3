import Foundation
import HealthSyncDomain
import HealthSyncPorts
import HealthSyncSQLite
import HealthSyncTestKit
import Testing

/// Requires the right to mount: a small in-memory file system acts as a full disk.
@Suite("A full disk", .enabled(if: SmallDisk.canMount))
struct FullDiskTests {
    @Test("A full disk fails the transaction with advice; stored data remains, and writing continues with more space")
    func full() async throws {
        let temporary = try TemporaryDatabase()
        try #require(SmallDisk.mount(temporary.folder, size: "4m"))
        defer { _ = SmallDisk.unmount(temporary.folder) }
        let database = try await temporary.open()
        try await StoreFilling.fill(database)
        let pages = (0..<400).map {
            StoreFilling.page(day: CalendarDay(ordinal: 15_000 + $0), origin: "Big", count: 2_000, seed: UInt64($0))
        }
        let failure = await #expect(throws: SyncFailure.self) { try await StoreFilling.put(pages, in: database) }
        #expect(failure?.code == .storage)
        #expect(failure?.advice.contains("space") == true)
        #expect(try await database.pages.dayExtent(of: [StoreFilling.type.type])?.count == 40)
        try? await database.close()
        try #require(SmallDisk.mount(temporary.folder, size: "64m", isRemount: true))
        let again = try await temporary.open()
        try await StoreFilling.readEverything(again)
        try await StoreFilling.put(pages, in: again)
        #expect(try await again.pages.pages(of: [StoreFilling.type.type], utcDays: StoreFilling.days).count == 40)
        try await again.close()
        try PythonSQLite.requireValid(temporary.path)
    }

    @Test("A transaction in the log is stored even if there is no space to checkpoint it")
    func checkpoint() async throws {
        let temporary = try TemporaryDatabase()
        try #require(SmallDisk.mount(temporary.folder, size: "100m"))
        defer { _ = SmallDisk.unmount(temporary.folder) }
        let database = try await temporary.open()
        // More than the size at which the log is checkpointed, and more than the free space then.
        var page = StoreFilling.page(day: CalendarDay(ordinal: 15_000), count: 1, seed: 1)
        page.bytes = [UInt8](repeating: 7, count: 66 << 20)
        try await StoreFilling.put([page], in: database)
        let days = DayRange(page.key.day)
        #expect(try await database.pages.pages(of: [page.key.type], utcDays: days).map(\.bytes.count) == [66 << 20])
        try #require(SmallDisk.mount(temporary.folder, size: "300m", isRemount: true))
        try await StoreFilling.fill(database)
        try await database.close()
        #expect(!FileManager.default.fileExists(atPath: temporary.path + "-wal"))
        try PythonSQLite.requireValid(temporary.path)
    }

    @Test("A failure to store the history of runs does not stop the writer, which continues with more space")
    func history() async throws {
        let temporary = try TemporaryDatabase()
        try #require(SmallDisk.mount(temporary.folder, size: "4m"))
        defer { _ = SmallDisk.unmount(temporary.folder) }
        let database = try await temporary.open()
        let id = try await database.runs.begin(.daily, at: temporary.time.now(), days: nil, keeping: 9)
        let rest = temporary.folder + "/rest"
        let block = Data(repeating: 1, count: 4_096)
        try block.write(to: URL(fileURLWithPath: rest))
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: rest))
        while (try? file.write(contentsOf: block)) != nil {}
        let end = RunEnd(at: temporary.time.now(), ending: .completed)
        let failure = await #expect(throws: SyncFailure.self) {
            for _ in 0..<100 {
                _ = try await database.runs.begin(.daily, at: temporary.time.now(), days: nil, keeping: 9)
            }
        }
        #expect(failure?.reason == "the disk is full")
        // A process that another test starts may hold the deleted file for a moment.
        try file.truncate(atOffset: 0)
        try file.close()
        try FileManager.default.removeItem(atPath: rest)
        try await StoreFilling.fill(database)
        try await database.runs.end(id, end, days: nil)
        try await StoreFilling.readEverything(database)
        try await database.close()
        try PythonSQLite.requireValid(temporary.path)
    }
}
