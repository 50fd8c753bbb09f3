import HealthSyncDomain
import HealthSyncPorts
import HealthSyncSQLite
import HealthSyncTestKit

/// Test content for databases, generated from a seed.
enum StoreFilling {
    static let type = SampleTypeDefinition.stepCount
    static let days = DayRange(CalendarDay(ordinal: 19_000)).widened(before: 0, after: 399)

    /// Returns a page with `count` samples and occasionally a zone, a detail or a fraction.
    static func page(day: CalendarDay, origin: String = "Watch", count: Int, seed: UInt64) -> PackedPage {
        var random = SeededRandom(seed: seed)
        var columns = SampleColumns()
        var start = day.utcStart.milliseconds
        let wholeSeconds = Bool.random(using: &random)
        for _ in 0..<count {
            start += Int64.random(in: 0...20, using: &random) * (wholeSeconds ? 1000 : 333)
            let isOdd = Int.random(in: 0..<9, using: &random) == 0
            columns.append(
                start: start, duration: seed % 3 == 0 ? 60_000 : Int64.random(in: 0...90_000, using: &random),
                value: seed % 2 == 0
                    ? Double(Int.random(in: 0...300, using: &random)) : .random(in: -1...1, using: &random),
                zoneName: isOdd && seed % 5 == 0 ? ["Asia/Tokyo", "Europe/Paris"].randomElement(using: &random) : nil,
                detail: isOdd && seed % 7 == 0
                    ? SampleDetail(externalID: "é\(start)", minimum: 0.25, stateMilliseconds: start) : nil)
        }
        let bytes = SamplePageCodec.encode(columns, day: day)
        let key = SamplePageKey(type: type.type, origin: SampleOrigin(sourceName: origin), day: day)
        let summary =
            SamplePageSummary(of: columns)
            ?? SamplePageSummary(count: 0, sum: 0, firstStart: day.utcStart, lastEnd: day.utcStart)
        return PackedPage(
            key: key, summary: summary, bytes: bytes, digest: ContentDigest(high: seed, low: UInt64(count)))
    }

    static func put(_ pages: [PackedPage], in database: SQLiteDatabase) async throws {
        try await database.pages.changePages { transaction in
            for page in pages {
                try transaction.put(page, provider: "test", definition: type, longestSample: 90_000)
            }
        }
    }

    /// Stores rows in most tables.
    static func fill(_ database: SQLiteDatabase) async throws {
        let pages = days.prefix(40).enumerated().map { page(day: $1, count: 60, seed: UInt64($0 + 1)) }
        try await put(pages, in: database)
        var commit = SyncCommit(metric: .steps)
        for day in days.prefix(40) {
            var progress = DailyProgress(
                metric: .steps, day: day, start: day.utcStart, unit: "count", figures: ProgressFigures(quantity: 9.5))
            progress.hours = (0..<24).map { hour in
                HourProgress(
                    start: day.utcStart.advanced(bySeconds: hour * 3600), figures: ProgressFigures(quantity: 1))
            }
            commit.progress.append(RevisedRecord(progress, sourceID: "steps/\(day)", revision: 1))
            commit.outbox.append(
                NewOutboxItem(
                    destination: "https://one", kind: .progress, dedupKey: "steps/\(day)@1",
                    orderingKey: "steps/\(day)", revision: 1, payload: [1, 2, 3], recordIDs: ["\(day)"]))
            commit.tracking[day] = ContentDigest(high: 1, low: UInt64(day.ordinal))
        }
        try await database.tracking.commit(commit)
    }

    /// Reads rows from every store.
    static func readEverything(_ database: SQLiteDatabase) async throws {
        _ = try await database.pages.pages(of: [type.type], utcDays: days)
        _ = try await database.pages.pageDigests(of: [type.type], utcDays: days)
        _ = try await database.pages.storedTypes()
        _ = try await database.tracking.progress(derivedBy: .steps, days: days)
        _ = try await database.tracking.trackedDigests(of: .steps, days: days)
        _ = try await database.repository.progress(of: nil, days: days)
        _ = try await database.outbox.items(in: nil, destination: nil, limit: 1000)
        _ = try await database.outbox.missingRecords(destination: "https://one", days: days)
    }
}
