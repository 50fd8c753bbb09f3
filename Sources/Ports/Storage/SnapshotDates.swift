package import HealthSyncDomain

/// The dates of the latest complete snapshots of one lineage, by type.
package struct SnapshotDates: Sendable, Hashable {
    /// The dates of snapshots that were read for selected types.
    package var chosen: [SampleType: Instant]
    /// The date of the latest snapshot that was read for all types.
    package var all: Instant?

    package init(chosen: [SampleType: Instant] = [:], all: Instant? = nil) {
        self.chosen = chosen
        self.all = all
    }

    /// The date for `type`; `nil` if no snapshot was read for it.
    package subscript(type: SampleType) -> Instant? { [chosen[type], all].compactMap { $0 }.max() }

    /// Adds a snapshot with the types and dates of `other`, keeping the later date of each type.
    package mutating func formUnion(_ other: SnapshotDates) {
        chosen.merge(other.chosen, uniquingKeysWith: max)
        all = [all, other.all].compactMap { $0 }.max()
    }

    /// Returns whether a snapshot with exactly this date is the latest of some type.
    package func contains(_ date: Instant) -> Bool { all == date || chosen.values.contains(date) }

    /// Returns the dates that are not later than `latest`.
    package func upTo(_ latest: Instant) -> SnapshotDates {
        SnapshotDates(chosen: chosen.filter { $0.value <= latest }, all: all.flatMap { $0 <= latest ? $0 : nil })
    }
}
