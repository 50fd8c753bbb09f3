package import HealthSyncDomain

/// The differences between the local store and a server.
package struct VerificationReport: Sendable, Hashable {
    /// The result for one type.
    package struct TypeResult: Sendable, Hashable {
        package var type: SampleType
        /// Local samples on the requested days.
        package var localCount: Int
        /// Intervals that differ, ascending.
        package var differences: [IntervalDifference]

        package init(type: SampleType, localCount: Int, differences: [IntervalDifference]) {
            self.type = type
            self.localCount = localCount
            self.differences = differences
        }

        /// Returns the number of differing samples of `kind`.
        package func count(_ kind: SampleDifference.Kind) -> Int {
            differences.reduce(0) { $0 + $1.samples.count { $0.kind == kind } }
        }

        /// The number of samples on the server on the requested days.
        package var serverCount: Int { localCount - count(.missing) + count(.surplus) }
    }

    /// The server's base address.
    package var destination: String
    package var types: [TypeResult]
    /// The result for derived records; `nil` if they were not requested or the server does not support it.
    package var records: RecordVerification?
    /// Whether derived records were requested but the server does not support it.
    package var isRecordless = false
    /// Days whose derived records are not up to date locally, regardless of the server; empty if derived records were
    /// not requested.
    package var outOfDate = OutOfDateDays()

    package init(destination: String, types: [TypeResult]) {
        self.destination = destination
        self.types = types
    }

    /// Whether the compared data of the server equals that of the local store.
    package var isEqual: Bool { types.allSatisfy(\.differences.isEmpty) && records?.isEqual ?? true }

    /// The number of samples and derived records that differ.
    package var differing: Int {
        types.reduce(records?.differing ?? 0) { $0 + $1.differences.reduce(0) { $0 + $1.samples.count } }
    }
}
