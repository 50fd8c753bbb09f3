package import HealthSyncDomain
import HealthSyncPorts

/// Samples for tests of receiving servers.
package enum ReceivingSamples {
    /// The time at which tests store.
    package static let now = Instant(seconds: 1_700_000_000)

    /// Returns an id for `number`, spread over all bits.
    package static func id(_ number: Int) -> SampleID {
        let spread = UInt64(bitPattern: Int64(number)) &* 0x9E37_79B9_7F4A_7C15
        return SampleID(high: spread, low: ~spread)
    }

    /// Returns `count` consecutive step samples of a minute each.
    package static func steps(_ count: Int) -> [ReceivedSample] {
        (0..<count).map { number in
            let start = now.advanced(bySeconds: Int64(number) * 60)
            return ReceivedSample(
                id: id(number), start: start, end: start.advanced(bySeconds: 60), value: Double(number % 150))
        }
    }
}

extension ReceivedDataStore {
    func put(
        _ samples: [ReceivedSample], type: String = "steps", user: UserName = .local, key: BatchKey? = nil
    ) async throws -> [StoreOutcome] {
        let origin = ReceivedOrigin(bundleID: "com.apple.health", deviceName: "iPhone", unit: "count")
        let batch = ReceivedSampleBatch(origins: [origin], samples: samples)
        return try await store(
            ReceivedWrite(
                user: user, key: key, receivedAt: ReceivingSamples.now, content: .samples(type: type, batch)))
    }

    func put(
        _ records: [ReceivedRecord], _ kind: RecordKind, user: UserName = .local,
        at instant: Instant = ReceivingSamples.now
    ) async throws -> [StoreOutcome] {
        try await store(ReceivedWrite(user: user, receivedAt: instant, content: .records(kind, records)))
    }

    func all() async throws -> [ReceivedSample] {
        try await samples(SampleQuery(user: .local, type: "steps")).batch.samples
    }
}
