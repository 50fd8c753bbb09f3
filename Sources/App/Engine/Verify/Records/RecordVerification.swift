package import HealthSyncDomain

/// In what the derived records of the local database and of a server differ.
package struct RecordVerification: Sendable, Hashable {
    /// What was found of one kind.
    package struct KindResult: Sendable, Hashable {
        package var kind: RecordKind
        /// Records stored locally, of the days asked for; hours are counted each.
        package var localCount: Int
        /// Records that the server has of them.
        package var serverCount: Int
        /// Deleted records that are remembered locally.
        package var removedCount: Int
        /// By day and id.
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

        /// Differences of one kind.
        package func count(_ kind: RecordDifference.Kind) -> Int { differences.count { $0.kind == kind } }
    }

    package var kinds: [KindResult]

    package init(kinds: [KindResult] = []) { self.kinds = kinds }

    package var isEqual: Bool { kinds.allSatisfy(\.differences.isEmpty) }

    /// Records and tombstones that differ.
    package var differing: Int { kinds.reduce(0) { $0 + $1.differences.count } }

    /// Records that were compared.
    package var compared: Int { kinds.reduce(0) { $0 + $1.localCount } }
}
