package import HealthSyncDomain
import HealthSyncPorts

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
