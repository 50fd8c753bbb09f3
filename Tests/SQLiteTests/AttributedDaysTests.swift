import Foundation
import HealthSyncDomain
import HealthSyncPorts
import HealthSyncSQLite
import HealthSyncTestKit
import Testing

@Suite("Attributed days are deleted when their inputs change")
struct AttributedDaysTests {
    private static let rules = ContentDigest(high: 1, low: 2)
    private static let shoe = UUID(version4: [UInt8](repeating: 7, count: 16))
    private static let days = StoreFilling.days.prefix(60).map { $0 }

    private static func attributed(_ day: CalendarDay) -> AttributedDay {
        let even = WalkFigures(steps: Double(day.ordinal), kilometres: 0.1 + 0.2)
        return AttributedDay(
            day: day,
            figures: day.ordinal % 3 == 0
                ? [:] : [shoe: even, UUID(version4: [1]): WalkFigures(steps: 0, kilometres: nil)])
    }

    /// Lends a database with attributed days for all of `days`, which have pages, records and a session each.
    private static func lend(_ use: (SQLiteDatabase) async throws -> Void) async throws {
        let temporary = try TemporaryDatabase()
        let database = try await temporary.open()
        try await StoreFilling.fill(database)
        var change = ShoeChange()
        change.shoes = [Shoe(id: shoe, details: ShoeDetails(brand: "A", model: "B"), addedAt: days[0].utcStart)]
        change.sessions = days.map { session(on: $0, of: days[0]) }
        try await database.shoes.commit(change)
        try await database.shoes.remember(days.map(attributed), by: rules)
        try await use(database)
        try await database.close()
        try PythonSQLite.requireValid(temporary.path)
    }

    private static func session(on day: CalendarDay, of first: CalendarDay) -> ShoeSession {
        ShoeSession(
            id: UUID(version4: [UInt8(day.ordinal - first.ordinal), 9]), shoe: shoe,
            start: day.utcStart.advanced(bySeconds: 8 * 3600), end: day.utcStart.advanced(bySeconds: 9 * 3600))
    }

    /// The days that are no longer stored, as indices.
    private static func forgotten(_ database: SQLiteDatabase) async throws -> [Int] {
        let range = try #require(DayRange(days[0], through: days[59]))
        let known = try await database.shoes.attributedDays(of: range, by: rules)
        #expect(known == days.filter { day in known.contains { $0.day == day } }.map(attributed))
        let left = Set(known.map(\.day))
        return days.indices.filter { !left.contains(days[$0]) }
    }

    @Test("Stored days are returned unchanged, for the same rules only")
    func remembered() async throws {
        try await Self.lend { database in
            #expect(try await Self.forgotten(database) == [])
            let range = try #require(DayRange(Self.days[3], through: Self.days[5]))
            let other = ContentDigest(high: 1, low: 3)
            #expect(try await database.shoes.attributedDays(of: range, by: other) == [])
            try await database.shoes.remember([Self.attributed(Self.days[4])], by: other)
            #expect(try await database.shoes.attributedDays(of: range, by: other).map(\.day) == [Self.days[4]])
            #expect(try await database.shoes.attributedDays(of: range, by: Self.rules).count == 2)
        }
    }

    @Test("Inserting, changing or deleting a page deletes the days that its samples may affect")
    func pages() async throws {
        try await Self.lend { database in
            let page = StoreFilling.page(day: Self.days[10], count: 9, seed: 999)
            try await StoreFilling.put([page], in: database)
            #expect(try await Self.forgotten(database) == [8, 9, 10, 11, 12])
        }
        try await Self.lend { database in
            try await StoreFilling.put(
                [StoreFilling.page(day: Self.days[20], origin: "Phone", count: 9, seed: 998)], in: database)
            #expect(try await Self.forgotten(database) == [18, 19, 20, 21, 22])
        }
        try await Self.lend { database in
            let key = StoreFilling.page(day: Self.days[30], count: 1, seed: 1).key
            try await database.pages.changePages { try $0.remove(provider: "test", at: key) }
            #expect(try await Self.forgotten(database) == [28, 29, 30, 31, 32])
        }
    }

    @Test("A page with a sample of several days affects all of them, also when it is deleted")
    func longSample() async throws {
        try await Self.lend { database in
            let day = Self.days[10]
            var columns = SampleColumns()
            columns.append(
                start: day.utcStart.milliseconds, duration: 5 * CalendarDay.millisecondsPerDay, value: 1, zoneName: nil,
                detail: nil)
            let summary = try #require(SamplePageSummary(of: columns))
            let long = PackedPage(
                key: StoreFilling.page(day: day, count: 1, seed: 1).key, summary: summary,
                bytes: SamplePageCodec.encode(columns, day: day), digest: ContentDigest(high: 9, low: 9))
            for _ in 0..<2 {
                try await StoreFilling.put([long], in: database)
                #expect(try await Self.forgotten(database) == Array(8...17))
                try await database.shoes.remember(Self.days.map(Self.attributed), by: Self.rules)
                try await database.pages.changePages { try $0.remove(provider: "test", at: long.key) }
                #expect(try await Self.forgotten(database) == Array(8...17))
                try await database.shoes.remember(Self.days.map(Self.attributed), by: Self.rules)
            }
        }
    }

    @Test("A record of progress deletes its day")
    func progress() async throws {
        try await Self.lend { database in
            var commit = SyncCommit(metric: .walkingDistance)
            let progress = DailyProgress(
                metric: .walkingDistance, day: Self.days[7], start: Self.days[7].utcStart, unit: "km",
                figures: ProgressFigures(quantity: 2))
            commit.progress = [RevisedRecord(progress, sourceID: "d/7", revision: 1)]
            try await database.tracking.commit(commit)
            #expect(try await Self.forgotten(database) == [7])
            commit.progress = []
            commit.removedProgress = [ProgressKey(metric: .steps, day: Self.days[9])]
            try await database.tracking.commit(commit)
            #expect(try await Self.forgotten(database) == [7, 9])
        }
    }

    @Test("A session deletes the days it covers; without an end all later days")
    func sessions() async throws {
        try await Self.lend { database in
            var change = ShoeChange()
            change.removedSessions = [Self.session(on: Self.days[15], of: Self.days[0]).id]
            try await database.shoes.commit(change)
            #expect(try await Self.forgotten(database) == [13, 14, 15, 16, 17])
            change = ShoeChange()
            var moved = Self.session(on: Self.days[59], of: Self.days[0])
            moved.end = nil
            change.sessions = [moved]
            try await database.shoes.commit(change)
            #expect(try await Self.forgotten(database) == [13, 14, 15, 16, 17, 57, 58, 59])
        }
    }

    @Test("Other changes delete no days")
    func elsewhere() async throws {
        try await Self.lend { database in
            var commit = SyncCommit(metric: .steps)
            commit.tracking[Self.days[3]] = ContentDigest(high: 3, low: 3)
            try await database.tracking.commit(commit)
            var change = ShoeChange()
            let details = ShoeDetails(brand: "C", model: "D")
            change.shoes = [Shoe(id: Self.shoe, details: details, addedAt: Self.days[0].utcStart)]
            change.settled = [SettledHours(day: Self.days[2], start: Self.days[2].utcStart)]
            try await database.shoes.commit(change)
            #expect(try await Self.forgotten(database) == [])
        }
    }
}
