package import HealthSyncDomain

/// The differences between the local store and a server in derived records.
package struct RecordVerification: Sendable, Hashable {
    /// The result for one kind.
    package struct KindResult: Sendable, Hashable {
        package var kind: RecordKind
        /// Local entries on the requested days: records, and each hour of a day.
        package var localEntries: Int
        /// The number of entries on the server.
        package var serverEntries: Int
        /// The hours among `localEntries`.
        package var localHours = 0
        /// Local tombstones.
        package var removedCount: Int
        /// Ordered by day and id.
        package var differences: [RecordDifference]

        package init(
            kind: RecordKind, localEntries: Int, serverEntries: Int, removedCount: Int, differences: [RecordDifference]
        ) {
            self.kind = kind
            self.localEntries = localEntries
            self.serverEntries = serverEntries
            self.removedCount = removedCount
            self.differences = differences
        }

        package var localRecords: Int { localEntries - localHours }

        /// Returns the number of differences of `kind`.
        package func count(_ kind: RecordDifference.Kind) -> Int { differences.count { $0.kind == kind } }
    }

    package var kinds: [KindResult]

    package init(kinds: [KindResult] = []) { self.kinds = kinds }

    package var isEqual: Bool { kinds.allSatisfy(\.differences.isEmpty) }

    /// The number of entries and tombstones that differ.
    package var differing: Int { kinds.reduce(0) { $0 + $1.differences.count } }

    /// The number of records compared; a day counts once, with its hours.
    package var compared: Int { kinds.reduce(0) { $0 + $1.localRecords } }
}
