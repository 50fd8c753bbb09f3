import HealthSyncPorts

/// A file or folder of a store that belongs to a backup.
struct BackupPart: Sendable, Hashable {
    /// What it contains.
    enum Content: Sendable, Hashable {
        case database(BackupDatabase)
        case file
        /// The posts of phones: one archive, or one for each user of a server.
        case posts(isByUser: Bool)
    }

    /// Its name in the backup.
    var name: String
    /// Its absolute path.
    var path: String
    var content: Content
}

/// The databases in backups.
package enum BackupDatabase: Sendable, Hashable {
    /// The local store.
    case local
    /// The store of a receiving server.
    case received
    /// Access tokens, of phones or of a server.
    case tokens
}

extension BackupStore {
    /// The word for the store in the description of a backup.
    var kind: String {
        switch self {
        case .local: "local"
        case .server: "server"
        }
    }

    /// What a backup contains; the first part exists in every store. Archives of posts come before databases, so that no
    /// post is in the backup as imported by a database that does not have its samples yet.
    var parts: [BackupPart] {
        switch self {
        case .local(let folder):
            [
                BackupPart(
                    name: "healthsync.sqlite", path: folder + "/healthsync.sqlite", content: .database(.local)),
                BackupPart(name: "devices.sqlite", path: folder + "/devices.sqlite", content: .database(.tokens)),
                BackupPart(name: "user-profile-id", path: folder + "/user-profile-id", content: .file),
                BackupPart(name: "inbox-deliveries.json", path: folder + "/inbox-deliveries.json", content: .file),
                BackupPart(name: "healthsync.paused", path: folder + "/healthsync.paused", content: .file),
                BackupPart(name: "inbox", path: folder + "/inbox", content: .posts(isByUser: false)),
            ]
        case .server(let path, let inboxFolder):
            [
                BackupPart(name: "received.db", path: path, content: .database(.received)),
                BackupPart(name: "received.db-tokens", path: path + "-tokens", content: .database(.tokens)),
                BackupPart(name: "received.db-inbox", path: inboxFolder, content: .posts(isByUser: true)),
            ]
        }
    }

    /// The folder whose lock a run or a server holds while it writes to the store.
    var lockFolder: String {
        switch self {
        case .local(let folder): folder
        case .server(let path, _): BackupPaths.folder(of: path)
        }
    }

    /// Returns the path of a folder that backups and restores use, on the file system of the store.
    func scratch(_ name: String) -> String {
        switch self {
        case .local(let folder): "\(folder)/\(name)"
        case .server(let path, _): "\(path)-\(name)"
        }
    }
}

/// Names in backups.
enum BackupPaths {
    /// The first file: the kind of store, the time, the versions.
    static let description = "healthsync-backup.json"
    /// The last file: the SHA-256 of every other file, as `sha256sum` writes it.
    static let checksums = "SHA256SUMS"

    /// Returns whether `name` is a path of plain file names, so that it stays in the folder into which it is extracted.
    static func isSafe(_ name: String) -> Bool {
        let components = name.split(separator: "/", omittingEmptySubsequences: false)
        return (1...5).contains(components.count) && name.utf8.count <= 100
            && components.allSatisfy { component in
                guard let first = component.utf8.first, first != 0x2E else { return false }
                return component.utf8.allSatisfy {
                    (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
                        || $0 == 0x2D || $0 == 0x2E || $0 == 0x5F
                }
            }
    }

    /// Returns the folder that contains `path`.
    static func folder(of path: String) -> String {
        let folder = path.split(separator: "/").dropLast().joined(separator: "/")
        return "/" + folder
    }
}
