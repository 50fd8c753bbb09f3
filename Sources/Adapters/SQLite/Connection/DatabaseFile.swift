import Foundation
import HealthSyncDomain
import HealthSyncSupport

/// The database file: creates it with permissions for its owner only, and identifies it before SQLite may change it.
enum DatabaseFile {
    /// The application id `HSYN`, at byte 68 of the file.
    static let applicationID: Int64 = 0x4853_594E

    /// Checks that the file is the one that was opened and can grow. Throws the reason if not.
    static func checkUsable(_ path: String, as file: FileIdentity?) throws(SyncFailure) {
        guard FileIdentity(of: path) == file else {
            throw SyncFailure(
                .storage, subject: path, reason: "the file was replaced or deleted",
                advice: "put the database back, or restart the server")
        }
        let attributes = try? FileManager.default.attributesOfFileSystem(forPath: path)
        if let free = attributes?[.systemFreeSize] as? NSNumber, free.int64Value == 0 {
            throw SyncFailure(.storage, subject: path, reason: "the disk is full", advice: "free some space")
        }
    }

    /// Creates the folder (0700) and the file (0600) if they are missing.
    /// - Throws: A failure if the path is a directory or cannot be created.
    static func prepare(_ path: String) throws {
        let files = FileManager.default
        if let attributes = try? files.attributesOfItem(atPath: path) {
            guard attributes[.type] as? FileAttributeType != .typeDirectory else {
                throw foreign(path, "it is a directory")
            }
            if let mode = attributes[.posixPermissions] as? Int, mode & 0o077 != 0 {
                try? files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
            }
            return
        }
        let folder = FileSystem.folder(of: path)
        do throws(SystemError) {
            if !folder.isEmpty { try FileSystem.makeFolder(folder) }
        } catch {
            throw cannotCreate(folder, error)
        }
        do throws(SystemError) { _ = try OpenFile(creating: path, ifExists: .fail) } catch {
            guard error.code == EEXIST else { throw cannotCreate(path, error) }
        }
    }

    /// Throws a failure with `advice` if the file does not exist.
    static func checkPresence(of path: String, advice: String) throws {
        guard !FileManager.default.fileExists(atPath: path) else { return }
        throw SyncFailure(.noInput, subject: path, reason: "no such database", advice: advice)
    }

    /// Rejects a file of another program by its first bytes, before SQLite changes anything.
    private static func checkHeader(over connection: SQLiteConnection, owner: Int64) throws {
        let bytes = try connection.firstBytes(108)
        let path = connection.path
        // A run that ended before SQLite first wrote leaves an empty file. SQLite also reads a file of one byte as
        // empty.
        if bytes.isEmpty, size(of: path) == 0 { return }
        guard bytes.count == 108, bytes.starts(with: Array("SQLite format 3\u{0}".utf8)) else {
            throw foreign(path, "it is not an SQLite database")
        }
        func number(at offset: Int) -> UInt32 { bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) } }
        if Int64(number(at: 68)) == owner { return }
        // A run that ended before its first commit leaves a first page without tables.
        let hasNoTables = bytes[100] == 0x0D && bytes[103] == 0 && bytes[104] == 0
        guard number(at: 68) == 0, number(at: 60) == 0, hasNoTables else {
            throw foreign(path, "it belongs to another program")
        }
    }

    /// Returns the schema version of the file, or 0 for a new file. Call it before any other statement.
    /// - Throws: A failure for a database of another program or of a newer schema version.
    static func schemaVersion(
        over connection: SQLiteConnection, latest: Int64, owner expected: Int64 = applicationID
    ) throws -> Int64 {
        try checkHeader(over: connection, owner: expected)
        let owner = try connection.first("PRAGMA application_id") { try $0.integer() } ?? 0
        let version = try connection.first("PRAGMA user_version") { try $0.integer() } ?? 0
        if owner == 0, version == 0 {
            let tables = try connection.first("SELECT count(*) FROM sqlite_schema") { try $0.integer() } ?? 0
            if tables == 0 { return 0 }
        }
        guard owner == expected, version > 0 else {
            throw foreign(connection.path, "it belongs to another program")
        }
        guard version <= latest else {
            throw SyncFailure(
                .storage, subject: connection.path,
                reason: "it was written by a newer version (schema \(version); this program supports \(latest))",
                advice: "update healthsync, or choose another --data-dir")
        }
        return version
    }

    /// Returns whether the file has no write-ahead log and its folder is not writable, as on a read-only medium.
    static func canBeOpenedImmutably(_ path: String) -> Bool {
        let folder = (path as NSString).deletingLastPathComponent
        let mayWrite = unsafe access(folder.isEmpty ? "." : folder, W_OK) == 0
        return !mayWrite && walBytes(of: path) == 0
    }

    /// Returns the size of the write-ahead log in bytes, 0 if it does not exist.
    static func walBytes(of path: String) -> Int { size(of: path + "-wal") }

    private static func size(of path: String) -> Int { Int(FileSystem.size(of: path)) }

    private static func foreign(_ path: String, _ why: String) -> SyncFailure {
        SyncFailure(
            .storage, subject: path, reason: "not a healthsync database: \(why)",
            advice: "choose another --data-dir, or move the file away; it was not changed")
    }

    private static func cannotCreate(_ path: String, _ error: SystemError) -> SyncFailure {
        SyncFailure(
            .storage, subject: path, reason: "cannot be created: \(error.text)",
            advice: "check that its parent folder exists and is writable, or choose another --data-dir")
    }
}

/// The device and inode of a file: a file that replaces another at the same path has a different identity.
struct FileIdentity: Hashable, Sendable {
    private let device: UInt64
    private let inode: UInt64

    /// Reads the identity of the file at `path`; `nil` if it does not exist.
    init?(of path: String) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        device = UInt64(truncatingIfNeeded: status.st_dev)
        inode = UInt64(truncatingIfNeeded: status.st_ino)
    }
}
