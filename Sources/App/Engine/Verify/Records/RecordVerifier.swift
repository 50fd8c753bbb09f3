import HealthSyncDomain
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
