package import HealthSyncDomain

/// What is needed of the file system beside sources and the database: settings, secrets, folders, new files.
///
/// Contract: paths are absolute; calls may block and are safe from any thread. Failures are `SyncFailure` with the path
/// as subject.
package protocol LocalFiles: Sendable {
    /// What is at `path`, links followed; `nil` when there is nothing.
    func status(of path: String) throws(SyncFailure) -> LocalFileStatus?
    /// All bytes of a file; `.noInput` when it is missing, unreadable or larger than `limit` bytes.
    func read(_ path: String, limit: Int) throws(SyncFailure) -> [UInt8]
    /// Makes a folder (0700) and those above it that are missing; an existing one is left as it is. `.cannotCreate`.
    func makePrivateFolder(_ path: String) throws(SyncFailure)
    /// Makes a file (0600), whole or not at all; `false` when there is one already, which is left as it is.
    /// `.cannotCreate`.
    func makePrivateFile(_ path: String, _ bytes: [UInt8]) throws(SyncFailure) -> Bool
    /// Gives the finished file at `draft` the name `path` in the same folder, durably; `false` when that name is taken: what
    /// has it is left as it is, and `draft` too. `.cannotCreate`.
    func putInPlace(_ draft: String, as path: String) throws(SyncFailure) -> Bool
    /// Whether files can be made in the folder at `path`.
    func isWritable(_ path: String) -> Bool
    /// Bytes that can still be stored where `path` is; `nil` when that cannot be told.
    func freeBytes(at path: String) -> Int64?
}

/// What is at a path.
package struct LocalFileStatus: Sendable, Hashable {
    /// Whether it is a folder.
    package var isFolder: Bool
    /// Length in bytes.
    package var size: Int64
    /// The permission bits, such as 0o600.
    package var permissions: UInt32

    package init(isFolder: Bool, size: Int64, permissions: UInt32) {
        self.isFolder = isFolder
        self.size = size
        self.permissions = permissions
    }

    /// Whether people other than the owner may read it.
    package var isReadableByOthers: Bool { permissions & 0o044 != 0 }
}
