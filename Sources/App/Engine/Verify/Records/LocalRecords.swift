import HealthSyncDomain
import HealthSyncPorts

/// The derived records of the local database as a server lists them. They are read a year at a time, so memory is bounded.
struct LocalRecords {
    /// The kinds of derived records.
    static let kinds: [RecordKind] = [.progress, .sleep, .snapshots]

    let ports: EnginePorts

    /// The digests by kind of the records of `days`, or of all.
    func digests(days: DayRange?) async throws -> [RecordKind: RecordDigests] {
        var byDay: [RecordKind: [CalendarDay: RecordSetDigest]] = [:]
        try await forEachYear(of: days) { records in
            for kind in Self.kinds {
                for entry in records.entries(of: kind) where days?.contains(entry.day) ?? true {
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
        return digests
    }

    /// The entries of `kind` of `days`.
    func entries(of kind: RecordKind, days: DayRange) async throws -> [RecordEntry] {
        var entries: [RecordEntry] = []
        try await forEachYear(of: days) { records in
            entries += records.entries(of: kind).filter { days.contains($0.day) }.map(\.entry)
        }
        return entries
    }

    /// What is remembered of deleted records.
    func removed() async throws -> [RemovedRecord] { try await ports.outbox.missingDeletions(destination: nil) }

    /// Calls `body` with the stored records of `days`, and a few around them, or with all.
    func forEachYear(of days: DayRange?, _ body: (MissingRecords) async throws -> Void) async throws {
        guard var stored = try await ports.repository.recordedDays() else { return }
        if let days {
            // A session is listed under the day on which it began, and stored under the one for which it counts.
            let near = days.widened(before: 2, after: 2)
            guard let both = DayRange(max(stored.first, near.first), through: min(stored.last, near.last)) else {
                return
            }
            stored = both
        }
        for year in DayRange.runs(of: Array(stored), atMost: 366) {
            try Task.checkCancellation()
            var records = try await ports.outbox.missingRecords(destination: nil, days: year)
            // Sessions of a night and of its day are found with both.
            records.sleep.removeAll { !year.contains($0.record.day) }
            try await body(records)
        }
    }
}

extension MissingRecords {
    /// The entries of `kind`, each with the day under which servers list it.
    func entries(of kind: RecordKind) -> [(day: CalendarDay, entry: RecordEntry)] {
        switch kind {
        case .progress: progress.flatMap { revised in revised.entries.map { (revised.record.day, $0) } }
        case .sleep: sleep.map(\.entry).map { ($0.day ?? CalendarDay(ordinal: 0), $0) }
        default: snapshots.map { ($0.record.day, $0.entry) }
        }
    }
}
