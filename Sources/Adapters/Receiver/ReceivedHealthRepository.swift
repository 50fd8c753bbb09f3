package import HealthSyncDomain
package import HealthSyncPorts

/// The received records of one user, for pages.
///
/// Clients do not send everything: figures by source are empty, and of the source of a sleep session only the name is
/// known.
package struct ReceivedHealthRepository: HealthRepository {
    private let store: any ReceivedDataStore
    private let user: UserName
    private let priority: OriginPriority

    /// Reads the records of `user`. If several sources recorded a night, `priority` selects the preferred one.
    package init(store: any ReceivedDataStore, user: UserName, priority: OriginPriority = OriginPriority()) {
        self.store = store
        self.user = user
        self.priority = priority
    }

    package func progress(of metric: HealthMetric?, days: DayRange) async throws -> [DailyProgress] {
        let entries = try await entries("hour", of: metric, days: days)
        let hours = Dictionary(grouping: entries, by: \.key)
        return try await dailyFigures(of: metric, days: days).map { progress in
            var progress = progress
            let own = hours[ReceivedEntry.Key(metric: progress.metric, day: progress.day)] ?? []
            progress.hours = own.map { HourProgress(start: $0.start, figures: $0.figures) }.sorted {
                $0.start < $1.start
            }
            return progress
        }
    }

    package func dailyFigures(of metric: HealthMetric?, days: DayRange) async throws -> [DailyProgress] {
        let entries = try await entries("day", of: metric, days: days)
        var latest: [ReceivedEntry.Key: ReceivedEntry] = [:]
        latest.reserveCapacity(entries.count)
        for entry in entries {
            // Two clients may send the same day with different ids.
            if let earlier = latest[entry.key], earlier.updatedAt > entry.updatedAt { continue }
            latest[entry.key] = entry
        }
        return latest.values.map(\.progress).sorted { ($0.day, $0.metric) < ($1.day, $1.metric) }
    }

    package func sleep(days: DayRange) async throws -> [SleepSession] { try await sleep(days: days, .stages) }

    package func nights(days: DayRange) async throws -> [NightTimes] {
        NightTimes.nights(of: try await sleep(days: days, .durations))
    }

    private func sleep(days: DayRange, _ detail: ReceivedSleep.Detail) async throws -> [SleepSession] {
        // A sender may list a session under the day of its start and leave it to the server to find its night.
        var query = query(.sleep, days: days.widened(before: 3, after: 2))
        query.limit = Self.all
        let sessions = try await store.records(query).compactMap { try ReceivedSleep.session($0.record, detail) }
        return ReceivedNights.sessions(sessions, by: priority).filter { days.contains($0.day) }.sorted {
            ($0.day, $0.interval.start, $0.origin.sourceName) < ($1.day, $1.interval.start, $1.origin.sourceName)
        }
    }

    package func activitySnapshots(days: DayRange) async throws -> [ActivitySnapshot] {
        var query = query(.snapshots, days: days)
        query.limit = Self.all
        let stored = try await store.records(query)
        let latest = Dictionary(stored.map { ($0.record.day, $0) }) { $0.updatedAt > $1.updatedAt ? $0 : $1 }
        var snapshots = try latest.mapValues { try Self.snapshot($0.record) }
        // Not every client sends snapshots. They can be derived from other records.
        let missing = days.filter { snapshots[$0] == nil }
        if let first = missing.first, let last = missing.last, let range = DayRange(first, through: last) {
            let progress = try await dailyFigures(of: nil, days: range)
            let sleep = try await sleep(days: range)
            for day in missing {
                let snapshot = ActivitySnapshot(day: day, progress: progress, sleep: sleep)
                if !snapshot.isEmpty { snapshots[day] = snapshot }
            }
        }
        return snapshots.sorted { $0.key < $1.key }.map(\.value)
    }

    package func recordedDays() async throws -> DayRange? {
        var days: [CalendarDay] = []
        for kind in [RecordKind.progress, .snapshots] {
            days += [try await edge(kind, isLast: false), try await edge(kind, isLast: true)].compactMap(\.self)
        }
        for isLast in [false, true] {
            guard let day = try await edge(.sleep, isLast: isLast) else { continue }
            days += try await sleep(days: DayRange(day).widened(before: 1, after: 2)).map(\.day)
        }
        guard let first = days.min(), let last = days.max() else { return nil }
        return DayRange(first, through: last)
    }

    package func latestDay(of metric: HealthMetric, through last: CalendarDay?) async throws -> CalendarDay? {
        guard metric == .sleep else { return try await edge(.progress, of: metric, isLast: true, through: last) }
        guard let day = try await edge(.sleep, isLast: true, through: last) else { return nil }
        return try await sleep(days: DayRange(day).widened(before: 1, after: 1))
            .last { session in
                session.role == .main && session.share != nil && last.map { session.day <= $0 } ?? true
            }?.day
    }

    package func recordedMetrics() async throws -> [HealthMetric] {
        let hasSleep = try await edge(.sleep, isLast: true) != nil
        let types = try await store.recordTypes(of: .progress, user: user)
        return (types.map(HealthMetric.init(rawValue:)) + (hasSleep ? [.sleep] : [])).sorted()
    }

    package func version() async throws -> DataVersion? { try await store.version(of: user) }

    /// More records of a kind than any user has.
    private static let all = 10_000_000

    private func query(_ kind: RecordKind, days: DayRange) -> RecordQuery {
        var query = RecordQuery(user: user, kind: kind)
        query.from = days.first
        query.through = days.last
        return query
    }

    private func entries(
        _ granularity: String, of metric: HealthMetric?, days: DayRange
    ) async throws -> [ReceivedEntry] {
        var query = query(.progress, days: days)
        query.type = metric?.rawValue
        query.granularity = granularity
        query.limit = Self.all
        return try await store.records(query).map { try ReceivedEntry($0) }
    }

    /// Returns the first or last day of the records of `kind`.
    private func edge(
        _ kind: RecordKind, of metric: HealthMetric? = nil, isLast: Bool, through last: CalendarDay? = nil
    ) async throws -> CalendarDay? {
        var query = RecordQuery(user: user, kind: kind)
        query.type = metric?.rawValue
        if metric != nil { query.granularity = "day" }
        query.isDescending = isLast
        query.through = last
        query.limit = 1
        return try await store.records(query).first?.record.day
    }

    private static func snapshot(_ record: ReceivedRecord) throws -> ActivitySnapshot {
        try JSONDocument.read(record.body) { body in
            var snapshot = ActivitySnapshot(day: record.day)
            snapshot.steps = body["steps"]?.number
            snapshot.walkingDistanceKilometres = body["walking_distance_km"]?.number
            snapshot.activeEnergyKilocalories = body["active_energy_kcal"]?.number
            snapshot.exerciseMinutes = body["exercise_minutes"]?.number
            snapshot.restingHeartRate = body["resting_heart_rate"]?.number
            snapshot.minutesAsleep = body["sleep_minutes"]?.number
            return snapshot
        }
    }
}

/// An entry of a metric, as `ProgressReader` stores it.
private struct ReceivedEntry {
    /// The metric and day of an entry.
    struct Key: Hashable {
        let metric: HealthMetric
        let day: CalendarDay
    }

    let key: Key
    let start: Instant
    let figures: ProgressFigures
    let updatedAt: Instant
    private let unit: String

    init(_ stored: StoredRecord) throws {
        let record = stored.record
        key = Key(metric: HealthMetric(rawValue: record.type), day: record.day)
        start = record.start
        updatedAt = stored.updatedAt
        (figures, unit) = try JSONDocument.read(record.body) { body in
            let figures = ProgressFigures(
                quantity: body["quantity"]?.number ?? 0, minimum: body["min"]?.number, maximum: body["max"]?.number,
                count: body["count"]?.integer.map { Int(clamping: max(0, $0)) },
                heldMilliseconds: body["held_ms"]?.integer.map { max(0, $0) })
            return (figures, body["unit"]?.string ?? "")
        }
    }

    /// The entry as the figures of a day.
    var progress: DailyProgress {
        DailyProgress(metric: key.metric, day: key.day, start: start, unit: unit, figures: figures)
    }
}
