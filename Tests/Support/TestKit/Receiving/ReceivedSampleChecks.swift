import HealthSyncDomain
import HealthSyncPorts

enum ReceivedSampleChecks {
    static let all: [ReceivedStoreCheck] = [
        ("a sample is created once and a repetition changes nothing", storesOnce),
        ("a higher revision replaces, a lower or equal one does not", revisions),
        ("a tombstone hides a sample and remains after a late repetition", deletes),
        ("many tombstones at once have the outcomes of single ones", deletesMany),
        ("samples are returned as sent, in the order of storing", returnsSamples),
        ("pages of any size contain all samples", pages),
        ("only samples that start within the interval are returned", intervals),
        ("the digests of two halves sum to the digest of the interval", digests),
        ("removing all samples leaves nothing, and positions continue", removesAll),
        ("samples of different types are separate", keepsTypesApart),
    ]

    @Sendable static func storesOnce(_ store: any ReceivedDataStore) async throws {
        let samples = ReceivingSamples.steps(3)
        try ContractViolation.unlessEqual(
            try await store.put(samples + samples.prefix(1)), [.created, .created, .created, .duplicate], "first")
        try ContractViolation.unlessEqual(
            try await store.put(samples), [.duplicate, .duplicate, .duplicate], "repetition")
        try ContractViolation.unlessEqual(try await store.all().map(\.id), samples.map(\.id), "stored")
    }

    @Sendable static func revisions(_ store: any ReceivedDataStore) async throws {
        var sample = ReceivingSamples.steps(1)[0]
        sample.revision = 2
        _ = try await store.put([sample])
        var other = sample
        other.value = 99
        try ContractViolation.unlessEqual(try await store.put([other]), [.duplicate], "equal revision")
        other.revision = 1
        try ContractViolation.unlessEqual(try await store.put([other]), [.duplicate], "lower revision")
        try ContractViolation.unlessEqual(try await store.all().map(\.value), [sample.value], "kept")
        other.revision = 3
        try ContractViolation.unlessEqual(try await store.put([other]), [.updated], "higher revision")
        try ContractViolation.unlessEqual(try await store.all().map(\.value), [99], "replaced")
    }

    @Sendable static func deletes(_ store: any ReceivedDataStore) async throws {
        let samples = ReceivingSamples.steps(2)
        _ = try await store.put(samples)
        let tombstone = ReceivedSample.tombstone(samples[0].id, revision: 0)
        try ContractViolation.unlessEqual(try await store.put([tombstone]), [.updated], "deletion")
        try ContractViolation.unlessEqual(try await store.put([tombstone]), [.duplicate], "second deletion")
        try ContractViolation.unlessEqual(try await store.put([samples[0]]), [.duplicate], "late repetition")
        try ContractViolation.unlessEqual(try await store.all().map(\.id), [samples[1].id], "stored")
        let unknown = ReceivedSample.tombstone(ReceivingSamples.id(77), revision: 4)
        try ContractViolation.unlessEqual(try await store.put([unknown]), [.created], "deletion of an unknown sample")
        var late = ReceivingSamples.steps(1)[0]
        late.id = unknown.id
        late.revision = 4
        try ContractViolation.unlessEqual(try await store.put([late]), [.duplicate], "sample after its deletion")
        late.revision = 5
        try ContractViolation.unlessEqual(try await store.put([late]), [.updated], "restored sample")
        try ContractViolation.unlessEqual(try await store.all().count, 2, "stored at the end")
    }

    @Sendable static func deletesMany(_ store: any ReceivedDataStore) async throws {
        let samples = ReceivingSamples.steps(600)
        _ = try await store.put(samples)
        let tombstones = (0..<900).map { number in
            ReceivedSample.tombstone(
                number < 600 ? samples[number].id : ReceivingSamples.id(10_000 + number),
                revision: number % 2 == 0 ? 0 : 3)
        }
        let outcomes = tombstones.indices.map { $0 < 600 ? StoreOutcome.updated : .created }
        try ContractViolation.unlessEqual(
            try await store.put(tombstones.dropLast(10) + tombstones.prefix(2)),
            outcomes.dropLast(10) + [.duplicate, .duplicate], "deletions")
        try ContractViolation.unlessEqual(
            try await store.put(tombstones), outcomes.dropLast(10).map { _ in .duplicate } + outcomes.suffix(10),
            "repetition")
        try ContractViolation.unlessEqual(try await store.all().count, 0, "stored")
        try ContractViolation.unlessEqual(
            try await store.put(samples), samples.map { _ in .duplicate }, "late repetition of the samples")
        let newer = samples.map { sample in
            var newer = sample
            newer.revision = 2
            return newer
        }
        try ContractViolation.unlessEqual(
            try await store.put(newer), samples.indices.map { $0 % 2 == 0 ? .updated : .duplicate }, "newer samples")
        try ContractViolation.unlessEqual(try await store.all().count, 300, "restored")
    }

    @Sendable static func returnsSamples(_ store: any ReceivedDataStore) async throws {
        let origins = [
            ReceivedOrigin(bundleID: "com.apple.health", deviceName: "Anna’s Watch", unit: "count"),
            ReceivedOrigin(bundleID: "a\"b\\c", deviceName: nil, unit: "km"),
        ]
        var samples = ReceivingSamples.steps(4)
        samples[1].origin = 1
        samples[1].value = 0.1
        samples[2].isUppercase = true
        samples[3].start = Instant(milliseconds: -2_208_988_800_001)
        let batch = ReceivedSampleBatch(origins: origins, samples: samples)
        _ = try await store.store(
            ReceivedWrite(user: .local, receivedAt: ReceivingSamples.now, content: .samples(type: "x y", batch)))
        let page = try await store.samples(SampleQuery(user: .local, type: "x y"))
        for (sent, got) in zip(samples, page.batch.samples) {
            var expected = sent
            expected.origin = got.origin
            try ContractViolation.unlessEqual(got, expected, "sample")
            try ContractViolation.unlessEqual(page.batch.origin(of: got), batch.origin(of: sent), "origin")
        }
        try ContractViolation.unlessEqual(page.batch.samples.count, 4, "count")
        try ContractViolation.unlessEqual(page.next, nil, "next page")
    }

    @Sendable static func pages(_ store: any ReceivedDataStore) async throws {
        let samples = ReceivingSamples.steps(10)
        _ = try await store.put(samples)
        for limit in [1, 3, 5, 9, 10, 11] {
            var query = SampleQuery(user: .local, type: "steps", limit: limit)
            var ids: [SampleID] = []
            while true {
                let page = try await store.samples(query)
                ids += page.batch.samples.map(\.id)
                try ContractViolation.unless(page.batch.samples.count <= limit, "a page exceeds its limit")
                guard let next = page.next else { break }
                query.after = next
            }
            try ContractViolation.unlessEqual(ids, samples.map(\.id), "pages of \(limit)")
        }
    }

    @Sendable static func intervals(_ store: any ReceivedDataStore) async throws {
        let samples = ReceivingSamples.steps(10)
        _ = try await store.put(samples)
        let query = SampleQuery(user: .local, type: "steps", from: samples[2].start, until: samples[5].start)
        let page = try await store.samples(query)
        try ContractViolation.unlessEqual(page.batch.samples.map(\.id), samples[2..<5].map(\.id), "interval")
        try ContractViolation.unlessEqual(try await store.sampleCount(query), 3, "count")
        try ContractViolation.unlessEqual(
            try await store.sampleStarts(of: "steps", user: .local), samples[0].start...samples[9].start, "starts")
        try ContractViolation.unlessEqual(
            try await store.sampleStarts(of: "heartRate", user: .local), nil, "starts of another type")
        let inventory = try await store.inventory(of: .local)
        try ContractViolation.unlessEqual(
            inventory.samples,
            [.init(type: "steps", count: 10, firstStart: samples[0].start, lastEnd: samples[9].end)], "inventory")
    }

    @Sendable static func digests(_ store: any ReceivedDataStore) async throws {
        let samples = ReceivingSamples.steps(10)
        _ = try await store.put(samples)
        _ = try await store.put([.tombstone(samples[3].id, revision: 0)])
        let middle = samples[4].start
        let end = samples[9].end
        let left = try await store.digest(
            of: "steps", in: InstantRange(start: samples[0].start, end: middle), user: .local)
        let right = try await store.digest(of: "steps", in: InstantRange(start: middle, end: end), user: .local)
        let whole = try await store.digest(
            of: "steps", in: InstantRange(start: samples[0].start, end: end), user: .local)
        var expected = SampleSetDigest()
        for (index, sample) in samples.enumerated() where index != 3 {
            expected.insert(
                sample.id, start: sample.start.milliseconds, end: sample.end.milliseconds, value: sample.value)
        }
        try ContractViolation.unlessEqual(whole, expected, "whole")
        try ContractViolation.unlessEqual(left + right, whole, "halves")
        try ContractViolation.unlessEqual(left.count, 3, "remaining")
        var changed = samples[4]
        changed.value += 1
        changed.revision = 1
        _ = try await store.put([changed])
        let after = try await store.digest(
            of: "steps", in: InstantRange(start: samples[0].start, end: end), user: .local)
        try ContractViolation.unlessEqual(after.ids, whole.ids, "ids after a change")
        try ContractViolation.unless(after.content != whole.content, "a changed value has the same digest")
    }

    @Sendable static func removesAll(_ store: any ReceivedDataStore) async throws {
        let samples = ReceivingSamples.steps(3)
        _ = try await store.put(samples)
        _ = try await store.put([.tombstone(samples[0].id, revision: 0)])
        try ContractViolation.unlessEqual(
            try await store.removeAllSamples(of: "steps", user: .local), 2, "removed")
        try ContractViolation.unlessEqual(try await store.removeAllSamples(of: "steps", user: .local), 0, "again")
        try ContractViolation.unlessEqual(try await store.all().count, 0, "remaining")
        try ContractViolation.unlessEqual(try await store.sampleStarts(of: "steps", user: .local), nil, "starts")
        try ContractViolation.unlessEqual(
            try await store.put(samples), [.created, .created, .created], "stored again")
    }

    @Sendable static func keepsTypesApart(_ store: any ReceivedDataStore) async throws {
        let samples = ReceivingSamples.steps(2)
        _ = try await store.put(samples)
        try ContractViolation.unlessEqual(
            try await store.put(samples, type: "heartRate"), [.created, .created], "same ids of another type")
        _ = try await store.removeAllSamples(of: "heartRate", user: .local)
        try ContractViolation.unlessEqual(try await store.all().count, 2, "steps")
    }
}
