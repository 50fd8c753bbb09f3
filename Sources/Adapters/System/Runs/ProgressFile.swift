import Foundation
package import HealthSyncDomain

/// The progress of the current run as the file `healthsync.progress` in the data folder, readable by its owner only.
/// Written by the run that holds the folder's lock, and replaced atomically.
package struct ProgressFile: Sendable {
    private let path: String

    /// Creates the progress file of the data folder `folder`.
    package init(folder: String) { path = (folder as NSString).appendingPathComponent("healthsync.progress") }

    /// Replaces the progress. It is for display only, so a failure is ignored. Blocks.
    package func write(_ progress: RunProgress) {
        guard let bytes = try? JSONEncoder().encode(progress) else { return }
        let draft = path + ".new"
        let descriptor = unsafe open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return }
        let code = DescriptorWriter.write(Array(bytes), to: descriptor)
        let isClosed = close(descriptor) == 0
        let isWritten = unsafe code == 0 && isClosed && rename(draft, path) == 0
        if !isWritten { _ = unsafe unlink(draft) }
    }

    /// Returns the last progress; `nil` if it does not exist or cannot be decoded.
    package func read() -> RunProgress? {
        guard let bytes = try? PosixFiles().read(path, limit: 65_536) else { return nil }
        return try? JSONDecoder().decode(RunProgress.self, from: Data(bytes))
    }

    /// Removes the file. Safe to repeat.
    package func remove() { _ = unsafe unlink(path) }
}
