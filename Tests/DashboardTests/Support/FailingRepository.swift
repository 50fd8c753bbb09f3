import HealthSyncDomain
import HealthSyncPorts

/// Records that cannot be read.
struct FailingRepository: HealthRepository {
    let failure: SyncFailure

    func progress(of metric: HealthMetric?, days: DayRange) async throws -> [DailyProgress] { throw failure }
    func dailyFigures(of metric: HealthMetric?, days: DayRange) async throws -> [DailyProgress] { throw failure }
    func sleep(days: DayRange) async throws -> [SleepSession] { throw failure }
    func activitySnapshots(days: DayRange) async throws -> [ActivitySnapshot] { throw failure }
    func recordedDays() async throws -> DayRange? { throw failure }
    func latestDay(of metric: HealthMetric, through last: CalendarDay?) async throws -> CalendarDay? { throw failure }
    func recordedMetrics() async throws -> [HealthMetric] { throw failure }
}
