import HealthSyncDomain
import HealthSyncPorts

/// The snapshot, figures and sleep sessions of one day.
struct DayRecord {
    let day: CalendarDay
    let snapshot: ActivitySnapshot?
    let progress: [DailyProgress]
    let sleep: [SleepSession]

    /// Reads the records of `day` from `repository`.
    init(of day: CalendarDay, in repository: any HealthRepository) async throws {
        self.day = day
        snapshot = try await repository.activitySnapshots(days: DayRange(day)).first
        progress = try await repository.dailyFigures(of: nil, days: DayRange(day))
        sleep = try await repository.sleep(days: DayRange(day))
    }
}
