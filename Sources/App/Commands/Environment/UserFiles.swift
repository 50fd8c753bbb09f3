package import HealthSyncDomain
package import HealthSyncPorts

/// Files that commands replace and delete for the user, such as the configuration, units and old backups.
///
/// Contract: as that of `LocalFiles`.
package protocol UserFiles: LocalFiles {
    /// Writes a file (0600) atomically, in place of an existing one. Throws `.cannotCreate`.
    func replacePrivateFile(_ path: String, _ bytes: [UInt8]) throws(SyncFailure)
    /// Deletes a file; does nothing if it does not exist. Throws `.cannotCreate`.
    func deleteFile(_ path: String) throws(SyncFailure)
    /// Returns the names in a folder, in any order; none if it does not exist. Throws `.noInput` if it is unreadable.
    func names(in folder: String) throws(SyncFailure) -> [String]
}
