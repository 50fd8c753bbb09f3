package import HealthSyncDomain

/// When the latest complete snapshot of one line of exports was made, for each type that one was read for.
package struct SnapshotDates: Sendable, Hashable {
    /// Of types that were chosen.
    package var chosen: [SampleType: Instant]
    /// Of every type there is.
    package var all: Instant?

    package init(chosen: [SampleType: Instant] = [:], all: Instant? = nil) {
        self.chosen = chosen
        self.all = all
    }

    /// Of `type`; `nil` where none was read for it.
    package subscript(type: SampleType) -> Instant? { [chosen[type], all].compactMap { $0 }.max() }

    /// Takes up a snapshot that was read for the types of `other`; a later one stays the latest.
    package mutating func formUnion(_ other: SnapshotDates) {
        chosen.merge(other.chosen, uniquingKeysWith: max)
        all = [all, other.all].compactMap { $0 }.max()
    }

    /// Whether a snapshot of that very date is the latest of some type.
    package func contains(_ date: Instant) -> Bool { all == date || chosen.values.contains(date) }

    /// Without the dates that are later than `latest`.
    package func upTo(_ latest: Instant) -> SnapshotDates {
        SnapshotDates(chosen: chosen.filter { $0.value <= latest }, all: all.flatMap { $0 <= latest ? $0 : nil })
    }
}
