import Foundation
package import HealthSyncDomain
import HealthSyncPorts

/// Detects a run by the lock of the data folder, and reads its progress from the progress file.
package struct DataFolderWatch: RunWatch {
    private let folder: String

    package init(folder: String) { self.folder = folder }

    package func activeRun() -> ActiveRun? {
        guard let since = RunLock.heldSince(inFolder: folder) else { return nil }
        // A progress file left by a killed run is older than the current run.
        let progress = ProgressFile(folder: folder).read().flatMap { $0.updatedAt >= since ? $0 : nil }
        return ActiveRun(since: since, progress: progress)
    }
}
