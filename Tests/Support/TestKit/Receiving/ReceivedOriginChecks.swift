import HealthSyncDomain
import HealthSyncPorts

enum ReceivedOriginChecks {
    static let all: [ReceivedStoreCheck] = [
        ("origins whose texts are canonically equivalent are separate", keepsSpellingsApart)
    ]

    /// Pairs of canonically equivalent texts: composed and decomposed, a sign and its letter, marks in two orders.
    private static let spellings = [
        "caf\u{E9}", "cafe\u{301}", "\u{212A}", "K", "\u{212B}", "\u{C5}", "A\u{30A}", "a\u{323}\u{301}",
        "a\u{301}\u{323}", "\u{AC00}", "\u{1100}\u{1161}",
    ]

    @Sendable static func keepsSpellingsApart(_ store: any ReceivedDataStore) async throws {
        let origins =
            spellings.map { ReceivedOrigin(bundleID: $0, deviceName: nil, unit: "count") }
            + spellings.map { ReceivedOrigin(bundleID: "a", deviceName: $0, unit: "count") }
            + spellings.map { ReceivedOrigin(bundleID: "a", deviceName: nil, unit: $0) }
        var samples = ReceivingSamples.steps(origins.count)
        for index in samples.indices { samples[index].origin = index }
        let batch = ReceivedSampleBatch(origins: origins, samples: samples)
        _ = try await store.store(
            ReceivedWrite(user: .local, receivedAt: ReceivingSamples.now, content: .samples(type: "steps", batch)))
        let stored = try await store.samples(SampleQuery(user: .local, type: "steps")).batch
        try ContractViolation.unlessEqual(stored.samples.count, origins.count, "samples")
        for (origin, sample) in zip(origins, stored.samples) {
            try ContractViolation.unlessEqual(stored.origin(of: sample).map(bytes), bytes(origin), "origin")
        }
    }

    private static func bytes(_ origin: ReceivedOrigin) -> [[UInt8]] {
        [origin.bundleID, origin.deviceName ?? "", origin.unit].map { Array($0.utf8) }
    }
}
