package import HealthSyncDomain
import HealthSyncPorts

/// The server whose state is displayed.
package struct DisplayedServer: Sendable, Hashable {
    /// Its base address.
    package var destination: String
    /// Whether it is configured; otherwise it is the only server in the database.
    package var isConfigured: Bool
}

/// Finds the server whose state is displayed.
package struct ServerReview: Sendable {
    let ports: EnginePorts

    /// Returns the configured server, otherwise the only one that was ever offered any records; `nil` if there are
    /// none or several.
    package func run() async throws -> DisplayedServer? {
        if let server = ports.server {
            return DisplayedServer(destination: server.address, isConfigured: true)
        }
        let known = try await ports.outbox.destinations()
        guard let only = known.first, known.count == 1 else { return nil }
        return DisplayedServer(destination: only, isConfigured: false)
    }
}

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
