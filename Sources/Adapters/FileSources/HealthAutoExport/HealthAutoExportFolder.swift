import Foundation
import HealthSyncDomain

/// The files of the feed at a path, the oldest first: what a later file says of the same bucket counts.
struct HealthAutoExportFolder {
    let files: [SourceFile]
    let isFolder: Bool

    /// One file, or the `.json` files of a folder.
    init(_ path: String) throws {
        isFolder = try SourceFile.isFolder(path)
        files = isFolder ? try Self.list(path) : [try SourceFile(path)]
    }

    private static func list(_ folder: String) throws -> [SourceFile] {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: folder)
        } catch {
            throw SourceFile.unreadable(folder, error)
        }
        let files = names.filter { !$0.hasPrefix(".") && $0.lowercased().hasSuffix(".json") }.sorted()
            .compactMap { try? SourceFile(folder + "/" + $0) }
        return files.map { (age: Age($0), file: $0) }.sorted { $0.age < $1.age }.map(\.file)
    }

    /// By the last day in the name, then by the time of change, then by name: a file is rewritten until its last day
    /// is over.
    private struct Age: Comparable {
        let lastDay: Int
        let modified: Double
        let name: String

        init(_ file: SourceFile) {
            name = URL(fileURLWithPath: file.path).lastPathComponent
            modified = file.modified
            let stem = name.dropLast(".json".count)
            lastDay = CalendarDay(stem.suffix(10))?.ordinal ?? .min
        }

        static func < (left: Age, right: Age) -> Bool {
            (left.lastDay, left.modified, left.name) < (right.lastDay, right.modified, right.name)
        }
    }
}
