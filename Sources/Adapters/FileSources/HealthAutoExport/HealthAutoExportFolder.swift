import Foundation
import HealthSyncDomain

/// The files of the feed at a path, oldest first, because a later file replaces the values of the same bucket.
struct HealthAutoExportFolder {
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
