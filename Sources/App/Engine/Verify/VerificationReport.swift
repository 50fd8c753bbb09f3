package import HealthSyncDomain

/// In what home and a server differ.
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

    package init(destination: String, types: [TypeResult]) {
        self.destination = destination
        self.types = types
    }

    /// Whether the server holds exactly the samples kept at home.
    package var isEqual: Bool { types.allSatisfy(\.differences.isEmpty) }
}
