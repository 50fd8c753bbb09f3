import HealthSyncDomain
import HealthSyncPorts
import HealthSyncSQLite
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

@Suite("Servers that had records before every quantity became a metric")
struct FormerDeliveryTests {
    private static let server = "https://one"
    private static let pulse = HealthMetric(rawValue: "pulse")
    private static let lastDay = StoreFilling.days.first.advanced(by: 39)

    /// Returns a migrated store of schema 20 with steps on forty days, which were queued for one server.
    private func upgraded(_ temporary: TemporaryDatabase, filled: Bool = true) async throws -> SQLiteDatabase {
        let before = try await temporary.open()
        if filled { try await StoreFilling.fill(before) }
        try await before.outbox.setDestinationState(DestinationState(), of: "https://two")
        try await before.close()
        let script = """
            import sqlite3, sys
            sqlite3.connect(sys.argv[1]).executescript(
                "DROP TABLE former_delivery; DROP TABLE notice; PRAGMA user_version = 20")
            """
        _ = try PythonSQLite.run(script, [temporary.path])
        return try await temporary.open()
    }

    /// Stores figures of a further metric on the last day of the former ones and the day after it.
    private func storePulse(in database: SQLiteDatabase) async throws {
        var commit = SyncCommit(metric: Self.pulse)
        for day in [Self.lastDay, Self.lastDay.advanced(by: 1)] {
            let progress = DailyProgress(
                metric: Self.pulse, day: day, start: day.utcStart, unit: "count", figures: ProgressFigures(quantity: 9))
            commit.progress.append(RevisedRecord(progress, sourceID: "pulse/\(day)", revision: 1))
        }
        try await database.tracking.commit(commit)
    }

    private func missing(_ database: SQLiteDatabase, _ destination: String? = server) async throws -> [String] {
        let days = DayRange(StoreFilling.days.first).widened(before: 0, after: 60)
        return try await database.outbox.missingRecords(destination: destination, days: days).progress.map(\.sourceID)
            .filter { $0.hasPrefix("pulse/") }
    }

    @Test("Known servers are offered the former metrics of all days, and others from the next day on")
    func migration() async throws {
        let temporary = try TemporaryDatabase()
        let database = try await upgraded(temporary)
        let former = FormerDelivery(lastDay: Self.lastDay, metrics: [.steps])
        for destination in [Self.server, "https://two"] {
            #expect(try await database.outbox.formerDelivery(of: destination) == former)
        }
        #expect(try await database.outbox.formerDelivery(of: "https://three") == nil)
        #expect(try await database.outbox.omittedRecords(destination: Self.server) == nil)
        try await storePulse(in: database)
        let (early, late) = ("pulse/\(Self.lastDay)", "pulse/\(Self.lastDay.advanced(by: 1))")
        #expect(try await missing(database) == [late])
        #expect(try await missing(database, "https://three") == [early, late])
        #expect(try await missing(database, nil) == [early, late])
        let omitted = OmittedRecords(count: 1, metrics: 1, lastDay: Self.lastDay)
        #expect(try await database.outbox.omittedRecords(destination: Self.server) == omitted)
        #expect(try await database.outbox.omittedRecords(destination: "https://three") == nil)
        try await database.close()
        try PythonSQLite.requireValid(temporary.path)
    }

    @Test("Offering more ends the completeness of the server, and repeating it changes nothing")
    func offering() async throws {
        let temporary = try TemporaryDatabase()
        let database = try await upgraded(temporary)
        try await storePulse(in: database)
        let parts: [CompletePart: ContentDigest] = [
            .server(Self.server): ContentDigest(high: 1, low: 2),
            .server("https://two"): ContentDigest(high: 1, low: 2),
        ]
        let outbox = database.outbox
        try await database.tracking.setComplete(parts)
        try await outbox.offer([Self.pulse, .steps], to: Self.server)
        #expect(try await outbox.formerDelivery(of: Self.server)?.metrics == [.steps, Self.pulse])
        #expect(try await missing(database).count == 2)
        #expect(try await database.tracking.completeRules(of: .server(Self.server)) == nil)
        #expect(try await database.tracking.completeRules(of: .server("https://two")) != nil)
        try await database.tracking.setComplete(parts)
        try await outbox.offer([Self.pulse], to: Self.server)
        #expect(try await database.tracking.completeRules(of: .server(Self.server)) != nil)
        try await outbox.endFormerDelivery(of: "https://two")
        #expect(try await missing(database, "https://two").count == 2)
        #expect(try await database.tracking.completeRules(of: .server("https://two")) == nil)
        try await outbox.offer([Self.pulse], to: "https://three")
        #expect(try await outbox.formerDelivery(of: "https://three") == nil)
        try await database.close()
        try PythonSQLite.requireValid(temporary.path)
    }

    @Test("A store with derived days has a notice until it is shown; an empty one and a new one have none")
    func notice() async throws {
        let temporary = try (0..<3).map { _ in try TemporaryDatabase() }
        let database = try await upgraded(temporary[0])
        #expect(try await database.tracking.hasNotice(.furtherMetrics))
        try await database.tracking.removeNotice(.furtherMetrics)
        #expect(try await !database.tracking.hasNotice(.furtherMetrics))
        try await database.close()
        let empty = try await upgraded(temporary[1], filled: false)
        #expect(try await !empty.tracking.hasNotice(.furtherMetrics))
        #expect(try await empty.outbox.formerDelivery(of: "https://two") == nil)
        try await empty.close()
        let new = try await temporary[2].open()
        #expect(try await !new.tracking.hasNotice(.furtherMetrics))
        try await new.close()
        for file in temporary { try PythonSQLite.requireValid(file.path) }
    }
}
