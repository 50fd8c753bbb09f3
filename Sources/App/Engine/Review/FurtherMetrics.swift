package import HealthSyncDomain
import HealthSyncPorts

/// The notice that the metrics of the default have become more since the store was written (decision 58).
package struct FurtherMetrics: Sendable {
    let ports: EnginePorts
    let settings: EngineSettings

    /// Returns whether the notice is still to be shown. Never if the user selected the metrics.
    package func hasNotice() async throws -> Bool {
        guard !settings.furtherHandlers.isEmpty else { return false }
        return try await ports.tracking.hasNotice(.furtherMetrics)
    }

    /// Returns whether the notice is to be shown after a run, and stores that it was. After a run that read an export, which
    /// added the metrics, it is not.
    package func takeNotice(after report: RunReport) async throws -> Bool {
        guard try await hasNotice() else { return false }
        try await removeNotice()
        return !report.hasReadExport
    }

    /// Stores that the notice was shown.
    private func removeNotice() async throws { try await ports.tracking.removeNotice(.furtherMetrics) }
}

/// Reads the types of samples.
package struct TypeReview: Sendable {
    let ports: EnginePorts
    let settings: EngineSettings

    /// Returns the types with stored samples.
    package func stored() async throws -> [SampleTypeDefinition] { try await ports.pages.storedTypes() }

    /// Returns the types that have or had samples, and those among them of which raw samples are or were sent.
    package func known() async throws -> (all: [SampleTypeDefinition], raw: [SampleTypeDefinition]) {
        let known = try await ports.pages.knownTypes()
        let raw = Set(settings.rawTypes.map(\.type)).union(try await ports.intervals.layeredTypes().keys)
        return (known, known.filter { raw.contains($0.type) })
    }
}
