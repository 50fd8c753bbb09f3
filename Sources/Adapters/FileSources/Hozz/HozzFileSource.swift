import Foundation
import HealthSyncDomain
import HealthSyncPorts

/// A batch of Hozz in a file: samples and deletions.
struct HozzFileSource: HealthDataSource {
    // The app limits a batch to some megabytes. A file is held in memory while it is read.
    private static let largestFile: Int64 = 256 << 20

    let location: String
    private let context: SourceContext
    private let hasher: any ContentHasher
    private let decoder = HozzDecoder()

    init(path: String, context: SourceContext, hasher: any ContentHasher) {
        location = path
        self.context = context
        self.hasher = hasher
    }

    var provider: String { decoder.provider }
    var semantics: SourceSemantics { decoder.semantics }

    func fingerprint() async throws -> SourceFingerprint {
        try await BlockingWork.run { _ in
            try FileFingerprint(hasher: hasher).fingerprint(of: ReadableFile(path: location))
        }
    }

    func read(
        _ selection: SampleSelection, receive: @escaping @Sendable (borrowing SampleBatch) throws -> Void
    ) async throws -> SourceReading {
        try await BlockingWork.run { cancellation in
            let file = try ReadableFile(path: location)
            guard file.size <= Self.largestFile else {
                throw SyncFailure(
                    .badInput, subject: location, reason: "is larger than 256 MiB",
                    advice: "let the app deliver smaller batches")
            }
            let head = InboxHead(
                method: "POST", path: [], device: "",
                receivedAt: Instant(milliseconds: Int64(clamping: file.status.modified / 1_000_000)))
            let body = try file.bytes(at: 0, count: Int(Self.largestFile))
            try cancellation.check()
            var reading = decoder.reading(selection, in: context) { batch in
                try cancellation.check()
                try receive(batch)
            }
            try reading.take(InboxPost(id: URL(fileURLWithPath: location).lastPathComponent, head: head, body: body))
            return try reading.finish()
        }
    }
}
