package import HealthSyncDomain
import HealthSyncPorts

/// The intervals of one type with their delivery state at a server.
package struct IntervalReport: Sendable, Hashable {
    package var type: SampleType
    /// The rule by which they were divided.
    package var rule: LayeringRule
    /// Ascending.
    package var statuses: [IntervalStatus]

    /// The number of samples in all intervals.
    package var sampleCount: Int { statuses.reduce(0) { $0 + $1.interval.figures.sampleCount } }

    /// The number of steps in all intervals.
    package var stepCount: Int64 { statuses.reduce(0) { $0 + $1.interval.figures.stepCount } }

    /// Returns the number of intervals in `state`.
    package func count(_ state: IntervalState) -> Int { statuses.count { $0.state == state } }
}

/// Reads the intervals of raw samples.
package struct IntervalReview: Sendable {
    let ports: EnginePorts

    /// Returns the intervals of every layered type, ordered by type, with their delivery state at the displayed
    /// server.
    package func run() async throws -> (destination: String?, reports: [IntervalReport]) {
        let types = try await ports.intervals.layeredTypes().sorted { $0.key < $1.key }
        let destination = try await ServerReview(ports: ports).run()?.destination
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
