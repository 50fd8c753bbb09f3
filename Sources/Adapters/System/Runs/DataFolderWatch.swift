import Foundation
package import HealthSyncDomain
import HealthSyncPorts

/// Sees by the lock of the data folder whether a run is at work, and by its file how far it has come.
package struct DataFolderWatch: RunWatch {
    private let folder: String

    package init(folder: String) { self.folder = folder }

    package func runAtWork() -> RunAtWork? {
        guard let since = RunLock.heldSince(inFolder: folder) else { return nil }
        // What a run left behind that was killed is older than the run of today.
        let progress = ProgressFile(folder: folder).read().flatMap { $0.updatedAt >= since ? $0 : nil }
        return RunAtWork(since: since, progress: progress)
    }
}
