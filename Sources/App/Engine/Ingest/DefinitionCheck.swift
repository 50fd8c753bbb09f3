import HealthSyncDomain
import HealthSyncPorts

/// Ensures that samples of a type are read in the unit in which they are stored.
struct DefinitionCheck: Sendable {
    let store: any SamplePageStore

    /// Returns the selection with which sources are read. If every type is selected, a type that only the store knows
    /// keeps its stored unit.
    ///
    /// - Throws: `.configuration` if samples of a type are stored in another unit than `asked` defines.
    func selection(_ asked: SampleSelection) async throws -> SampleSelection {
        let stored = try await store.storedTypes()
        let defined = Dictionary(asked.types.map { ($0.type, $0) }, uniquingKeysWith: { first, _ in first })
        var selection = asked
        for earlier in stored {
            if let definition = defined[earlier.type] {
                guard definition.unit == earlier.unit else { throw conflict(definition, earlier) }
            } else if asked.includesOtherTypes, Self.builtIn[earlier.type] == nil {
                selection.types.append(earlier)
            }
        }
        return selection
    }

    private static let builtIn = SampleTypeTable.builtIn()

    private func conflict(_ definition: SampleTypeDefinition, _ earlier: SampleTypeDefinition) -> SyncFailure {
        SyncFailure(
            .configuration, subject: definition.type.rawValue,
            reason: "it is defined in \"\(definition.unit)\", but its samples are stored in \"\(earlier.unit)\"",
            advice: "define it in \"\(earlier.unit)\", or read all sources into another --data-dir")
    }
}
