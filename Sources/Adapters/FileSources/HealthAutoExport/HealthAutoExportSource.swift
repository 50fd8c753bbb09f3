import Foundation
package import HealthSyncDomain
package import HealthSyncPorts

/// A file of the iOS app Health Auto Export, or a folder of them (`docs/formats.md`).
///
/// The app rewrites its files during the day: a later figure for the same bucket replaces the earlier one, so older
/// files are delivered first.
package struct HealthAutoExportSource: HealthDataSource {
    // An entry is some hundred bytes, so this is years by the minute. A file is held in memory while it is read.
    private static let largestFile: Int64 = 256 << 20

    package let location: String
    private let hasher: any ContentHasher
    private let clock: DayClock?

    /// The file or folder at `path`; `hasher` recognises unchanged files, `clock` tells how long the person's days were
    /// where the app states sums of days.
    package init(path: String, hasher: any ContentHasher, clock: DayClock? = nil) {
        location = path
        self.hasher = hasher
        self.clock = clock
    }

    package var provider: String { "healthAutoExport" }
    package var semantics: SourceSemantics { .feed }

    package func fingerprint() async throws -> SourceFingerprint {
        try await BlockingWork.run { cancellation in
            let parts = try HealthAutoExportFolder(location).paths.map { path in
                try cancellation.check()
                let file = try FileFingerprint(hasher: hasher).fingerprint(of: ReadableFile(path: path))
                return "\(URL(fileURLWithPath: path).lastPathComponent) \(file.content)"
            }
            let digest = hasher.digest(parts.joined(separator: "\n"))
            return SourceFingerprint(
                path: URL(fileURLWithPath: location).standardizedFileURL.path,
                content: "\(parts.count) \(HexDigits.text(digest.high, digest.low))")
        }
    }

    package func read(
        _ selection: SampleSelection, receive: @escaping @Sendable (borrowing SampleBatch) throws -> Void
    ) async throws -> SourceReading {
        try await BlockingWork.run { cancellation in
            let folder = try HealthAutoExportFolder(location)
            var reading = HealthAutoExportReading(selection, clock: clock, cancellation: cancellation, receive: receive)
            var usable = 0
            for path in folder.paths {
                let name = folder.isFolder ? URL(fileURLWithPath: path).lastPathComponent : nil
                do {
                    let content = try content(of: path)
                    usable += 1
                    try reading.take(content, name: name)
                } catch let unusable as Unusable {
                    guard let name else { throw unusable.failure }
                    reading.leaveOut(name, because: unusable.failure.reason, isIncomplete: unusable.isIncomplete)
                }
            }
            guard usable > 0 else { throw nothingFound }
            try reading.finish()
            return reading.account
        }
    }

    /// A file of which nothing can be read.
    private struct Unusable: Error {
        let failure: SyncFailure
        /// Whether it ends too early rather than being something else.
        let isIncomplete: Bool
    }

    private func content(of path: String) throws -> HealthAutoExportFile {
        let bytes: [UInt8]
        let modified: Int128
        do {
            modified = try FileStatus(path: path).modified
            let file = try ReadableFile(path: path)
            guard file.size <= Self.largestFile else {
                throw unusable(
                    path, "is larger than 256 MiB",
                    advice: "let the app export shorter stretches, such as a file a day")
            }
            bytes = try file.bytes(at: 0, count: Int(Self.largestFile))
        } catch let failure as SyncFailure {
            throw Unusable(failure: failure, isIncomplete: failure.code != .badInput)
        }
        let content = HealthAutoExportFile(
            bytes, written: Int64(exactly: modified / 1_000_000).map { Instant(milliseconds: $0) })
        switch content.form {
        case .feed: return content
        case .other: throw unusable(path, "is not a file of Health Auto Export: it has no member `data`")
        case .brokenOff: throw unusable(path, "ends before it tells what it is", isIncomplete: true)
        }
    }

    private func unusable(
        _ path: String, _ reason: String, advice: String = "name a JSON file that the app wrote",
        isIncomplete: Bool = false
    ) -> Unusable {
        Unusable(
            failure: SyncFailure(.badInput, subject: path, reason: reason, advice: advice),
            isIncomplete: isIncomplete)
    }

    private var nothingFound: SyncFailure {
        SyncFailure(
            .badInput, subject: location, reason: "holds no JSON file of Health Auto Export",
            advice: "name the folder into which the app exports")
    }
}
