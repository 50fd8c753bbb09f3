package import HealthSyncDomain
package import HealthSyncPorts
import Synchronization

extension InMemoryOutboxStore {
    package func counts(destination: String?) async throws -> [DeliveryState: Int] {
        stores.state.withLock { state in
            let items = state.outbox.entries.values.map(\.item) + state.outbox.delivered
            let chosen = items.filter { destination == nil || $0.content.destination == destination }
            return Dictionary(grouping: chosen, by: \.state).mapValues(\.count)
        }
    }

    package func items(in state: DeliveryState?, destination: String?, limit: Int) async throws -> [OutboxItem] {
        stores.state.withLock { stored in
            let items = state == .delivered ? stored.outbox.delivered : stored.outbox.ordered.map(\.item)
            return Array(
                items.filter { item in
                    (state == nil || item.state == state)
                        && (destination == nil || item.content.destination == destination)
                }.prefix(max(0, limit)))
        }
    }

    package func item(id: Int64) async throws -> OutboxItem? {
        stores.state.withLock { state in
            state.outbox.entries[id]?.item ?? state.outbox.delivered.first { $0.id == id }
        }
    }

    package func waiting(destination: String) async throws -> [RecordKind: WaitingItems] {
        stores.state.withLock { state in
            let items = state.outbox.entries.values.map(\.item).filter {
                $0.content.destination == destination && $0.state != .dead
            }
            return Dictionary(grouping: items, by: \.content.kind).mapValues { items in
                WaitingItems(items: items.count, samples: items.reduce(0) { $0 + ($1.content.slice?.count ?? 0) })
            }
        }
    }

    package func nextAttempt(destination: String) async throws -> Instant? {
        stores.state.withLock { state in
            let batches = state.outbox.batches.values.filter { $0.content.destination == destination }.map { batch in
                max(batch.lease?.until ?? Instant(seconds: 0), batch.notBefore ?? Instant(seconds: 0))
            }
            let items = state.outbox.entries.values.filter { entry in
                entry.item.content.destination == destination && entry.batchID == nil
            }
            return (batches + items.compactMap(\.lease?.until)).min()
        }
    }

    package func destinations() async throws -> [String] {
        stores.state.withLock { state in
            let items = state.outbox.entries.values.map(\.item.content.destination)
            let offered = state.layering.values.flatMap { $0.deliveries.keys.map(\.destination) }
            return Set(items + state.outbox.ledger.keys.map(\.destination) + state.outbox.destinations.keys + offered)
                .sorted()
        }
    }

    package func destinationState(_ destination: String) async throws -> DestinationState {
        stores.state.withLock { $0.outbox.destinations[destination] ?? DestinationState() }
    }

    package func formerDelivery(of destination: String) async throws -> FormerDelivery? {
        stores.state.withLock { $0.outbox.formerDeliveries[destination] }
    }

    package func omittedRecords(destination: String) async throws -> OmittedRecords? {
        stores.state.withLock { state in
            guard let former = state.outbox.formerDeliveries[destination] else { return nil }
            let omitted = state.progress.keys.filter { !former.offers($0.metric, on: $0.day) }
            guard !omitted.isEmpty else { return nil }
            return OmittedRecords(
                count: omitted.count, metrics: Set(omitted.map(\.metric)).count, lastDay: former.lastDay)
        }
    }

    package func missingDeletions(destination: String?) async throws -> [Tombstone] {
        stores.state.withLock { state in
            state.removed.values.filter { removed in
                !state.outbox.knows(
                    .init(
                        destination: destination ?? "", kind: removed.kind,
                        dedupKey: "\(removed.sourceID)@\(removed.revision)"))
            }.sorted { ($0.revision, $0.sourceID) < ($1.revision, $1.sourceID) }
        }
    }

    package func missingRecords(destination: String?, days: DayRange) async throws -> MissingRecords {
        stores.state.withLock { state in
            func isUnknown(_ kind: RecordKind, _ sourceID: String, _ revision: Int) -> Bool {
                !state.outbox.knows(
                    .init(destination: destination ?? "", kind: kind, dedupKey: "\(sourceID)@\(revision)"))
            }
            let former = destination.flatMap { state.outbox.formerDeliveries[$0] }
            var missing = MissingRecords()
            missing.progress = state.progress.values.map(\.revised)
                .filter { days.contains($0.record.day) && isUnknown(.progress, $0.sourceID, $0.revision) }
                .filter { former?.offers($0.record.metric, on: $0.record.day) ?? true }
                .sorted { ($0.record.day, $0.record.metric) < ($1.record.day, $1.record.metric) }
            missing.sleep = state.sleep.values
                .filter { days.contains($0.record.day) && isUnknown(.sleep, $0.sourceID, $0.revision) }
                .sorted {
                    ($0.record.day, $0.record.interval.start, $0.sourceID)
                        < ($1.record.day, $1.record.interval.start, $1.sourceID)
                }
            missing.snapshots = state.snapshots.values
                .filter { days.contains($0.record.day) && isUnknown(.snapshots, $0.sourceID, $0.revision) }
                .sorted { $0.record.day < $1.record.day }
            return missing
        }
    }
}

extension InMemoryOutbox {
    /// Returns the delivered items of the ledger, oldest first.
    var delivered: [OutboxItem] {
        ledger.values.filter { !$0.isDropped }.map(\.item).sorted { $0.id < $1.id }
    }

    /// Returns the dead letters among `ids`, or all.
    func dead(_ ids: [Int64]?) -> [Int64] {
        ordered.map(\.item).filter { $0.state == .dead && ids?.contains($0.id) ?? true }.map(\.id)
    }
}

extension InMemoryState {
    /// Returns the deduplication keys of the records of `days`.
    func recordKeys(destination: String, days: DayRange) -> [InMemoryOutbox.Key] {
        func key(_ kind: RecordKind, _ sourceID: String, _ revision: Int) -> InMemoryOutbox.Key {
            .init(destination: destination, kind: kind, dedupKey: "\(sourceID)@\(revision)")
        }
        return progress.values.map(\.revised).filter { days.contains($0.record.day) }
            .map { key(.progress, $0.sourceID, $0.revision) }
            + sleep.values.filter { days.contains($0.record.day) }.map { key(.sleep, $0.sourceID, $0.revision) }
            + snapshots.values.filter { days.contains($0.record.day) }
            .map { key(.snapshots, $0.sourceID, $0.revision) }
    }
}
