package import HealthSyncDomain

/// In what the local database and a server differ.
package struct VerificationReport: Sendable, Hashable {
    /// What was found of one type.
    package struct TypeResult: Sendable, Hashable {
        package var type: SampleType
        /// Samples kept at home, of the days asked for.
        package var homeCount: Int
        /// Intervals that differ, ascending.
        package var differences: [IntervalDifference]

        package init(type: SampleType, homeCount: Int, differences: [IntervalDifference]) {
            self.type = type
            self.homeCount = homeCount
            self.differences = differences
        }

        /// Samples of `kind`.
        package func count(_ kind: SampleDifference.Kind) -> Int {
            differences.reduce(0) { $0 + $1.samples.count { $0.kind == kind } }
        }

        /// Samples that the server has, of the days asked for.
        package var serverCount: Int { homeCount - count(.missing) + count(.surplus) }
    }

    /// The server's base address.
    package var destination: String
    package var types: [TypeResult]
    /// What was found of derived records; `nil` where they were not asked for, or the server does not answer for them.
    package var records: RecordVerification?
    /// Whether derived records were asked for and the server does not answer for them.
    package var isRecordless = false
    /// Days whose derived records do not follow from what is stored locally yet, whatever the server holds; none where
    /// derived records were not asked for.
    package var outOfDate = OutOfDateDays()

    package init(destination: String, types: [TypeResult]) {
        self.destination = destination
        self.types = types
    }

    /// Whether the server holds exactly what the local database holds, as far as it was compared.
    package var isEqual: Bool { types.allSatisfy(\.differences.isEmpty) && records?.isEqual ?? true }

    /// Samples and derived records that differ.
    package var differing: Int {
        types.reduce(records?.differing ?? 0) { $0 + $1.differences.reduce(0) { $0 + $1.samples.count } }
    }
}
