package import HealthSyncDomain
import HealthSyncPorts

/// The intervals of one type, and where they are on their way to a server.
package struct IntervalReport: Sendable, Hashable {
    package var type: SampleType
    /// By which they were divided.
    package var rule: LayeringRule
    /// Ascending.
    package var statuses: [IntervalStatus]

    /// Samples of all intervals.
    package var sampleCount: Int { statuses.reduce(0) { $0 + $1.interval.figures.sampleCount } }

    /// Steps of all intervals.
    package var stepCount: Int64 { statuses.reduce(0) { $0 + $1.interval.figures.stepCount } }

    /// How many intervals are in `state`.
    package func count(_ state: IntervalState) -> Int { statuses.count { $0.state == state } }
}

extension SyncEngine {
    /// The intervals of every type that has some, by type; on their way to the server that is shown.
    package func intervalReports() async throws -> (destination: String?, reports: [IntervalReport]) {
        let types = try await ports.intervals.layeredTypes().sorted { $0.key < $1.key }
        let destination = try await shownServer()?.destination
        var reports: [IntervalReport] = []
        for (type, layered) in types {
            reports.append(
                IntervalReport(
                    type: type, rule: layered.rule,
                    statuses: try await ports.intervals.statuses(of: type, destination: destination)))
        }
        return (destination, reports)
    }
}
