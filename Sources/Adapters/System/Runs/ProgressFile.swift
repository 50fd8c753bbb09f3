import Foundation
package import HealthSyncDomain

/// How far the run at work has come, as the file `healthsync.progress` in the data folder, readable by its owner alone.
/// Written by the run that holds the folder's lock, read by anybody; a whole file takes the place of the former one.
package struct ProgressFile: Sendable {
    private let path: String

    /// The file of the data folder `folder`.
    package init(folder: String) { path = (folder as NSString).appendingPathComponent("healthsync.progress") }

    /// Replaces what is told. Serves those who look on only, so a failure changes nothing; blocks.
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

    /// What was told last; `nil` when there is nothing that can be read.
    package func read() -> RunProgress? {
        guard let bytes = try? PosixFiles().read(path, limit: 65_536) else { return nil }
        return try? JSONDecoder().decode(RunProgress.self, from: Data(bytes))
    }

    /// Takes it away. Safe to repeat.
    package func remove() { _ = unsafe unlink(path) }
}
