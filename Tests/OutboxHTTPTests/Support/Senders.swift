import HealthSyncDomain
import HealthSyncOutboxHTTP
import HealthSyncPorts
import HealthSyncSystem

/// Senders as the program makes them.
enum Senders {
    static let profile = "6ba7b810-9dad-11d1-80b4-00c04fd430c8"

    static func sender(
        to address: String, token: String? = nil, timeout: Int = 5_000, authorityFile: String? = nil
    ) throws -> HTTPOutboxSender {
        var settings = try HTTPOutboxSettings(address: ServerAddress(address), token: token, profile: profile)
        settings.totalTimeoutMilliseconds = timeout
        settings.authorityFile = authorityFile
        return HTTPOutboxSender(settings, hasher: LibcryptoHasher(), time: SystemClock(environment: [:]))
    }

    /// What our own server says that it can do.
    static let full = DestinationCapabilities(
        batchLimits: [.steps: 5_000, .sleep: 100, .progress: 2_000, .snapshots: 2_000], maxBodyBytes: 1 << 20,
        gzip: true,
        tombstones: true, results: true)

    /// A batch of `days` days of steps from 2024-01-01 on.
    static func stepsBatch(by sender: HTTPOutboxSender, to address: String, days: Int = 2) throws -> OutboxBatch {
        let encoder = HTTPOutboxEncoder(destination: address)
        let first = Instant(seconds: 1_704_067_200)
        let contents = try (0..<days).map { index in
            let day = CalendarDay(utcDayOf: first).advanced(by: index).description
            return encoder.item(
                for: RevisedRecord(try Samples.steps(day), sourceID: "steps/\(day)", revision: 1))
        }
        return sender.batch(of: Samples.items(contents), destination: address, capabilities: full)
    }
}
