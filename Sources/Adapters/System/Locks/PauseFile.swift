import Foundation
import HealthSyncDomain
import HealthSyncPorts

/// The pause of delivery as a file in the data folder, visible to every process and preserved across restarts.
package struct PauseFile: DeliveryPause {
    private let folder: String
    private let path: String

    /// Creates the pause of the data folder `folder`.
    package init(folder: String) {
        self.folder = folder
        path = (folder as NSString).appendingPathComponent("healthsync.paused")
    }

    package func isSet() -> Bool { unsafe access(path, F_OK) == 0 }

    package func set() throws {
        try PosixFiles().makePrivateFolder(folder)
        _ = try PosixFiles().makePrivateFile(path, [])
    }

    package func clear() throws -> Bool {
        if unsafe unlink(path) == 0 { return true }
        guard errno != ENOENT, errno != ENOTDIR else { return false }
        throw SyncFailure(
            .storage, subject: path, reason: "cannot be removed: \(SystemError.text(errno))",
            advice: "remove the file and run the command again")
    }
}
