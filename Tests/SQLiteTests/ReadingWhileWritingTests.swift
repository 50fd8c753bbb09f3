import Foundation
import HealthSyncDomain
import HealthSyncPorts
import HealthSyncSQLite
import Testing

@Suite("Reading while writing")
struct ReadingWhileWritingTests {
    @Test("Readers see only complete transactions")
    func wholeTransactions() async throws {
        let temporary = try TemporaryDatabase()
        let database = try await temporary.open()
        let other = try await temporary.open(.readOnly)
        let day = CalendarDay(ordinal: 19_000)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for number in 1...60 {
                    // Both pages have the number of the transaction in their digests.
                    try await StoreFilling.put(
                        ["Left", "Right"].map {
                            StoreFilling.page(day: day, origin: $0, count: 3, seed: UInt64(number))
                        },
                        in: database)
                }
            }
            for reader in [database, other] {
                group.addTask {
                    for _ in 0..<150 {
                        let digests = try await reader.pages.pageDigests(
                            of: [StoreFilling.type.type], utcDays: DayRange(day))
                        let seen = digests[day] ?? []
                        #expect(seen.isEmpty || (seen.count == 2 && seen[0] == seen[1]))
                    }
                }
            }
            try await group.waitForAll()
        }
        try await other.close()
        try await database.close()
        try PythonSQLite.requireValid(temporary.path)
    }

    /// Closing any descriptor of a file drops the POSIX locks of its process on it. The next process that closes the
    /// database would then treat itself as the last one and delete the log under the reader.
    @Test("A reader sees every change while its own process and others open and close the file")
    func manyProcesses() async throws {
        let temporary = try TemporaryDatabase()
        try await temporary.open().close()
        let reader = try await temporary.open(.readOnly)
        let day = CalendarDay(ordinal: 19_000)
        let count = {
            try await reader.pages.pageDigests(of: [StoreFilling.type.type], utcDays: DayRange(day))[day]?.count ?? 0
        }
        #expect(try await count() == 0)
        for origins in [["A"], ["A", "B"], ["A", "B", "C"]] {
            let writer = try await temporary.open()
            try await StoreFilling.put(
                origins.map { StoreFilling.page(day: day, origin: $0, count: 3, seed: 1) }, in: writer)
            try await writer.close()
            #expect(try await count() == origins.count)
            try PythonSQLite.requireValid(temporary.path)
            #expect(FileManager.default.fileExists(atPath: temporary.path + "-wal"))
        }
        try await reader.close()
    }
}
