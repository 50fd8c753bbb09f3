package import HealthSyncDomain
package import HealthSyncPorts

/// A small `ReceivedDataStore` in memory that passes the contract.
package actor InMemoryReceivedDataStore: ReceivedDataStore {
    private struct SampleRow {
        var position: Int64
        var sample: ReceivedSample
        var origin: ReceivedOrigin?
    }
    private struct SampleSet {
        var rows: [SampleID: SampleRow] = [:]
    }
    private struct SampleScope: Hashable {
        var user: UserName
        var type: String
    }
    private struct RecordScope: Hashable {
        var user: UserName
        var kind: RecordKind
    }
    private struct KeyScope: Hashable {
        var user: UserName
        var key: String
    }

    private var samples: [SampleScope: SampleSet] = [:]
    private var records: [RecordScope: [String: StoredRecord]] = [:]
    private var keys: [KeyScope: (content: ContentDigest, at: Instant)] = [:]
    private var lastPosition: Int64 = 0
    private var writes = 0

    package init() {}

    package func version(of user: UserName) -> DataVersion? { DataVersion("\(writes)") }

    package func store(_ write: ReceivedWrite) async throws -> [StoreOutcome] {
        writes += 1
        if let key = write.key {
            let scope = KeyScope(user: write.user, key: key.key)
            if let known = keys[scope], known.content != key.content {
                throw SyncFailure(
                    .batchKeyReused, subject: "Idempotency-Key", reason: "was used before with different content",
                    advice: "use a new key for each content")
            }
            keys[scope] = (key.content, write.receivedAt)
        }
        switch write.content {
        case .samples(let type, let batch):
            let scope = SampleScope(user: write.user, type: type)
            return batch.samples.map { put($0, origin: batch.origin(of: $0), in: scope) }
        case .records(let kind, let records):
            let scope = RecordScope(user: write.user, kind: kind)
            return records.map { put($0, at: write.receivedAt, in: scope) }
        }
    }

    private func put(_ sample: ReceivedSample, origin: ReceivedOrigin?, in scope: SampleScope) -> StoreOutcome {
        let known = samples[scope]?.rows[sample.id]
        let outcome = StoreOutcome.of(
            revision: sample.revision, isDeleted: sample.isDeleted,
            over: known.map { ($0.sample.revision, $0.sample.isDeleted) })
        guard outcome != .duplicate else { return outcome }
        if known == nil { lastPosition += 1 }
        samples[scope, default: SampleSet()].rows[sample.id] = SampleRow(
            position: known?.position ?? lastPosition, sample: sample, origin: origin)
        return outcome
    }

    private func put(_ record: ReceivedRecord, at instant: Instant, in scope: RecordScope) -> StoreOutcome {
        let known = records[scope]?[record.id]
        let outcome = StoreOutcome.of(
            revision: record.revision, isDeleted: record.isDeleted,
            over: known.map { ($0.record.revision, $0.record.isDeleted) })
        guard outcome != .duplicate else { return outcome }
        records[scope, default: [:]][record.id] = StoredRecord(
            record: record, createdAt: known?.createdAt ?? instant, updatedAt: instant)
        return outcome
    }

    package func removeAllSamples(of type: String, user: UserName) async throws -> Int {
        let removed = samples.removeValue(forKey: SampleScope(user: user, type: type))
        return removed?.rows.values.count { !$0.sample.isDeleted } ?? 0
    }

    package func samples(_ query: SampleQuery) async throws -> ReceivedSamplePage {
        let rows = matching(query).filter { $0.position > query.after }.sorted { $0.position < $1.position }
        let page = rows.prefix(query.limit)
        var batch = ReceivedSampleBatch()
        var indices: [ReceivedOrigin: Int] = [:]
        for row in page {
            var sample = row.sample
            sample.origin = -1
            if let origin = row.origin {
                let index = indices[origin] ?? batch.origins.count
                if index == batch.origins.count { batch.origins.append(origin) }
                indices[origin] = index
                sample.origin = index
            }
            batch.samples.append(sample)
        }
        return ReceivedSamplePage(batch: batch, next: rows.count > page.count ? page.last?.position : nil)
    }

    package func sampleCount(_ query: SampleQuery) async throws -> Int { matching(query).count }

    package func sampleStarts(of type: String, user: UserName) async throws -> ClosedRange<Instant>? {
        let starts = matching(SampleQuery(user: user, type: type)).map(\.sample.start)
        guard let first = starts.min(), let last = starts.max() else { return nil }
        return first...last
    }

    private func matching(_ query: SampleQuery) -> [SampleRow] {
        let rows = samples[SampleScope(user: query.user, type: query.type)]?.rows.values.map { $0 } ?? []
        return rows.filter { row in
            !row.sample.isDeleted && query.from.map { row.sample.start >= $0 } ?? true
                && query.until.map { row.sample.start < $0 } ?? true
        }
    }

    package func records(_ query: RecordQuery) async throws -> [StoredRecord] {
        let sorted = matching(query).sorted { left, right in
            let (first, second) = query.isDescending ? (right.record, left.record) : (left.record, right.record)
            return (first.day, first.start, first.id) < (second.day, second.start, second.id)
        }
        return Array(sorted.dropFirst(query.offset).prefix(query.limit))
    }

    package func recordCount(_ query: RecordQuery) async throws -> Int { matching(query).count }

    private func matching(_ query: RecordQuery) -> [StoredRecord] {
        let stored = records[RecordScope(user: query.user, kind: query.kind)]?.values.map { $0 } ?? []
        return stored.filter { stored in
            let record = stored.record
            return !record.isDeleted && query.id.map { record.id == $0 } ?? true
                && query.type.map { record.type == $0 } ?? true
                && query.granularity.map { record.granularity == $0 } ?? true
                && query.from.map { record.day >= $0 } ?? true && query.through.map { record.day <= $0 } ?? true
        }
    }

    package func fold<Result: Sendable>(
        _ scan: RecordScan, into initial: Result,
        _ body: @escaping @Sendable (inout Result, ReceivedRecord) throws -> Void
    ) async throws -> Result {
        var found = (records[RecordScope(user: scan.user, kind: scan.kind)] ?? [:]).values.map(\.record).filter {
            $0.isDeleted == scan.isOfTombstones
        }
        if !scan.isOfTombstones {
            found = found.filter { record in
                scan.from.map { record.day >= $0 } ?? true && scan.through.map { record.day <= $0 } ?? true
            }
        }
        if let page = scan.page {
            found = found.filter { page.after.utf8.lexicographicallyPrecedes($0.id.utf8) }
                .sorted { $0.id.utf8.lexicographicallyPrecedes($1.id.utf8) }
            found = Array(found.prefix(page.limit))
        }
        return try found.reduce(into: initial, body)
    }

    package func digests(
        of type: String, in intervals: [InstantRange], user: UserName
    ) async throws -> [SampleSetDigest] {
        intervals.map { digest(of: type, in: $0, user: user) }
    }

    private func digest(of type: String, in interval: InstantRange, user: UserName) -> SampleSetDigest {
        var digest = SampleSetDigest()
        for row in matching(SampleQuery(user: user, type: type, from: interval.start, until: interval.end)) {
            let sample = row.sample
            digest.insert(
                sample.id, start: sample.start.milliseconds, end: sample.end.milliseconds, value: sample.value)
        }
        return digest
    }

    package func recordTypes(of kind: RecordKind, user: UserName) async throws -> [String] {
        Set(matching(RecordQuery(user: user, kind: kind)).map(\.record.type)).sorted()
    }

    package func inventory(of user: UserName) async throws -> ReceivedInventory {
        var inventory = ReceivedInventory()
        for scope in samples.keys.filter({ $0.user == user }).sorted(by: { $0.type < $1.type }) {
            let alive = matching(SampleQuery(user: user, type: scope.type)).map(\.sample)
            guard let first = alive.map(\.start).min(), let last = alive.map(\.end).max() else { continue }
            inventory.samples.append(.init(type: scope.type, count: alive.count, firstStart: first, lastEnd: last))
        }
        for scope in records.keys.filter({ $0.user == user }).sorted(by: { $0.kind.rawValue < $1.kind.rawValue }) {
            let alive = matching(RecordQuery(user: user, kind: scope.kind)).map(\.record)
            for (type, group) in Dictionary(grouping: alive, by: \.type).sorted(by: { $0.key < $1.key }) {
                guard let first = group.map(\.day).min(), let last = group.map(\.day).max() else { continue }
                inventory.records.append(
                    .init(kind: scope.kind, type: type, count: group.count, firstDay: first, lastDay: last))
            }
        }
        return inventory
    }

    package func deleteBatchKeys(before instant: Instant) async throws {
        keys = keys.filter { $0.value.at >= instant }
    }

    package func checkWritable() async throws {}

    package func close() async {}
}
