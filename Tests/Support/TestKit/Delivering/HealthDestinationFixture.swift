public import HealthSyncPorts

/// A destination under test and what it has stored.
public struct HealthDestinationFixture: Sendable {
    /// Opens the destination. Every call opens it again over what it has stored, as after a restart.
    public let open: @Sendable () async throws -> HealthDestination
    /// The number of stored records, in whatever unit the destination has: lines, rows, files. Deletions that it keeps
    /// count as well.
    public let storedCount: @Sendable () async throws -> Int

    /// A destination that has stored nothing yet.
    public init(
        open: @escaping @Sendable () async throws -> HealthDestination,
        storedCount: @escaping @Sendable () async throws -> Int
    ) {
        self.open = open
        self.storedCount = storedCount
    }
}
