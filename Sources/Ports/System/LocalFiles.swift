package import HealthSyncDomain

/// Access to the file system other than sources and the database: settings, secrets, folders, new files.
///
/// Contract: paths are absolute; calls may block and are safe from any thread. Failures are `SyncFailure` with the
/// path as subject.
package protocol LocalFiles: Sendable {
    /// Returns the status of the file or folder at `path`, following links; `nil` if it does not exist.
    func status(of path: String) throws(SyncFailure) -> LocalFileStatus?
    /// Returns all bytes of a file. Throws `.noInput` if it is missing, unreadable or larger than `limit` bytes.
    func read(_ path: String, limit: Int) throws(SyncFailure) -> [UInt8]
    /// Creates a folder (0700) and its missing parents; does nothing if it exists. Throws `.cannotCreate`.
    func makePrivateFolder(_ path: String) throws(SyncFailure)
    /// Creates a file (0600) atomically; returns `false` and changes nothing if it exists. Throws `.cannotCreate`.
    func makePrivateFile(_ path: String, _ bytes: [UInt8]) throws(SyncFailure) -> Bool
    /// Returns whether files can be created in the folder at `path`.
    func isWritable(_ path: String) -> Bool
    /// Returns the free space at `path` in bytes; `nil` if unknown.
    func freeBytes(at path: String) -> Int64?
}

/// The status of a file or folder.
package struct LocalFileStatus: Sendable, Hashable {
    /// Whether it is a folder.
    package var isFolder: Bool
    /// The size in bytes.
    package var size: Int64
    /// The permission bits, such as 0o600.
    package var permissions: UInt32

    package init(isFolder: Bool, size: Int64, permissions: UInt32) {
        self.isFolder = isFolder
        self.size = size
        self.permissions = permissions
    }

    /// Whether users other than the owner can read it.
    package var isReadableByOthers: Bool { permissions & 0o044 != 0 }
}
