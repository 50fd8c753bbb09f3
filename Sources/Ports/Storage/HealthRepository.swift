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

extension HealthRepository {
    /// Returns the latest figures of every metric, the latest night, and the week up to `day`. If `day` is `nil` or
    /// later than the latest day with any of the figures shown at a glance, the week ends on that latest day. Data
    /// dated after `today` is never the latest. Throws errors of the store.
    package func summary(through day: CalendarDay? = nil, today: CalendarDay) async throws -> SummaryOverview {
        var summary = SummaryOverview()
        let last = min(day ?? today, today)
        summary.metrics = try await latestFigures(through: last)
        summary.steps = summary.metrics.first { $0.metric == .steps }
        summary.heartRate = summary.metrics.first { $0.metric == .heartRate }
        if let day = summary.heartRate?.day {
            summary.restingHeartRate = try await dailyFigures(of: .restingHeartRate, days: DayRange(day)).first
        }
        let night = try await latestDay(of: .sleep, through: last)
        if let night {
            let sleep = SleepOverview(days: DayRange(night), sessions: try await sleep(days: DayRange(night)))
            summary.sleep = sleep.nights.first?.main
        }
        let glanced = summary.metrics.filter { SummaryOverview.metricsAtAGlance.contains($0.metric) }.map(\.day)
        if let latest = (glanced + [night].compactMap { $0 }).max() {
            let end = min(day ?? latest, latest)
            let snapshots = try await activitySnapshots(days: WeekOverview.days(through: end))
            summary.week = WeekOverview(through: end, snapshots: snapshots, today: today)
        }
        let shown = [
            // A watch reports the resting heart rate of a day only in the course of it.
            (HealthMetric.steps, summary.steps?.day),
            (.restingHeartRate, try await latestDay(of: .restingHeartRate, through: last)),
            (.sleep, night),
        ]
        for (metric, day) in shown {
            guard let day else { continue }
            // A sum of today is not complete and would lower the mean.
            let last = metric == .steps && day == today ? day.advanced(by: -1) : day
            summary.trends[metric] = try await trend(of: metric, through: last)
        }
        return summary
    }

    /// Returns the figures of every metric on its latest day up to `last`, by metric. Throws errors of the store.
    package func latestFigures(through last: CalendarDay) async throws -> [DailyProgress] {
        var latest: [DailyProgress] = []
        for metric in try await recordedMetrics().sorted() where metric != .sleep {
            guard let day = try await latestDay(of: metric, through: last) else { continue }
            latest += try await dailyFigures(of: metric, days: DayRange(day)).prefix(1)
        }
        return latest
    }

    /// Returns how long ago the records end; `nil` if none are dated `today` or before. Throws errors of the store.
    package func freshness(today: CalendarDay) async throws -> DataFreshness? {
        guard let recorded = try await recordedDays() else { return nil }
        // Records dated in the future, for example by a device with a wrong clock, are not the latest data.
        if let freshness = DataFreshness(last: recorded.last, today: today) { return freshness }
        var last: CalendarDay?
        for metric in try await recordedMetrics() {
            guard let day = try await latestDay(of: metric, through: today) else { continue }
            last = max(last ?? day, day)
        }
        return last.flatMap { DataFreshness(last: $0, today: today) }
    }

    /// Returns the trend of `metric` over the thirty days that end with `last`. Throws errors of the store.
    package func trend(of metric: HealthMetric, through last: CalendarDay) async throws -> MetricTrend {
        var quantities: [DailyQuantity] = []
        for days in MetricTrend.needed(through: last) {
            quantities += try await dailyQuantities(of: metric, days: days)
        }
        return MetricTrend(through: last, quantities: quantities)
    }
}

/// A version of stored data; equal only for equal data.
public struct DataVersion: Hashable, Sendable {
    private let text: String

    /// Creates the version that the store identifies by `text`.
    public init(_ text: String) { self.text = text }
}
