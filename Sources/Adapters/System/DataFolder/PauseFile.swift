import Foundation
package import HealthSyncDomain
package import HealthSyncPorts
import HealthSyncSupport

/// The pause of delivery as a file in the data folder, visible to every process and preserved across restarts.
package struct PauseFile: DeliveryPause {
    private let folder: String
    private let path: String

    private let time: any TimeSource

    private static let longestText = 40

    /// Creates the pause of the data folder `folder`.
    package init(folder: String, time: any TimeSource) {
        self.folder = folder
        self.time = time
        path = (folder as NSString).appendingPathComponent("healthsync.paused")
    }

    package func isSet() -> Bool { unsafe access(path, F_OK) == 0 }

    /// Returns the time in the file, which a restored backup keeps. A former version wrote none: the time of the file.
    package func since() -> Instant? {
        guard isSet() else { return nil }
        let bytes = (try? PosixFiles().read(path, limit: Self.longestText)) ?? []
        if let stated = RFC3339.instant(String(decoding: bytes, as: UTF8.self)) { return stated }
        return (try? FileDetails(of: path)).map { Instant(seconds: $0.modified) }
    }

    package func set() throws {
        try PosixFiles().makePrivateFolder(folder)
        _ = try PosixFiles().makePrivateFile(path, Array(RFC3339.string(time.now()).utf8))
    }

    package func clear() throws -> Bool {
        do throws(SystemError) { return try FileSystem.delete(path) } catch {
            throw SyncFailure(
                .storage, subject: path, reason: "cannot be removed: \(error.text)",
                advice: "remove the file and run the command again")
        }
    }
}
