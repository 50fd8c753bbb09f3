import HealthSyncDomain
import HealthSyncPorts

/// The derived records of the local store in the form in which a server lists them. They are read a year at a time to
/// limit memory use.
struct LocalRecords {
    /// The kinds of derived records.
    static let kinds: [RecordKind] = [.progress, .sleep, .snapshots]

    let ports: EnginePorts
    /// Whether the server takes what sleep sessions are a part of.
    let hasNights: Bool
    /// What the server is offered of the days before an upgrade; `nil` for everything.
    var former: FormerDelivery?

    /// Returns the digests of the records of `days` (all for `nil`) by kind, and how many hours those of days have.
    func digests(days: DayRange?) async throws -> (byKind: [RecordKind: RecordDigests], hours: Int) {
        var hours = 0
        var byDay: [RecordKind: [CalendarDay: RecordSetDigest]] = [:]
        try await forEachYear(of: days) { records in
            let records = offered(records)
            for progress in records.progress where days?.contains(progress.record.day) ?? true {
                hours += progress.record.hours.count
            }
            for kind in Self.kinds {
                for entry in records.entries(of: kind, hasNights: hasNights) where days?.contains(entry.day) ?? true {
                    byDay[kind, default: [:]][entry.day, default: .zero].insert(entry.entry.content)
                }
            }
        }
        var digests: [RecordKind: RecordDigests] = [:]
        for kind in Self.kinds {
            var months: [CalendarPeriod: RecordSetDigest] = [:]
            for (day, digest) in byDay[kind] ?? [:] {
                months[CalendarPeriod(.month, holding: day), default: .zero] += digest
            }
            digests[kind] = RecordDigests(months: months)
        }
        for removed in try await removed() {
            digests[removed.kind, default: RecordDigests()].tombstones.insert(
                RecordContent.tombstone(id: removed.sourceID, revision: removed.revision))
        }
        return (digests, hours)
    }

    /// Returns the entries of `kind` on `days`. Those that the server is not offered are left out, unless it lists them.
    func entries(of kind: RecordKind, days: DayRange, listed: [RecordEntry]) async throws -> [RecordEntry] {
        let known = former == nil ? [] : Set(listed.map(\.id))
        var entries: [RecordEntry] = []
        try await forEachYear(of: days) { records in
            let offered = offered(records) { !known.isDisjoint(with: $0.record.entryIDs) }
            entries += offered.entries(of: kind, hasNights: hasNights).filter { days.contains($0.day) }.map(\.entry)
        }
        return entries
    }

    /// Returns the records that the server is offered, and those that are `known` to it.
    private func offered(
        _ records: MissingRecords, known: (RevisedRecord<DailyProgress>) -> Bool = { _ in false }
    ) -> MissingRecords {
        guard let former else { return records }
        var offered = records
        offered.progress.removeAll { !former.offers($0.record.metric, on: $0.record.day) && !known($0) }
        return offered
    }

    /// Returns the tombstones.
    func removed() async throws -> [Tombstone] { try await ports.outbox.missingDeletions(destination: nil) }

    /// Calls `body` with the stored records of each year of `days` (all for `nil`), including a few more at both
    /// ends.
    func forEachYear(of days: DayRange?, _ body: (MissingRecords) async throws -> Void) async throws {
        guard var stored = try await ports.repository.recordedDays() else { return }
        if let days {
            // Some servers list a session under the day on which it began; it is stored under the day of its night.
            let near = days.widened(before: 2, after: 2)
            guard let both = DayRange(max(stored.first, near.first), through: min(stored.last, near.last)) else {
                return
            }
            stored = both
        }
        for year in DayRange.runs(of: Array(stored), atMost: 366) {
            try Task.checkCancellation()
            var records = try await ports.outbox.missingRecords(destination: nil, days: year)
            // A session near the boundary of two years is returned for both.
            records.sleep.removeAll { !year.contains($0.record.day) }
            try await body(records)
        }
    }
}

extension MissingRecords {
    /// Returns the entries of `kind`, each with the day under which servers list it.
    func entries(of kind: RecordKind, hasNights: Bool) -> [(day: CalendarDay, entry: RecordEntry)] {
        switch kind {
        case .progress: progress.flatMap { revised in revised.entries.map { (revised.record.day, $0) } }
        case .sleep: sleep.map { $0.entry(hasNight: hasNights) }.map { ($0.day ?? CalendarDay(ordinal: 0), $0) }
        default: snapshots.map { ($0.record.day, $0.entry) }
        }
    }
}
