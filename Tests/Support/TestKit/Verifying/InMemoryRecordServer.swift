package import HealthSyncDomain
import HealthSyncPorts
import Synchronization

/// An in-memory server that reports its derived records.
package final class InMemoryRecordServer: ServerRecordReader {
    private struct State {
        var entries: [RecordKind: [String: RecordEntry]] = [:]
        var requests = 0
    }

    private let state = Mutex(State())
    private let pageSize: Int

    package init(pageSize: Int = 3) { self.pageSize = pageSize }

    /// The number of handled requests.
    package var requests: Int { state.withLock { $0.requests } }

    /// Stores `entry`, a record or a tombstone, and replaces the one with its id.
    package func put(_ entry: RecordEntry, _ kind: RecordKind) {
        state.withLock { $0.entries[kind, default: [:]][entry.id] = entry }
    }

    /// Deletes the record with `id`.
    package func lose(_ id: String, _ kind: RecordKind) { state.withLock { $0.entries[kind]?[id] = nil } }

    /// Returns the records and tombstones of `kind`, by id.
    package func entries(of kind: RecordKind) -> [RecordEntry] {
        state.withLock { state in
            (state.entries[kind] ?? [:]).values.sorted { $0.id.utf8.lexicographicallyPrecedes($1.id.utf8) }
        }
    }

    package func digests(of kind: RecordKind, days: DayRange?) async throws -> RecordDigests {
        var digests = RecordDigests()
        for entry in answer(kind) {
            if let day = entry.day {
                guard days?.contains(day) ?? true else { continue }
                digests.months[CalendarPeriod(.month, holding: day), default: .zero].insert(entry.content)
            } else {
                digests.tombstones.insert(entry.content)
            }
        }
        return digests
    }

    package func entries(of kind: RecordKind, days: DayRange, after: String?) async throws -> RecordEntryPage {
        page(answer(kind).filter { $0.day.map(days.contains) ?? false }, after: after)
    }

    package func tombstones(of kind: RecordKind, after: String?) async throws -> RecordEntryPage {
        page(answer(kind).filter { $0.day == nil }, after: after)
    }

    private func answer(_ kind: RecordKind) -> [RecordEntry] {
        state.withLock { $0.requests += 1 }
        return entries(of: kind)
    }

    private func page(_ entries: [RecordEntry], after: String?) -> RecordEntryPage {
        let rest = entries.filter { entry in
            after.map { $0.utf8.lexicographicallyPrecedes(entry.id.utf8) } ?? true
        }
        let page = Array(rest.prefix(pageSize))
        return RecordEntryPage(entries: page, next: rest.count > pageSize ? page.last?.id : nil)
    }
}
