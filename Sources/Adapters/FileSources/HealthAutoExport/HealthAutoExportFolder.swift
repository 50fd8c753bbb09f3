import Foundation
import HealthSyncDomain

/// The files of the feed at a path, the oldest first: what a later file says of the same bucket counts.
struct HealthAutoExportFolder {
    /// Paths of the files. They are opened one after the other: a folder may hold more than a process may have open.
    let paths: [String]
    let isFolder: Bool

    /// One file, or the `.json` files of a folder.
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
                .noInput, subject: folder, reason: "the folder cannot be read", advice: "check that you may read it")
        }
        let ages = names.filter { !$0.hasPrefix(".") && $0.lowercased().hasSuffix(".json") }
            .compactMap { name in
                (try? FileStatus(path: folder + "/" + name)).flatMap { $0.isRegular ? Age(name, $0) : nil }
            }
        return ages.sorted().map { folder + "/" + $0.name }
    }

    /// By the last day in the name, then by the time of change, then by name: a file is rewritten until its last day
    /// is over.
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
