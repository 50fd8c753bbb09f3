package import HealthSyncDomain

/// Receives files that a browser sends to the pages, one at a time.
///
/// Contract:
/// - A file exists from `begin` until `remove` or `discard`. Meanwhile `begin` throws `.busy`, also in other processes.
/// - Only the user can read the file. What a process that was killed left is deleted by the next one.
package protocol FileUploads: Sendable {
    /// Begins a file. Its path ends with a name like `name`, which the browser chose and may be anything.
    ///
    /// Throws `.busy`, `.cannotCreate`.
    func begin(_ name: String) throws(SyncFailure) -> any FileUpload
    /// Deletes a file that was received completely.
    func remove(_ file: UploadedFile)
}

/// A file that is being received.
package protocol FileUpload: Sendable {
    /// Appends bytes to the file. Throws `.diskFull` or `.storage`.
    func append(_ bytes: ArraySlice<UInt8>) throws(SyncFailure)
    /// Returns the complete file. Nothing may be appended afterwards.
    func finish() throws(SyncFailure) -> UploadedFile
    /// Deletes what was received. Does nothing after `finish`.
    func discard()
}

/// A file that a browser sent.
package struct UploadedFile: Hashable, Sendable {
    /// The name that the browser stated, for messages.
    package var name: String
    /// The absolute path of the file.
    package var path: String
    /// The size in bytes.
    package var bytes: Int64

    package init(name: String, path: String, bytes: Int64) {
        self.name = name
        self.path = path
        self.bytes = bytes
    }
}
