import HealthSyncDomain
import HealthSyncEngine
import HealthSyncOutboxHTTP
import HealthSyncPorts
import HealthSyncSystem

/// Creates senders and batches as the program does.
enum Senders {
    static let profile = "6ba7b810-9dad-11d1-80b4-00c04fd430c8"

    /// Milliseconds that only a request that hangs takes.
    static let patience = 1_200_000

    static func sender(
        to address: String, token: String? = nil, timeout: Int = patience, authorityFile: String? = nil
    ) throws -> HTTPOutboxSender {
        var settings = try HTTPOutboxSettings(address: ServerAddress(address), token: token, profile: profile)
        settings.connectTimeoutMilliseconds = patience
        settings.totalTimeoutMilliseconds = timeout
        settings.authorityFile = authorityFile
        return HTTPOutboxSender(settings, time: SystemClock(environment: [:]))
    }

    /// The capabilities of our own server.
    static let full: DestinationCapabilities = {
        var capabilities = DestinationCapabilities(
            batchLimits: [.steps: 5_000, .sleep: 100, .progress: 2_000, .snapshots: 2_000])
        capabilities.sampleLimit = 5_000
        capabilities.acceptsCompression = true
        return capabilities
    }()

    /// Returns the destination at `address`, whose encoder makes items.
    static func destination(_ address: String) throws -> HealthDestination {
        HealthDestination(address: address, encoder: HTTPRecordEncoder(), sender: try sender(to: "http://127.0.0.1:1"))
    }

    /// Returns the batch of items with `contents`, as the engine makes it.
    static func batch(
        of contents: [NewOutboxItem], to address: String, capabilities: DestinationCapabilities = full
    ) throws -> OutboxBatch {
        let content = try destination(address).sender.content(
            of: contents.map { OutgoingRecord($0) }, capabilities: capabilities)
        return OutboxBatch(of: Samples.items(contents), content: content, destination: address) {
            LibcryptoHasher().digest($0)
        }
    }

    /// Returns the batch of one session, as a plain server gets it.
    static func sleepBatch(
        to address: String, capabilities: DestinationCapabilities = .plain
    ) throws -> OutboxBatch {
        let session = try Samples.session(sourceName: "Watch", offset: 3_600)
        let item = try destination(address).item(
            for: RevisedRecord(session, sourceID: Samples.sessionID, revision: 1))
        return try batch(of: [item], to: address, capabilities: capabilities)
    }

    /// Returns a batch of `days` days of steps from 2024-01-01 on.
    static func stepsBatch(to address: String, days: Int = 2) throws -> OutboxBatch {
        let destination = try destination(address)
        let first = Instant(seconds: 1_704_067_200)
        let contents = try (0..<days).map { index in
            let day = CalendarDay(utcDayOf: first).advanced(by: index).description
            return destination.item(
                for: RevisedRecord(try Samples.steps(day), sourceID: "steps/\(day)", revision: 1))
        }
        return try batch(of: contents, to: address)
    }
}

extension BatchVerdict {
    /// Returns `verdicts` as those of a response with status 200.
    static func answered(_ verdicts: [ItemVerdict]) -> BatchVerdict { .items(verdicts, status: 200) }
}
