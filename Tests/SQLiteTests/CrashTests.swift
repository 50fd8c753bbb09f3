import Foundation
import HealthSyncDomain
import HealthSyncPorts
import HealthSyncSQLite
import Testing

/// A copy of the files, taken at some moment, contains what a process finds that starts after a crash at that moment.
@Suite("After a crash")
struct CrashTests {
    private func copyFiles(of path: String, to copy: String) throws {
        for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: path + suffix) {
            try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix)
        }
    }

    @Test("A completed commit is stored without closing the database")
    func committed() async throws {
        let temporary = try TemporaryDatabase()
        let database = try await temporary.open()
        try await StoreFilling.fill(database)
        let copy = temporary.folder + "/copy.db"
        try copyFiles(of: temporary.path, to: copy)
        let after = try await SQLiteDatabase.open(at: copy, time: temporary.time)
        #expect(try await after.pages.pages(of: [StoreFilling.type.type], utcDays: StoreFilling.days).count == 40)
        #expect(try await after.outbox.counts(destination: nil) == [.pending: 40])
        try await after.close()
        try PythonSQLite.requireValid(copy)
        try await database.close()
    }

    @Test(
        "An unfinished transaction is rolled back even if its pages reached the disk", arguments: [1, 400, 4_000])
    func interrupted(pageCount: Int) async throws {
        let temporary = try TemporaryDatabase()
        let database = try await temporary.open()
        try await StoreFilling.fill(database)
        let copy = temporary.folder + "/copy.db"
        // Nothing reads these pages, so the content of a few is enough.
        let contents = (0..<20).map {
            StoreFilling.page(day: CalendarDay(ordinal: 15_000), count: 400, seed: UInt64($0))
        }
        try await database.pages.changePages { transaction in
            for number in 0..<pageCount {
                var page = contents[number % contents.count]
                page.key = SamplePageKey(
                    type: page.key.type, origin: page.key.origin, day: CalendarDay(ordinal: 15_000 + number))
                try transaction.put(page, provider: "later", definition: StoreFilling.type, longestSample: 9)
            }
            try self.copyFiles(of: temporary.path, to: copy)
        }
        let after = try await SQLiteDatabase.open(at: copy, time: temporary.time)
        #expect(try await after.pages.dayExtent(of: [StoreFilling.type.type])?.count == 40)
        try await StoreFilling.readEverything(after)
        try await after.close()
        try PythonSQLite.requireValid(copy)
        try await database.close()
    }

    @Test("A file that was created but never committed to is treated as new")
    func createdAndNotCommitted() async throws {
        let temporary = try TemporaryDatabase()
        _ = try PythonSQLite.run(
            "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute('PRAGMA journal_mode = wal')", [temporary.path])
        let database = try await temporary.open()
        try await StoreFilling.fill(database)
        try await database.close()
        try PythonSQLite.requireValid(temporary.path)
    }
}
