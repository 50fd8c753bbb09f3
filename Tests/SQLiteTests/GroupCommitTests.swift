import Foundation
import HealthSyncDomain
import HealthSyncPorts
import HealthSyncSQLite
import HealthSyncTestKit
import Testing

/// Requests that share a commit, some of which make SQLite roll back the whole transaction. Each is answered once, and
/// all acknowledged data is stored: Python reads the file.
@Suite("Requests that share a commit", .timeLimit(.minutes(20)))
struct GroupCommitTests {
    /// Records whose id begins with "full" make SQLite roll back the whole transaction.
    private static let trigger = """
        import sqlite3, sys
        db = sqlite3.connect(sys.argv[1])
        db.execute('''CREATE TRIGGER full BEFORE INSERT ON records WHEN NEW.id LIKE 'full%'
                      BEGIN SELECT RAISE(ROLLBACK, 'as after a full disk'); END''')
        db.commit()
        """
    private static let ids = """
        import sqlite3, sys
        for row in sqlite3.connect(sys.argv[1]).execute("SELECT id FROM records ORDER BY id"): print(row[0])
        """

    /// Stores a record for each of `ids` concurrently; returns the acknowledged ids and the failures of the others.
    private static func store(
        _ ids: [String], bodyBytes: Int = 2, in store: SQLiteReceivedDataStore
    ) async throws -> (acknowledged: [String], rejected: [String: SyncFailure]) {
        try await withThrowingTaskGroup(of: (String, SyncFailure?).self) { group in
            for id in ids {
                group.addTask {
                    let record = ReceivedRecord(
                        id: id, revision: 0, type: "steps", granularity: "day", day: CalendarDay(ordinal: 19_000),
                        start: ReceivingSamples.now, body: [UInt8](repeating: 0x20, count: bodyBytes))
                    let write = ReceivedWrite(
                        user: .local, receivedAt: ReceivingSamples.now, content: .records(.progress, [record]))
                    do {
                        try ContractViolation.unlessEqual(try await store.store(write), [.created], id)
                        return (id, nil)
                    } catch let failure as SyncFailure {
                        return (id, failure)
                    }
                }
            }
            var answers: (acknowledged: [String], rejected: [String: SyncFailure]) = ([], [:])
            for try await (id, failure) in group {
                if let failure { answers.rejected[id] = failure } else { answers.acknowledged.append(id) }
            }
            return answers
        }
    }

    @Test("A rollback by SQLite itself fails only the request that caused it", arguments: [1, 2, 7, 50])
    func rollback(every interval: Int) async throws {
        let temporary = try TemporaryDatabase()
        let store = try await SQLiteReceivedDataStore.open(at: temporary.path, time: ManualTime())
        _ = try PythonSQLite.run(Self.trigger, [temporary.path])
        let ids = (0..<300).map { "\($0 % interval == interval - 1 ? "full" : "fits")-\($0)" }
        let answers = try await Self.store(ids, in: store)
        #expect(Set(answers.rejected.keys) == Set(ids.filter { $0.hasPrefix("full") }))
        #expect(answers.rejected.values.allSatisfy { $0.code == .storage })
        #expect(answers.acknowledged.count + answers.rejected.count == ids.count)
        let stored = try PythonSQLite.run(Self.ids, [temporary.path]).split(separator: "\n").map(String.init)
        #expect(Set(stored) == Set(answers.acknowledged))
        #expect(stored.count == answers.acknowledged.count)
        let after = try await Self.store(["fits-after"], in: store)
        #expect(after.acknowledged == ["fits-after"])
        await store.close()
        try PythonSQLite.requireValid(temporary.path)
    }

    @Test("On a full disk every request is answered, and acknowledged data is stored", .enabled(if: SmallDisk.canMount))
    func fullDisk() async throws {
        let temporary = try TemporaryDatabase()
        try #require(SmallDisk.mount(temporary.folder, size: "8m"))
        defer { _ = SmallDisk.unmount(temporary.folder) }
        let store = try await SQLiteReceivedDataStore.open(at: temporary.path, time: ManualTime())
        let ids = (0..<200).map { "record-\($0)" }
        // Larger than the cache of the connection, so that pages are written, and fail, before the commit.
        let answers = try await Self.store(ids, bodyBytes: 100_000, in: store)
        #expect(!answers.rejected.isEmpty)
        #expect(answers.acknowledged.count + answers.rejected.count == ids.count)
        #expect(answers.rejected.values.allSatisfy { $0.code == .storage && $0.advice.contains("space") })
        await store.close()
        try #require(SmallDisk.mount(temporary.folder, size: "64m", isRemount: true))
        let again = try await SQLiteReceivedDataStore.open(at: temporary.path, time: ManualTime())
        let stored = try PythonSQLite.run(Self.ids, [temporary.path]).split(separator: "\n").map(String.init)
        #expect(Set(stored).isSuperset(of: answers.acknowledged))
        let repeated = try await Self.store(answers.rejected.keys.filter { !stored.contains($0) }, in: again)
        #expect(repeated.rejected.isEmpty)
        await again.close()
        try PythonSQLite.requireValid(temporary.path)
    }
}
