import HealthSyncDomain
import HealthSyncPorts

/// Checks that the data folder is private and writable, and that its disk has free space.
struct FolderCheck {
    let files: any LocalFiles
    let path: String

    func findings() -> [CheckFinding] {
        do {
            guard let status = try files.status(of: path) else {
                return [CheckFinding(.ok, "data folder", "\(path), created by the first run")]
                    + freeSpace(at: existingParent)
            }
            return [folder(status)] + freeSpace(at: path)
        } catch {
            return [CheckFinding(.error, "data folder", "\(error.subject): \(error.reason)", advice: error.advice)]
        }
    }

    private func folder(_ status: LocalFileStatus) -> CheckFinding {
        if !status.isFolder {
            return CheckFinding(
                .error, "data folder", "\(path) is not a folder", advice: "name another with --data-dir")
        }
        if !files.isWritable(path) {
            return CheckFinding(
                .error, "data folder", "\(path) is not writable",
                advice: "change its permissions, or name another with --data-dir")
        }
        if status.permissions & 0o077 != 0 {
            return CheckFinding(
                .warning, "data folder", "other users can access \(path)", advice: "run: chmod 700 \(path)")
        }
        return CheckFinding(.ok, "data folder", path)
    }

    private func freeSpace(at path: String) -> [CheckFinding] {
        guard let free = files.freeBytes(at: path) else { return [] }
        let megabytes = Int(free / 1_000_000)
        let text = "\(Figures.grouped(megabytes)) MB free"
        if megabytes < 50 { return [CheckFinding(.error, "disk", text, advice: "free some space")] }
        if megabytes < 1_000 { return [CheckFinding(.warning, "disk", text, advice: "free some space soon")] }
        return [CheckFinding(.ok, "disk", text)]
    }

    private var existingParent: String {
        var parent = path
        while parent != "/", (try? files.status(of: parent)) ?? nil == nil {
            parent = "/" + parent.split(separator: "/").dropLast().joined(separator: "/")
        }
        return parent
    }
}
