import HealthSyncDomain
import HealthSyncPorts
import HealthSyncTestKit
import Testing

/// Stores on one database and a model in memory, to which the same random requests are sent.
struct ModelComparison {
    private static let types = ["steps", "heartRate"]
    private static let users = [UserName.local, UserName("anna")].compactMap(\.self)

    let model = InMemoryReceivedDataStore()
    var random: SeededRandom
    /// The number of different ids.
    var ids = 400

    init(seed: Int) { random = SeededRandom(seed: UInt64(seed)) }

    /// Sends a random request to `store` and the model, and compares the outcomes.
    mutating func step(_ store: some ReceivedDataStore) async throws {
        let user = Self.users.randomElement(using: &random) ?? .local
        let type = Self.types.randomElement(using: &random) ?? ""
        if Int.random(in: 0..<40, using: &random) == 0 {
            let removed = try await store.removeAllSamples(of: type, user: user)
            #expect(try await model.removeAllSamples(of: type, user: user) == removed)
            return
        }
        let write = write(type: type, user: user)
        let outcomes = try await store.store(write)
        let expected = try await model.store(write)
        #expect(outcomes == expected)
    }

    private mutating func write(type: String, user: UserName) -> ReceivedWrite {
        let origins = [
            Writes.origin,
            ReceivedOrigin(bundleID: "b\(Int.random(in: 0..<3, using: &random))", deviceName: nil, unit: ""),
        ]
        let size = [1, 2, 5, 20, 90].randomElement(using: &random) ?? 1
        let samples = (0..<size).map { _ in
            let id = ReceivingSamples.id(Int.random(in: 0..<ids, using: &random))
            let revision = [Int64](arrayLiteral: 0, 0, 0, 0, 1, 2).randomElement(using: &random) ?? 0
            if Int.random(in: 0..<12, using: &random) == 0 { return ReceivedSample.tombstone(id, revision: revision) }
            let start = ReceivingSamples.now.advanced(bySeconds: Int64.random(in: -90_000...90_000, using: &random))
            return ReceivedSample(
                id: id, start: start, end: start.advanced(byMilliseconds: Int64.random(in: 0...90_000, using: &random)),
                value: Double(Int.random(in: -9...9, using: &random)) / 4, revision: revision,
                origin: Int.random(in: 0...1, using: &random), isUppercase: Bool.random(using: &random))
        }
        return ReceivedWrite(
            user: user, receivedAt: ReceivingSamples.now,
            content: .samples(type: type, ReceivedSampleBatch(origins: origins, samples: samples)))
    }

    /// Compares everything that can be queried.
    mutating func compare(_ store: some ReceivedDataStore) async throws {
        for user in Self.users {
            #expect(try await store.inventory(of: user).samples == model.inventory(of: user).samples)
            for type in Self.types { try await compare(store, type: type, user: user) }
        }
    }

    private mutating func compare(_ store: some ReceivedDataStore, type: String, user: UserName) async throws {
        let ends = (0..<2).map { _ in
            ReceivingSamples.now.advanced(bySeconds: Int64.random(in: -100_000...100_000, using: &random))
        }
        let interval = InstantRange(start: min(ends[0], ends[1]), end: max(ends[0], ends[1]))
        var query = SampleQuery(user: user, type: type, limit: Int.random(in: 1...200, using: &random))
        for _ in 0..<2 {
            #expect(try await store.sampleCount(query) == model.sampleCount(query))
            let (stored, expected) = (try await all(query, in: store), try await all(query, in: model))
            #expect(stored == expected, "\(type) of \(user.text)")
            (query.from, query.until) = (interval.start, interval.end)
        }
        #expect(
            try await store.sampleStarts(of: type, user: user) == model.sampleStarts(of: type, user: user))
        #expect(
            try await store.digest(of: type, in: interval, user: user)
                == model.digest(of: type, in: interval, user: user))
    }

    private struct Found: Hashable {
        var sample: ReceivedSample
        var origin: ReceivedOrigin?
    }

    /// Returns all matching samples, read page by page.
    private func all(_ query: SampleQuery, in store: some ReceivedDataStore) async throws -> [Found] {
        var query = query
        var found: [Found] = []
        while true {
            let page = try await store.samples(query)
            found += page.batch.samples.map { sample in
                var content = sample
                content.origin = 0
                return Found(sample: content, origin: page.batch.origin(of: sample))
            }
            guard let next = page.next else { return found }
            query.after = next
        }
    }
}
