import HealthSyncDomain
import HealthSyncPorts
import HealthSyncSQLite
import Testing

@Suite("Reading while writing")
struct ReadingWhileWritingTests {
    @Test("Readers see whole transactions only")
    func wholeTransactions() async throws {
        let temporary = try TemporaryDatabase()
        defer { temporary.remove() }
        let database = try await temporary.open()
        let other = try await temporary.open(.readOnly)
        let day = CalendarDay(ordinal: 19_000)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for number in 1...60 {
                    // Both pages carry the number of the transaction in their digests.
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
        try PythonSQLite.requireSound(temporary.path)
    }
}
