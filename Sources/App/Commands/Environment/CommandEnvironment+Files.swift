import HealthSyncPorts

extension CommandEnvironment {
    /// Returns the status of the file or folder at `path`, read on a thread that may block; `nil` if it does not exist.
    func status(of path: String) async throws -> LocalFileStatus? {
        try await BlockingWork.run { [files] _ in try files.status(of: path) }
    }
}
