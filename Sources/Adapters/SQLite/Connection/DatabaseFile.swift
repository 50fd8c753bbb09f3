import Foundation
import HealthSyncDomain

/// The database as a file: made for its owner alone, and recognised before SQLite may change it.
enum DatabaseFile {
    /// `HSYN`, at byte 68 of the file; says whose it is.
    static let applicationID: Int64 = 0x4853_594E

    /// Makes folder (0700) and file (0600) where they are missing; refuses a folder.
    static func prepare(_ path: String) throws {
        let files = FileManager.default
        if let attributes = try? files.attributesOfItem(atPath: path) {
            guard attributes[.type] as? FileAttributeType != .typeDirectory else {
                throw foreign(path, "it is a folder")
            }
            if let mode = attributes[.posixPermissions] as? Int, mode & 0o077 != 0 {
                try? files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
            }
            return
        }
        let folder = (path as NSString).deletingLastPathComponent
        do {
            if !folder.isEmpty, !files.fileExists(atPath: folder) {
                try files.createDirectory(
                    atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            }
        } catch {
            throw cannotCreate(folder, errno)
        }
        let descriptor = unsafe open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            if errno == EEXIST { return }
            throw cannotCreate(path, errno)
        }
        close(descriptor)
    }

    /// Refuses to read where there is no file; `advice` says what to do then.
    static func checkPresence(of path: String, advice: String) throws {
        guard !FileManager.default.fileExists(atPath: path) else { return }
        throw SyncFailure(.noInput, subject: path, reason: "there is no database", advice: advice)
    }

    /// Refuses a file that another program wrote, by its first bytes, before SQLite changes anything.
    private static func checkHeader(over connection: SQLiteConnection, owner: Int64) throws {
        let bytes = try connection.firstBytes(108)
        let path = connection.path
        // A file without a byte was made by a run that ended before SQLite wrote to it. One of a single byte has none to
        // SQLite either.
        if bytes.isEmpty, size(of: path) == 0 { return }
        guard bytes.count == 108, bytes.starts(with: Array("SQLite format 3\u{0}".utf8)) else {
            throw foreign(path, "it is not an SQLite database")
        }
        func number(at offset: Int) -> UInt32 { bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) } }
        if Int64(number(at: 68)) == owner { return }
        // A file made by a run that ended before its first commit has a first page without tables.
        let hasNoTables = bytes[100] == 0x0D && bytes[103] == 0 && bytes[104] == 0
        guard number(at: 68) == 0, number(at: 60) == 0, hasNoTables else {
            throw foreign(path, "it is a database of another program")
        }
    }

    /// The schema version of the file, 0 for a new one; refuses a database of another program or of a newer version. To be
    /// asked before anything else.
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
            throw foreign(connection.path, "it is a database of another program")
        }
        guard version <= latest else {
            throw SyncFailure(
                .storage, subject: connection.path,
                reason: "it was written by a newer version (schema \(version), this program knows \(latest))",
                advice: "update healthsync, or use another --data-dir")
        }
        return version
    }

    /// Size of the write-ahead log in bytes; 0 when there is none.
    static func walBytes(of path: String) -> Int { size(of: path + "-wal") }

    private static func size(of path: String) -> Int {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? Int(status.st_size) : 0
    }

    private static func foreign(_ path: String, _ why: String) -> SyncFailure {
        SyncFailure(
            .storage, subject: path, reason: "this is not a healthsync database: \(why)",
            advice: "give another --data-dir, or move the file away; it was not changed")
    }

    private static func cannotCreate(_ path: String, _ code: Int32) -> SyncFailure {
        SyncFailure(
            .storage, subject: path, reason: "it cannot be made (\(unsafe String(cString: strerror(code))))",
            advice: "check that the folder above it exists and that you may write in it, or give another --data-dir")
    }
}
