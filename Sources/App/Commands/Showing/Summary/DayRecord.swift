import HealthSyncDomain
import HealthSyncPorts

/// Everything recorded of one day.
struct DayRecord {
    let day: CalendarDay
    let snapshot: ActivitySnapshot?
    let progress: [DailyProgress]
    let sleep: [SleepSession]

    /// What `repository` holds of `day`.
    init(of day: CalendarDay, in repository: any HealthRepository) async throws {
        self.day = day
        snapshot = try await repository.activitySnapshots(days: DayRange(day)).first
        progress = try await repository.dailyFigures(of: nil, days: DayRange(day))
        sleep = try await repository.sleep(days: DayRange(day))
    }
}
