public import HealthSyncPorts

/// A destination under test, and the number of its stored records.
public struct HealthDestinationFixture: Sendable {
    /// Opens the destination. Each call opens it again with its stored records, as after a restart.
    public let open: @Sendable () async throws -> HealthDestination
    /// Opens the destination by another spelling of the same address, such as one with a slash at the end or with capital letters
    /// in the name of the host; `nil` if there is one spelling.
    public var openByOtherSpelling: (@Sendable () async throws -> HealthDestination)?
    /// Returns the number of stored records, in the unit of the destination: lines, rows, points. It does not depend on
    /// how records are divided into batches. Stored deletions count too.
    public let storedCount: @Sendable () async throws -> Int
    /// Makes the destination unavailable (`false`) or available again: a stopped server, a folder that was moved.
    public let setAvailable: @Sendable (Bool) async throws -> Void
    /// Returns the ids of the records that are stored and not deleted, if the destination stores by id.
    public var storedIDs: (@Sendable () async throws -> Set<String>)?
    /// Makes the destination reject the record with this id; `nil` if it never rejects a single record.
    public var reject: (@Sendable (_ id: String) async throws -> Void)?

    /// Creates a fixture of a destination without records.
    public init(
        open: @escaping @Sendable () async throws -> HealthDestination,
        storedCount: @escaping @Sendable () async throws -> Int,
        setAvailable: @escaping @Sendable (Bool) async throws -> Void
    ) {
        self.open = open
        self.storedCount = storedCount
        self.setAvailable = setAvailable
    }
}
