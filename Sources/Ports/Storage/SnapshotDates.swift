package import HealthSyncDomain

/// When the latest complete snapshot of one provider was made, for each type that one was read for.
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
}
