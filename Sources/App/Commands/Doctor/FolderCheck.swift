import HealthSyncDomain
import HealthSyncPorts

/// Whether the database's folder is private, writable and has room.
struct FolderCheck {
    let files: any LocalFiles
    let path: String

    func findings() -> [CheckFinding] {
        do {
            guard let status = try files.status(of: path) else {
                return [CheckFinding(.ok, "data folder", "\(path), made by the first run")] + room(at: existingParent)
            }
            return [folder(status)] + room(at: path)
        } catch {
            return [CheckFinding(.error, "data folder", "\(error.subject): \(error.reason)", advice: error.advice)]
        }
    }

    private func folder(_ status: LocalFileStatus) -> CheckFinding {
        if !status.isFolder {
            return CheckFinding(.error, "data folder", "\(path) is no folder", advice: "name another with --data-dir")
        }
        if !files.isWritable(path) {
            return CheckFinding(
                .error, "data folder", "\(path) cannot be written to",
                advice: "give yourself the right, or name another with --data-dir")
        }
        if status.permissions & 0o077 != 0 {
            return CheckFinding(
                .warning, "data folder", "\(path) can be entered by others", advice: "run: chmod 700 \(path)")
        }
        return CheckFinding(.ok, "data folder", path)
    }

    private func room(at place: String) -> [CheckFinding] {
        guard let free = files.freeBytes(at: place) else { return [] }
        let megabytes = Int(free / 1_000_000)
        let text = "\(Figures.grouped(megabytes)) MB free"
        if megabytes < 50 { return [CheckFinding(.error, "disk", text, advice: "make room")] }
        if megabytes < 1_000 { return [CheckFinding(.warning, "disk", text, advice: "make room soon")] }
        return [CheckFinding(.ok, "disk", text)]
    }

    private var existingParent: String {
        var place = path
        while place != "/", (try? files.status(of: place)) ?? nil == nil {
            place = "/" + place.split(separator: "/").dropLast().joined(separator: "/")
        }
        return place
    }
}
