import Foundation

/// The files at or below a path, by size and time of the last change.
struct FileTreeState: Hashable, Sendable {
    private struct Entry: Hashable {
        var size: Int64
        var seconds: Int
        var nanoseconds: Int
        var inode: UInt64
    }

    private var entries: [String: Entry] = [:]
    /// The folders, including the path itself if it is one.
    private(set) var folders: [String] = []

    /// Whether no file exists at or below the path.
    var isEmpty: Bool { entries.isEmpty }

    static func == (one: FileTreeState, other: FileTreeState) -> Bool { one.entries == other.entries }
    func hash(into hasher: inout Hasher) { hasher.combine(entries) }

    /// Reads the state of the files at or below `path`. Hidden files and folders below it are ignored.
    init(of path: String) {
        var left = [(path: path, depth: 0)]
        while let next = left.popLast(), entries.count < Self.mostFiles, folders.count < Self.mostFolders {
            var status = stat()
            guard unsafe stat(next.path, &status) == 0 else { continue }
            if status.st_mode & S_IFMT == S_IFDIR {
                folders.append(next.path)
                guard next.depth < Self.depth else { continue }
                let names = (try? FileManager.default.contentsOfDirectory(atPath: next.path)) ?? []
                left += names.filter { !$0.hasPrefix(".") }.map { ("\(next.path)/\($0)", next.depth + 1) }
            } else if status.st_mode & S_IFMT == S_IFREG {
                entries[next.path] = Entry(
                    size: Int64(status.st_size), seconds: status.modified.tv_sec, nanoseconds: status.modified.tv_nsec,
                    inode: UInt64(status.st_ino))
            }
        }
    }

    private static let depth = 5
    private static let mostFiles = 100_000
    private static let mostFolders = 2_000
}

extension stat {
    fileprivate var modified: timespec {
        #if canImport(Darwin)
            st_mtimespec
        #else
            st_mtim
        #endif
    }
}
