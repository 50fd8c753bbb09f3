import HealthSyncCommands
import HealthSyncDomain
import HealthSyncPorts
import Synchronization

/// Files in memory. A folder exists if it was created or contains a file.
final class InMemoryFiles: UserFiles {
    struct Entry {
        var bytes: [UInt8]
        var permissions: UInt32
        var isFolder = false
    }

    private let entries: Mutex<[String: Entry]>
    let free: Int64

    init(_ texts: [String: String] = [:], permissions: UInt32 = 0o600, free: Int64 = 500_000_000_000) {
        entries = Mutex(texts.mapValues { Entry(bytes: Array($0.utf8), permissions: permissions) })
        self.free = free
    }

    func addFolder(_ path: String, permissions: UInt32) {
        entries.withLock { $0[path] = Entry(bytes: [], permissions: permissions, isFolder: true) }
    }

    func text(_ path: String) -> String? {
        entries.withLock { $0[path] }.map { String(decoding: $0.bytes, as: UTF8.self) }
    }

    func status(of path: String) throws(SyncFailure) -> LocalFileStatus? {
        entries.withLock { entries in
            if let entry = entries[path] {
                return LocalFileStatus(
                    isFolder: entry.isFolder, size: Int64(entry.bytes.count), permissions: entry.permissions)
            }
            let isFolder = path == "/" || entries.keys.contains { $0.hasPrefix(path + "/") }
            return isFolder ? LocalFileStatus(isFolder: true, size: 0, permissions: 0o700) : nil
        }
    }

    func read(_ path: String, limit: Int) throws(SyncFailure) -> [UInt8] {
        guard let entry = entries.withLock({ $0[path] }), !entry.isFolder, entry.bytes.count <= limit else {
            throw SyncFailure(.noInput, subject: path, reason: "cannot be read", advice: "check the path")
        }
        return entry.bytes
    }

    func makePrivateFolder(_ path: String) throws(SyncFailure) { addFolder(path, permissions: 0o700) }

    func makePrivateFile(_ path: String, _ bytes: [UInt8]) throws(SyncFailure) -> Bool {
        entries.withLock { entries in
            guard entries[path] == nil else { return false }
            entries[path] = Entry(bytes: bytes, permissions: 0o600)
            return true
        }
    }

    func replacePrivateFile(_ path: String, _ bytes: [UInt8]) throws(SyncFailure) {
        entries.withLock { $0[path] = Entry(bytes: bytes, permissions: 0o600) }
    }

    func deleteFile(_ path: String) throws(SyncFailure) { entries.withLock { $0[path] = nil } }

    func names(in folder: String) throws(SyncFailure) -> [String] {
        entries.withLock { entries in
            Array(
                Set(
                    entries.keys.filter { $0.hasPrefix(folder + "/") }.compactMap {
                        $0.dropFirst(folder.count + 1).split(separator: "/").first.map(String.init)
                    }))
        }
    }

    func isWritable(_ path: String) -> Bool { entries.withLock { ($0[path]?.permissions ?? 0o700) & 0o200 != 0 } }

    func freeBytes(at path: String) -> Int64? { free }
}
