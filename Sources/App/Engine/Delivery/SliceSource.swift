package import HealthSyncDomain
package import HealthSyncPorts

/// Makes the payloads of items of raw samples from the pages: the same pages give the same bytes.
struct SliceSource: Sendable {
    private let pages: any SamplePageStore
    private let hasher: any ContentHasher
    private let encoder: any RawSampleEncoder
    private let definitions: [RecordKind: SampleTypeDefinition]
    private let revisions: [RecordKind: [SampleID: SampleRevision]]

    /// A source for items of `kinds`. Reads the revisions once, because a delivery does not change them.
    init(ports: EnginePorts, encoder: any RawSampleEncoder, kinds: some Sequence<RecordKind>) async throws {
        pages = ports.pages
        hasher = ports.hasher
        self.encoder = encoder
        let wanted = Set(kinds.filter(\.isOfSamples))
        var definitions: [RecordKind: SampleTypeDefinition] = [:]
        var revisions: [RecordKind: [SampleID: SampleRevision]] = [:]
        for definition in wanted.isEmpty ? [] : try await ports.pages.knownTypes() {
            let kind = RecordKind.samples(of: definition.type)
            guard wanted.contains(kind) else { continue }
            definitions[kind] = definition
            revisions[kind] = try await ports.intervals.revisions(of: definition.type)
        }
        self.definitions = definitions
        self.revisions = revisions
    }

    /// Returns the items, those of raw samples with their payload and ids. Samples that no longer exist are left out.
    func filled(_ items: [OutboxItem]) async throws -> [OutboxItem] {
        var items = items
        let places = items.indices.filter { items[$0].content.slice != nil }
        for group in Self.neighbours(places.compactMap { place in Self.days(of: items[place]).map { (place, $0) } }) {
            let kind = items[group.places[0]].content.kind
            guard let definition = definitions[kind] else { continue }
            let samples = try await RawSampleLoader(pages: pages, hasher: hasher, definition: definition)
                .samples(on: group.days)
            for place in group.places { fill(&items[place].content, from: samples, definition: definition) }
        }
        return items
    }

    private func fill(_ content: inout NewOutboxItem, from samples: RawSamples, definition: SampleTypeDefinition) {
        guard let slice = content.slice else { return }
        var rows = Array(samples.rows(in: slice.interval.range))
        if !slice.only.isEmpty {
            let wanted = Set(slice.only)
            rows = rows.filter { wanted.contains(samples.ids[$0]) }
        }
        let chosen = samples.selecting(rows)
        content.slice?.only = chosen.ids
        content.payload = encoder.payload(
            of: chosen, kind: content.kind, unit: definition.unit, revisions: revisions[content.kind] ?? [:])
    }

    private static func days(of item: OutboxItem) -> DayRange? {
        guard let interval = item.content.slice?.interval else { return nil }
        return DayRange(
            CalendarDay(utcDayOf: interval.start),
            through: CalendarDay(utcDayOf: interval.end.advanced(byMilliseconds: -1)))
    }

    /// Groups items whose days touch; they are read together.
    private static func neighbours(_ items: [(place: Int, days: DayRange)]) -> [(places: [Int], days: DayRange)] {
        var groups: [(places: [Int], days: DayRange)] = []
        for (place, days) in items.sorted(by: { $0.days.first < $1.days.first }) {
            if let last = groups.last, days.first <= last.days.last.advanced(by: 1),
                let joined = DayRange(last.days.first, through: max(last.days.last, days.last))
            {
                groups[groups.count - 1] = (last.places + [place], joined)
            } else {
                groups.append(([place], days))
            }
        }
        return groups
    }
}

/// Outbox items for the destination. Their keys depend on ids and revisions only: a record is enqueued once.
extension HealthDestination {
    /// Returns the item of one metric's day with its hours.
    package func item(for progress: RevisedRecord<DailyProgress>) -> NewOutboxItem {
        item(.progress, progress, payload: encoder.payload(of: progress), recordIDs: progress.record.entryIDs)
    }

    /// Returns the item of one session.
    package func item(for session: RevisedRecord<SleepSession>) -> NewOutboxItem {
        item(.sleep, session, payload: encoder.payload(of: session), recordIDs: [session.sourceID])
    }

    /// Returns the item of one snapshot.
    package func item(for snapshot: RevisedRecord<ActivitySnapshot>) -> NewOutboxItem {
        item(.snapshots, snapshot, payload: encoder.payload(of: snapshot), recordIDs: [snapshot.sourceID])
    }

    /// Returns the item that deletes a record or an entry, after the earlier revisions of its record.
    package func tombstone(_ removed: Tombstone) -> NewOutboxItem {
        NewOutboxItem(
            destination: address, kind: removed.kind, dedupKey: "\(removed.sourceID)@\(removed.revision)",
            orderingKey: removed.orderingKey, revision: removed.revision, isTombstone: true, payload: [],
            recordIDs: [removed.sourceID])
    }

    private func item<Record>(
        _ kind: RecordKind, _ record: RevisedRecord<Record>, payload: [UInt8], recordIDs: [String]
    ) -> NewOutboxItem {
        NewOutboxItem(
            destination: address, kind: kind, dedupKey: "\(record.sourceID)@\(record.revision)",
            orderingKey: record.sourceID, revision: record.revision, payload: payload, recordIDs: recordIDs)
    }
}
