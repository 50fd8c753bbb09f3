import Foundation
package import HealthSyncDomain
package import HealthSyncPorts

/// A JSON Lines file: one JSON object per line, one sample per object (`docs/formats.md`).
///
/// `healthsync export --format jsonl` writes this form, and any script can produce it. Unusable lines are rejected one
/// by one with a reason and a byte offset.
package struct JSONLinesSource: HealthDataSource {
    package let location: String
    private let hasher: any ContentHasher

    /// Creates a source for the file at `path`; `hasher` identifies uuids that follow from the content.
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
            .badInput, subject: location, reason: "contains no line that is a JSON object",
            advice: "specify a file with one JSON object per line, as written by `healthsync export --format jsonl`")
    }
}
