package import HealthSyncDomain
package import HealthSyncPorts
import Synchronization

/// An in-memory store of intervals.
package struct InMemorySyncIntervalStore: SyncIntervalStore {
    let stores: InMemoryStores

    package func layeredTypes() async throws -> [SampleType: LayeredType] {
        stores.state.withLock { $0.layering.mapValues(\.state) }
    }

    package func intervalCount(of type: SampleType) async throws -> Int {
        try await intervals(of: type).count
    }

    package func intervals(of type: SampleType) async throws -> [SyncInterval] {
        stores.state.withLock { state in
            (state.layering[type]?.intervals.values.map(\.self) ?? [])
                .sorted { $0.interval.start < $1.interval.start }
        }
    }

    package func statuses(of type: SampleType, destination: String?) async throws -> [IntervalStatus] {
        let intervals = try await intervals(of: type)
        return stores.state.withLock { state in
            intervals.map { interval in
                guard let destination else { return IntervalStatus(interval: interval, state: .local) }
                let key = IntervalKey(destination: destination, start: interval.interval.start)
                let items = state.outbox.slices(kind: .samples(of: type), key: key).map(\.item)
                let rejected = items.filter { $0.state == .dead }.reduce(0) { $0 + ($1.content.slice?.count ?? 0) }
                let syncedAt = state.layering[type]?.deliveries[key] ?? nil
                let isWaiting = items.contains { $0.state != .dead }
                return IntervalStatus(
                    interval: interval,
                    state: syncedAt != nil ? .synced : isWaiting ? .waiting : rejected > 0 ? .rejected : .local,
                    syncedAt: syncedAt, rejectedCount: rejected)
            }
        }
    }

    package func unoffered(
        of type: SampleType, destination: String, in range: InstantRange
    ) async throws -> [SyncInterval] {
        let intervals = try await intervals(of: type)
        return stores.state.withLock { state in
            intervals.filter { interval in
                interval.interval.start < range.end && interval.interval.end > range.start
                    && state.layering[type]?.deliveries[
                        IntervalKey(destination: destination, start: interval.interval.start)] == nil
            }
        }
    }

    package func deliveries(of type: SampleType) async throws -> [String: [Instant: Bool]] {
        stores.state.withLock { state in
            var deliveries: [String: [Instant: Bool]] = [:]
            for (key, syncedAt) in state.layering[type]?.deliveries ?? [:] {
                deliveries[key.destination, default: [:]][key.start] = syncedAt != nil
            }
            return deliveries
        }
    }

    package func changedPages(of type: SampleType) async throws -> [ChangedPage] {
        stores.state.withLock { state in
            (state.layering[type]?.before ?? [:]).map { key, before in
                ChangedPage(
                    key: key.key, provider: key.provider, before: before, after: state.pages[key]?.bytes)
            }.sorted { $0.key.day < $1.key.day }
        }
    }

    package func revisions(of type: SampleType) async throws -> [SampleID: SampleRevision] {
        stores.state.withLock { $0.revisions[type] ?? [:] }
    }

    package func commit(_ commit: LayeringCommit) async throws -> Int {
        let now = stores.time.now()
        return stores.state.withLock { $0.store(commit, now: now) }
    }

    package func forgetDelivered(of type: SampleType, destination: String, in range: InstantRange) async throws {
        let met = try await intervals(of: type).filter {
            $0.interval.start < range.end && $0.interval.end > range.start
        }
        stores.state.withLock { state in
            for interval in met {
                let key = IntervalKey(destination: destination, start: interval.interval.start)
                state.removeWaiting(kind: .samples(of: type), key: key)
                state.layering[type]?.deliveries[key] = nil
            }
        }
    }

    package func clear() async throws -> Int {
        stores.state.withLock { state in
            let count = state.layering.values.reduce(0) { $0 + $1.intervals.count }
            for (id, entry) in state.outbox.entries where entry.item.content.slice != nil {
                if let batch = entry.batchID { state.outbox.batches[batch] = nil }
                state.outbox.entries[id] = nil
            }
            state.layering = [:]
            return count
        }
    }
}
