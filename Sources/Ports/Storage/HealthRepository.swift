public import HealthSyncDomain

/// The read side: what pages and commands show.
///
/// Contract (`HealthRepositoryContract`): sees whole transactions only; ascending by day, then by metric or start; may be
/// asked from any number of tasks at once. What is not there is empty or `nil`, never thrown; failures of the store are
/// `SyncFailure` with `.storage`.
public protocol HealthRepository: Sendable {
    /// Figures of `metric` (all metrics for `nil`) on `days`.
    func progress(of metric: HealthMetric?, days: DayRange) async throws -> [DailyProgress]
    /// The same figures with `hours` empty: all that months and years need, at a small part of the cost.
    func dailyFigures(of metric: HealthMetric?, days: DayRange) async throws -> [DailyProgress]
    /// Sleep sessions that count for `days`.
    func sleep(days: DayRange) async throws -> [SleepSession]
    /// Activity snapshots of `days`.
    func activitySnapshots(days: DayRange) async throws -> [ActivitySnapshot]
    /// First and last day with any record; `nil` when there is none.
    func recordedDays() async throws -> DayRange?
    /// The last day up to `last` (any for `nil`) with figures of `metric`, for `.sleep` with a preferred main sleep; `nil`
    /// when there is none.
    func latestDay(of metric: HealthMetric, through last: CalendarDay?) async throws -> CalendarDay?
    /// The metrics that have records, sleep among them.
    func recordedMetrics() async throws -> [HealthMetric]
}

extension HealthRepository {
    /// Figures of `metric` on `days`, with those of their hours only where they are shown.
    package func figures(of metric: HealthMetric, days: DayRange, withHours: Bool) async throws -> [DailyProgress] {
        withHours ? try await progress(of: metric, days: days) : try await dailyFigures(of: metric, days: days)
    }
}
