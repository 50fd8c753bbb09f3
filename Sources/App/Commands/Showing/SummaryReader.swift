import HealthSyncDomain
import HealthSyncPorts

/// Finds what a summary shows.
struct SummaryReader {
    let repository: any HealthRepository

    /// Everything recorded of one day.
    struct DayRecord {
        let day: CalendarDay
        let snapshot: ActivitySnapshot?
        let progress: [DailyProgress]
        let sleep: [SleepSession]
    }

    /// The latest of the three things that people ask for first.
    struct Latest {
        let steps: DailyProgress?
        let heartRate: DailyProgress?
        let sleep: SleepSession?
    }

    func record(of day: CalendarDay) async throws -> DayRecord {
        DayRecord(
            day: day, snapshot: try await repository.activitySnapshots(days: DayRange(day)).first,
            progress: try await repository.progress(of: nil, days: DayRange(day)),
            sleep: try await repository.sleep(days: DayRange(day)))
    }

    func latest() async throws -> Latest {
        guard let recorded = try await repository.recordedDays() else {
            return Latest(steps: nil, heartRate: nil, sleep: nil)
        }
        return Latest(
            steps: try await last(of: recorded) { try await repository.progress(of: .steps, days: $0).last },
            heartRate: try await last(of: recorded) { try await repository.progress(of: .heartRate, days: $0).last },
            sleep: try await last(of: recorded) { days in
                let nights = try await repository.sleep(days: days).filter { $0.role == .main && $0.isPreferred }
                return nights.last
            })
    }

    /// The last find within `days`. Looks at a month at a time from the end: the latest is nearly always recent.
    private func last<Found>(of days: DayRange, _ find: (DayRange) async throws -> Found?) async throws -> Found? {
        var last = days.last
        while last >= days.first, let month = DayRange(max(days.first, last.advanced(by: -30)), through: last) {
            if let found = try await find(month) { return found }
            last = month.first.advanced(by: -1)
        }
        return nil
    }
}
