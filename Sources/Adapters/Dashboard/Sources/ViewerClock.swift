import HealthSyncDomain
import HealthSyncPorts

/// The clock by which the days of a viewer were derived, which a server does not know: it follows from the first instants of
/// the days.
struct ViewerClock {
    let repository: any HealthRepository
    /// The clock of the server.
    let usual: DayClock

    /// The metrics that are read until every day is known.
    private static let mostMetrics = 8

    func clock(_ rules: ZoneEvidence.RulesByName) async throws -> DayClock {
        guard let recorded = try await repository.recordedDays() else { return usual }
        let metrics = try await repository.recordedMetrics().sorted {
            ($0 == .steps) == ($1 == .steps) ? $0 < $1 : $0 == .steps
        }
        var starts: [CalendarDay: Instant] = [:]
        for metric in metrics.prefix(Self.mostMetrics) where starts.count < recorded.count {
            for progress in try await repository.dailyFigures(of: metric, days: recorded)
            where starts[progress.day] == nil {
                starts[progress.day] = progress.start
            }
        }
        return DayStarts(starts).clock(usual: usual, rules)
    }
}
