package import HealthSyncDomain
import HealthSyncPorts

/// Compares the derived records of the local store with those of a server: digests of all months in one request for
/// each kind, then lists of the months that differ.
struct RecordVerifier {
    /// The maximum number of adjacent months that are listed together.
    private static let monthLimit = 12
    /// The maximum number of records that a list may have, because all of them are in memory.
    private static let listLimit = 5_000_000

    let local: LocalRecords
    let server: any ServerRecordReader
    let destination: String
    let progress: any ProgressReporter

    /// Returns the differences of the records of `days` (all for `nil`). Tombstones have no day; they are compared
    /// only if all days are.
    func verify(days: DayRange?) async throws -> RecordVerification {
        let own = try await local.digests(days: days)
        var result = RecordVerification()
        for (index, kind) in LocalRecords.kinds.enumerated() {
            progress.report(phase: "comparing records", done: Int64(index), total: Int64(LocalRecords.kinds.count))
            var compared = try await verify(kind, own.byKind[kind] ?? RecordDigests(), days: days)
            if kind == .progress { compared.localHours = own.hours }
            result.kinds.append(compared)
        }
        let count = Int64(LocalRecords.kinds.count)
        progress.report(phase: "comparing records", done: count, total: count)
        return result
    }

    private func verify(
        _ kind: RecordKind, _ own: RecordDigests, days: DayRange?
    ) async throws -> RecordVerification.KindResult {
        let held = try await server.digests(of: kind, days: days)
        var result = RecordVerification.KindResult(
            kind: kind, localEntries: own.count, serverEntries: held.count,
            removedCount: days == nil ? own.tombstones.count : 0, differences: [])
        let months = own.differingMonths(from: held)
        var comparison = RecordComparison()
        for stretch in Self.stretches(months, within: days) {
            try Task.checkCancellation()
            let listed = try await all(held, kind, stretch)
            comparison.compare(local: try await local.entries(of: kind, days: stretch, listed: listed), server: listed)
        }
        // The server may have a tombstone with a higher revision for a missing record.
        guard !months.isEmpty || (days == nil && held.tombstones != own.tombstones) else { return result }
        let removed = try await local.removed().filter { $0.kind == kind }
        result.differences = comparison.differences(
            removed: Dictionary(removed.map { ($0.sourceID, $0.revision) }, uniquingKeysWith: max),
            tombstones: days == nil || held.tombstones.count > 0 ? try await tombstones(held, kind) : nil)
        if days != nil { result.differences.removeAll { $0.kind == .undeleted } }
        return result
    }

    /// Returns the entries that the server lists for `days`, after checking them against its digests.
    private func all(_ held: RecordDigests, _ kind: RecordKind, _ days: DayRange) async throws -> [RecordEntry] {
        let months = CalendarPeriod.periods(.month, of: days)
        let count = months.reduce(0) { $0 + (held.months[$1]?.count ?? 0) }
        let entries = try await list(of: count, "its list of records") {
            try await server.entries(of: kind, days: days, after: $0)
        }
        var listed: [CalendarPeriod: RecordSetDigest] = [:]
        for entry in entries {
            guard let day = entry.day, days.contains(day) else { throw contradiction("its list of records") }
            listed[CalendarPeriod(.month, holding: day), default: .zero].insert(entry.content)
        }
        for month in months where listed[month] != held.months[month] {
            throw contradiction("its list of the records of \(month)")
        }
        return entries
    }

    private func tombstones(_ held: RecordDigests, _ kind: RecordKind) async throws -> [String: Int] {
        var tombstones: [String: Int] = [:]
        guard held.tombstones.count > 0 else { return tombstones }
        var listed = RecordSetDigest.zero
        let entries = try await list(of: held.tombstones.count, "its list of deleted records") {
            try await server.tombstones(of: kind, after: $0)
        }
        for entry in entries {
            tombstones[entry.id] = entry.revision
            listed.insert(entry.content)
        }
        guard listed == held.tombstones else { throw contradiction("its list of deleted records") }
        return tombstones
    }

    /// Returns all entries of a list of `count` entries. A list that has more, or whose pages do not continue, ends with a
    /// failure: a server may list without end.
    private func list(
        of count: Int, _ name: String, page: (_ after: String?) async throws -> RecordEntryPage
    ) async throws -> [RecordEntry] {
        guard count <= Self.listLimit else {
            throw SyncFailure(
                .unverifiable, subject: destination,
                reason: "\(name) has \(count) entries, which are too many to compare",
                advice: "check the server, or verify fewer days with --from and --to")
        }
        var entries: [RecordEntry] = []
        var after: String?
        repeat {
            try Task.checkCancellation()
            let next = try await page(after)
            entries += next.entries
            guard entries.count <= count, next.next == nil || !next.entries.isEmpty else { throw contradiction(name) }
            after = next.next
        } while after != nil
        return entries
    }

    private func contradiction(_ what: String) -> SyncFailure {
        SyncFailure(
            .unverifiable, subject: destination, reason: "\(what) contradicts its digests",
            advice: "if the server is being changed, verify again later")
    }

    /// Returns the months as ranges of adjacent months, limited to `days`.
    private static func stretches(_ months: [CalendarPeriod], within days: DayRange?) -> [DayRange] {
        var stretches: [(days: DayRange, count: Int)] = []
        for month in months {
            if let last = stretches.last, last.count < monthLimit,
                last.days.last.advanced(by: 1) == month.days.first
            {
                stretches[stretches.count - 1] = (
                    last.days.widened(before: 0, after: month.days.count), last.count + 1
                )
            } else {
                stretches.append((month.days, 1))
            }
        }
        return stretches.compactMap { stretch in
            guard let days else { return stretch.days }
            return DayRange(max(stretch.days.first, days.first), through: min(stretch.days.last, days.last))
        }
    }
}

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

/// The differences between the local store and a server in derived records.
package struct RecordVerification: Sendable, Hashable {
    /// The result for one kind.
    package struct KindResult: Sendable, Hashable {
        package var kind: RecordKind
        /// Local entries on the requested days: records, and each hour of a day.
        package var localEntries: Int
        /// The number of entries on the server.
        package var serverEntries: Int
        /// The hours among `localEntries`.
        package var localHours = 0
        /// Local tombstones.
        package var removedCount: Int
        /// Ordered by day and id.
        package var differences: [RecordDifference]

        package init(
            kind: RecordKind, localEntries: Int, serverEntries: Int, removedCount: Int, differences: [RecordDifference]
        ) {
            self.kind = kind
            self.localEntries = localEntries
            self.serverEntries = serverEntries
            self.removedCount = removedCount
            self.differences = differences
        }

        package var localRecords: Int { localEntries - localHours }

        /// Returns the number of differences of `kind`.
        package func count(_ kind: RecordDifference.Kind) -> Int { differences.count { $0.kind == kind } }
    }

    package var kinds: [KindResult]

    package init(kinds: [KindResult] = []) { self.kinds = kinds }

    package var isEqual: Bool { kinds.allSatisfy(\.differences.isEmpty) }

    /// The number of entries and tombstones that differ.
    package var differing: Int { kinds.reduce(0) { $0 + $1.differences.count } }

    /// The number of records compared; a day counts once, with its hours.
    package var compared: Int { kinds.reduce(0) { $0 + $1.localRecords } }
}
