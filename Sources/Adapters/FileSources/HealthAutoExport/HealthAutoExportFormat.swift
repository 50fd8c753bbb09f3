import Foundation
package import HealthSyncDomain
package import HealthSyncPorts

extension FileFormat {
    /// The JSON files of the app Health Auto Export, or one of its CSV files. `hasher` digests both ends of a file for its fingerprint.
    static func healthAutoExport(hasher: any ContentHasher) -> FileFormat {
        FileFormat("file or folder of Health Auto Export") { path, context, _ in
            let isFeed =
                try FileStatus(path: path).isFolder
                ? try HealthAutoExportFolder(path).paths.contains {
                    let head = try ReadableFile(path: $0).bytes(at: 0, count: SourceHead.length)
                    return HealthAutoExportFile(head).form == .feed
                } : try isHealthAutoExport(Array(SourceHead(path: path).text))
            return isFeed ? [HealthAutoExportSource(path: path, hasher: hasher, clock: context.clock)] : []
        }
    }

    private static func isHealthAutoExport(_ head: [UInt8]) -> Bool {
        HealthAutoExportFile(head).form == .feed || HealthAutoExportCSV(head) != nil
    }
}

/// The files of the feed at a path, oldest first, because a later file replaces the values of the same bucket.
private struct HealthAutoExportFolder {
    /// The paths of the files. They are opened one after another: a folder may contain more files than a process may
    /// open.
    let paths: [String]
    let isFolder: Bool

    /// Lists one file, or the `.json` files of a folder.
    init(_ path: String) throws {
        isFolder = try FileStatus(path: path).isFolder
        paths = isFolder ? try Self.list(path) : [path]
    }

    private static func list(_ folder: String) throws -> [String] {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: folder)
        } catch {
            throw SyncFailure(
                .noInput, subject: folder, reason: "the folder cannot be read",
                advice: "check that you have permission to read it")
        }
        let ages = names.filter { !$0.hasPrefix(".") && $0.lowercased().hasSuffix(".json") }
            .compactMap { name in
                (try? FileStatus(path: folder + "/" + name)).flatMap { $0.isRegular ? Age(name, $0) : nil }
            }
        return ages.sorted().map { folder + "/" + $0.name }
    }

    /// The sort key: the last day in the name, the modification time, the name. A file is rewritten until its last day
    /// has ended.
    private struct Age: Comparable {
        let lastDay: Int
        let modified: Int128
        let name: String

        init(_ name: String, _ status: FileStatus) {
            self.name = name
            modified = status.modified
            let stem = name.dropLast(".json".count)
            lastDay = CalendarDay(stem.suffix(10))?.ordinal ?? .min
        }

        static func < (left: Age, right: Age) -> Bool {
            (left.lastDay, left.modified, left.name) < (right.lastDay, right.modified, right.name)
        }
    }
}

/// A file of the iOS app Health Auto Export, or a folder of them (`docs/formats.md`).
///
/// The app rewrites its files during the day, and a later value replaces an earlier one for the same bucket, so older
/// files are delivered first.
package struct HealthAutoExportSource: HealthDataSource {
    // An entry has some hundred bytes, so this suffices for years by the minute. A file is held in memory while it is
    // read.
    private static let largestFile: Int64 = 256 << 20

    package let location: String
    private let hasher: any ContentHasher
    private let clock: DayClock?

    /// Creates a source for the file or folder at `path`; `hasher` identifies unchanged files, `clock` defines the
    /// length of the user's days for daily sums.
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
                let file = try ReadableFile(path: path)
                let content = try FileFingerprint(hasher: hasher).fingerprint(of: file).content
                return "\(URL(fileURLWithPath: path).lastPathComponent) \(content)\(try zones(of: file))"
            }
            let digest = hasher.digest(parts.joined(separator: "\n"))
            return SourceFingerprint(
                path: URL(fileURLWithPath: location).standardizedFileURL.path,
                content: "\(parts.count) \(HexDigits.text(digest.high, digest.low))")
        }
    }

    /// Returns the zones in which the local times of a CSV file are read; empty for another file.
    private func zones(of file: ReadableFile) throws -> String {
        guard let clock, HealthAutoExportCSV(try file.bytes(at: 0, count: SourceHead.length)) != nil else { return "" }
        return " \(clock.home.identifier)" + clock.residences.map { " \($0.firstDay) \($0.rules.identifier)" }.joined()
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

    /// A file that cannot be read.
    private struct Unusable: Error {
        let failure: SyncFailure
        /// Whether it is truncated rather than of another kind.
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
                    advice: "let the app export shorter periods, such as one file per day")
            }
            bytes = try file.bytes(at: 0, count: Int(Self.largestFile))
        } catch let failure as SyncFailure {
            throw Unusable(failure: failure, isIncomplete: failure.code != .badInput)
        }
        let written = Int64(exactly: modified / 1_000_000).map { Instant(milliseconds: $0) }
        if let csv = HealthAutoExportCSV(bytes) { return HealthAutoExportFile(csv, clock: clock, written: written) }
        let content = HealthAutoExportFile(bytes, written: written)
        switch content.form {
        case .feed: return content
        case .other: throw unusable(path, "not a file of Health Auto Export (no member `data`)")
        case .truncated: throw unusable(path, "the file is truncated", isIncomplete: true)
        }
    }

    private func unusable(
        _ path: String, _ reason: String, advice: String = "specify a JSON file written by the app",
        isIncomplete: Bool = false
    ) -> Unusable {
        Unusable(
            failure: SyncFailure(.badInput, subject: path, reason: reason, advice: advice),
            isIncomplete: isIncomplete)
    }

    private var nothingFound: SyncFailure {
        SyncFailure(
            .badInput, subject: location, reason: "contains no JSON file of Health Auto Export",
            advice: "specify the folder to which the app exports")
    }
}
