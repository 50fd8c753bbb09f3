package import HealthSyncDomain

/// The differences between the local store and a server in derived records.
package struct RecordVerification: Sendable, Hashable {
    /// The result for one kind.
    package struct KindResult: Sendable, Hashable {
        package var kind: RecordKind
        /// Local records on the requested days, counting each hour.
        package var localCount: Int
        /// The number of those on the server.
        package var serverCount: Int
        /// Local tombstones.
        package var removedCount: Int
        /// Ordered by day and id.
        package var differences: [RecordDifference]

        package init(
            kind: RecordKind, localCount: Int, serverCount: Int, removedCount: Int, differences: [RecordDifference]
        ) {
            self.kind = kind
            self.localCount = localCount
            self.serverCount = serverCount
            self.removedCount = removedCount
            self.differences = differences
        }

        /// Returns the number of differences of `kind`.
        package func count(_ kind: RecordDifference.Kind) -> Int { differences.count { $0.kind == kind } }
    }

    package var kinds: [KindResult]

    package init(kinds: [KindResult] = []) { self.kinds = kinds }

    package var isEqual: Bool { kinds.allSatisfy(\.differences.isEmpty) }

    /// The number of records and tombstones that differ.
    package var differing: Int { kinds.reduce(0) { $0 + $1.differences.count } }

    /// The number of records compared.
    package var compared: Int { kinds.reduce(0) { $0 + $1.localCount } }
}
