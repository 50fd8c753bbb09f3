import HealthSyncDomain

/// The result of importing posts of the inbox.
package struct InboxReport: Sendable {
    /// A post that could not be decoded.
    package struct Undecoded: Sendable, Hashable {
        package var id: String
        /// The name of the app; `nil` if it was not recognized.
        package var sender: String?
        /// Why, without health values.
        package var reason: String
    }

    /// The number of posts whose samples were imported.
    package var decoded = 0
    package var undecoded: [Undecoded] = []
    /// A sentence for each gap that was noticed in numbered deliveries.
    package var gaps: [String] = []
    /// The runs that imported the posts; empty if no post could be decoded.
    package var runs: [RunReport] = []

    /// Samples that are new in the local store.
    package var samplesStored: Int { runs.reduce(0) { $0 + $1.account.reading.stored } }
    /// The number of days that were derived again.
    package var days: Int { runs.map(\.daysDerived).max() ?? 0 }
    /// The number of posts that no longer wait.
    package var posts: Int { decoded + undecoded.count }

    package init() {}

    /// Adds the result of a further import.
    package mutating func add(_ other: InboxReport) {
        decoded += other.decoded
        undecoded += other.undecoded
        gaps += other.gaps
        runs += other.runs
    }
}

extension RunReport {
    /// The largest number of days that a metric derived again.
    package var daysDerived: Int {
        sync.outcomes.values.reduce(0) { most, outcome in
            if case .synced(let days, _) = outcome { max(most, days) } else { most }
        }
    }
}
