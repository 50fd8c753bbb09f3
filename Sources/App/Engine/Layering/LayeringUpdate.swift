package import HealthSyncDomain
import HealthSyncPorts

/// The result of layering one type.
package struct LayeringOutcome: Sendable, Hashable {
    package var type: SampleType
    /// The number of intervals.
    package var intervals: Int
    /// The number of intervals enqueued for a server that was never offered them.
    package var offered: Int
}

/// Updates the intervals of the raw types for the server.
struct LayeringUpdate: Sendable {
    let ports: EnginePorts
    let settings: EngineSettings

    /// Updates the intervals of the raw types and enqueues those that overlap `days` for the destination; with `force`
    /// also those it already has, and with `includesSent` also the types that were sent raw to any server. Does nothing for a
    /// destination that accepts no raw samples.
    func run(_ days: DayRange, force: Bool, includesSent: Bool = false) async throws -> [LayeringOutcome] {
        guard let server = ports.server, server.sampleEncoder != nil else { return [] }
        let destination = server.address
        let layering = LayeringService(ports: ports, limits: settings.layering)
        let range = settings.clock.interval(of: days)
        var outcomes: [LayeringOutcome] = []
        let sent = includesSent ? try await Set(ports.intervals.layeredTypes().keys) : []
        for definition in try await definitions(and: sent) {
            try Task.checkCancellation()
            let type = definition.type
            ports.progress.report(phase: "layering \(type.shortName)", done: 0, total: 1)
            let count = try await layering.performLayering(of: definition)
            if force {
                try await ports.intervals.forgetDelivered(of: type, destination: destination, in: range)
            }
            let offered = try await layering.offer(type, to: destination, in: range)
            ports.progress.report(phase: "layering \(type.shortName)", done: 1, total: 1)
            outcomes.append(LayeringOutcome(type: type, intervals: count, offered: offered))
        }
        return outcomes
    }

    /// Updates the intervals that an interrupted run left as they were before its import. A delivery reads samples as they
    /// are now: a sample that is sent before an interval contains it would stay on the server when it is deleted here.
    func settle() async throws {
        guard ports.server?.sampleEncoder != nil else { return }
        let layered = try await ports.intervals.layeredTypes()
        guard !layered.isEmpty else { return }
        let layering = LayeringService(ports: ports, limits: settings.layering)
        for definition in try await definitions() where layered[definition.type] != nil {
            _ = try await layering.performLayering(of: definition)
        }
    }

    /// Returns the raw types and `others`, including those without samples, so that servers receive the deletion of the last
    /// one.
    private func definitions(and others: Set<SampleType> = []) async throws -> [SampleTypeDefinition] {
        let wanted = Set(settings.rawTypes.map(\.type)).union(others)
        return try await ports.pages.knownTypes().filter { wanted.contains($0.type) }
    }
}

/// Deletes all intervals and their queued items, and on request the steps on the server. Local samples and results do
/// not change.
package struct ClearIntervals: Sendable {
    let ports: EnginePorts
    let settings: EngineSettings

    /// Deletes the intervals; returns their number.
    ///
    /// - Parameter onServer: whether to delete all raw steps on the server, too.
    /// - Throws: `SyncFailure` with `.configuration`, before anything is deleted, for a server that cannot delete its
    ///   steps.
    package func run(onServer: Bool) async throws -> Int {
        if onServer, ports.server?.eraser == nil {
            throw SyncFailure(
                .configuration, subject: ports.server?.address ?? "--server",
                reason: "this destination cannot delete its steps", advice: "use --local alone")
        }
        // Delete locally first. In the opposite order, an interruption would leave intervals marked as synced that the
        // server no longer has.
        let count = try await LayeringService(ports: ports, limits: settings.layering).clearAllIntervals()
        if onServer, let server = ports.server {
            try await ports.verifications.setLastVerification(nil, of: server.address)
            try await server.eraser?.deleteAllSteps()
        }
        return count
    }
}
