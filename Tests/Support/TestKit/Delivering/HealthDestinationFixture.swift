public import HealthSyncPorts

/// A destination under test, and the number of its stored records.
public struct HealthDestinationFixture: Sendable {
    /// Opens the destination. Each call opens it again with its stored records, as after a restart.
    public let open: @Sendable () async throws -> HealthDestination
    /// Returns the number of stored records, in the unit of the destination: lines, rows, files. Stored deletions count
    /// too.
    public let storedCount: @Sendable () async throws -> Int

    /// Creates a fixture of a destination without records.
    public init(
        open: @escaping @Sendable () async throws -> HealthDestination,
        storedCount: @escaping @Sendable () async throws -> Int
    ) {
        self.open = open
        self.storedCount = storedCount
    }
}
