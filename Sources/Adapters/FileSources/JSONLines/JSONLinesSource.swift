import Foundation
package import HealthSyncDomain
package import HealthSyncPorts

/// A file in the tool's own plain form: one JSON object a line, one sample an object (`docs/formats.md`).
///
/// What `healthsync export --format jsonl` writes and any script can produce. Lines that cannot be used are refused one
/// by one with reason and byte offset.
package struct JSONLinesSource: HealthDataSource {
    package let location: String
    private let hasher: any ContentHasher

    /// The file at `path`; `hasher` recognises identities that follow from the content.
    package init(path: String, hasher: any ContentHasher) {
        location = path
        self.hasher = hasher
    }

    package var provider: String { "jsonLines" }
    package var semantics: SourceSemantics { .feed }

    package func fingerprint() async throws -> SourceFingerprint {
        try await BlockingWork.run { _ in
            try FileFingerprint(hasher: hasher).fingerprint(of: ReadableFile(path: location))
        }
    }

    package func read(
        _ selection: SampleSelection, receive: @escaping @Sendable (borrowing SampleBatch) throws -> Void
    ) async throws -> SourceReading {
        try await BlockingWork.run { cancellation in
            var lines = try LineReader(ReadableFile(path: location))
            var reading = JSONLinesReading(
                selection, hasher: hasher, delivery: SampleDelivery(cancellation: cancellation, receive: receive))
            while let line = try lines.next() {
                try cancellation.check()
                try reading.take(line)
            }
            guard !reading.isForeign else { throw foreign }
            try reading.finish()
            return reading.account
        }
    }

    private var foreign: SyncFailure {
        SyncFailure(
            .badInput, subject: location, reason: "holds no line that is a JSON object",
            advice: "name a file with one JSON object a line, as `healthsync export --format jsonl` writes it")
    }
}
