public import HealthSyncDomain

/// The read access of pages and commands to derived records.
///
/// Contract (`HealthRepositoryContract`): reads only complete transactions; results are ascending by day, then by
/// metric or start; safe for concurrent use. Missing data is empty or `nil`, never an error; failures of the store
/// are `SyncFailure` with `.storage`.
public protocol HealthRepository: Sendable {
    /// Returns the figures of `metric` (all metrics for `nil`) on `days`.
    func progress(of metric: HealthMetric?, days: DayRange) async throws -> [DailyProgress]
    /// Returns the same figures with empty `hours`. Views of months and years need no hours and are much faster
    /// without.
    func dailyFigures(of metric: HealthMetric?, days: DayRange) async throws -> [DailyProgress]
    /// Returns only the quantities of `metric` on `days`; for `.sleep`, the minutes asleep of `nights`, without nights of
    /// which only the time in bed is known. Much faster than the figures of many years.
    func dailyQuantities(of metric: HealthMetric, days: DayRange) async throws -> [DailyQuantity]
    /// Returns the times of the main sleep of each of `days`, without stages. Much faster than the
    /// sessions of many years.
    func nights(days: DayRange) async throws -> [NightTimes]
    /// Returns the sleep sessions of `days`.
    func sleep(days: DayRange) async throws -> [SleepSession]
    /// Returns the activity snapshots of `days`.
    func activitySnapshots(days: DayRange) async throws -> [ActivitySnapshot]
    /// Returns the first and last day with any record; `nil` if none exists.
    func recordedDays() async throws -> DayRange?
    /// Returns the last day with figures of `metric`, up to `last` (without limit for `nil`); for `.sleep`, with a
    /// main sleep. `nil` if none exists.
    func latestDay(of metric: HealthMetric, through last: CalendarDay?) async throws -> CalendarDay?
    /// Returns the metrics that have records, including sleep.
    func recordedMetrics() async throws -> [HealthMetric]
    /// Returns the version of the records. While it is the same, every other method returns the same. `nil` (the
    /// default) if the store cannot tell.
    func version() async throws -> DataVersion?
}

extension HealthRepository {
    /// Returns `nil`.
    public func version() async throws -> DataVersion? { nil }

    /// Selects the quantities from the figures or nights.
    public func dailyQuantities(of metric: HealthMetric, days: DayRange) async throws -> [DailyQuantity] {
        guard metric != .sleep else {
            return try await nights(days: days).compactMap { night in
                night.asleep.map { DailyQuantity(day: night.day, quantity: Double($0) / 60_000) }
            }
        }
        return try await dailyFigures(of: metric, days: days).map {
            DailyQuantity(day: $0.day, quantity: $0.figures.quantity)
        }
    }

    /// Selects the nights from the sessions.
    public func nights(days: DayRange) async throws -> [NightTimes] {
        NightTimes.nights(of: try await sleep(days: days))
    }

    /// Returns the figures of `metric` on `days`, with hours only if requested.
    package func figures(of metric: HealthMetric, days: DayRange, withHours: Bool) async throws -> [DailyProgress] {
        withHours ? try await progress(of: metric, days: days) : try await dailyFigures(of: metric, days: days)
    }
}
