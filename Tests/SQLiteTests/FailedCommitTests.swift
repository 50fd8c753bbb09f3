import Foundation
import HealthSyncDomain
import HealthSyncPorts
import HealthSyncSQLite
import HealthSyncTestKit
import Testing

/// After a commit fails on a full disk, nothing is stored until the database is reopened, at most once per second, and
/// the store recovers by itself once there is space again. Python reads the stored data.
@Suite("After a failed commit", .timeLimit(.minutes(20)), .enabled(if: SmallDisk.canMount))
struct FailedCommitTests {
    private static let ids = """
        import sqlite3, sys
        for row in sqlite3.connect(sys.argv[1]).execute("SELECT id FROM records ORDER BY id"): print(row[0])
        """

    /// A request of records that is committed at once, and whose pages the connection keeps in memory until then.
    private static func records(_ request: Int) -> [ReceivedRecord] {
        (0..<500).map {
            ReceivedRecord(
                id: "\(request)-\($0)", revision: 0, type: "steps", granularity: "day",
                day: CalendarDay(ordinal: 19_000),
                start: ReceivingSamples.now, body: [UInt8](repeating: 0x20, count: 300))
        }
    }

    private static func store(_ request: Int, in store: SQLiteReceivedDataStore) async throws {
        _ = try await store.store(
            ReceivedWrite(
                user: .local, receivedAt: ReceivingSamples.now, content: .records(.progress, records(request))))
    }

    /// Stores requests until a commit fails: returns the number of acknowledged requests and the failure.
    private static func fill(
        _ store: SQLiteReceivedDataStore
    ) async throws -> (acknowledged: Int, failure: SyncFailure) {
        for request in 0..<1_000 {
            do {
                try await Self.store(request, in: store)
            } catch let failure as SyncFailure {
                return (request, failure)
            }
        }
        throw ContractViolation("the disk never got full")
    }

    private static func stored(_ path: String) throws -> [String] {
        try PythonSQLite.run(ids, [path]).split(separator: "\n").map(String.init)
    }

    @Test("With free space the next change is stored, and all acknowledged data exists once")
    func settled() async throws {
        let temporary = try TemporaryDatabase()
        try #require(SmallDisk.mount(temporary.folder, size: "8m"))
        defer { _ = SmallDisk.unmount(temporary.folder) }
        let time = ManualTime()
        let store = try await SQLiteReceivedDataStore.open(at: temporary.path, time: time)
        try await store.checkWritable()
        // A permanent reader, like that of a server.
        _ = try await store.inventory(of: .local)
        let (acknowledged, failure) = try await Self.fill(store)
        #expect(failure.reason.contains("may or may not have been stored"))
        try #require(SmallDisk.mount(temporary.folder, size: "64m", isRemount: true))
        // Not within the same second.
        await #expect(throws: SyncFailure.self) { try await store.checkWritable() }
        await #expect(throws: SyncFailure.self) { try await Self.store(acknowledged, in: store) }
        time.advance(milliseconds: 1_000)
        for request in acknowledged..<acknowledged + 20 { try await Self.store(request, in: store) }
        try await store.checkWritable()
        let stored = try Self.stored(temporary.path)
        #expect(stored.sorted() == (0..<acknowledged + 20).flatMap { Self.records($0).map(\.id) }.sorted())
        #expect(try await store.recordCount(RecordQuery(user: .local, kind: .progress)) == stored.count)
        await store.close()
        try PythonSQLite.requireValid(temporary.path)
    }

    @Test("On a full disk the store stays stopped, and does not write to a replaced file")
    func unsettled() async throws {
        let temporary = try TemporaryDatabase()
        try #require(SmallDisk.mount(temporary.folder, size: "8m"))
        defer { _ = SmallDisk.unmount(temporary.folder) }
        let time = ManualTime()
        let store = try await SQLiteReceivedDataStore.open(at: temporary.path, time: time)
        let (acknowledged, _) = try await Self.fill(store)
        let files = FileManager.default
        try files.moveItem(atPath: temporary.path, toPath: temporary.path + ".aside")
        try #require(SmallDisk.mount(temporary.folder, size: "64m", isRemount: true))
        time.advance(milliseconds: 1_000)
        await #expect(throws: SyncFailure.self) { try await Self.store(acknowledged, in: store) }
        #expect(!files.fileExists(atPath: temporary.path), "no empty one takes its place")
        try files.moveItem(atPath: temporary.path + ".aside", toPath: temporary.path)
        time.advance(milliseconds: 999)
        await #expect(throws: SyncFailure.self) { try await store.checkWritable() }
        time.advance(milliseconds: 1)
        // A health check is sufficient, because load balancers send no requests to an unhealthy server.
        try await store.checkWritable()
        try await Self.store(acknowledged, in: store)
        #expect(try Self.stored(temporary.path).count == 500 * (acknowledged + 1))
        await store.close()
        try PythonSQLite.requireValid(temporary.path)
    }

    @Test("After the file is replaced, nothing is acknowledged and the new file is unchanged")
    func replaced() async throws {
        let temporary = try TemporaryDatabase()
        let time = ManualTime()
        let store = try await SQLiteReceivedDataStore.open(at: temporary.path, time: time)
        try await Self.store(0, in: store)
        let copy = "import sqlite3, sys; sqlite3.connect(sys.argv[1]).backup(sqlite3.connect(sys.argv[2]))"
        _ = try PythonSQLite.run(copy, [temporary.path, temporary.path + ".backup"])
        try await Self.store(1, in: store)
        _ = try FileManager.default.removeItem(atPath: temporary.path)
        try FileManager.default.moveItem(atPath: temporary.path + ".backup", toPath: temporary.path)
        for _ in 0..<2 {
            let failure = await #expect(throws: SyncFailure.self) { try await Self.store(2, in: store) }
            #expect(failure?.reason.contains("removed or replaced") == true)
            time.advance(milliseconds: 1_000)
        }
        await #expect(throws: SyncFailure.self) { try await store.checkWritable() }
        await store.close()
        #expect(try Self.stored(temporary.path) == Self.records(0).map(\.id).sorted())
        try PythonSQLite.requireValid(temporary.path)
        let again = try await SQLiteReceivedDataStore.open(at: temporary.path, time: time)
        try await Self.store(2, in: again)
        await again.close()
        #expect(try Self.stored(temporary.path).count == 1_000)
    }
}
